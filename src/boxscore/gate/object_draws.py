"""Figures of slices of objects under draws of the units that their images lie in."""

from __future__ import annotations

from boxscore.gate import draws
from boxscore.gate.sides import BASELINE, CURRENT
from boxscore.model.measure import Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Key
    from boxscore.gate.run_parts import Parts
    from boxscore.stats.plans import Plan

    Values = NDArray[np.float64]


def replicates(keys: Sequence[Key], parts: tuple[Parts, Parts], plan: Plan, *, swaps: bool) -> Values:
    """[replicates, 2, keys]: what is found of the objects of a slice, both sides; NaN where there are none."""
    import numpy as np

    found = np.empty((plan.replicates, 2, len(keys)))
    tallies = [_tally(key, parts, plan) for key in keys]
    for replicate, of_unit in enumerate(draws.each(plan, swaps=swaps)):
        weights = of_unit.astype(np.float64)
        for at, (key, tally) in enumerate(zip(keys, tallies, strict=True)):
            if swaps:
                turned = np.tensordot(weights, tally, axes=1)
                there = tally.sum(axis=0) - turned
                sums = there[[BASELINE, CURRENT, 2]] + turned[[CURRENT, BASELINE, 2]]
            else:
                sums = np.tensordot(weights, tally, axes=1)
            found[replicate, :, at] = [_figure(key[0], sums[side], sums[2]) for side in (BASELINE, CURRENT)]
    return found


def basis(key: Key, parts: Parts, units: NDArray[np.uint32]) -> int:
    """Number of units with objects of the slice (and label)."""
    import numpy as np

    inside, image, _ = _inside(key, parts)
    return len(np.unique(units[image[inside]]))


def _tally(key: Key, parts: tuple[Parts, Parts], plan: Plan) -> Values:
    """[units, 3, joined]: found by the baseline, by the current run, and objects; `joined`: labels of a macro mean."""
    import numpy as np

    from boxscore.pipeline.sliced_images import average_of
    from boxscore.pipeline.sliced_objects import Found

    measure, run = Measure.parse(key[0]), parts[CURRENT].run
    inside, image, label = _inside(key, parts[CURRENT])
    joined = len(run.labels) if average_of(run, measure, key[1]) == "macro" else 1
    place = plan.units[image].astype(np.int64) * joined + (label if joined > 1 else 0)
    shares = [Found(side.run).share(measure)[0] for side in parts]
    size = plan.num_units * joined
    columns = [np.bincount(place[inside], weights=one[inside], minlength=size) for one in shares]
    columns.append(np.bincount(place[inside], minlength=size).astype(np.float64))
    return np.stack([column.reshape(plan.num_units, joined) for column in columns], axis=1)


def _inside(key: Key, parts: Parts) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Which objects count, and image and label of all."""
    import numpy as np

    from boxscore.pipeline.sliced_objects import Found

    measure, label, name = key
    found = Found(parts.run)
    inside = found.share(Measure.parse(measure))[1] & parts.slices[name or ""].mask
    if label is not None:
        inside &= found.label == parts.run.labels.index(label)
    image = np.asarray(parts.run.matches.ground_truth.column("image")).astype(np.int64)
    return inside, image, found.label


def _figure(measure: str, found: Values, objects: Values) -> float:
    """Of one side: sums over objects, by label where their mean is meant."""
    kind = Measure.parse(measure).kind
    if kind == "TP":
        return float(found.sum())
    if kind == "FN":
        return float(objects.sum() - found.sum())
    there = objects > 0
    return float((found[there] / objects[there]).mean()) if there.any() else float("nan")
