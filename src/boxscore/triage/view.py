"""The matches seen at one IoU threshold and from a confidence on: who is found, who took whom, who is false."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.model.protocol import Protocol
    from boxscore.triage.source import Source

    Booleans = NDArray[np.bool_]
    Rows = NDArray[np.int64]
    Overlaps = NDArray[np.float64]

NONE = -1
"""No row."""


@dataclass
class View:
    """Columns at one IoU threshold, over objects of all areas.

    Of detections [detections]: `image`, `label`, `score`, `rank`; `part` (takes part: within the detection limit, at or
    above its floor), `matched`, `ignored` (it took an object that need not be found), `false` (takes part, took
    nothing, is not ignored), `taken` (row of the object that a detection that takes part took, -1: none).

    Of objects [objects]: `object_image`, `object_label`; `counts` (to be found), `found` (taken by a detection that
    takes part).

    Of pairs: `pair_detection`, `pair_object`, `overlap`; of detections that take part alone.
    """

    iou: float
    protocol: Protocol
    image: Rows
    label: Rows
    score: Overlaps
    rank: Rows
    part: Booleans
    matched: Booleans
    ignored: Booleans
    object_image: Rows
    object_label: Rows
    counts: Booleans
    pair_detection: Rows
    pair_object: Rows
    overlap: Overlaps
    taken: Rows = field(init=False)
    found: Booleans = field(init=False)

    def __post_init__(self) -> None:
        import numpy as np

        self.taken = _taken(self)
        self.found = np.zeros(len(self.counts), dtype=np.bool_)
        self.found[self.taken[self.taken != NONE]] = True

    @property
    def false(self) -> Booleans:
        """Detections that take part, took nothing and are not ignored."""
        false: Booleans = self.part & ~self.matched & ~self.ignored
        return false

    @property
    def same_label(self) -> Booleans:
        """Pairs of one label."""
        same: Booleans = self.label[self.pair_detection] == self.object_label[self.pair_object]
        return same

    def best(self, pairs: Booleans, by: str) -> tuple[Rows, Overlaps]:
        """The partner of the largest overlap among some of the pairs, -1 without one, and the overlap, 0 without.

        `by` is `detection` (partners are objects) or `object`. Among equal overlaps the first row wins.
        """
        import numpy as np

        rows, partners = self.pair_detection[pairs], self.pair_object[pairs]
        size = len(self.label)
        if by == "object":
            rows, partners, size = partners, rows, len(self.counts)
        overlap = self.overlap[pairs]
        best, most = np.full(size, NONE, dtype=np.int64), np.zeros(size)
        np.maximum.at(most, rows, overlap)
        largest = np.flatnonzero(overlap == most[rows])[::-1]
        best[rows[largest]] = partners[largest]  # pairs run by detection and object: the first is written last
        return best, most


def view_of(source: Source, iou: float, floors: Sequence[float] | None = None) -> View:
    """The view of a run at an IoU threshold of its protocol; `floors` are the lowest confidences that count, by label.

    Raises ProtocolError for another threshold.
    """
    import numpy as np

    protocol = source.run.protocol
    bit = np.uint64(1 << protocol.iou_index(iou))
    rows, objects, pairs = source.detections, source.objects, source.pairs
    part: Booleans = rows["rank"] < protocol.max_detections[-1]
    if floors is not None:
        # Matching goes by descending score, so that what lies above a floor is matched as if nothing lay below.
        part &= rows["score"] >= np.array(floors, dtype=np.float64)[rows["label"]]
    kept = part[pairs["detection"]]
    return View(
        iou=protocol.iou_thresholds[protocol.iou_index(iou)],
        protocol=protocol,
        image=rows["image"],
        label=rows["label"],
        score=rows["score"],
        rank=rows["rank"],
        part=part,
        matched=(rows["matched"] & bit) != 0,
        ignored=(rows["ignored"] & bit) != 0,
        object_image=objects["image"],
        object_label=objects["label"],
        counts=(objects["ignored"] & bit) == 0,
        pair_detection=pairs["detection"][kept].astype(np.int64),
        pair_object=pairs["ground_truth"][kept].astype(np.int64),
        overlap=pairs["overlap"][kept],
    )


def _taken(view: View) -> Rows:
    """Which object each matched detection took, by the protocol's rule: only those matched need to be asked.

    Matches keep that for one threshold alone; the pairs hold what the rule looked at.
    """
    import numpy as np

    last = view.protocol.rule == "coco"  # among equal overlaps its last object wins, elsewhere the first
    took = view.part & view.matched & ~view.ignored
    pairs = np.flatnonzero(
        took[view.pair_detection] & view.counts[view.pair_object] & view.same_label & (view.overlap >= view.iou)
    )
    rows, objects = view.pair_detection[pairs], view.pair_object[pairs]
    order = np.lexsort((-objects if last else objects, -view.overlap[pairs], rows))
    taken = np.full(len(view.label), NONE, dtype=np.int64)
    free = np.ones(len(view.counts), dtype=np.bool_)
    # Rows run by image, label, rank: better detections choose first.
    for row, object_ in zip(rows[order].tolist(), objects[order].tolist(), strict=True):
        if taken[row] == NONE and free[object_]:
            taken[row] = object_
            free[object_] = False
    return taken
