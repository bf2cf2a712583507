"""Where failures gather: conditions, and pairs of them, whose failure rate stands above the rest.

Half of the units (images, or groups of them) is searched: each condition's excess of failures is held against those
that come about where the units' failures are dealt out anew among them, the largest of the whole family each time
(max-T, Westfall and Young 1993). The other half, which no search has seen, says how large the effect is.
"""

from __future__ import annotations

from boxscore.triage.findings import Finding, Outcome, Searched
from boxscore.triage.halves import shuffled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice

    Values = NDArray[np.float64]
    Booleans = NDArray[np.bool_]

LEAST_UNITS = 20
"""A slice of fewer units is not searched."""
_LEAST_IN_HALF = 5
_ALIKE = 0.7
_CHUNK = 512


def search(
    outcomes: Sequence[Outcome],
    conditions: Sequence[Slice],
    units: NDArray[np.uint32],
    *,
    kind: str = "image",
    pairs: bool = True,
    permutations: int = 999,
    level: float = 0.05,
    seed: int = 0,
) -> Searched:
    """Search conditions on images, and pairs of conditions of different columns.

    `units` [images] is the unit of each image, numbered from 0. A condition needs 20 units, and 5 in either half. A
    pair is told only where its excess stands out more than that of both its conditions, and of conditions that hold for
    much the same images (seven tenths of what either has), or limits of the same columns inside one another, the one
    that stands out most. Findings come unranked, with
    the largest statistic first.
    """
    import numpy as np

    count = int(units.max()) + 1 if len(units) else 0
    found = Searched(kind, count, permutations, level)
    searched = np.zeros(count, dtype=np.bool_)
    searched[shuffled(count, seed)[: count // 2]] = True
    sizes = np.bincount(units, minlength=count).astype(np.float64)
    tried = _family(conditions, units, searched, pairs=pairs)
    live = [outcome for outcome in outcomes if outcome.events.any() and outcome.base.any()]
    if not conditions or not tried or not live:
        found.reason = _nothing(conditions, tried, count, kind)
        return found
    masks = np.stack([mask for _, mask in tried])
    shares = np.stack([np.bincount(units, mask, count) / sizes for mask in masks])[:, searched]
    residuals = np.stack([_residuals(outcome, units, count, searched) for outcome in live])
    statistics, p_values = _max_t(shares, residuals, permutations, seed)
    found.family = int(np.isfinite(statistics).sum())
    single = {id(parts[0]): row for row, (parts, _) in enumerate(tried) if len(parts) == 1}
    for place in np.argsort(-statistics, axis=None, kind="stable").tolist():
        row, column = divmod(place, len(live))
        parts, mask = tried[row]
        parents = [statistics[single[id(part)], column] for part in parts if len(parts) > 1 and id(part) in single]
        if p_values[row, column] > level or any(statistics[row, column] <= parent for parent in parents):
            continue
        if any(one.outcome == live[column].name and _alike(one, parts, mask) for one in found.findings):
            continue
        one = Finding(live[column].name, parts, mask, float(statistics[row, column]), float(p_values[row, column]))
        one.units = len(np.unique(units[mask]))
        one.rate, one.rest = _rates(live[column], mask, np.ones(len(mask), dtype=np.bool_))
        one.held_out = _held_out(live[column], mask, units, ~searched)
        found.findings.append(one)
    return found


def _alike(one: Finding, parts: Sequence[Slice], mask: Booleans) -> bool:
    """Whether a condition says again what one that stands out more does.

    It does where both hold for much the same images (Jaccard index), or one limit of a column is inside another.
    """
    both = int((one.mask & mask).sum())
    inside = both in (int(one.mask.sum()), int(mask.sum()))
    same = sorted(part.column for part in one.parts) == sorted(part.column for part in parts)
    return (same and inside) or both >= _ALIKE * int((one.mask | mask).sum())


def _nothing(conditions: Sequence[Slice], tried: Sequence[Any], units: int, kind: str) -> str:
    if not conditions:
        return "there is no metadata of images to make conditions of"
    if not tried:
        return f"no condition holds for {LEAST_UNITS} of the {units} {kind}s and lacks for as many"
    return "there are no failures"


def _family(
    conditions: Sequence[Slice], units: NDArray[np.uint32], searched: Booleans, *, pairs: bool
) -> list[tuple[tuple[Slice, ...], Booleans]]:
    """Conditions and pairs with units enough, with their masks; what holds for the same images stands once."""
    import numpy as np

    count = len(searched)
    found: list[tuple[tuple[Slice, ...], Booleans]] = []
    seen: set[bytes] = set()
    sets: list[tuple[Slice, ...]] = [(one,) for one in conditions]
    if pairs:
        sets += [(a, b) for at, a in enumerate(conditions) for b in conditions[at + 1 :] if a.column != b.column]
    for parts in sets:
        mask = np.logical_and.reduce([part.mask for part in parts])
        inside = np.bincount(units[mask], minlength=count) > 0
        outside = np.bincount(units[~mask], minlength=count) > 0
        enough = inside.sum() >= LEAST_UNITS and outside.sum() >= LEAST_UNITS
        halves = min(int((inside & half).sum()) for half in (searched, ~searched))
        if enough and halves >= _LEAST_IN_HALF and mask.tobytes() not in seen:
            seen.add(mask.tobytes())
            found.append((parts, mask))
    return found


def _residuals(outcome: Outcome, units: NDArray[np.uint32], count: int, searched: Booleans) -> Values:
    """Events of each unit that is searched beyond what its base would have at the rate of all of them."""
    import numpy as np

    events = np.bincount(units, outcome.events, count)[searched]
    base = np.bincount(units, outcome.base, count)[searched]
    expected = base * (events.sum() / base.sum()) if base.sum() else base
    found: Values = events - expected
    return found


def _max_t(shares: Values, residuals: Values, permutations: int, seed: int) -> tuple[Values, Values]:
    """Standardised excess [conditions, outcomes] and its adjusted p-value; -inf and 1 where nothing varies."""
    import numpy as np

    number = residuals.shape[1]
    centred = shares - shares.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).sum(axis=1))[:, None] * np.sqrt((residuals**2).sum(axis=1) / max(number - 1, 1))
    varies = spread > 1e-12
    scale = np.where(varies, spread, 1.0)
    observed = np.where(varies, (centred @ residuals.T) / scale, -np.inf)
    exceeded = np.zeros_like(observed)
    orders = shuffled(number, seed + 1, permutations)
    for start in range(0, permutations, _CHUNK):
        dealt = residuals[:, orders[start : start + _CHUNK]]
        largest = np.full(dealt.shape[1], -np.inf)
        for column in range(len(residuals)):
            drawn = np.where(varies[:, [column]], (centred @ dealt[column].T) / scale[:, [column]], -np.inf)
            largest = np.maximum(largest, drawn.max(axis=0))
        # A hair's breadth, so that a deal that is the observed one counts as such however its sums were rounded.
        exceeded += (largest >= observed[:, :, None] - 1e-9).sum(axis=2)
    p_values = np.where(varies, (1.0 + exceeded) / (1.0 + permutations), 1.0)
    return observed, p_values


