"""A sharded data set of any size: ground truth, and detections with hits, near misses and strays.

A part is a range of images. Each is drawn from its own stream, so that memory is that of one part, and a larger data
set begins like a smaller.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from boxscore.io.shards import manifest
from boxscore.io.shards.write import ShardWriter

LABELS = [(number + 1, f"label {number + 1:02}") for number in range(80)]
DETECTIONS_AN_IMAGE = 143
OBJECTS_AN_IMAGE = 7.3
IMAGES_A_PART = 3500
_SIZE = (640.0, 480.0)


def write(folder: Path, images: int, a_part: int = IMAGES_A_PART) -> tuple[Path, Path]:
    """Ground truth and predictions of so many images, so many a part, where they aren't there yet."""
    own = folder / (f"{images}" if a_part == IMAGES_A_PART else f"{images}-by-{a_part}")
    truth, found = own / "gt", own / "dt"
    if manifest.read(str(truth)) is not None and manifest.read(str(found)) is not None:
        return truth, found
    gt = ShardWriter(truth, "ground_truth", labels=LABELS)
    dt = ShardWriter(found, "predictions")
    for number, start in enumerate(range(0, images, a_part)):
        ids = np.arange(start, min(start + a_part, images)) + 1
        tables = _part(np.random.default_rng(number), ids)
        first, last = int(ids[0]), int(ids[-1])
        gt.add(first, last, {name: tables[name] for name in ("images", "ground_truth")})
        dt.add(first, last, {"detections": tables["detections"]})
    gt.finish()
    dt.finish()
    return truth, found


def _part(rng: np.random.Generator, ids: np.ndarray[tuple[int], np.dtype[np.int64]]) -> dict[str, pa.Table]:
    objects = np.repeat(ids, rng.poisson(OBJECTS_AN_IMAGE, len(ids)))
    # Few labels are common and most are rare, as in COCO.
    label = np.minimum(rng.geometric(0.045, len(objects)) - 1, 79)
    boxes = _boxes(rng, len(objects))
    found = np.repeat(ids, DETECTIONS_AN_IMAGE)
    starts = np.searchsorted(objects, found)
    own = np.searchsorted(objects, found, side="right") - starts
    source = np.minimum(starts + (rng.random(len(found)) * np.maximum(own, 1)).astype(int), max(len(objects) - 1, 0))
    near = (rng.random(len(found)) < 0.2) & (own > 0)
    guess = _boxes(rng, len(found))
    guess[near] = boxes[source[near]] + rng.normal(0, 6, (int(near.sum()), 4))
    guess[:, 2:] = np.maximum(guess[:, 2:], 1)
    guessed = np.where(near & (rng.random(len(found)) < 0.9), label[source], rng.integers(0, 80, len(found)))
    score = np.where(near, rng.beta(3, 2, len(found)), rng.beta(1, 6, len(found))).round(6)
    names = pa.array([name for _, name in LABELS])
    size = {"width": np.full(len(ids), _SIZE[0]), "height": np.full(len(ids), _SIZE[1])}
    return {
        "images": pa.table({"image_id": ids, **size}),
        "ground_truth": pa.table(
            {
                "image_id": objects,
                "label": pa.DictionaryArray.from_arrays(label.astype(np.int32), names),
                **_columns(boxes),
                "area": boxes[:, 2] * boxes[:, 3] * 0.7,
                "crowd": rng.random(len(objects)) < 0.01,
            }
        ),
        "detections": pa.table(
            {
                "image_id": found,
                "label": pa.DictionaryArray.from_arrays(guessed.astype(np.int32), names),
                **_columns(guess),
                "score": score,
            }
        ),
    }


def _boxes(rng: np.random.Generator, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    size = np.exp(rng.normal(4, 1, (count, 2))).clip(4, 400)
    corner = rng.random((count, 2)) * (np.array(_SIZE) - size).clip(1)
    return np.concatenate([corner, size], axis=1).round(2)


def _columns(
    boxes: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    return {name: np.ascontiguousarray(boxes[:, at]) for at, name in enumerate("xywh")}
