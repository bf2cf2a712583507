"""The same evaluation by pycocotools 2.0.11 and by `boxscore.compat`, without what they print on the way."""

import contextlib
import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pycocotools.cocoeval import COCOeval as ReferenceCOCOeval

from boxscore.compat import COCO, COCOeval
from tests.strategies import CocoData
from tests.support import reference
from tests.support.bits import same_bits

NAMES = ("precision", "recall", "scores")
Changes = dict[str, Any]
Row = dict[str, Any]


def silent(call: Callable[[], Any]) -> str:
    """Run it and return what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        call()
    return printed.getvalue()


def prepared(evaluation: Any, changes: Changes) -> Any:
    """The evaluation with changed parameters, evaluated and accumulated."""
    for name, value in changes.items():
        setattr(evaluation.params, name, copy.deepcopy(value))
    silent(evaluation.evaluate)
    silent(evaluation.accumulate)
    return evaluation


def theirs(data: CocoData, changes: Changes | None = None) -> Any:
    """pycocotools' evaluation."""
    with contextlib.redirect_stdout(io.StringIO()):
        truth = reference.load(data.ground_truth)
        evaluation = ReferenceCOCOeval(truth, reference.load_results(truth, data.results), "bbox")
    return prepared(evaluation, changes or {})


def ours(data: CocoData, changes: Changes | None = None) -> COCOeval:
    """boxscore's."""
    truth = COCO(data.ground_truth)
    made: COCOeval = prepared(COCOeval(truth, truth.loadRes(data.results), "bbox"), changes or {})
    return made


def ours_of_files(data: CocoData, folder: Path, changes: Changes | None = None) -> COCOeval:
    """boxscore's, from paths: of plain files no dicts are made."""
    paths = [folder / name for name in ("gt.json", "dt.json")]
    for path, content in zip(paths, (data.ground_truth, data.results), strict=True):
        path.write_text(json.dumps(content))
    truth = COCO(paths[0])
    found = truth.loadRes(str(paths[1]))
    for path in paths:
        path.unlink()
    made: COCOeval = prepared(COCOeval(truth, found, "bbox"), changes or {})
    return made


def same_arrays(mine: Any, other: Any) -> None:
    """Equal counts, and equal bits of all arrays."""
    assert mine.eval["counts"] == other.eval["counts"]
    same_bits(mine.eval, other.eval, NAMES)


def same_entries(mine: Any, other: Any) -> None:
    """Equal `evalImgs`, entry by entry and field by field."""
    assert isinstance(mine.evalImgs, list)
    assert len(mine.evalImgs) == len(other.evalImgs)
    for one, two in zip(mine.evalImgs, other.evalImgs, strict=True):
        assert (one is None) == (two is None)
        for field in two or ():
            left, right = np.asarray(one[field]), np.asarray(two[field])
            assert left.shape == right.shape, field
            assert left.dtype.kind == right.dtype.kind or not left.size, field
            assert np.array_equal(left, right), field


def same_overlaps(mine: Any, other: Any) -> None:
    """Equal `ious`, to the last bit."""
    assert mine.ious.keys() == other.ious.keys()
    for key, values in other.ious.items():
        assert len(mine.ious[key]) == len(values)
        if len(values):
            same_bits({"ious": mine.ious[key]}, {"ious": values})


def box(image: Any, category: Any, *numbers: float, **more: Any) -> Row:
    """An annotation or a detection."""
    return {"image_id": image, "category_id": category, "bbox": list(numbers), **more}


def truth_of(annotations: list[Row], images: list[Any], categories: list[Any]) -> Row:
    """A ground-truth file's content; each annotation's area is its box's, unless it states another."""
    return {
        "images": [{"id": image} for image in images],
        "annotations": [{"area": row["bbox"][2] * row["bbox"][3], "iscrowd": 0, **row} for row in annotations],
        "categories": [{"id": category, "name": f"label {category}"} for category in categories],
    }
