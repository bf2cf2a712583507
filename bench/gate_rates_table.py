"""The tables of `gate_rates.py`: what was stated beside what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.gate.result import GateResult
from coverage_sets import Cell

SINGLE = ("AP", "recall[conf=0.5]@0.5")
"""Checks over all labels and images, whose chance to fail is told by itself."""


@dataclass(frozen=True)
class Outcome:
    """One data set through one set of rules: the gate's verdict, and of some checks theirs.

    `stated`: the chance that an equal model passes the whole, as `--power` says. By measure: whether the check
    `failed`, the `drop` that was seen, and the drop that would be `detectable` 8 times in 10 with its `error`.
    """

    rules: str
    truth: str
    passed: bool
    stated: float
    failed: dict[str, bool]
    drop: dict[str, float]
    detectable: dict[str, float]
    error: dict[str, float]

    @staticmethod
    def of(rules: str, truth: str, result: GateResult) -> "Outcome":
        checks = {c.rule.measure: c for c in result.checks if c.label is None and c.slice is None}
        return Outcome(
            rules,
            truth,
            result.passes,
            1.0 if result.power is None else result.power.equal_passes["all"],
            {name: check.failed for name, check in checks.items()},
            {name: -(check.delta or 0.0) for name, check in checks.items()},
            {name: np.nan if check.detectable is None else check.detectable for name, check in checks.items()},
            {name: np.nan if check.std_error is None else check.std_error for name, check in checks.items()},
        )


def told(name: str, cell: Cell, sets: int, drop: float, outcomes: Sequence[Sequence[Outcome]]) -> str:
    """Markdown."""
    flat = [one for of_set in outcomes for one in of_set]
    world = f"{cell.units} {cell.kind}, {sets:,} data sets"
    lines = [
        f"**{name}**: {world}; slack and margin are {drop:.4f}, the true drop of the worse model's recall",
        "",
        "| rules | model | gate passes, stated | measured | check | drop | detectable | fails, stated | measured |",
        "|---|---|--:|--:|---|--:|--:|--:|--:|",
    ]
    for rules in dict.fromkeys(one.rules for one in flat):
        for truth in ("equal", "worse"):
            lines += _rows([one for one in flat if (one.rules, one.truth) == (rules, truth)])
    return "\n".join(lines) + "\n"


def _rows(outcomes: Sequence[Outcome]) -> list[str]:
    first = outcomes[0]
    stated = float(np.mean([one.stated for one in outcomes])) if first.truth == "equal" else float("nan")
    passed = float(np.mean([one.passed for one in outcomes]))
    lines: list[str] = []
    for measure in (name for name in SINGLE if name in first.drop):
        true = float(np.mean([one.drop[measure] for one in outcomes]))
        detectable = float(np.nanmean([one.detectable[measure] for one in outcomes]))
        fails = float(np.mean([one.failed[measure] for one in outcomes]))
        chances = f"{_percent(_stated(outcomes, measure, true))} | {_percent(fails)}"
        whole = f"{first.rules} | {first.truth} | {_percent(stated)} | {_percent(passed)}" if not lines else "| | |"
        lines.append(f"| {whole} | `{measure}` | {true:.4f} | {detectable:.4f} | {chances} |")
    return lines


def _stated(outcomes: Sequence[Outcome], measure: str, true: float) -> float:
    """The mean chance to catch the true drop that the detectable one, caught 8 times in 10, and its error imply."""
    from scipy.special import ndtr, ndtri

    beyond = [(true - one.detectable[measure]) / one.error[measure] + ndtri(0.8) for one in outcomes]
    return float(np.nanmean(ndtr(beyond)))


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f} %"
