"""Forms whose readers fill columns step by step. Rows wait on disk until all images and labels are known."""

from __future__ import annotations

import pickle
import tempfile
from array import array

from boxscore.io.flat import Columns
from boxscore.io.shards import spill
from boxscore.model.labels import LabelSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack
    from typing import Any

    from boxscore.io.filling import Filling
    from boxscore.model.notes import Note

ROWS = 100_000
"""Rows of a batch, at least, where there are so many."""


class FilledBatches:
    """See `flat_rows.Batches`; the rows are kept until the stack is closed. Raises InputError as the reader does."""

    def __init__(self, filling: Filling, stack: ExitStack) -> None:
        self._filling = filling
        self._kept = stack.enter_context(tempfile.TemporaryFile(prefix="boxscore-rows-"))  # noqa: SIM115  there
        self.survey = filling.columns
        self.corner_convention = filling.corner_convention
        self._batches = 0
        for _ in filling.steps():
            if self.survey.num_rows >= ROWS:
                self._keep()
        if self.survey.num_rows:
            self._keep()

    def _keep(self) -> None:
        try:
            pickle.dump(self.survey.take_rows(), self._kept, pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise spill.no_room(tempfile.gettempdir(), error) from None
        self._batches += 1

    def columns(self) -> Iterator[Columns]:
        """Batches, each with the images that it speaks of."""
        self._kept.seek(0)
        for _ in range(self._batches):
            yield self._restored(pickle.load(self._kept))  # noqa: S301  of our own writing

    def _restored(self, rows: dict[str, Any]) -> Columns:
        import numpy as np

        survey = self.survey
        columns = Columns(survey.name, noun=survey.noun, unit=survey.unit)
        columns.files, columns.label_names = survey.files, survey.label_names
        for name, values in rows.items():
            setattr(columns, name, values)
        used, image = np.unique(np.asarray(columns.image), return_inverse=True)
        columns.image_ids = [survey.image_ids[at] for at in used]
        columns.image = array("I", image.astype(np.uint32).tobytes())
        return columns

    def labels(self) -> LabelSet:
        """Those given, else those of the rows."""
        return self._filling.labels or LabelSet.from_names([str(name) for name in self.survey.label_names])

    def notes(self, count: int) -> list[Note]:  # noqa: ARG002  the reader has counted
        """What the reader says."""
        return self._filling.notes()
