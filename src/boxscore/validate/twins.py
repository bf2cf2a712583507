"""Near-duplicates: validation pictures that look like a training picture, and the score with and without them."""

from __future__ import annotations

from boxscore.validate import hashes
from boxscore.validate.figures import micro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.validate.cases import Cases
    from boxscore.validate.training import Training

_MOST_SHOWN = 20


class Twins:
    """For each case its nearest training picture: `distance` in bits of 64 and `place` among them; `least` is the
    distance up to which they count as near-duplicates.
    """

    __slots__ = ("distance", "least", "place")

    def __init__(self, distance: NDArray[np.int64], place: NDArray[np.int64], least: int) -> None:
        self.distance = distance
        self.place = place
        self.least = least

    @property
    def have_one(self) -> NDArray[np.bool_]:
        """Whether each case has a near-duplicate."""
        return self.distance <= self.least


def twins_of(cases: Cases, training: Training, least: int) -> Twins:
    """Hold every validation picture against every training picture. Raises InputError for one that can't be read."""
    of, among = (hashes.hashes(paths) for paths in ([case.picture_path for case in cases], training.paths))
    return Twins(*hashes.nearest(of, among), least)


def to_dict(twins: Twins, cases: Cases, training: Training, run: Run) -> dict[str, Any]:
    """The share of pictures with a near-duplicate, the nearest pairs, and the micro figures with and without them."""
    import numpy as np

    has_one = twins.have_one
    count = int(has_one.sum())
    order = np.lexsort((np.arange(len(cases)), twins.distance))[: min(count, _MOST_SHOWN)]
    nearest = [
        {
            "picture": cases[i].picture,
            "training_picture": training.names[twins.place[i]],
            "distance": int(twins.distance[i]),
        }
        for i in order.tolist()
    ]
    return {
        "hash": hashes.NAME,
        "distance": twins.least,
        "pictures_with_twin": count,
        "share": count / len(cases),
        "nearest": nearest,
        "score": {
            "all": micro(run),
            "without_twins": _of_part(run, cases, ~has_one),
            "twins_alone": _of_part(run, cases, has_one),
        },
    }


def _of_part(run: Run, cases: Cases, chosen: NDArray[np.bool_]) -> dict[str, Any] | None:
    """Micro figures of some of the cases alone; None where there are none."""
    import numpy as np

    from boxscore.pipeline.sliced_part import part

    if not chosen.any():
        return None
    row = {stem: number for number, stem in enumerate(run.image_ids)}
    mask = np.zeros(run.num_images, dtype=bool)
    mask[[row[case.stem] for case, taken in zip(cases, chosen.tolist(), strict=True) if taken]] = True
    return micro(part(run, mask))
