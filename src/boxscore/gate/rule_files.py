"""Rules from YAML (docs/gate.md)."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.gate import pilot
from boxscore.gate.rule_fields import Fields
from boxscore.gate.rules import (
    EACH,
    FAIL,
    FIXED,
    HIGHER,
    JUDGES,
    LEVEL,
    LOWER,
    NON_INFERIOR,
    PASS,
    REFUSE,
    Rule,
    Rules,
)
from boxscore.gate.timings import LATENCY
from boxscore.pipeline.resampling import Resampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

FEWER_IS_BETTER = ("FP", "FN", "FPPI", LATENCY)
"""Measures of which less is better where a rule doesn't say otherwise."""

_FILE = ("rules", "level", "slices", "resampling", "other_protocol")
_SLICES = ("by", "where", "metadata", "support")
RESAMPLING = ("replicates", "seed", "unit", "group_by", "group_regex", "ungrouped")
_RULE = (
    *("measure", "label", "slice", "judge", "better", "slack", "fraction", "margin", "floor", "ceiling", "level"),
    "undefined",
)


class RuleResampling(Resampling):
    """The resampling of a file of rules: remedies name its fields."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`resampling: {unit: image}` in the rules."""
        return f"`resampling: {{{field}: {choice}}}` in the rules"

    def named(self, field: str) -> str:
        """`resampling.group_by`."""
        return f"resampling.{field}"


def read(path: str | PathLike[str]) -> Rules:
    """Rules of a file. Raises InputError that names file, place, value and remedy."""
    from boxscore.io import yaml_files

    content = yaml_files.load(path)
    repeated = yaml_files.repeated_keys(path)
    if repeated:
        name, line = repeated[0]
        raise InputError(f"{path} line {line}: {name} is given twice; keep one of them")
    return parse(content, str(path))


def parse(content: Any, source: str) -> Rules:  # noqa: ANN401  whatever the file holds
    """Rules from a file's content. Raises InputError."""
    if pilot.is_pilot(content):
        return pilot.rules(content, source)
    file = Fields(content, source, "")
    file.refuse_unknown(_FILE)
    listed = content.get("rules")
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{source}: rules must be a list of one rule or more, such as `- measure: AP`")
    rules = tuple(_rule(Fields(one, source, f"rules[{at}]")) for at, one in enumerate(listed))
    _refuse_repeats(rules, source)
    slices = Fields(content.get("slices") or {}, source, "slices")
    slices.refuse_unknown(_SLICES)
    resampling = Fields(content.get("resampling") or {}, source, "resampling")
    resampling.refuse_unknown(RESAMPLING)
    return Rules(
        rules,
        level=file.share("level") or LEVEL,
        by=slices.texts("by") or (),
        where=slices.texts("where") or (),
        metadata=slices.text("metadata"),
        support=slices.whole("support"),
        resampling=dict(resampling.content),
        other_protocol=file.choice("other_protocol", (REFUSE, FAIL)) or REFUSE,
        source=source,
    )


def _rule(fields: Fields) -> Rule:
    fields.refuse_unknown(_RULE)
    measure = fields.text("measure")
    if measure is None:
        raise fields.wrong("measure", "is missing", "name one, such as AP or recall[conf=0.25]@0.5")
    judge = fields.choice("judge", JUDGES) or FIXED
    natural = LOWER if measure.partition("[")[0].partition("@")[0] in FEWER_IS_BETTER else HIGHER
    better = fields.choice("better", (HIGHER, LOWER)) or natural
    bound, other = ("ceiling", "floor") if better == LOWER else ("floor", "ceiling")
    if other in fields.content:
        raise fields.wrong(other, f"can't be, where {better} is better", f"give a {bound}, or say `better:`")
    if judge != FIXED and bound in fields.content:
        raise fields.wrong(bound, f"is no part of a rule judged {judge}", "put it in a fixed rule of its own")
    return Rule(
        fields.place,
        measure,
        judge,
        labels=_names(fields, "label"),
        slices=_names(fields, "slice"),
        better=better,
        slack=_slack(fields, judge),
        fraction=None if judge == NON_INFERIOR and "margin" in fields.content else fields.amount("fraction"),
        bound=fields.number(bound),
        level=_level(fields, judge),
        undefined=fields.choice("undefined", (FAIL, PASS)) or FAIL,
    )


def _slack(fields: Fields, judge: str) -> float:
    """`slack`, or a non-inferior rule's `margin`; 0 beside a fraction."""
    name, other = ("margin", "slack") if judge == NON_INFERIOR else ("slack", "margin")
    if other in fields.content:
        raise fields.wrong(other, f"is no part of a rule judged {judge}", f"write {name}")
    if name in fields.content and "fraction" in fields.content:
        raise fields.wrong(name, "and fraction both say what is allowed", "leave one out")
    found = fields.amount(name)
    if judge == NON_INFERIOR and not found and not fields.amount("fraction"):
        raise fields.wrong(name, "is missing, or 0", "say which drop would be too large to accept, such as 0.02")
    return found or 0.0


def _level(fields: Fields, judge: str) -> float:
    if "level" in fields.content and judge != NON_INFERIOR:
        raise fields.wrong(
            "level", f"is no part of a rule judged {judge}", "all significant rules share the file's level"
        )
    return fields.share("level") or LEVEL


def _names(fields: Fields, field: str) -> tuple[str, ...] | None:
    found = fields.texts(field)
    return None if found is None else tuple(EACH if name == "each" else name for name in found)


def _refuse_repeats(rules: tuple[Rule, ...], source: str) -> None:
    seen: dict[tuple[object, ...], str] = {}
    for rule in rules:
        key = (rule.measure, rule.labels, rule.slices, rule.judge)
        if key in seen:
            raise InputError(f"{source}: {rule.place} is about the same figures as {seen[key]}, judged alike; keep one")
        seen[key] = rule.place
