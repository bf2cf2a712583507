"""From rules to checks: each rule's labels and slices, by name."""

from __future__ import annotations

from boxscore.gate.checks import Check
from boxscore.gate.rules import Rule, chosen, is_pattern
from boxscore.gate.sides import BASELINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boxscore.gate.sides import Sides

    Names = tuple[Sequence[str], Sequence[str]]


def planned(rules: Sequence[Rule], sides: Sides) -> list[Check]:
    """All checks: first what the current side lacks as a whole, then in the order of rules, slices, labels.

    Those of what is missing have failed already. Raises InputError, MeasureError or ProtocolError for a rule that the
    sides can't be held to.
    """
    for rule in rules:
        sides.check(rule)
    return [*_lacking(sides), *(check for rule in rules for check in _of_rule(rule, sides))]


def _lacking(sides: Sides) -> Iterator[Check]:
    for what, reason, before, now in sides.lacking:
        check = Check(Rule("baseline", what), None, None, baseline=before, current=now, limit=before)
        check.fail(reason)
        yield check


def _of_rule(rule: Rule, sides: Sides) -> Iterator[Check]:
    for part, slice_there in _meant(rule.slices, sides.slices):
        for label, label_there in _meant(rule.labels, sides.labels):
            check = Check(rule, label, part)
            missing = (
                _missing("slice", part, sides.slices, there=slice_there)
                or _missing("label", label, sides.labels, there=label_there)
                or sides.missing(check.key)
            )
            if missing is not None:
                check.fail(missing)
                _show_baseline(check, sides)
            yield check


def _show_baseline(check: Check, sides: Sides) -> None:
    """The figure that the current side has none to set against."""
    known = all(
        name is None or name in names[BASELINE]
        for name, names in ((check.label, sides.labels), (check.slice, sides.slices))
    )
    if known:
        check.baseline = sides.point(BASELINE, check.key)[0]
        check.limit = None if check.baseline is None else check.rule.limit(check.baseline)


def _meant(patterns: Sequence[str] | None, names: Names) -> list[tuple[str | None, bool]]:
    """Names that either side has, or that a rule names, and whether they are there; None: over all."""
    if patterns is None:
        return [(None, True)]
    return [*chosen(patterns, list(dict.fromkeys([*names[0], *names[1]])))]


def _missing(what: str, name: str | None, names: Names, *, there: bool) -> str | None:
    if name is None:
        return None
    if not there:
        return f"no {what} fits {name!r}" if is_pattern(name) else f"there is no {what} {name!r}"
    lacks = [side for side, known in zip(("baseline", "current run"), names, strict=True) if name not in known]
    return f"{what} {name!r} is missing from the {lacks[0]}" if lacks else None
