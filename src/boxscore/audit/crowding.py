"""Images with more detections or objects than a detection limit of 100 lets be found."""

from __future__ import annotations

from boxscore.audit.found import Found, touches
from boxscore.io.relabel import array
from boxscore.model.labels import id_text
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore import _kernel
    from boxscore.model.tables import Dataset, Predictions

LIMIT = 100
"""COCO's, for each image and label; many tools mean it for each image."""


def findings(dataset: Dataset, predictions: Predictions | None) -> Iterator[Found]:
    """Crowded images of the ground truth, and of the predictions."""
    yield from _crowded(dataset.ground_truth, dataset, "object", dataset.source or "ground truth")
    if predictions is not None:
        yield from _crowded(predictions.table, dataset, "detection", predictions.source or "predictions")


def _crowded(table: _kernel.Table, dataset: Dataset, what: str, source: str) -> Iterator[Found]:
    """Counted an image; what the limit leaves out is counted an image and label, as COCO has it."""
    import numpy as np

    image = array(table, "image").astype(np.int64)
    by_image = np.bincount(image, minlength=dataset.num_images)
    crowded = int((by_image > LIMIT).sum())
    if not crowded:
        return
    label = array(table, "label").astype(np.int64)
    _, by_pair = np.unique(image * (len(dataset.labels) + 1) + label, return_counts=True)
    beyond = int(np.maximum(by_pair - LIMIT, 0).sum())
    most = int(by_image.argmax())
    moves, bound = touches(beyond, table.num_rows, what)
    yield Found(
        f"many-{what}s",
        f"{source}: {counted(crowded, 'image')} with more than {LIMIT} {what}s, most in image "
        f"{id_text(dataset.image_ids[most])} ({int(by_image[most])})",
        f"COCO's limit of {LIMIT} is for each image and label; raise it with --max-detections, and check that the "
        f"model wasn't held to {LIMIT} an image",
        count=crowded,
        moves=moves,
        bound=bound if beyond else f"moves no figure here: no image has more than {LIMIT} of one label",
    )
