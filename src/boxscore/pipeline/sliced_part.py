"""A part of a run's images as a run of its own, its matches taken over."""

from __future__ import annotations

from boxscore.model.tables import Matches
from boxscore.pipeline.groups import Groups
from boxscore.pipeline.run import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def part(run: Run, mask: NDArray[np.bool_], *, groups: Groups | None = None) -> Run:
    """The run over the images of a mask: its figures are those of an evaluation of these alone.

    It has no boxes; mean IoU is there where the run has it. `groups` are those of the whole run
    (None: those it declares); without any, the part has none.
    """
    import numpy as np

    from boxscore import _kernel

    inside = np.flatnonzero(mask)
    rows = np.full(len(mask), -1, dtype=np.int64)
    rows[inside] = np.arange(len(inside))
    kernel = _kernel.Matches.merge([run.matches.kernel], [rows.tolist()], len(inside))
    known = run.groups if groups is None else groups
    own = None if known is None else Groups([known.of_image[i] for i in inside], known.rule)
    ids, names = run.image_ids, run.file_names
    return Run(
        Matches(kernel, run.protocol),
        run.labels,
        image_ids=[ids[i] for i in inside],
        file_names=[names[i] for i in inside],
        groups=own,
        label_agnostic=run.label_agnostic,
        floors=run.floors,
        steps=run.steps,
        reading=run.reading,
        metadata=None if run.metadata is None else run.metadata[inside],
        overlaps=lambda cell: run.overlaps(cell).part(rows),
        threads=run.threads,
    )
