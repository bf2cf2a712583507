"""What decoding and suppression cost: 8,400 places x 80 labels, the head of a YOLOv8 at 640 x 640.

    python bench/decode.py [--rounds N] [--json]

Boxes are those of objects put down at random, each found by the places around it, in three densities: `usual` (a
picture with some objects), `crowded` (many), and `every place` (all 8,400 places pass the least score with one label
each, which no trained model does). The result is held to the plain rule, box by box, before a time is printed. The
second table is the same without and with suppression, so that its share can be seen.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.oracle.suppression import suppressed
from tests.support.cards import write_card

from boxscore.predict.card import Card, load_card
from boxscore.predict.decode import decode
from boxscore.predict.placement import Placement

PLACES, LABELS, SIDE = 8400, 80, 640
IOU = 0.7
TIMED = ("decode", "with_suppression", "best_300")
PLACEMENT = Placement(1.0, 1.0, 0.0, 80.0, 640, 480)
Array = NDArray[np.float32]


def output(objects: int, *, every_place: bool) -> Array:
    """A head's output [1, 84, 8400]: places near an object give its box, a little off, and a score for its label."""
    random = np.random.default_rng(objects)
    centres = np.concatenate([grid(stride) for stride in (8, 16, 32)])
    where = random.uniform(0, SIDE, (objects, 2))
    sizes = np.exp(random.normal(4, 0.8, (objects, 2)))
    labels = random.integers(0, LABELS, objects)
    distance = (np.abs(centres[:, None] - where[None]) / sizes[None]).max(axis=2)
    nearest = distance.argmin(axis=1)
    boxes = np.concatenate([where[nearest], sizes[nearest]], axis=1) * random.normal(1, 0.05, (PLACES, 4))
    scores = random.uniform(0, 0.002, (PLACES, LABELS))
    confidence = np.exp(-10 * distance[np.arange(PLACES), nearest]) * random.uniform(0.3, 1, PLACES)
    if every_place:
        confidence = np.maximum(confidence, 0.011)
    scores[np.arange(PLACES), labels[nearest]] = confidence
    return np.concatenate([boxes, scores], axis=1).T[None].astype(np.float32)


def grid(stride: int) -> NDArray[np.float64]:
    y, x = np.mgrid[: SIDE // stride, : SIDE // stride]
    return (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) * stride


def card(folder: Path, nms: object, top_k: int = 100_000) -> Card:
    model = folder / "none.onnx"
    model.write_bytes(b"no graph is run here")
    names = [f"label {number}" for number in range(LABELS)]
    given = {"output__nms": nms, "output__top_k": top_k, "output__clip": False}
    return load_card(write_card(folder, model, "ultralytics-val", SIDE, names, **given))


def check(with_nms: Card, without: Card, head: Array) -> int:
    """How many stay; the plain rule must say the same."""
    (every,) = decode(without, [head], [PLACEMENT])
    (found,) = decode(with_nms, [head], [PLACEMENT])
    kept = suppressed(every.boxes.tolist(), every.scores.tolist(), every.labels.tolist(), IOU)
    if not np.array_equal(every.boxes[kept], found.boxes):
        sys.exit("suppression differs from the plain rule: no time is printed")
    return len(every)


def milliseconds(card: Card, head: Array, rounds: int) -> tuple[float, float]:
    """Median and least."""
    times = []
    for _ in range(rounds + 3):
        start = time.perf_counter()
        decode(card, [head], [PLACEMENT])
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[3:]), min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cards = card(folder, {"iou": IOU}), card(folder, "none"), card(folder, {"iou": IOU}, 300)
        for what, objects, every_place in (("usual", 15, False), ("crowded", 120, False), ("every place", 120, True)):
            head = output(objects, every_place=every_place)
            candidates = check(cards[0], cards[1], head)
            (found,) = decode(cards[0], [head], [PLACEMENT])
            both, alone, best = (milliseconds(one, head, options.rounds) for one in cards)
            counts = {"head": what, "candidates": candidates, "stay": len(found)}
            rows.append(counts | {"decode": alone, "with_suppression": both, "best_300": best})
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print("milliseconds a picture, median (least)")
    print(f"{'8,400 x 80':<12} {'candidates':>10} {'stay':>6} {'decode':>14} {'with NMS':>14} {'best 300':>14}")
    for row in rows:
        times = " ".join(f"{f'{row[part][0]:.2f} ({row[part][1]:.2f})':>14}" for part in TIMED)
        print(f"{row['head']:<12} {row['candidates']:>10} {row['stay']:>6} {times}")


if __name__ == "__main__":
    main()
