"""Mean IoU: how well true positives lie on what they found."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.measures.rates import Figure

NO_PAIRS = "no true positives at or above the floor"


class Overlaps:
    """True positives at one cell, a row each, by image, label, rank.

    - `image`, `label`, `rank`: uint32; `score`, `overlap`: float64; `detection`: row of the detections;
      `ground_truth`: row of the object. Crowds and other objects that are ignored are none of them.
    - `num_images`: how many images there are.
    """

    __slots__ = ("detection", "ground_truth", "image", "label", "num_images", "overlap", "rank", "score")

    def __init__(
        self,
        num_images: int,
        *,
        image: NDArray[np.uint32],
        label: NDArray[np.uint32],
        rank: NDArray[np.uint32],
        score: NDArray[np.float64],
        overlap: NDArray[np.float64],
        detection: NDArray[np.int64],
        ground_truth: NDArray[np.int64],
    ) -> None:
        self.num_images = num_images
        self.image = image
        self.label = label
        self.rank = rank
        self.score = score
        self.overlap = overlap
        self.detection = detection
        self.ground_truth = ground_truth

    def counting(self, floors: Sequence[float] | None, limit: int) -> NDArray[np.bool_]:
        """Which rows are at or above the floors (a label each; None: all are) and within the detection limit."""
        import numpy as np

        keep: NDArray[np.bool_] = self.rank < limit
        return keep if floors is None else keep & (self.score >= np.array(floors, dtype=np.float64)[self.label])

    def part(self, rows: NDArray[np.int64]) -> Overlaps:
        """Those of some images: `rows[i]` is the new row of image i, -1 to leave it out.

        `detection` and `ground_truth` stay rows of the whole.
        """
        keep = rows[self.image] >= 0
        image = rows[self.image[keep]].astype("uint32")
        columns = ("label", "rank", "score", "overlap", "detection", "ground_truth")
        return Overlaps(int((rows >= 0).sum()), image=image, **{name: getattr(self, name)[keep] for name in columns})


def mean_iou(
    overlaps: Overlaps, positions: Sequence[int], *, floors: Sequence[float] | None = None, limit: int = 2**32 - 1
) -> Figure:
    """The mean overlap of the true positives of some labels; exactly rounded, so that no order of rows changes it."""
    keep = overlaps.counting(floors, limit) & _of_labels(overlaps.label, positions)
    found = overlaps.overlap[keep].tolist()
    return (math.fsum(found) / len(found), None) if found else (None, NO_PAIRS)


def _of_labels(label: NDArray[np.uint32], positions: Sequence[int]) -> NDArray[np.bool_]:
    import numpy as np

    return np.isin(label, np.array(positions, dtype=np.uint32))


def by_unit(
    overlaps: Overlaps,
    positions: Sequence[int],
    units: NDArray[np.uint32],
    num_units: int,
    *,
    floors: Sequence[float] | None = None,
    limit: int = 2**32 - 1,
) -> NDArray[np.float64]:
    """Sum of the overlaps, and number, of the true positives of some labels, by unit of images [units, 2]."""
    import numpy as np

    keep = overlaps.counting(floors, limit) & _of_labels(overlaps.label, positions)
    unit = units[overlaps.image[keep]]
    sums = np.bincount(unit, weights=overlaps.overlap[keep], minlength=num_units)
    return np.stack([sums, np.bincount(unit, minlength=num_units)], axis=1)
