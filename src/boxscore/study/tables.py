"""Whole tables in Markdown: leaderboards with intervals and latencies, pairs with verdicts, labels."""

from __future__ import annotations

from boxscore.study import found
from boxscore.study.texts import NONE, Format, band_name, band_text, caption, cell, p_value

TYPE_CHECKING = False
_WORDS = ("model", "pair", "measure", "verdict", "label")
"""Heads of columns that hold words."""

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def leaderboard(results: Mapping[str, Any], name: str, digits: int) -> list[str]:
    """A row a variant in the order of the first measure: figures with intervals, then latencies."""
    section = found.section_of(results, name)
    overall = [one for one in section["results"] if one["label"] is None]
    refs = [one["model"] for one in overall[0]["models"]]
    devices = _devices(results["latency"], refs)
    head = ["model", *(one["measure"] for one in overall), *devices]
    body = [
        [
            results["variants"][ref],
            *(_figure(section, ref, one["measure"], digits) for one in overall),
            *(_latency(results["latency"].get(ref, []), device) for device in devices.values()),
        ]
        for ref in refs
    ]
    notes = [caption(section), *_bias(overall[0], digits)]
    if devices:
        notes.append("Latencies are bands of percentiles of single runs; a cross-check is another device's.")
    return [*_table(head, body), "", " ".join(notes)]


def pairs(results: Mapping[str, Any], name: str, digits: int) -> list[str]:
    """A row a pair and measure: difference, interval, p, verdict."""
    section = found.section_of(results, name)
    overall = [one for one in section["results"] if one["label"] is None]
    several = len(overall) > 1
    head = [*(["measure"] if several else []), "pair", "difference", "p", "adjusted p", "verdict"]
    body = []
    for one in overall:
        shape = Format(one["measure"], digits)
        body += [
            [
                *([one["measure"]] if several else []),
                f"{results['variants'][row['a']]} − {results['variants'][row['b']]}",
                shape.with_interval(row),
                p_value(row["p"]),
                p_value(row["p_adjusted"]),
                row["verdict"],
            ]
            for row in one["pairs"]
        ]
    reasons = dict.fromkeys(row["reason"] for one in overall for row in one["pairs"] if row["reason"])
    return [
        *_table(head, body),
        "",
        " ".join([caption(section), "A verdict follows the adjusted p alone.", *map(_sentence, reasons)]),
    ]


def labels(results: Mapping[str, Any], name: str, digits: int) -> list[str]:
    """A row a label: each variant's figure with its interval, a table a measure."""
    section = found.section_of(results, name)
    lines: list[str] = []
    for measure in dict.fromkeys(one["measure"] for one in section["results"] if one["label"] is not None):
        rows = [one for one in section["results"] if one["measure"] == measure and one["label"] is not None]
        refs = [one["model"] for one in rows[0]["models"]]
        body = [[one["label"], *(_figure(section, ref, measure, digits, one["label"]) for ref in refs)] for one in rows]
        lines += [
            *([""] if lines else []),
            f"{measure}:",
            "",
            *_table(["label", *(results["variants"][ref] for ref in refs)], body),
        ]
    return [*lines, "", caption(section)]


def groups(results: Mapping[str, Any], name: str, measure: str | None = None) -> str:
    """The sets of models that a section's data cannot separate, in words."""
    section = found.section_of(results, name)
    one = found.result(section, measure or section["results"][0]["measure"])
    sets = [", ".join(results["variants"][ref] for ref in group) for group in (one or {"groups": []})["groups"]]
    return "; ".join(sets) or "none"


def _figure(section: Mapping[str, Any], ref: str, measure: str, digits: int, label: str | None = None) -> str:
    row = found.figure(section, ref, measure, label)
    return NONE if row is None else Format(measure, digits).with_interval(row)


def _bias(one: Mapping[str, Any], digits: int) -> list[str]:
    """How far the resamples' means lie from the points of one measure."""
    biases = [row["bias"] for row in one["models"] if row["bias"] is not None]
    if not biases:
        return []
    shape = Format(one["measure"], digits)
    least, most = shape.difference(min(biases)), shape.difference(max(biases))
    off = least if least == most else f"{least} to {most}"
    return [f"Means of the resamples lie {off} off the points ({one['measure']})."]


def _devices(latency: Mapping[str, Any], refs: Sequence[str]) -> dict[str, str]:
    """Head of each column of latencies, with its device; the main device's first."""
    bands = [band for ref in refs for band in latency.get(ref, [])]
    heads = {
        f"{'cross-check: ' if band['cross_check'] else 'latency '}{band_name(band)}, {band['device']}": band
        for band in sorted(bands, key=lambda band: band["cross_check"])
    }
    return {head: band["device"] for head, band in heads.items()}


def _latency(bands: Sequence[Mapping[str, Any]], device: str) -> str:
    fitting = [band for band in bands if band["device"] == device]
    return band_text(fitting[0]) if fitting else NONE


def _table(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---" if name in _WORDS else "---:" for name in head]
    return [f"| {' | '.join(row)} |" for row in (list(map(cell, head)), rule, *(list(map(cell, row)) for row in body))]


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")
