"""Detections whose labels are bare numbers, beside ground truth with names: read as positions among these names.

That is a guess, and the audit's to make: it gives the order of the numbers something to be measured from.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io.form_options import FormOptions
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.model.tables import Predictions
    from boxscore.pipeline.files import Files

_MOST_KNOWN = 0.5
"""Share of rows with a known label from which on labels are names, of which some are wrong."""


def read_again(files: Files, pred: Any, predictions: Predictions) -> Predictions | None:  # noqa: ANN401  a path
    """The predictions with numbers as positions, counted from 0 or else 1; None where labels are no such numbers.

    A note tells of it in the place of that about unknown labels, which `eval` would refuse.
    """
    told = [note for note in predictions.notes if note.code == "unknown-label"]
    unknown = sum(note.count for note in told)
    if not unknown or predictions.num_rows > _MOST_KNOWN * (predictions.num_rows + unknown):
        return None
    for other in _readings(files, pred, predictions):
        if other.num_rows and not any(note.code == "unknown-label" for note in other.notes):
            other.notes.append(_note(predictions, unknown))
            return other
    return None


def _readings(files: Files, pred: Any, predictions: Predictions) -> Iterator[Predictions]:  # noqa: ANN401  as above
    asked = files.pred_options or FormOptions()
    if asked.classes is not None:
        return
    for base in (0, 1):
        options = FormOptions()
        for field, value in asked.to_dict().items():
            setattr(options, field, value)
        options.classes, options.class_base = list(predictions.dataset.declared.names), base
        files.pred_options = options
        try:
            yield files.predictions(pred, predictions.dataset)
        except InputError:
            continue  # a number beyond the names: they are not counted so
        finally:
            files.pred_options = asked


def _note(predictions: Predictions, count: int) -> Note:
    named = predictions.dataset.source or "the ground truth"
    message = (
        f"{predictions.source or 'predictions'}: labels are numbers where {named} has names "
        f"({counted(count, 'detection')}); this audit takes them as positions among these names"
    )
    return Note("labels-by-number", message, count)
