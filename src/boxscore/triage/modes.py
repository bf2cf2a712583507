"""What kind of mistake: false detections in TIDE's classes, missed objects by what was there instead."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from boxscore.triage.view import Booleans, Rows, View

    Codes = NDArray[np.int8]

FALSE_MODES = ("classification", "localisation", "both", "duplicate", "background")
"""Of false detections (Bolya et al., TIDE, ECCV 2020)."""
MISS_MODES = ("missed", "localisation", "wrong label")
"""Of objects that were not found."""
NO_MODE = -1
LEAST = 0.1
"""Overlap from which a detection has to do with an object: TIDE's background threshold."""

CLASSIFICATION, LOCALISATION, BOTH, DUPLICATE, BACKGROUND = range(5)


class FalseDetections:
    """`mode` [detections]: position in `FALSE_MODES`, -1 where a detection is not false; `target`: the object that it
    would have found with another label (classification) or box (localisation), -1 for other modes.
    """

    __slots__ = ("mode", "target")

    def __init__(self, mode: Codes, target: Rows) -> None:
        self.mode = mode
        self.target = target


class MissedObjects:
    """Of each object [objects].

    `mode`: position in `MISS_MODES`, -1 where it is found or need not be; `detection`: the one that overlaps it most,
    -1 where none does by 0.1 (or it is not known), `label` its label; `overlap`: by how much.
    """

    __slots__ = ("detection", "label", "mode", "overlap")

    def __init__(self, mode: Codes, detection: Rows, overlap: NDArray[np.float64], label: Rows) -> None:
        self.mode = mode
        self.detection = detection
        self.overlap = overlap
        self.label = label


def false_detections(view: View, *, crowds: bool = True) -> FalseDetections:
    """The mode of each false detection.

    In TIDE's order, the first that holds, t being the threshold:

    1. localisation: the best overlap with an object of its label lies from 0.1 to t, both included;
    2. classification: an object of another label overlaps by t or more;
    3. duplicate: an object of its label overlaps by t or more and is taken;
    4. background: no object overlaps by more than 0.1;
    5. both: what is left.

    Of objects that need not be found, those of its own label (crowds) count in 1, as in hotcoco; without `crowds` none
    do, as in tidecv.
    """
    import numpy as np

    same, counts = view.same_label, view.counts[view.pair_object]
    false = view.false[view.pair_detection]
    own_object, own = view.best(false & same & (counts | crowds), "detection")
    other_object, other = view.best(false & ~same & counts, "detection")
    again = np.zeros(len(view.label), dtype=np.bool_)
    rivals = false & same & counts & (view.overlap >= view.iou) & view.found[view.pair_object]
    again[view.pair_detection[rivals]] = True
    rules = [
        ~view.false,
        (own >= LEAST) & (own <= view.iou),
        other >= view.iou,
        again,
        np.maximum(own, other) <= LEAST,
    ]
    codes = [NO_MODE, LOCALISATION, CLASSIFICATION, DUPLICATE, BACKGROUND]
    mode = np.select(rules, codes, default=BOTH).astype(np.int8)
    target = np.select([mode == LOCALISATION, mode == CLASSIFICATION], [own_object, other_object], default=-1)
    return FalseDetections(mode, target)


def missed_objects(view: View) -> MissedObjects:
    """The mode of each object that was not found.

    Missed: no detection that takes part overlaps by 0.1, whatever its label. Else the one that overlaps most decides:
    localisation where it has the object's label (its overlap is too small, or it took another object), wrong label
    where it hasn't. Among equal overlaps one of the right label is preferred.
    """
    import numpy as np

    right, most_right = view.best(view.same_label, "object")
    wrong, most_wrong = view.best(~view.same_label, "object")
    is_right = most_right >= most_wrong
    overlap = np.maximum(most_right, most_wrong)
    done: Booleans = ~view.counts | view.found
    mode = np.select([done, overlap < LEAST, is_right], [NO_MODE, 0, 1], default=2).astype(np.int8)
    detection = np.where(overlap < LEAST, -1, np.where(is_right, right, wrong))
    label = np.full(len(detection), -1, dtype=np.int64)
    label[detection >= 0] = view.label[detection[detection >= 0]]
    return MissedObjects(mode, detection, overlap, label)
