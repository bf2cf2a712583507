"""Copies of the data in memory with one thing changed, all else (order included) as it was."""

from __future__ import annotations

from boxscore.io.relabel import array
from boxscore.model.tables import Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.model.tables import Dataset

    Array = np.ndarray[Any, np.dtype[Any]]

FLAGS = ("crowd", "ignore", "difficult", "group_of")


def without_crowd_flags(predictions: Predictions) -> Predictions:
    """Crowds as ordinary objects."""
    dataset = predictions.dataset
    return over(predictions, _objects(dataset, crowd=flags(dataset, "crowd") & False))


def without_crowds(predictions: Predictions) -> Predictions:
    """Crowds left out altogether."""
    dataset = predictions.dataset
    return over(predictions, _objects(dataset, keep=~flags(dataset, "crowd")))


def without_background(predictions: Predictions) -> Predictions:
    """Detections of images without a single object left out, which is all that such images add."""
    return _detections(predictions, predictions.dataset, keep=~background(predictions))


def background(predictions: Predictions) -> Array:
    """Which detections lie on images without an object (crowds are objects)."""
    import numpy as np

    occupied = np.zeros(predictions.dataset.num_images, dtype=bool)
    occupied[_images(predictions.dataset.ground_truth, None)] = True
    return np.asarray(~occupied[_images(predictions.table, None)])


def with_pixels_counted(predictions: Predictions) -> Predictions:
    """Boxes 1 wider and higher, as where corners are the first and last pixel; areas of objects stay as stated."""

    def larger(boxes: Array) -> Array:
        return _joined(boxes[:, :2], boxes[:, 2:] + 1.0)

    return _with_boxes(predictions, larger, "float64")


def through_corners(predictions: Predictions, kind: str) -> Predictions:
    """Boxes made corners and sizes again, in floating point numbers of a kind (`float64`, `float32`), scores too.

    Areas of objects stay as stated.
    """

    def rounded(boxes: Array) -> Array:
        corner = boxes[:, :2].astype(kind)
        far = (boxes[:, :2] + boxes[:, 2:]).astype(kind)
        return _joined(corner, far - corner)

    return _with_boxes(predictions, rounded, kind)


def in_single_precision(predictions: Predictions) -> Predictions:
    """Boxes (x, y, width, height) and scores in single precision; areas of objects stay as stated."""
    return _with_boxes(predictions, lambda boxes: boxes.astype("float32"), "float32")


def with_images_in_file_order(predictions: Predictions) -> Predictions:
    """Images taken in the order of their file instead of by id: equal scores of two images then change places."""
    place = file_order(predictions.dataset)
    return _detections(predictions, _objects(predictions.dataset, place=place), place=place)


def file_order(dataset: Dataset) -> Array:
    """The place in its file of each image, images by id."""
    import numpy as np

    stated = np.argsort(array(dataset.images, "source_row"), kind="stable")
    place = np.empty(len(stated), dtype=np.int64)
    place[stated] = np.arange(len(stated))
    return place


def flags(dataset: Dataset, name: str) -> Array:
    """A flag of all objects, in the order of the table."""
    import numpy as np

    return np.array(dataset.ground_truth.column(name).to_list(), dtype=np.float64) > 0


def over(predictions: Predictions, dataset: Dataset) -> Predictions:
    """The same detections over another data set of the same images and labels."""
    return Predictions(predictions.kernel, dataset)


def _with_boxes(predictions: Predictions, change: Callable[[Array], Array], kind: str) -> Predictions:
    dataset = predictions.dataset
    other = _objects(dataset, boxes=change(_boxes(dataset.ground_truth)))
    scores = array(predictions.table, "score").astype(kind)
    return _detections(predictions, other, boxes=change(_boxes(predictions.table)), scores=scores)


def _objects(
    dataset: Dataset,
    *,
    crowd: Array | None = None,
    boxes: Array | None = None,
    keep: Array | None = None,
    place: Array | None = None,
) -> Dataset:
    """The data set with other crowd flags or boxes, some objects alone, or images in other places."""
    from boxscore import _kernel

    table = dataset.ground_truth
    rows = _in_file_order(table, keep)
    columns = {name: flags(dataset, name) for name in FLAGS}
    if crowd is not None:
        columns["crowd"] = crowd
    kernel, _ = _kernel.dataset_from_columns(
        dataset.image_ids if place is None else range(len(place)),
        _column(_images(table, place)[rows], "uint32"),
        _column(array(table, "label")[rows], "uint32"),
        _column((_boxes(table) if boxes is None else boxes)[rows], "float64"),
        area=_column(array(table, "area")[rows], "float64"),
        **{name: _column(values[rows], "uint8") for name, values in columns.items()},
    )
    return dataset.with_kernel(kernel)


def _detections(
    predictions: Predictions,
    dataset: Dataset,
    *,
    boxes: Array | None = None,
    scores: Array | None = None,
    keep: Array | None = None,
    place: Array | None = None,
) -> Predictions:
    """The detections over a data set with other boxes or scores, some of them alone, or images in other places."""
    from boxscore import _kernel

    table = predictions.table
    rows = _in_file_order(table, keep)
    kernel, _ = _kernel.detections_from_columns(
        dataset.kernel,
        dataset.image_ids,
        _column(_images(table, place)[rows], "uint32"),
        _column(array(table, "label")[rows], "uint32"),
        _column((_boxes(table) if boxes is None else boxes)[rows], "float64"),
        _column((array(table, "score") if scores is None else scores)[rows], "float64"),
    )
    return Predictions(kernel, dataset)


def _images(table: _kernel.Table, place: Array | None) -> Array:
    images = array(table, "image").astype("int64")
    return images if place is None else place[images]


def _in_file_order(table: _kernel.Table, keep: Array | None) -> Array:
    """Rows in the order of the file, which decides ties; those to keep alone."""
    import numpy as np

    order = np.argsort(array(table, "source_row"), kind="stable")
    return order if keep is None else order[keep[order]]


def _boxes(table: _kernel.Table) -> Array:
    import numpy as np

    return np.stack([array(table, name) for name in ("x", "y", "w", "h")], axis=1).astype(np.float64)


def _joined(corner: Array, size: Array) -> Array:
    import numpy as np

    return np.concatenate([corner, size], axis=1)


def _column(values: Array, kind: str) -> Any:  # noqa: ANN401  the stub's Buffer, which NumPy's types miss before 3.12
    import numpy as np

    return np.ascontiguousarray(values, dtype=kind)
