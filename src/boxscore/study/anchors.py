"""Anchors held against the results: which values are out of tolerance, which verdicts have flipped."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.study import found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.study.declared import Anchor

ANCHOR = "anchor"
VERDICT = "verdict"
_SLACK = 1e-12
"""Figures at the very edge of a tolerance, such as .7155 and .7160 within .0005, are in it."""


@dataclass(frozen=True, slots=True)
class Held:
    """One thing that an anchor fixes, and what the files give.

    `kind` is `anchor` (a value) or `verdict`; `field` is `point`, `low`, `high`, `difference`, `verdict`,
    `excludes_zero`, `pair` or `sha256`. `reason` says why there is no value.
    """

    anchor: Anchor
    kind: str
    field: str
    expected: Any
    value: Any
    met: bool
    tolerance: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "where": self.anchor.where,
            "in": self.anchor.section,
            "variants": list(self.anchor.refs),
            "measure": self.anchor.measure,
            "label": self.anchor.label,
            "field": self.field,
            "expected": self.expected,
            "tolerance": self.tolerance,
            "value": self.value,
            "met": self.met,
            "reason": self.reason,
        }

    def __str__(self) -> str:
        told = f"{self.anchor.where}: {self.anchor}: "
        if self.field == "sha256":
            return f"{told}the anchor belongs to predictions with SHA-256 {self.expected}; the file has {self.value}"
        if self.field == "pair":
            return f"{told}{self.reason}"
        value = f"none ({self.reason})" if self.value is None else _shown(self.value)
        if self.kind == VERDICT:
            return f"{told}{self.field} is {value}, the anchor says {_shown(self.expected)}"
        off = "" if self.value is None else f" (off by {abs(self.value - self.expected):.3g})"
        return f"{told}{self.field} is {value}, the anchor {self.expected:.10g} ± {self.tolerance:g}{off}"


def hold(anchor: Anchor, results: Mapping[str, Any], hashes: Mapping[str, str]) -> list[Held]:
    """Everything that an anchor fixes, held against results; `hashes` are those of the predictions now, by variant."""
    held = [
        Held(anchor, ANCHOR, "sha256", expected, hashes[ref], expected == hashes[ref])
        for ref, expected in zip(anchor.refs, anchor.hashes, strict=True)
        if expected is not None
    ]
    section = found.section_of(results, anchor.section)
    row = row_of(anchor, section)
    if row is None:
        order = [one["model"] for one in (found.result(section, anchor.measure) or {"models": []})["models"]]
        reason = f"these two are not compared in {anchor.section}" if anchor.is_pair else "there is no such figure"
        if anchor.is_pair and order:
            reason += f", whose order is now {', '.join(order)}"
        return [
            *held,
            Held(anchor, VERDICT if anchor.is_pair else ANCHOR, "pair", None, None, met=False, reason=reason),
        ]
    for name, (expected, tolerance) in anchor.values.items():
        value = row[name]
        met = within(value, expected, tolerance)
        held.append(Held(anchor, ANCHOR, name, expected, value, met, tolerance, row["reason"]))
    for name, stated in (("verdict", anchor.verdict), ("excludes_zero", anchor.excludes_zero)):
        if stated is not None:
            held.append(Held(anchor, VERDICT, name, stated, row[name], row[name] == stated, reason=row["reason"]))
    return held


def row_of(anchor: Anchor, section: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The figure or the pair that an anchor speaks of."""
    if anchor.is_pair:
        return found.pair(section, (anchor.refs[0], anchor.refs[1]), anchor.measure, anchor.label)
    return found.figure(section, anchor.refs[0], anchor.measure, anchor.label)


def within(value: float | None, expected: float, tolerance: float) -> bool:
    """Whether a value is there and off by no more than the tolerance."""
    return value is not None and abs(value - expected) <= tolerance + _SLACK


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)
