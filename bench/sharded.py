"""Evaluation of sharded data as it grows: threads of one process, and Ray on this machine, the same figures first.

    python bench/sharded.py [--images N,…] [--engines threads,ray] [--rounds N] [--data DIR]

Data are generated where they aren't there yet (bench/data/sharded; 1.3 GB for 50 million detections). Each evaluation
is a process of its own: seconds from opened data to all figures of COCO, processor time of the process and its threads,
and the most memory it held. Ray's start is told apart. The seconds of the best round count. Both engines must give the
same bytes before a ratio is printed; the line through the sizes shows whether cost grows with them.
"""

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import sharded_data

HERE = Path(__file__).parent
SIZES = (7_000, 35_000, 175_000, 350_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--images", default=",".join(map(str, SIZES)))
    parser.add_argument("--engines", default="threads,ray")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--data", type=Path, default=HERE / "data/sharded")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(evaluated(options.one, options.data, int(options.images))))
        return
    sizes = [int(images) for images in options.images.split(",")]
    for images in sizes:
        sharded_data.write(options.data, images)
    found: dict[str, list[dict[str, Any]]] = {}
    for engine in options.engines.split(","):
        found[engine] = [best(engine, options.data, images, options.rounds) for images in sizes]
        print_table(engine, found[engine])
    first, *others = found.values()
    for other in others:
        same = all(a["figures"] == b["figures"] for a, b in zip(first, other, strict=True))
        if not same:
            sys.exit("the engines give different figures: no ratio is told")
        ratios = [b["seconds"] / a["seconds"] for a, b in zip(first, other, strict=True)]
        print("second engine's seconds over the first's:", ", ".join(f"{ratio:.2f}" for ratio in ratios))


def best(engine: str, data: Path, images: int, rounds: int) -> dict[str, Any]:
    """The round with the fewest seconds."""
    return min((measured(engine, data, images) for _ in range(rounds)), key=lambda one: one["seconds"])


def measured(engine: str, data: Path, images: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", engine, "--data", str(data), "--images", str(images)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def evaluated(name: str, data: Path, images: int) -> dict[str, Any]:
    """One evaluation, in this process."""
    import polars as pl  # noqa: F401  imported now: start-up is told apart
    import pyarrow.parquet as pq  # noqa: F401  likewise

    from boxscore.model.json_text import to_json
    from boxscore.pipeline.evaluate import evaluate
    from boxscore.pipeline.sharding.opened import thread_engine

    truth, found = sharded_data.write(data, images)
    begun = time.perf_counter()
    session: Any = None
    if name == "threads":
        engine: Any = thread_engine(None, 2)
    else:
        from boxscore.cluster.engine import ray_engine
        from boxscore.cluster.session import connect

        session = connect(name)  # which the engine borrows
        engine = ray_engine(name)
    started = time.perf_counter()
    run = evaluate(str(truth), str(found), engine=engine)
    figures = hashlib.sha256(to_json({"metrics": run.metrics.rows}).encode()).hexdigest()
    seconds = time.perf_counter() - started
    detections = sum(run.detections_by_label())
    engine.close()
    if session is not None:
        session.close()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "images": images,
        "detections": detections,
        "start": started - begun,
        "seconds": seconds,
        "processor": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss / 1024,
        "figures": figures,
    }


def print_table(engine: str, rows: list[dict[str, Any]]) -> None:
    print(f"{engine}, start-up aside")
    print("detections    seconds  million/s  processor s  a million  peak MB  off the line")
    # Cost by the least squares line through all sizes, weighted so that each size counts alike.
    n = [row["detections"] / 1e6 for row in rows]
    t = [row["seconds"] for row in rows]
    slope, start = fitted(n, t)
    for row, size, seconds in zip(rows, n, t, strict=True):
        off = seconds / (start + slope * size) - 1
        own = f"{row['processor']:11.1f} {row['processor'] / size:10.2f}" if engine == "threads" else f"{'':22}"
        print(f"{row['detections']:10,} {seconds:10.2f} {size / seconds:10.2f} {own} {row['peak']:8.0f} {off:+12.1%}")
    print(f"line: {start:.2f} s + {slope:.3f} s a million; engine started in {rows[0]['start']:.1f} s")
    print()


def fitted(sizes: list[float], seconds: list[float]) -> tuple[float, float]:
    """Slope and intercept of least relative squares."""
    import numpy as np

    scale = 1 / np.array(seconds)
    design = np.column_stack([np.array(sizes) * scale, scale])
    (slope, start), *_ = np.linalg.lstsq(design, np.ones(len(sizes)), rcond=None)
    return float(slope), float(start)


if __name__ == "__main__":
    main()
