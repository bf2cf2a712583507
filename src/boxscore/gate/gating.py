"""`gate`: a current run and its baseline in, verdicts out."""

from __future__ import annotations

from boxscore.gate.judging import judge
from boxscore.gate.planned import planned
from boxscore.gate.result import GateResult
from boxscore.gate.rules import EACH, FIXED, PASS, SIGNIFICANT, Rule, Rules
from boxscore.gate.told import joined
from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.checks import Check
    from boxscore.gate.sides import Sides
    from boxscore.pipeline.run import Run


def default_rules(run: Run) -> Rules:
    """What a run is held to where nothing is said: its first headline measure, over all labels and of each.

    Judged significant, without slack. Labels without a figure pass: most often the data have no ground truth of them.
    """
    measure = run.protocol.headline[0]
    overall = Rule("overall", str(measure), SIGNIFICANT)
    of_label = str(measure.replaced(average=None)) if measure.at_point else str(measure)
    labels = () if run.label_agnostic else (Rule("each label", of_label, SIGNIFICANT, labels=(EACH,), undefined=PASS),)
    return Rules((overall, *labels))


def gate(
    sides: Sides,
    rules: Rules,
    *,
    current: str = "current",
    baseline: str = "baseline",
    with_power: bool = False,
) -> GateResult:
    """Hold the current side to the baseline by the rules.

    Raises InputError, MeasureError or ProtocolError for rules that the sides can't be held to.
    """
    checks = planned(rules.rules, sides)
    judge(checks, sides, level=rules.level)
    power = None
    if with_power:
        from boxscore.gate.power import power as power_of

        power = power_of(checks, sides, rules.level)
    drawn = None
    if sides.unpaired is None and (with_power or any(check.rule.judge != FIXED for check in checks)):
        drawn = sides.drawn
    return GateResult(
        checks,
        rules,
        current=current,
        baseline=baseline,
        drawn=drawn,
        power=power,
        notes=[*sides.notes, *_notes(checks)],
    )


def _notes(checks: Sequence[Check]) -> list[Note]:
    """What passes without having been held to anything."""
    passed: dict[str, list[str]] = {}
    for check in checks:
        if not check.failed and check.reason is not None:
            passed.setdefault(check.reason, []).append(check.name)
    return [
        Note("passed-undecided", f"passed, though {reason}: {joined(names)}", len(names))
        for reason, names in passed.items()
    ]
