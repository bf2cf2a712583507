"""AP given back by an oracle that mends one kind of mistake: the columns altered, and accumulated again.

Each oracle works alone, so that costs don't add up: mending one kind changes what another is worth. Oracles are cells
of one set of matches, a bit each, so that one accumulation serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.triage.modes import CLASSIFICATION, FALSE_MODES, LOCALISATION
from boxscore.triage.view import NONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.triage.modes import FalseDetections
    from boxscore.triage.view import Booleans, Rows, View

    Bits = NDArray[np.uint64]

MISSED = "missed"
EVERY_FALSE, EVERY_MISS = "every false detection", "every miss"
_MOST = 48
"""Oracles of one accumulation, next to the base: a cell is a bit of 64."""
_UNMATCHED = 2**32 - 1


@dataclass
class Mended:
    """What an oracle mends: detections that it drops, those that it makes right, and objects that need not be found.

    `moved`: of those made right, the label that they get, -1 for their own [detections].
    """

    drop: Booleans | None = None
    right: Booleans | None = None
    forgive: Booleans | None = None
    moved: Rows | None = None


class Oracles:
    """AP at the view's threshold, and what it gains.

    `average_precision`: the mean over labels with objects, None where there are none. A label that loses all its
    objects to an oracle keeps AP 0, as in TIDE.
    """

    def __init__(self, view: View, num_images: int, num_labels: int, threads: int = 1) -> None:
        self._view = view
        self.num_images = num_images
        self._labels = num_labels
        self._threads = threads
        self._base: NDArray[np.float64] | None = None

    @property
    def average_precision(self) -> float | None:
        """AP with nothing mended."""
        base = self._by_label([])[0] if self._base is None else self._base
        self._base = base
        return float(base[base >= 0.0].mean()) if (base >= 0.0).any() else None

    def gains(self, mended: Sequence[Mended]) -> list[float | None]:
        """AP given back by each oracle."""
        import numpy as np

        found: list[float | None] = []
        for start in range(0, len(mended), _MOST):
            base, *others = self._by_label(mended[start : start + _MOST])
            self._base = base
            defined = base >= 0.0
            for other in others:
                gained = np.maximum(other, 0.0) - np.maximum(base, 0.0)
                found.append(float(gained[defined].mean()) if defined.any() else None)
        return found

    def _by_label(self, mended: Sequence[Mended]) -> list[NDArray[np.float64]]:
        """AP of each label, -1 without objects to find: with nothing mended, then under each oracle."""
        import numpy as np

        from boxscore import _kernel

        protocol, cells = self._view.protocol, len(mended) + 1
        columns = _columns(self._view, mended)
        curves = _kernel.accumulate(
            _kernel.Matches.from_state(cells, self.num_images, {name: c.tobytes() for name, c in columns.items()}),
            num_labels=self._labels,
            num_areas=cells,
            limits=protocol.max_detections[-1:],
            recall_points=protocol.recall_points,
            every_point=protocol.interpolation == "every-point",
            spaced=protocol.rule == "coco",
            threads=self._threads,
        )
        if curves.average_precision is not None:
            found = np.array(curves.average_precision).reshape(self._labels, cells)
        else:
            found = np.array(curves.precision).reshape(self._labels, cells, -1).mean(axis=2)
        return list(found.T)


def of_modes(view: View, false: FalseDetections) -> dict[str, Mended]:
    """TIDE's oracles, by mode of false detections; `missed`, for objects that none of them would find; every false
    detection, and every miss.

    Classification gives a detection the label of the object in view, localisation its box, so that it becomes a true
    positive: the best one an object. What would be a duplicate then is dropped, as are those of the other three modes.
    Objects that are missed need not be found.
    """
    import numpy as np

    recovers = _mends(false, view)
    found = {}
    for mode, name in enumerate(FALSE_MODES):
        own = false.mode == mode
        if mode not in (CLASSIFICATION, LOCALISATION):
            found[name] = Mended(drop=own)
            continue
        moved = np.full(len(own), NONE, dtype=np.int64)
        if mode == CLASSIFICATION:
            moved[own & recovers] = view.object_label[false.target[own & recovers]]
        found[name] = Mended(drop=own & ~recovers, right=own & recovers, moved=moved)
    found[MISSED] = Mended(forgive=beyond_repair(false, view))
    found[EVERY_FALSE] = Mended(drop=view.false)
    found[EVERY_MISS] = Mended(forgive=view.counts & ~view.found)
    return found


def beyond_repair(false: FalseDetections, view: View) -> Booleans:
    """Objects not found that no false detection would find with another label or box: TIDE's missed objects."""
    import numpy as np

    targets = np.zeros(len(view.counts), dtype=np.bool_)
    targets[false.target[false.target != NONE]] = True
    lost: Booleans = view.counts & ~view.found & ~targets
    return lost


