"""Thresholds as a perception harness keeps them (`recall_slack`, `map_slack`, …), as rules over its metric tables."""

from __future__ import annotations

from boxscore.gate.rule_fields import Fields
from boxscore.gate.rules import EACH, LOWER, Rule, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULTS = {"recall_slack": 0.02, "precision_slack": 0.05, "map_slack": 0.005, "fp_slack_frac": 0.30}
_BOUNDS = {"map": "hard_floor_map", "recall": "hard_floor_recall"}
GATED = ("profile", "distance_bin", "lighting_bin")
"""Columns whose slices are held to rules; tables of others may be there and are not."""


def is_pilot(content: object) -> bool:
    """Whether a file's content is of this form: a mapping of thresholds, without rules."""
    return isinstance(content, dict) and bool(content) and "rules" not in content and set(content) <= _known()


def rules(content: Any, source: str) -> Rules:  # noqa: ANN401  whatever the file holds
    """Overall AP, recall, precision, false positives; AP and recall by label; recall and false positives by slice."""
    fields = Fields(content, source, "")
    stated = {name: fields.amount(name) for name in DEFAULTS}
    slack = {name: DEFAULTS[name] if value is None else value for name, value in stated.items()}
    found = [
        _rule("AP", "map_slack", slack, fields, bound="map"),
        _rule("recall", "recall_slack", slack, fields, bound="recall"),
        _rule("precision", "precision_slack", slack, fields),
        _rule("FP", "fp_slack_frac", slack, fields),
        _rule("AP", "map_slack", slack, fields, labels=(EACH,)),
        _rule("recall", "recall_slack", slack, fields, labels=(EACH,)),
    ]
    for column in GATED:
        slices = (f"{column}={EACH}",)
        found += [
            _rule("recall", "recall_slack", slack, fields, slices=slices),
            _rule("FP", "fp_slack_frac", slack, fields, slices=slices),
        ]
    return Rules(tuple(found), source=source)


def _rule(
    measure: str,
    threshold: str,
    slack: dict[str, float],
    fields: Fields,
    *,
    bound: str | None = None,
    labels: tuple[str, ...] | None = None,
    slices: tuple[str, ...] | None = None,
) -> Rule:
    allowed = slack[threshold]
    hard = None if bound is None else fields.number(_BOUNDS[bound])
    bounded = hard if hard is not None and hard >= 0.0 else None  # below 0: off
    if measure == "FP":
        return Rule(threshold, measure, labels=labels, slices=slices, better=LOWER, fraction=allowed)
    return Rule(threshold, measure, labels=labels, slices=slices, slack=allowed, bound=bounded)


def _known() -> set[str]:
    return {*DEFAULTS, *_BOUNDS.values()}
