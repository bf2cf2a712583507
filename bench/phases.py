"""Where the time of one evaluation goes: wall milliseconds of each phase, medians over rounds.

    python bench/phases.py bench/data/large [--threads N] [--rounds N]

Runs in one process, so that start-up and imports are paid once and stand in no phase; `bench/run` measures whole
processes. Run it with a Python that has boxscore (`.venv/bin/python`).
"""

import argparse
import mmap
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boxscore import _kernel, load_protocol


class Clock:
    """Wall time of named phases, over rounds."""

    def __init__(self) -> None:
        self.phases: dict[str, list[float]] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what runs inside."""
        begun = time.perf_counter()
        yield
        self.phases.setdefault(name, []).append(time.perf_counter() - begun)


@contextmanager
def mapped(path: Path) -> Iterator[mmap.mmap]:
    """The bytes of a file."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data


def evaluate(folder: Path, threads: int, clock: Clock) -> float | None:
    """One evaluation as `boxscore eval` does it, phase by phase; its AP."""
    protocol = load_protocol("coco")
    with mapped(folder / "gt.json") as data, clock.phase("parse ground truth"):
        truth = _kernel.parse_ground_truth(data, threads)
    labels = {category: label for label, (category, _) in enumerate(sorted(truth.categories, key=lambda c: int(c[0])))}
    with clock.phase("build ground truth"):
        dataset, _ = _kernel.build_dataset(truth, [labels[use[0]] for use in truth.category_uses])
    with mapped(folder / "dt.json") as data, clock.phase("parse results"):
        results = _kernel.parse_results(data, threads)
    with clock.phase("place and order detections"):
        uses = [labels[use[1]] for use in results.label_uses]
        detections, _ = _kernel.build_detections(results, dataset, uses, threads=threads)
    del results
    with clock.phase("match, 40 cells"):
        matches = _kernel.match_detections(
            dataset,
            detections,
            iou_thresholds=protocol.iou_thresholds,
            area_ranges=[(least, most) for _, least, most in protocol.area_ranges],
            max_detections=protocol.max_detections[-1],
            threads=threads,
        )
    with clock.phase("accumulate"):
        curves = _kernel.accumulate(
            matches,
            num_labels=len(labels),
            num_areas=len(protocol.area_ranges),
            limits=protocol.max_detections,
            recall_points=protocol.recall_points,
            threads=threads,
        )
    every = range(len(protocol.iou_thresholds))
    return curves.mean_precision(area=0, limit=2, thresholds=every, labels=range(len(labels)))


def main() -> None:
    """Time the phases and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="holds gt.json and dt.json")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    clock = Clock()
    figures = {evaluate(options.folder, options.threads, clock) for _ in range(options.rounds)}
    if len(figures) != 1:
        sys.exit(f"the rounds disagree: {figures}")
    for name, seconds in clock.phases.items():
        print(f"{name:<28}{1000 * statistics.median(seconds):8.1f} ms")
    print(f"{'sum':<28}{1000 * sum(map(statistics.median, clock.phases.values())):8.1f} ms   AP {figures.pop()!r}")


if __name__ == "__main__":
    main()
