"""Per mode: how many, what share, what it costs, whose labels, and which slices lead."""

from __future__ import annotations

from boxscore.triage.leading import LEADING, Sliced
from boxscore.triage.modes import CLASSIFICATION, FALSE_MODES, MISS_MODES
from boxscore.triage.oracles import EVERY_FALSE, EVERY_MISS, MISSED, Mended, beyond_repair, of_modes
from boxscore.triage.view import NONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice
    from boxscore.triage.modes import FalseDetections, MissedObjects
    from boxscore.triage.oracles import Oracles
    from boxscore.triage.view import Booleans, View

    Row = dict[str, Any]
    Counts = NDArray[np.float64]

FALSE, MISS = "false detections", "missed objects"
_WRONG_LABEL = MISS_MODES.index("wrong label")


class Breakdown:
    """`rows`: one a mode, ready for JSON.

    Each has `of` (`false detections` or `missed objects`), `mode`, `count`, `share` (of its kind, None where there is
    none), `cost` (AP given back by its oracle alone, None where AP does not exist), `labels` (the leading ones, with
    counts), `taken_for` (object's label, detection's label, count; where labels are confused), `slices`: the leading
    ones, each with its `count`, `base` (images, or objects to find, in the slice), `rate` (count over base) and `rest`
    (the rate outside). `totals`: `missed` (TIDE's missed objects: those that no false detection would find with
    another label or box), `every false detection` and `every miss`, each with `count` and `cost`.
    """

    __slots__ = ("rows", "totals")

    def __init__(self, rows: Sequence[Row], totals: dict[str, Row]) -> None:
        self.rows = list(rows)
        self.totals = totals


def break_down(
    view: View,
    false: FalseDetections,
    missed: MissedObjects,
    oracles: Oracles,
    labels: Sequence[str],
    slices: Sequence[Slice] = (),
    *,
    support: int = 20,
) -> Breakdown:
    """The table of modes. Slices of fewer than `support` images (or objects) lead nothing."""
    mended = of_modes(view, false)
    misses = [Mended(forgive=missed.mode == code) for code in range(len(MISS_MODES))]
    gains = oracles.gains([*mended.values(), *misses])
    costs = dict(zip(mended, gains, strict=False))
    rows = []
    images = Sliced(view.image, oracles.num_images, None, slices, support)
    for code, name in enumerate(FALSE_MODES):
        own = false.mode == code
        row = _row(FALSE, name, own, view.label, labels, int(view.false.sum())) | {"cost": costs[name]}
        if code == CLASSIFICATION:
            known = own & (false.target != NONE)
            row["taken_for"] = _pairs(view.object_label[false.target[known]], view.label[known], labels)
        row["slices"] = images.leading(own)
        rows.append(row)
    objects = Sliced(view.object_image, oracles.num_images, view.counts, slices, support)
    for code, (name, cost) in enumerate(zip(MISS_MODES, gains[len(mended) :], strict=True)):
        own = missed.mode == code
        row = _row(MISS, name, own, view.object_label, labels, int((missed.mode >= 0).sum())) | {"cost": cost}
        if code == _WRONG_LABEL:
            row["taken_for"] = _pairs(view.object_label[own], missed.label[own], labels)
        row["slices"] = objects.leading(own)
        rows.append(row)
    counts = {
        MISSED: int(beyond_repair(false, view).sum()),
        EVERY_FALSE: int(view.false.sum()),
        EVERY_MISS: int((view.counts & ~view.found).sum()),
    }
    return Breakdown(rows, {name: {"count": count, "cost": costs[name]} for name, count in counts.items()})


def _row(of: str, name: str, own: Booleans, label: NDArray[Any], labels: Sequence[str], of_kind: int) -> Row:
    import numpy as np

    count = int(own.sum())
    by_label = np.bincount(label[own], minlength=len(labels))
    order = np.argsort(-by_label, kind="stable")[:LEADING]
    return {
        "of": of,
        "mode": name,
        "count": count,
        "share": count / of_kind if of_kind else None,
        "labels": [{"label": labels[k], "count": int(by_label[k])} for k in order.tolist() if by_label[k]],
        "taken_for": [],
    }


def _pairs(true: NDArray[Any], detected: NDArray[Any], labels: Sequence[str]) -> list[Row]:
    """The labels most often confused: what it was, what it was taken for, how often."""
    import numpy as np

    pairs, counts = np.unique(np.stack([true, detected], axis=1), axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:LEADING]
    return [
        {"object": labels[int(pairs[at][0])], "detected": labels[int(pairs[at][1])], "count": int(counts[at])}
        for at in order.tolist()
    ]
