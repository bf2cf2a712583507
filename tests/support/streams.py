"""Evaluators fed image by image."""

import pickle
from typing import Any

import boxscore
from tests.strategies import CocoData
from tests.support.arrays import as_arrays, label_names

Row = dict[str, Any]
Image = tuple[Any, Row, Row]


def images_of(data: CocoData) -> list[Image]:
    """Id, prediction and target of each image."""
    targets, predictions = as_arrays(data, "xywh", list)
    return list(zip(data.image_ids, predictions, targets, strict=True))


def feed(evaluator: boxscore.Evaluator, images: list[Image], size: int = 1) -> boxscore.Evaluator:
    """Give an evaluator images, `size` at a time."""
    for start in range(0, len(images), size):
        ids, predictions, targets = zip(*images[start : start + size], strict=True)
        evaluator.update(list(predictions), list(targets), image_ids=list(ids))
    return evaluator


def new(data: CocoData, **options: Any) -> boxscore.Evaluator:
    """An evaluator for a data set with boxes as COCO writes them."""
    return boxscore.Evaluator(label_names(data), **({"box_format": "xywh"} | options))


def one(*scores: float, labels: list[Any] | None = None) -> tuple[list[Row], list[Row]]:
    """Predictions and targets of one image with one object, a detection a score."""
    box = [0.0, 0.0, 40.0, 40.0]
    found = {"boxes": [box] * len(scores), "scores": list(scores), "labels": labels or [1] * len(scores)}
    return [found], [{"boxes": [box], "labels": [1]}]


def merged(parts: list[boxscore.Evaluator]) -> boxscore.Evaluator:
    """The first, as another process would get it, with all others merged in."""
    first = pickle.loads(pickle.dumps(parts[0]))
    for part in parts[1:]:
        first.merge(part)
    assert isinstance(first, boxscore.Evaluator)
    return first
