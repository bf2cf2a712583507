"""The Markdown report of a study, from its results alone."""

from __future__ import annotations

from boxscore.study import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_SHORT = 12
"""Hexadecimal digits of a hash that a report shows; results.json has all."""


def report(results: Mapping[str, Any], digits: int) -> str:
    """The whole text: tables, comparisons, anchors, inputs, notes. It holds no date: equal results, equal bytes."""
    lines = [f"# {results['study']}", "", "Made by `boxscore study run`; do not edit: it is written anew.", ""]
    for name, section in results["tables"].items():
        lines += [f"## {section['title']}", "", *tables.leaderboard(results, name, digits), ""]
        lines += _pairs(results, name, section, digits)
        lines += _labels(results, name, section, digits)
    for name, section in results["comparisons"].items():
        lines += [f"## {section['title']}", "", *tables.pairs(results, name, digits), ""]
        lines += _groups(results, name, section)
        lines += _labels(results, name, section, digits)
    if results["anchors"]:
        lines += ["## Anchors", "", *_anchors(results["anchors"]), ""]
    lines += ["## Inputs", "", *_inputs(results["inputs"]), ""]
    if results["notes"]:
        lines += ["## Notes", "", *(f"- {note}" for note in results["notes"]), ""]
    return "\n".join(lines[:-1]) + "\n"


def _pairs(results: Mapping[str, Any], name: str, section: Mapping[str, Any], digits: int) -> list[str]:
    if not any(one["pairs"] for one in section["results"]):
        return []
    return ["### Differences", "", *tables.pairs(results, name, digits), "", *_groups(results, name, section)]


def _groups(results: Mapping[str, Any], name: str, section: Mapping[str, Any]) -> list[str]:
    measures = [one["measure"] for one in section["results"] if one["label"] is None and one["pairs"]]
    told = [f"- {measure}: {tables.groups(results, name, measure)}" for measure in measures]
    return ["Not separated by these data:", "", *told, ""] if told else []


def _labels(results: Mapping[str, Any], name: str, section: Mapping[str, Any], digits: int) -> list[str]:
    if all(one["label"] is None for one in section["results"]):
        return []
    return ["### By label", "", *tables.labels(results, name, digits), ""]


def _anchors(anchors: Sequence[Mapping[str, Any]]) -> list[str]:
    head = ["| anchor | in | what | expected | found | |", "| --- | --- | --- | ---: | ---: | --- |"]
    return [*head, *(_anchor(one) for one in anchors)]


def _anchor(one: Mapping[str, Any]) -> str:
    label = "" if one["label"] is None else f" of {one['label']}"
    what = f"{one['measure']}{label} {one['field']}"
    tolerance = "" if one["tolerance"] is None else f" ± {one['tolerance']:g}"
    cells = [
        " − ".join(one["variants"]),
        one["in"],
        what,
        f"{_shown(one['expected'])}{tolerance}",
        _shown(one["value"]),
    ]
    return f"| {' | '.join(cells)} | {'met' if one['met'] else '**missed**'} |"


def _shown(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {None: "n/a", True: "true", False: "false"}[value]
    text = f"{value:.6f}" if isinstance(value, float) else str(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def _inputs(inputs: Mapping[str, Any]) -> list[str]:
    rows = ["| input | file | SHA-256 |", "| --- | --- | --- |", _input("ground truth", inputs["ground_truth"])]
    if "sha256" in inputs.get("taxonomy", {}):
        rows.append(_input("taxonomy", inputs["taxonomy"]))
    rows += [_input(ref, file) for ref, file in inputs["predictions"].items()]
    for name in ("thresholds", "latency"):
        for ref, files in inputs.get(name, {}).items():
            rows += [_input(f"{name} of {ref}", file) for file in files]
    return rows


def _input(name: str, file: Mapping[str, Any]) -> str:
    return f"| {name} | `{file['path']}` | `{file['sha256'][:_SHORT]}…` |"
