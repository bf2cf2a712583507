"""Boxes that were read one way, as they would be had they been read another way.

Each reading is a change of the tables, so that it can be tried without the files: the numbers that a file states follow
from the boxes and the way in which they were read.
"""

from __future__ import annotations

from boxscore.io.findings import notes_of
from boxscore.io.places import Places
from boxscore.io.relabel import array, image_sizes, with_boxes
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    import numpy as np

    from boxscore import _kernel
    from boxscore.io.form_options import FormOptions
    from boxscore.model.notes import Note

    Array = np.ndarray[Any, np.dtype[Any]]
    T = TypeVar("T", Dataset, Predictions)

READINGS = {
    "corners": ("corners x1, y1, x2, y2", {"boxes": "xyxy"}),
    "sizes": ("x, y, width, height", {"boxes": "xywh"}),
    "centre": ("centre and size", {"boxes": "cxcywh"}),
    "corner": ("x, y, width, height, not centre and size", {"boxes": "xywh"}),
    "relative": ("shares of the image's size", {"coords": "rel"}),
    "relative-centre": ("centre and size in shares of the image's size", {"coords": "rel", "boxes": "cxcywh"}),
    "relative-corners": ("corners in shares of the image's size", {"coords": "rel", "boxes": "xyxy"}),
    "absolute": ("pixels", {"coords": "abs"}),
    "absolute-corner": ("x, y, width, height in pixels", {"coords": "abs", "boxes": "xywh"}),
}
"""Other readings: what the numbers would be, and the form options (FormOptions) that ask for it."""

_UNIT = 2.0
"""Boxes within this many pixels could be shares of the image's size; models reach a little beyond 1."""
_HUGE = 2.0
"""Boxes wider than this many images could be pixels that were taken for shares."""
_SOME = 0.01
_FEW = 0.05
"""Shares of boxes: some that show a thing, few that may be mistakes of the file."""


_BOX_CODES = ("degenerate", "outside-image", "corner-suspect", "unit-boxes")
"""Notes about boxes, which another reading makes anew."""


def with_reading(read: T, reading: str, policies: Reading | None = None) -> T:
    """Predictions, or a data set, whose boxes are read another way. Labels, scores and order stay.

    Notes about the boxes are those of the new reading, worded for `policies`.
    """
    table = read.table if isinstance(read, Predictions) else read.ground_truth
    dataset = read.dataset if isinstance(read, Predictions) else read
    sizes = image_sizes(dataset)[array(table, "image").astype("int64")]
    boxes = changed(boxes_of(table), reading, sizes)
    if isinstance(read, Predictions):
        other, findings = _predictions_with(read, boxes)
        noun, source = "detection", read.source or "predictions"
    else:
        other, findings = with_boxes(read, boxes)
        noun, source = "annotation", read.source or "ground truth"
    told: list[Note] = notes_of(
        [finding for finding in findings if finding.code in _BOX_CODES],
        Places(source, noun),
        policies or Reading(),
        dataset.source or "the ground truth",
    )
    other.notes = [*(note for note in read.notes if note.code not in _BOX_CODES), *told]
    return other


def asked_for(options: FormOptions) -> str | None:
    """The reading of COCO's numbers that form options ask for, None where it is COCO's own."""
    shape = {"xyxy": "corners", "cxcywh": "centre"}.get(options.boxes or "", "")
    if options.coords == "rel":
        return f"relative-{shape}" if shape else "relative"
    return shape or None


