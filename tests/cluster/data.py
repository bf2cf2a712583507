"""A random data set and its predictions as shards, cut however a test likes: the rows don't depend on the cut."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boxscore.io.shards.write import ShardWriter

LABELS = [(number + 1, name) for number, name in enumerate(("bolt", "nut", "gear", "spring", "pin", "cam", "rod"))]
_NAMES = np.array([name for _, name in LABELS])

Columns = dict[str, np.ndarray[Any, Any]]


def write(folder: Path, images: int, a_part: int, detections: int = 30) -> tuple[str, str]:
    """Paths of ground truth and predictions, so many images a part; some images have no objects, scores tie."""
    gt = ShardWriter(folder / "gt", "ground_truth", labels=LABELS)
    dt = ShardWriter(folder / "dt", "predictions")
    for ids in _ranges(images, a_part):
        rows = [_image(number, detections) for number in ids]
        pictures = pa.table({"image_id": list(ids), "file_name": [f"{number}.jpg" for number in ids]})
        truth = _table([objects for objects, _ in rows])
        gt.add(ids[0], ids[-1], {"images": pictures, "ground_truth": truth})
        dt.add(ids[0], ids[-1], {"detections": _table([found for _, found in rows])})
    gt.finish()
    dt.finish()
    return str(folder / "gt"), str(folder / "dt")


def _ranges(images: int, a_part: int) -> Iterator[range]:
    for start in range(1, images + 1, a_part):
        yield range(start, min(start + a_part, images + 1))


def _image(number: int, detections: int) -> tuple[Columns, Columns]:
    """Objects and detections of an image: hits, near misses, strays, a crowd now and then."""
    rng = np.random.default_rng(number)
    count = int(rng.integers(0, 6))
    objects = rng.uniform([0, 0, 5, 5], [400, 300, 200, 150], (count, 4)).round(2)
    labels = rng.integers(0, len(LABELS), count)
    of = rng.integers(0, max(count, 1), detections)
    strays = rng.uniform([0, 0, 5, 5], [400, 300, 200, 150], (detections, 4)).round(2)
    near = (objects[of] + rng.normal(0, 6, (detections, 4))).clip(1).round(2) if count else strays
    hit = rng.random(detections) < 0.6
    found = np.where(hit[:, None], near, strays)
    found_labels = np.where(hit, labels[of] if count else 0, rng.integers(0, len(LABELS), detections))
    truth = _boxes(number, labels, objects) | {"crowd": rng.random(count) < 0.1}
    return truth, _boxes(number, found_labels, found) | {"score": rng.integers(1, 60, detections) / 64}


def _boxes(number: int, labels: np.ndarray[Any, Any], boxes: np.ndarray[Any, Any]) -> Columns:
    sides = {side: boxes[:, at] for at, side in enumerate("xywh")}
    return {"image_id": np.full(len(boxes), number), "label": _NAMES[labels], **sides}


def _table(images: list[Columns]) -> pa.Table:
    columns = {name: np.concatenate([image[name] for image in images]) for name in images[0]}
    return pa.table({name: pa.array(values.tolist(), _type(name)) for name, values in columns.items()})


def _type(name: str) -> pa.DataType:
    kinds = {"image_id": pa.int64(), "label": pa.string(), "crowd": pa.bool_()}
    return kinds.get(name, pa.float64())
