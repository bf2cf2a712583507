"""Figures of one ground truth, masked and not: of all, by role, by actor and by scene; and what the mask leaves out."""

from __future__ import annotations

import numpy as np

from boxscore.presence import tallies
from boxscore.presence.actors import ROLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.presence.actors import Actor, Mask
    from boxscore.presence.matched import Outcomes
    from boxscore.presence.moments import Moments
    from boxscore.stats.plans import Plan


_PARTS_AT_ONCE = 25


def figures_of(
    outcomes: Outcomes,
    actors: Sequence[Actor],
    roles: Sequence[str],
    mask: Mask,
    moments: Moments,
    run: Run,
    resampling: Resampling | None,
) -> dict[str, Any]:
    """All figures of one ground truth, ready for JSON.

    `masked` and `unmasked` (rows), `by_role`, `by_actor`, `by_scene` (lists of rows), `intervals` (how they were made),
    `warnings` (sentences about them).
    """
    names = [role for role in dict.fromkeys((*ROLES, *roles)) if role in roles]
    role = np.array([names.index(one) for one in roles], np.int64)
    # By part of the actors: a number for each actor, and the names of the parts.
    parts = {
        "masked": (np.where(mask.inside, 0, tallies.OUT), ["masked"]),
        "unmasked": (np.zeros(len(actors), np.int64), ["unmasked"]),
        "by_role": (np.where(mask.inside, role, tallies.OUT), names),
        "by_actor": (np.arange(len(actors), dtype=np.int64), [actor.name for actor in actors]),
    }
    groups = moments.groups
    by_group = tallies.tally(outcomes, moments.group_numbers, len(groups), parts["by_actor"][0], len(actors))
    counts = {name: tallies.together(by_group, part, len(labels)) for name, (part, labels) in parts.items()}
    rows = {name: [one.row() for one in tallies.parts_of(counts[name], labels)] for name, (_, labels) in parts.items()}
    made: dict[str, Any] | None = None
    warnings: list[str] = []
    if resampling is not None:
        made, warnings = _with_intervals(rows, counts, parts, outcomes, moments, run, resampling)
    for row, actor, of_role, inside in zip(rows["by_actor"], actors, roles, mask.inside, strict=True):
        row |= {"label": actor.label, "role": of_role, "in_mask": bool(inside)}
    return {
        "masked": rows["masked"][0],
        "unmasked": rows["unmasked"][0],
        "by_role": [row for row in rows["by_role"] if row["TP"] + row["FP"] + row["FN"]],
        "by_actor": [row for row in rows["by_actor"] if row["TP"] + row["FP"] + row["FN"]],
        "by_scene": _by_group(counts["masked"][:, 0], moments),
        "intervals": made,
        "warnings": warnings,
    }


def outside_of(outcomes: Outcomes, actors: Sequence[Actor], mask: Mask) -> dict[str, Any]:
    """What the mask leaves out: pairs of moment and actor, in all and of each actor, named."""
    found: dict[str, Any] = {}
    for side, pairs in (("predicted", outcomes.predicted), ("true", outcomes.true)):
        counts = np.bincount(pairs.actor, minlength=len(actors))
        named = [
            {"label": actor.label, "name": actor.name, "moments": int(count)}
            for actor, count, counted in zip(actors, counts, mask.inside, strict=True)
            if count and not counted
        ]
        found[side] = sum(one["moments"] for one in named)
        found[f"{side}_actors"] = sorted(named, key=lambda one: -one["moments"])
    return found


def _with_intervals(
    rows: dict[str, list[dict[str, Any]]],
    counts: dict[str, NDArray[np.int64]],
    parts: dict[str, tuple[NDArray[np.int64], list[str]]],
    outcomes: Outcomes,
    moments: Moments,
    run: Run,
    resampling: Resampling,
) -> tuple[dict[str, Any], list[str]]:
    """Fill in the rows' intervals; how they were made, and warnings."""
    from boxscore.pipeline.intervals import plan_of
    from boxscore.stats.intervals import caution

    plan, units = plan_of(run, resampling)
    if units.kind == "group":
        every = [row for name in parts for row in rows[name]]
        tallies.with_intervals(every, np.concatenate([counts[name] for name in parts], axis=1), plan, resampling)
    else:
        _by_moment(rows, parts, outcomes, plan, resampling)
    unit = moments.grouped_by if units.kind == "group" else "moment"
    warning = caution(units.count, unit)
    made = {
        "interval": resampling.interval,
        "confidence": resampling.confidence,
        "unit": unit,
        "units": units.count,
        "replicates": plan.replicates,
        "exact": plan.exact,
        "seed": None if plan.exact else resampling.seed,
    }
    return made, [] if warning is None else [warning]


def _by_moment(
    rows: dict[str, list[dict[str, Any]]],
    parts: dict[str, tuple[NDArray[np.int64], list[str]]],
    outcomes: Outcomes,
    plan: Plan,
    resampling: Resampling,
) -> None:
    """Fill in the rows' intervals where each moment is a unit. They are many, so some parts are tallied at a time."""
    for name, (part, labels) in parts.items():
        for start in range(0, len(labels), _PARTS_AT_ONCE):
            some = rows[name][start : start + _PARTS_AT_ONCE]
            within = np.where((part >= start) & (part < start + len(some)), part - start, tallies.OUT)
            own = tallies.tally(outcomes, plan.units.astype(np.int64), plan.num_units, within, len(some))
            tallies.with_intervals(some, own, plan, resampling)


def _by_group(counts: NDArray[np.int64], moments: Moments) -> list[dict[str, Any]]:
    """A row a scene (or block), in order of time, with its first moment and number of moments."""
    numbers = moments.group_numbers
    sizes = np.bincount(numbers, minlength=len(moments.groups))
    first = np.unique(numbers, return_index=True)[1]
    return [
        tallies.Part(name, *map(int, row)).row() | {"from": float(time), "moments": int(size)}
        for name, row, time, size in zip(moments.groups, counts, moments.time[first], sizes, strict=True)
    ]
