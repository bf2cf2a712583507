"""Pictures per second of `boxscore predict` beside plain sequential loops of the same steps, and inference alone.

    python bench/predict.py [--rounds N] [--threads N] [--data DIR]

The three models of DIR/models_coco80 run on the 49 pictures of DIR/coco_val164/images (DIR: ../shared/data). Two loops
read, letterbox, run ONNX Runtime on all threads and decode, one picture after the other: one written by hand with
OpenCV and NumPy (`predict_loop.py`), one of the package's own steps, whose ratio is what overlapping gives.
`predict` does the same, overlapped, and writes a journal, detections and record besides. Inference alone runs on
tensors that were prepared before, in as many lanes as `predict`. First the boxes must agree, then ratios are printed.
Rounds alternate, and the best of each counts: the machine's other work only ever adds. Sessions are made before.
Run it with a Python that has boxscore and its extra `predict`; exit status 1 where `predict` is slower.
"""

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import predict_loop
from boxscore.io import yaml_files
from boxscore.predict.card import Card, load_card
from boxscore.predict.detector import OnnxDetector
from boxscore.predict.read_picture import read
from boxscore.predict.run import predict_with
from predict_loop import MODELS, Array, Detections, Model

HERE = Path(__file__).resolve().parent
SCORE, IOU, SCORES_APART, SHARE = 0.05, 0.99, 0.01, 0.99
"""Detections from SCORE on agree by IoU and score; SHARE of them must."""


def card_of(model: Model, data: Path, folder: Path) -> Card:
    weights = data / "models_coco80" / model.file
    content = {
        "name": weights.stem,
        "preset": model.preset,
        "model": {"path": str(weights), "sha256": hashlib.sha256(weights.read_bytes()).hexdigest()},
        "input": {"size": model.size},
        "classes": (data / "models_coco80/coco_classes.txt").read_text().splitlines(),
        "licence": "see models_coco80",
        "redistribute": True,
    }
    path = folder / f"{weights.stem}.yaml"
    path.write_text(yaml_files.dump(content))
    return load_card(path)


def agreement(
    expected: Sequence[Detections], table: pl.DataFrame, names: Sequence[str], classes: Sequence[str]
) -> float:
    """The share of the loop's detections that `predict` has."""
    found = fits = 0
    by_name = {str(name): part for (name,), part in table.group_by("file_name")}
    for name, (boxes, scores, labels) in zip(names, expected, strict=True):
        part = by_name.get(name, table.clear())
        theirs = part.select("x", "y", "w", "h").to_numpy()
        for box, score, label in zip(boxes, scores, labels, strict=True):
            if score < SCORE:
                continue
            found += 1
            alike = (part["label"] == classes[label]).to_numpy() & (
                np.abs(part["score"].to_numpy() - score) <= SCORES_APART
            )
            fits += bool((overlaps(box, theirs[alike]) >= IOU).any())
    return fits / found if found else 0.0


def overlaps(box: Array, others: Array) -> Array:
    """IoU of corners with boxes x, y, w, h [n, 4]."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, :2] + others[:, 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=1)
    found: Array = shared / ((box[2] - box[0]) * (box[3] - box[1]) + others[:, 2] * others[:, 3] - shared)
    return found


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def own_steps(detector: OnnxDetector, pictures: Sequence[Path]) -> None:
    for path in pictures:
        detector.detect([read(path)])


def inference_alone(detector: OnnxDetector, prepared: Sequence[Any]) -> None:
    lanes = detector.session.lanes
    with ThreadPoolExecutor(lanes) as pool:
        list(pool.map(detector.session.run, prepared))


def measured(name: str, model: Model, args: argparse.Namespace, folder: Path) -> tuple[str, bool]:
    """A line of the table, and whether `predict` is no slower. Raises SystemExit where the boxes differ."""
    images = args.data / "coco_val164/images"
    pictures = sorted(images.iterdir())
    card = card_of(model, args.data, folder)
    running = predict_loop.session(args.data / "models_coco80" / model.file, args.threads)
    detector = OnnxDetector.of(card, threads=args.threads)
    alone_in_line = OnnxDetector.of(card, threads=args.threads, lanes=1)
    prepared = predict_loop.tensors(model, pictures)
    out = folder / f"{model.preset}.parquet"

    def predicted() -> None:
        predict_with(
            detector,
            images,
            out,
            classes=card.classes,
            identity=detector.describe(),
            workers=detector.session.lanes,
            overwrite=True,
        )

    predicted()
    expected = predict_loop.run(model, running, pictures)
    share = agreement(expected, pl.read_parquet(out), [path.name for path in pictures], card.classes)
    if share < SHARE:
        sys.exit(f"{name}: only {share:.1%} of the loop's detections are among those of predict; no ratio is printed")
    best = [float("inf")] * 4
    for _ in range(args.rounds):
        works = (
            predicted,
            lambda: predict_loop.run(model, running, pictures),
            lambda: own_steps(alone_in_line, pictures),
            lambda: inference_alone(detector, prepared),
        )
        best = [min(before, seconds(work)) for before, work in zip(best, works, strict=True)]
    rate, *others = (len(pictures) / one for one in best)
    cells = " | ".join(f"{other:.1f} | {rate / other:.2f}" for other in others)
    return f"| {name} | {share:.2%} | {rate:.1f} | {cells} |", rate >= max(others[:2])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data")
    args = parser.parse_args()
    print("| model | agreeing | predict, pictures/s | loop by hand | × | own steps in line | × | inference alone | × |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    no_slower = True
    with tempfile.TemporaryDirectory() as folder:
        for name, model in MODELS.items():
            row, is_no_slower = measured(name, model, args, Path(folder))
            print(row, flush=True)
            no_slower &= is_no_slower
    return 0 if no_slower else 1


if __name__ == "__main__":
    sys.exit(main())
