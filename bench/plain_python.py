"""A plain evaluator as people write it: lines split in Python, loops over images and labels, COCO's rule.

    python bench/plain_python.py FOLDER IMAGES

Reads `yolo/labels`, `yolo_preds` and `yolo/sizes.csv` of a folder that text_forms.py made, of its first IMAGES images,
and prints seconds and AP as JSON. It imports nothing but the standard library.
"""

import json
import sys
import time
from collections import defaultdict
from pathlib import Path

Box = tuple[float, float, float, float]
THRESHOLDS = [0.5 + (0.95 - 0.5) / 9 * step for step in range(10)]
AREAS = [(0.0, 1e10), (0.0, 32.0**2), (32.0**2, 96.0**2), (96.0**2, 1e10)]
LIMIT = 100


def read_lines(path: Path, width: float, height: float) -> list[tuple[int, Box, float]]:
    """Class, box and score (0 where there is none) of each line."""
    rows: list[tuple[int, Box, float]] = []
    with path.open() as file:
        for line in file:
            fields = line.split()
            cx, cy, w, h = (float(field) for field in fields[1:5])
            box = ((cx - w / 2) * width, (cy - h / 2) * height, w * width, h * height)
            rows.append((int(fields[0]), box, float(fields[5]) if len(fields) > 5 else 0.0))
    return rows


def iou(a: Box, b: Box) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h)


def match(found: list[tuple[Box, float]], truth: list[Box], low: float, high: float) -> list[list[tuple[float, int]]]:
    """For each threshold: score and 1 (found), 0 (false) or -1 (ignored) of each detection."""
    outside = [not low <= box[2] * box[3] <= high for box in truth]
    order = sorted(range(len(truth)), key=lambda i: outside[i])
    overlaps = [[iou(box, truth[i]) for i in order] for box, _ in found]
    rows: list[list[tuple[float, int]]] = []
    for threshold in THRESHOLDS:
        taken = [False] * len(order)
        row: list[tuple[float, int]] = []
        for (box, score), overlap in zip(found, overlaps, strict=True):
            best, at = min(threshold, 1 - 1e-10), -1
            for place, i in enumerate(order):
                if taken[place]:
                    continue
                if at >= 0 and not outside[order[at]] and outside[i]:
                    break
                if overlap[place] < best:
                    continue
                best, at = overlap[place], place
            if at >= 0:
                taken[at] = True
                row.append((score, -1 if outside[order[at]] else 1))
            else:
                row.append((score, 0 if low <= box[2] * box[3] <= high else -1))
        rows.append(row)
    return rows


def average_precision(rows: list[tuple[float, int]], positives: int) -> float:
    """Over 101 recall points."""
    rows = [row for row in sorted(rows, key=lambda row: -row[0]) if row[1] >= 0]
    right = wrong = 0
    recalls: list[float] = []
    precisions: list[float] = []
    for _, outcome in rows:
        right += outcome
        wrong += 1 - outcome
        recalls.append(right / positives)
        precisions.append(right / (right + wrong))
    for i in range(len(precisions) - 1, 0, -1):
        precisions[i - 1] = max(precisions[i - 1], precisions[i])
    total, at = 0.0, 0
    for step in range(101):
        while at < len(recalls) and recalls[at] < step * 0.01:  # as NumPy spaces them
            at += 1
        if at < len(recalls):
            total += precisions[at]
    return total / 101


class Evaluation:
    """What all images gave so far, by label, area and threshold."""

    def __init__(self) -> None:
        self.outcomes: dict[tuple[int, int, int], list[tuple[float, int]]] = defaultdict(list)
        self.positives: dict[tuple[int, int], int] = defaultdict(int)

    def add(self, truth: dict[int, list[Box]], found: dict[int, list[tuple[Box, float]]]) -> None:
        """One image."""
        for label in truth.keys() | found.keys():
            here = sorted(found[label], key=lambda row: -row[1])[:LIMIT]
            for area, (low, high) in enumerate(AREAS):
                self.positives[label, area] += sum(low <= box[2] * box[3] <= high for box in truth[label])
                for threshold, rows in enumerate(match(here, truth[label], low, high)):
                    self.outcomes[label, area, threshold] += rows

    def result(self) -> list[float]:
        """AP of each area range, over labels that have objects in it."""
        values: dict[int, list[float]] = defaultdict(list)
        for (label, area), count in self.positives.items():
            if count:
                for threshold in range(len(THRESHOLDS)):
                    values[area].append(average_precision(self.outcomes[label, area, threshold], count))
        return [sum(values[area]) / len(values[area]) for area in range(len(AREAS))]


def read_sizes(path: Path) -> dict[str, tuple[float, float]]:
    """Width and height by stem."""
    sizes: dict[str, tuple[float, float]] = {}
    with path.open() as file:
        next(file)
        for line in file:
            stem, width, height = line.strip().split(",")
            sizes[stem] = float(width), float(height)
    return sizes


def main() -> None:
    """Read, match, average, print."""
    begun = time.perf_counter()
    folder, most = Path(sys.argv[1]), int(sys.argv[2])
    sizes = read_sizes(folder / "yolo/sizes.csv")
    evaluation = Evaluation()
    for stem in sorted(sizes)[:most]:
        truth: dict[int, list[Box]] = defaultdict(list)
        found: dict[int, list[tuple[Box, float]]] = defaultdict(list)
        for label, box, _ in read_lines(folder / f"yolo/labels/{stem}.txt", *sizes[stem]):
            truth[label].append(box)
        for label, box, score in read_lines(folder / f"yolo_preds/{stem}.txt", *sizes[stem]):
            found[label].append((box, score))
        evaluation.add(truth, found)
    result = evaluation.result()
    print(json.dumps({"seconds": time.perf_counter() - begun, "AP": result}))


if __name__ == "__main__":
    main()