def _rates(outcome: Outcome, mask: Booleans, among: Booleans) -> tuple[float | None, float | None]:
    """Events over base inside and outside, of the images `among`; None without a base."""
    found = []
    for part in (mask & among, ~mask & among):
        base = float(outcome.base[part].sum())
        found.append(float(outcome.events[part].sum()) / base if base else None)
    return found[0], found[1]


def _held_out(outcome: Outcome, mask: Booleans, units: NDArray[np.uint32], half: Booleans) -> dict[str, Any]:
    """The effect in the half that was not searched, with its standard error over units (linearised ratios)."""
    import numpy as np

    among = half[units]
    rate, rest = _rates(outcome, mask, among)
    held: dict[str, Any] = {"units": len(np.unique(units[mask & among])), "rate": rate, "rest": rest}
    if rate is None or rest is None:
        return held | {"difference": None, "std_error": None}
    influence = np.zeros(len(half))
    for part, ratio, sign in ((mask & among, rate, 1.0), (~mask & among, rest, -1.0)):
        left = (outcome.events[part] - ratio * outcome.base[part]) / outcome.base[part].sum()
        influence += sign * np.bincount(units[part], left, len(half))
    number = int(half.sum())
    spread = float(np.sqrt((influence**2).sum() * number / (number - 1))) if number > 1 else None
    return held | {"difference": rate - rest, "std_error": spread}