def plausible(read: Predictions | Dataset) -> list[str]:
    """Other readings that the numbers allow: boxes keep a size, and lie no worse inside their images than as read."""
    import numpy as np

    table, dataset = (read.table, read.dataset) if isinstance(read, Predictions) else (read.ground_truth, read)
    boxes = boxes_of(table)
    if not len(boxes):
        return []
    sizes = image_sizes(dataset)[array(table, "image").astype(np.int64)]
    known = not np.isnan(sizes).all()
    if known and np.quantile(np.abs(boxes), 0.99) <= _UNIT:
        tried = ["relative", "relative-centre", "relative-corners"]
    else:
        huge = known and np.nanmedian(boxes[:, 2:] / sizes) > _HUGE
        tried = ["corners", "centre", "corner", *(["absolute", "absolute-corner"] if huge else [])]
        if np.mean((boxes[:, 2:] <= 0).any(axis=1)) >= _SOME:
            tried.append("sizes")  # sizes that are taken for corners end left of where they start, some of them
    before = _share_outside(boxes, sizes)
    kept = []
    for reading in tried:
        other = changed(boxes, reading, sizes)
        if np.mean((other[:, 2:] > 0).all(axis=1)) >= 1 - _FEW and _share_outside(other, sizes) <= before + _FEW:
            kept.append(reading)
    return kept


def _share_outside(boxes: Array, sizes: Array) -> float:
    """Share of boxes that reach beyond their image by more than a twentieth of its size; 0 where sizes are unknown."""
    import numpy as np

    margin = 0.05 * sizes
    outside = (boxes[:, :2] < -margin) | (boxes[:, :2] + boxes[:, 2:] > sizes + margin)
    return float(np.mean(outside.any(axis=1)))


def boxes_of(table: _kernel.Table) -> Array:
    """The boxes of a table, (n, 4) as x, y, w, h in pixels."""
    import numpy as np

    return np.stack([array(table, name) for name in ("x", "y", "w", "h")], axis=1)


def changed(boxes: Array, reading: str, sizes: Array) -> Array:
    """Boxes (n, 4) as `reading` would have given them; `sizes` (n, 2) are those of their images."""
    import numpy as np

    scale, _, shape = reading.rpartition("-")
    if reading in ("relative", "absolute"):
        scale, shape = reading, ""
    factor = {"relative": sizes, "absolute": 1.0 / sizes}.get(scale)
    if factor is not None:
        boxes = boxes * np.concatenate([factor, factor], axis=1)
    corner, size = boxes[:, :2], boxes[:, 2:]
    if shape == "corners":
        size = size - corner
    elif shape == "sizes":
        size = size + corner
    elif shape == "centre":
        corner = corner - size / 2
    elif shape == "corner":
        corner = corner + size / 2
    return np.concatenate([corner, size], axis=1)


def relabelled(predictions: Predictions, numbers: Sequence[int]) -> Predictions:
    """Predictions with label `i` as label `numbers[i]`; -1 leaves its rows out."""
    import numpy as np

    table = predictions.table
    label = np.asarray(numbers, dtype=np.int64)[array(table, "label").astype(np.int64)]
    return _predictions_with(predictions, boxes_of(table), label)[0]


def over(predictions: Predictions, dataset: Dataset) -> Predictions:
    """The same predictions over a data set of the same images and labels, other boxes perhaps."""
    return _as_before(predictions, predictions.kernel, dataset)


def _as_before(predictions: Predictions, kernel: _kernel.Detections, dataset: Dataset) -> Predictions:
    return Predictions(kernel, dataset, source=predictions.source, notes=predictions.notes, steps=predictions.steps)


def _predictions_with(
    predictions: Predictions, boxes: Array, label: Array | None = None
) -> tuple[Predictions, list[_kernel.Finding]]:
    import numpy as np

    from boxscore import _kernel

    table, dataset = predictions.table, predictions.dataset
    label = array(table, "label") if label is None else label
    order = np.argsort(array(table, "source_row"), kind="stable")
    rows = order[label[order] >= 0]
    columns: list[Any] = [
        np.ascontiguousarray(values[rows], dtype=kind)
        for values, kind in (
            (array(table, "image"), "uint32"),
            (label, "uint32"),
            (boxes, "float64"),
            (array(table, "score"), "float64"),
        )
    ]
    image, labels, xywh, scores = columns
    kernel, found = _kernel.detections_from_columns(dataset.kernel, dataset.image_ids, image, labels, xywh, scores)
    return _as_before(predictions, kernel, dataset), found
