"""Comparison with other runs: leaderboard, pairs, verdicts."""

from __future__ import annotations

from boxscore.model.notes import counted
from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, number
from boxscore.report.wording import UNDEFINED, signed, span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Result = Mapping[str, Any]

_HOW = "No other run was compared: give `--baseline BASE` or `--compare RUN`."
_SIGNS = {"separated": "≠", "tie": "≈", "undecidable": "?"}


def comparison(contents: Contents) -> Section:
    """Each measure's leaderboard and pairs, then labels where they were compared."""
    found = contents.view("compare")
    if found is None:
        return Section("comparison", "Comparison", missing=contents.why_missing("compare", _HOW))
    whole = [one for one in found["results"] if one["label"] is None]
    by_label = [one for one in found["results"] if one["label"] is not None]
    units = counted(found["units"], found["unit"])
    level = found["confidence"]
    said = (
        f"{len(found['models'])} models on the same {found['images']} images. Intervals: {100 * level:g} %, "
        f"{found['interval']}, {found['replicates']} resamples of {units}. A pair is separated where its p, adjusted "
        f"for all pairs, is at most {1 - level:.3g}, from {found['swaps']} patterns of swaps."
    )
    lines = [said, *(note["message"] for note in found["notes"])]
    ours = found["models"][0]
    tables = [_models(whole), _pairs(whole, ours), *([_labels(by_label, ours)] if by_label else [])]
    return Section("comparison", "Comparison", lines=lines, tables=tables, charts=lambda: [_chart(whole)])


def _models(results: Sequence[Result]) -> Table:
    rows = [
        [
            Cell(one["measure"]),
            Cell(model["model"]),
            number(model["point"], model["reason"], low=model["low"], high=model["high"]),
        ]
        for one in results
        for model in one["models"]
    ]
    return Table("Models", [Column("measure", TEXT), Column("model", TEXT), Column("value")], rows, id="compare-models")


def _pairs(results: Sequence[Result], ours: str) -> Table:
    rows = [[Cell(one["measure"]), *_pair(pair, ours)] for one in results for pair in one["pairs"]]
    return Table("Pairs of models", [Column("measure", TEXT), *_PAIR], rows, id="compare-pairs")


def _labels(results: Sequence[Result], ours: str) -> Table:
    rows = [
        [Cell(one["label"]), Cell(one["measure"]), *_pair(pair, ours)]
        for one in results
        for pair in one["pairs"]
        if pair["difference"] is not None
    ]
    rows.sort(key=lambda row: (row[4].value if isinstance(row[4].value, float) else 0.0, row[0].text))
    columns = [Column("label", TEXT), Column("measure", TEXT), *_PAIR]
    return Table("Pairs by label", columns, rows, id="compare-labels", filters=True, folded=True)


_PAIR = (
    Column("a", TEXT),
    Column("b", TEXT),
    Column("a − b"),
    Column("interval"),
    Column("adjusted p"),
    Column("verdict", TEXT),
)


def _pair(pair: Mapping[str, Any], ours: str) -> list[Cell]:
    difference, low, high = pair["difference"], pair["low"], pair["high"]
    reason = pair["reason"] or "there is no such figure"
    shown = Cell(UNDEFINED, reason=reason) if difference is None else Cell(signed(difference), difference)
    interval = Cell(UNDEFINED, reason=reason) if low is None or high is None else Cell(_span(low, high), low)
    return [
        Cell(pair["a"]),
        Cell(pair["b"]),
        shown,
        interval,
        _probability(pair["p_adjusted"], reason),
        _verdict(pair, ours),
    ]


def _span(low: float, high: float) -> str:
    return span(low, high) if low >= 0 else f"{signed(low)} to {signed(high)}"


def _probability(p: float | None, reason: str) -> Cell:
    if p is None:
        return Cell(UNDEFINED, reason=reason)
    return Cell("<0.0001" if p < 0.0001 else f"{p:.4f}", p)


def _verdict(pair: Mapping[str, Any], ours: str) -> Cell:
    """Marked good where this run is the better of the two, bad where it is the worse."""
    verdict = str(pair["verdict"])
    mark = None
    if verdict == "separated" and pair["difference"] is not None and ours in (pair["a"], pair["b"]):
        mark = "good" if (pair["difference"] > 0) == (pair["a"] == ours) else "bad"
    elif verdict == "undecidable":
        mark = "unsure"
    return Cell(f"{_SIGNS.get(verdict, '')} {verdict}".strip(), verdict, mark=mark)


def _chart(results: Sequence[Result]) -> Chart:
    from boxscore.report import charts

    first = results[0]
    points = [
        {"name": model["model"], "value": model["point"], "low": model["low"], "high": model["high"]}
        for model in first["models"]
        if model["point"] is not None
    ]
    words = f"{first['measure']} of each model with its interval; the table below has the numbers."
    spec = charts.dots(points, [point["name"] for point in points], first["measure"])
    return Chart("compare-chart", f"{first['measure']} by model", words, spec)
