"""What one file has and the other lacks: labels that never occur, images without objects or detections."""

from __future__ import annotations

from boxscore.audit.found import Found, touches
from boxscore.io.relabel import array
from boxscore.model.labels import id_text
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.model.tables import Dataset, Predictions

    Array = np.ndarray[Any, np.dtype[Any]]


def findings(dataset: Dataset, predictions: Predictions | None) -> Iterator[Found]:
    """Findings about labels, then about images."""
    yield from _labels(dataset, predictions)
    yield from _images(dataset, predictions)


def _labels(dataset: Dataset, predictions: Predictions | None) -> Iterator[Found]:
    names = dataset.labels.names
    source = dataset.source or "ground truth"
    objects = dataset.kernel.objects_by_label(len(names))
    detections = None if predictions is None else predictions.kernel.count_by_label(len(names))
    absent = [i for i, count in enumerate(objects) if not count]
    if absent:
        rows = 0 if detections is None else sum(detections[i] for i in absent)
        moves, bound = touches(rows, sum(detections or []), "detection")
        yield Found(
            "label-without-objects",
            f"{source}: {counted(len(absent), 'label')} of {len(names)} without an object: {_named(names, absent)}",
            "AP is undefined for them and they are left out of means; check that this is the whole ground truth",
            count=len(absent),
            moves=moves,
            bound=bound if rows else "moves no figure",
        )
    if detections is None or predictions is None:
        return
    missed = [i for i, count in enumerate(objects) if count and not detections[i]]
    if missed:
        moves, bound = touches(len(missed), len(names) - len(absent), "label")
        yield Found(
            "label-without-detections",
            f"{predictions.source or 'predictions'}: {counted(len(missed), 'label')} with objects and without a "
            f"detection: {_named(names, missed)}",
            "their AP is 0; check that the model knows them, under these names",
            count=len(missed),
            moves=moves,
            bound=f"{bound} with objects",
        )


def _images(dataset: Dataset, predictions: Predictions | None) -> Iterator[Found]:
    objects = _by_image(dataset.ground_truth, dataset)
    detections = None if predictions is None else _by_image(predictions.table, dataset)
    source = dataset.source or "ground truth"
    empty = (objects == 0).nonzero()[0].tolist()
    if empty:
        rows = 0 if detections is None else int(detections[empty].sum())
        moves, bound = touches(rows, 0 if detections is None else int(detections.sum()), "detection")
        yield Found(
            "image-without-objects",
            f"{source}: {counted(len(empty), 'image')} without an object: {_images_named(dataset, empty)}",
            "right for background images, where each detection is a false positive; else the annotations are missing",
            count=len(empty),
            moves=moves,
            bound=bound if rows else "moves no figure",
        )
    if detections is None or predictions is None:
        return
    unseen = ((detections == 0) & (objects > 0)).nonzero()[0].tolist()
    if unseen:
        moves, bound = touches(int(objects[unseen].sum()), int(objects.sum()), "object")
        yield Found(
            "image-without-detections",
            f"{predictions.source or 'predictions'}: {counted(len(unseen), 'image')} with objects and without a "
            f"detection: {_images_named(dataset, unseen)}",
            "right where nothing was found; else the model was not run on them, or their results were lost",
            count=len(unseen),
            moves=moves,
            bound=bound,
        )


def _by_image(table: _kernel.Table, dataset: Dataset) -> Array:
    import numpy as np

    return np.bincount(array(table, "image").astype(np.int64), minlength=dataset.num_images)


def _named(names: tuple[str, ...], which: list[int]) -> str:
    return listed([id_text(names[i]) for i in which], 10)


def _images_named(dataset: Dataset, which: list[int]) -> str:
    ids = dataset.image_ids
    return listed([id_text(ids[i]) for i in which])
