"""Steps that change predictions before they are matched, each recorded with them."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown
from boxscore.model.notes import Note, counted
from boxscore.model.tables import Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.model.protocol import Protocol


def suppress(predictions: Predictions, iou: object, protocol: Protocol, *, threads: int = 1) -> Predictions:
    """Non-maximum suppression, label by label within each image: a detection stays unless a better one that stays
    overlaps it by `iou` or more. Raises InputError unless 0 < iou <= 1.
    """
    from boxscore.matching import pixel

    most = checked_overlap(iou)
    dataset = predictions.dataset
    kept = predictions.kernel.suppress(most, pixel=pixel(protocol, dataset.corner_convention), threads=threads)
    before, after = predictions.num_rows, kept.num_rows
    return Predictions(
        kept,
        dataset,
        source=predictions.source,
        notes=[*predictions.notes, suppressed_note(most, before, after)],
        steps=[*predictions.steps, {"step": "nms", "iou": most, "before": before, "after": after}],
    )


def checked_overlap(iou: object) -> float:
    """The overlap that is too much. Raises InputError unless 0 < iou <= 1."""
    most = number(iou)
    if most is None or not 0.0 < most <= 1.0:
        raise InputError(f"nms is {shown(iou)}; it must be an overlap (IoU) above 0 and up to 1, such as 0.5")
    return float(most)


def suppressed_note(iou: float, before: int, after: int) -> Note:
    """That detections were taken away."""
    message = (
        f"non-maximum suppression at IoU {iou:g}, label by label within each image, took away {before - after} of "
        f"{counted(before, 'detection')}"
    )
    return Note("nms", message, before - after)
