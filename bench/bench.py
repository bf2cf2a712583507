"""Measures boxscore and its peers, each as one whole process from JSON files to 12 printed figures.

Rounds alternate the order of the engines. Before any ratio is printed, all 12 figures of every run are held against
pycocotools' (boxscore must be equal to the last bit). Results go to bench/results/ as JSON, too.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engines import ENGINES, REFERENCE, Engine
from measure import Sample, run_once
from report import DisagreementError, differences, table, tenfold_line

HERE = Path(__file__).parent
BY_NAME = {engine.name: engine for engine in ENGINES}


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    chosen = [BY_NAME[name] for name in options.only]
    record: dict[str, Any] = {"machine": _machine(), "versions": {e.name: version(e.package) for e in chosen}}
    print("machine: " + ", ".join(f"{key} {value}" for key, value in record["machine"].items()))
    try:
        for name in options.sets:
            record[name] = _measure_set(name, chosen, options)
    except DisagreementError as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 1
    finally:
        _save(record)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("--sets", type=_names(["large", "small"]), default=["small", "large"], help="large,small")
    parser.add_argument("--only", type=_names(list(BY_NAME)), default=list(BY_NAME), help="engines, with commas")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each engine (default 7)")
    parser.add_argument("--slow-rounds", type=int, default=1, help="runs of the slow ones on the large set (default 1)")
    parser.add_argument("--tenfold", action="store_true", help="boxscore on ten times the detections, too")
    parser.add_argument("--work", type=Path, default=HERE / "data", help="where the workloads are kept")
    return parser.parse_args(arguments)


def _names(known: list[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
        return names

    return parse


def _measure_set(name: str, chosen: list[Engine], options: argparse.Namespace) -> dict[str, Any]:
    folder = _workload(name, options.work)
    about = json.loads((folder / "about.json").read_text())
    print(f"\n{name}: {about['images']} images, {about['objects']} objects, {about['detections']} detections\n")
    samples = _alternate(folder, chosen, options.rounds, options.slow_rounds if name == "large" else options.rounds)
    reference = _reference(folder, about["digest"], samples)
    worst = differences(samples, reference)
    print(table(samples, worst))
    record = {"about": about, "reference": reference, "samples": [asdict(s) for s in samples], "differences": worst}
    if options.tenfold and name == "large" and BY_NAME["boxscore"] in chosen:
        record["tenfold"] = _measure_tenfold(samples, options)
    return record


def _measure_tenfold(large: list[Sample], options: argparse.Namespace) -> list[dict[str, Any]]:
    folder = _workload("tenfold", options.work)
    samples = [run_once(BY_NAME["boxscore"], folder) for _ in range(min(options.rounds, 3))]
    print("\n" + tenfold_line(large, samples))
    return [asdict(sample) for sample in samples]


def _alternate(folder: Path, engines: list[Engine], rounds: int, slow_rounds: int) -> list[Sample]:
    """Every other round runs backwards, so that no engine always follows the same one."""
    samples: list[Sample] = []
    for number in range(rounds):
        due = [engine for engine in engines if number < (slow_rounds if engine.slow else rounds)]
        for engine in due if number % 2 == 0 else reversed(due):
            samples.append(run_once(engine, folder))
            print(f"  round {number + 1}: {engine.name} {samples[-1].wall:.3f} s", file=sys.stderr)
    return samples


def _reference(folder: Path, digest: str, samples: Sequence[Sample]) -> list[float | None]:
    """pycocotools' figures, from this run or kept beside the files: they only change with them."""
    kept = folder / "reference.json"
    if kept.exists():
        record = json.loads(kept.read_text())
        if record["digest"] == digest and record["version"] == version(REFERENCE):
            figures: list[float | None] = record["figures"]
            return figures
    measured = [sample.figures for sample in samples if sample.engine == REFERENCE]
    figures = measured[0] if measured else run_once(BY_NAME[REFERENCE], folder).figures
    kept.write_text(json.dumps({"digest": digest, "version": version(REFERENCE), "figures": figures}))
    return figures


def _workload(name: str, work: Path) -> Path:
    """Made by a process of its own: this one must stay small (see `measure`)."""
    subprocess.run([sys.executable, str(HERE / "workload.py"), name, "--out", str(work)], check=True)
    return work / name


def _machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "processor": _processor(),
        "threads": os.cpu_count(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _save(record: dict[str, Any]) -> None:
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    target = results / time.strftime("%Y%m%d-%H%M%S.json", time.gmtime())
    target.write_text(json.dumps(record, indent=1) + "\n")
    print(f"\nwritten: {target.relative_to(HERE.parent)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
