"""What floors of slices gain over shared ones, from counts of images that neither of them saw."""

from __future__ import annotations

from boxscore.measures import rates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.measures.thresholds import Aim
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.sliced import Slices
    from boxscore.pipeline.units import Units

    Counts = NDArray[np.int64]


def gains(slices: Slices, aim: Aim, counts: Counts, units: Units, how: Resampling) -> list[dict[str, Any]]:
    """A row for all images that are in a slice (`slice` None), and one for each slice; see `FittedBy.gains`.

    `counts` [2, images, 3]: objects, true and false positives of each image under shared floors, and under own ones.
    """
    import numpy as np

    masks = [(None, np.any([one.mask for one in slices], axis=0)), *((one.name, one.mask) for one in slices)]
    found = []
    for name, mask in masks:
        sides = [_figures(counts[side, mask].sum(axis=0), int(mask.sum()), aim) for side in (0, 1)]
        key = "f" if aim.kind.startswith("best") else "recall"
        values = [side[key] for side in sides]
        gain = None if None in values else values[1] - values[0]
        low, high = _bounds(counts[:, mask], units.of_image[mask], aim, how, gain)
        row = {"slice": name, "images": int(mask.sum()), "objects": sides[0]["objects"]}
        found.append(row | {"shared": sides[0], "own": sides[1], "gain": gain, "low": low, "high": high})
    return found


def _figures(counts: Counts, images: int, aim: Aim) -> dict[str, Any]:
    objects, found, wrong = map(int, counts)
    return {
        "objects": objects,
        "TP": found,
        "FP": wrong,
        "FN": objects - found,
        "precision": rates.precision(found, wrong)[0],
        "recall": rates.recall(found, objects)[0],
        "f": rates.f_beta(found, wrong, objects, aim.beta)[0],
        "fppi": rates.per_image(wrong, images)[0],
    }


def _bounds(
    counts: Counts, unit: NDArray[np.uint32], aim: Aim, how: Resampling, gain: float | None
) -> tuple[float | None, float | None]:
    """A percentile interval of the gain: the units inside the slice resampled, both sides with the same draws."""
    import numpy as np

    from boxscore.measures.resampled import totals
    from boxscore.stats.intervals import interval
    from boxscore.stats.plans import bootstrap

    numbers, of_image = np.unique(unit, return_inverse=True)
    if gain is None or len(numbers) < 2:
        return None, None
    plan = bootstrap(of_image, len(numbers), replicates=how.replicates, seed=how.seed)
    sums = np.zeros((len(numbers), 2, 3))
    for side in (0, 1):
        np.add.at(sums[:, side], of_image, counts[side])
    objects, found, wrong = np.moveaxis(totals(plan, sums), -1, 0)
    square = aim.beta**2
    best = aim.kind.startswith("best")
    part_, whole = ((1 + square) * found, found + wrong + square * objects) if best else (found, objects)
    figures = np.divide(part_, whole, out=np.full(part_.shape, np.nan), where=objects > 0)
    one = interval(
        figures[:, 1] - figures[:, 0],
        gain,
        method="percentile",
        confidence=how.confidence,
        num_units=len(numbers),
        probabilities=plan.probabilities,
    )
    return one.low, one.high