def _mends(false: FalseDetections, view: View) -> Booleans:
    """Detections that their oracle makes true positives.

    Of those with one object in view, which nobody found, the one of the highest score; the others would be duplicates.
    """
    import numpy as np

    rows: Rows = np.flatnonzero(false.target != NONE)
    rows = rows[~view.found[false.target[rows]] & view.counts[false.target[rows]]]
    order = np.lexsort((rows, -view.score[rows], false.target[rows]))
    firsts = order[np.flatnonzero(np.diff(false.target[rows][order], prepend=-1))]
    mended = np.zeros(len(view.label), dtype=np.bool_)
    mended[rows[firsts]] = True
    return mended


def _columns(view: View, mended: Sequence[Mended]) -> dict[str, NDArray[Any]]:
    """The columns that the kernel restores Matches from: cell 0 as it is, then a cell an oracle.

    A detection has one label in all cells: one that gets another stands a second time, in its oracle's cell alone.
    """
    import numpy as np

    every = np.uint64(2 ** (len(mended) + 1) - 1)
    zero = np.uint64(0)
    matched = np.where(view.matched & view.part, every, zero)
    ignored = np.where(view.ignored | ~view.part, every, zero)
    object_ignored = np.where(view.counts, zero, every)
    again: list[tuple[Rows, Rows, Bits, Bits]] = []
    for cell, one in enumerate(mended, 1):
        bit = np.uint64(1 << cell)
        if one.drop is not None:
            ignored[one.drop] |= bit
        if one.right is not None:
            moved = np.zeros_like(one.right) if one.moved is None else one.right & (one.moved != NONE)
            matched[one.right & ~moved] |= bit
            ignored[moved] |= bit
            rows = np.flatnonzero(moved)
            if one.moved is not None:
                again.append((rows, one.moved[rows], np.full(len(rows), bit), np.full(len(rows), every & ~bit)))
        if one.forgive is not None:
            object_ignored[one.forgive] |= bit
    return _with_moved(view, matched, ignored, again) | {
        "object_image": view.object_image.astype(np.uint32),
        "object_label": view.object_label.astype(np.uint32),
        "object_matched": np.where(view.found, every, zero),
        "object_ignored": object_ignored,
    }


def _with_moved(
    view: View, matched: Bits, ignored: Bits, again: Sequence[tuple[Rows, Rows, Bits, Bits]]
) -> dict[str, NDArray[Any]]:
    """Columns of the detections, those with another label behind the others."""
    import numpy as np

    rows = np.concatenate([np.arange(len(view.label)), *(part[0] for part in again)])
    labels = np.concatenate([view.label, *(part[1] for part in again)])
    return {
        "image": view.image[rows].astype(np.uint32),
        "label": labels.astype(np.uint32),
        "score": view.score[rows].astype(np.float64),
        "rank": view.rank[rows].astype(np.uint32),
        "matched": np.concatenate([matched, *(part[2] for part in again)]),
        "ignored": np.concatenate([ignored, *(part[3] for part in again)]),
        "gt": np.full(len(rows), _UNMATCHED, dtype=np.uint32),
    }
