"""A comparison for people: leaderboard, pairs, groups, what it would take; then labels."""

from __future__ import annotations

import math

from boxscore.cli.tables import aligned
from boxscore.compare.results import TIE, UNDECIDABLE
from boxscore.model.measure import TALLIES
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.compare.results import Comparison, ModelFigure, PairResult, Result
    from boxscore.model.measure import Measure
    from boxscore.model.notes import Note
    from boxscore.pipeline.run import Run

_UNDEFINED = "n/a"
_WIDEST = 100
"""Columns of a terminal; where names would make a line longer, places on the leaderboard stand for them."""


def comparison(found: Comparison) -> list[str]:
    """All tables."""
    lines = [_setting(found)]
    for result in found.results:
        if result.label is None:
            lines += ["", *_overall(found, result)]
    for result in found.results:
        if result.label is None:
            of_labels = [one for one in found.results if one.label is not None and one.measure == result.measure]
            lines += _label_tables(found, result, of_labels)
    return lines


def notes_of(runs: Mapping[str, Run], found: Comparison) -> list[tuple[str | None, Note]]:
    """Notes about the input, those that all models share once (None), then those of the comparison."""
    by_model = {name: run.notes for name, run in runs.items()}
    shared = [note for note in next(iter(by_model.values())) if all(note in notes for notes in by_model.values())]
    told: list[tuple[str | None, Note]] = [(None, note) for note in shared]
    told += [(name, note) for name, notes in by_model.items() for note in notes if note not in shared]
    return told + [(None, note) for note in found.notes]


def _setting(found: Comparison) -> str:
    drawn = f"{found.units} {found.unit}{'' if found.units == 1 else 's'}"
    of_images = f" of {found.images} images" if found.unit == "group" else ""
    drawing = "all" if found.exact else f"seed {found.resampling.seed}"
    how = f"{found.replicates:,} resamples ({drawing})"
    return (
        f"{len(found.models)} models, {drawn}{of_images}; {_percent(found.resampling.confidence)} "
        f"{found.resampling.interval} intervals from {how}"
    )


def _overall(found: Comparison, result: Result) -> list[str]:
    measure = result.measure
    lines = aligned(
        ["", str(measure), "low", "high", "std error", "bias"],
        [_ranked(place, model, measure) for place, model in enumerate(result.models, 1)],
    )
    lines += _reasons([(model.model, model.reason) for model in result.models])
    lines += ["", *_pairs(found, result)]
    lines += _reasons([(_named(pair), pair.reason) for pair in result.pairs])
    return [*lines, "", *_groups(found, result), *_takes(found, result)]


def _ranked(place: int, model: ModelFigure, measure: Measure) -> list[str]:
    bounds = (_figure(value, measure) for value in (model.low, model.high, model.std_error))
    return [f"{place}  {model.model}", _point(model.point, measure), *bounds, _figure(model.bias, measure, sign="+")]


def _pairs(found: Comparison, result: Result) -> list[str]:
    head = ["difference", "low", "high", "p", "adjusted p", "verdict"]
    measure = result.measure
    cells = [
        [
            _figure(pair.difference, measure, sign="+", more=1),
            *(_figure(value, measure, sign="+", more=1) for value in (pair.low, pair.high)),
            _probability(pair.p),
            _probability(pair.p_adjusted),
            pair.verdict,
        ]
        for pair in result.pairs
    ]
    lines = aligned(["", *head], [[_named(pair), *row] for pair, row in zip(result.pairs, cells, strict=True)])
    if max(map(len, lines)) > _WIDEST:
        place = {model.model: number for number, model in enumerate(result.models, 1)}
        short = [f"{place[pair.a]} - {place[pair.b]}" for pair in result.pairs]
        lines = aligned(["", *head], [[name, *row] for name, row in zip(short, cells, strict=True)])
    several = len(result.pairs) > 1
    family = f", not adjusted for {len(result.pairs)} pairs" if several else ""
    how = "all" if found.swaps_exact else "random"
    return [
        *lines,
        f"low, high: {_percent(found.resampling.confidence)} interval{family}; the verdict follows the adjusted p",
        f"p: from {found.swaps:,} swaps of two models' detections, {found.unit} by {found.unit} ({how})",
    ]


def _groups(found: Comparison, result: Result) -> list[str]:
    if not result.groups:
        return ["every pair that was compared is separated"]
    lines = [f"not separated by these data: {', '.join(group)}" for group in result.groups]
    models = len(result.models)
    chained = any(len(group) > 2 for group in result.groups)
    if chained and len(result.pairs) < models * (models - 1) // 2:
        lines.append("(each with the next; --pairs all tells whether those further apart are)")
    del found
    return lines


def _takes(found: Comparison, result: Result) -> list[str]:
    """The smallest difference that could be seen, and how many units would separate the pairs that are not."""
    least = [pair.detectable for pair in result.pairs if pair.detectable]
    if not least:
        return []
    smallest, largest = (_figure(value, result.measure, more=1) for value in (min(least), max(least)))
    span = smallest if smallest == largest else f"{smallest} to {largest}, by the pair"
    lines = [f"smallest difference detectable at 80 % power: {span}"]
    unsettled = [pair for pair in result.pairs if pair.verdict in (TIE, UNDECIDABLE) and pair.units_to_separate]
    return lines + [
        f"to separate {_named(pair)}, if {_figure(pair.difference, result.measure, sign='+', more=1)} is true: "
        f"{_about(pair.units_to_separate or 0)} {found.unit}s"
        for pair in unsettled
    ]


def _label_tables(found: Comparison, result: Result, labels: Sequence[Result]) -> list[str]:
    """A table a pair: a row a label."""
    del found
    lines: list[str] = []
    shown = [one for one in labels if any(model.point is not None for model in one.models)]
    for position, pair in enumerate(result.pairs if shown else []):
        measure = result.measure
        body = []
        for one in shown:
            of_label = one.pairs[position]
            points = {model.model: model.point for model in one.models}
            body.append(
                [
                    one.label or "",
                    _point(points[pair.a], measure),
                    _point(points[pair.b], measure),
                    _figure(of_label.difference, measure, sign="+"),
                    _figure(of_label.low, measure, sign="+"),
                    _figure(of_label.high, measure, sign="+"),
                    _probability(of_label.p_adjusted),
                    of_label.verdict,
                ]
            )
        head = [str(measure), "a", "b", "a - b", "low", "high", "adjusted p", "verdict"]
        lines += ["", f"a: {pair.a}, b: {pair.b}", *aligned(head, body)]
        lines += _reasons([(one.label or "", one.pairs[position].reason) for one in shown])
    if shown and len(shown) < len(labels):
        lines.append(f"{len(labels) - len(shown)} of {len(labels)} labels have no figure: no ground truth")
    return lines


def _reasons(stated: Sequence[tuple[str, str | None]]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for name, reason in stated:
        if reason is not None:
            by_reason.setdefault(reason, []).append(name)
    return [
        reason if len(names) == len(stated) else f"{listed(names)}: {reason}" for reason, names in by_reason.items()
    ]


def _named(pair: PairResult) -> str:
    return f"{pair.a} - {pair.b}"


def _percent(share: float) -> str:
    return f"{100 * share:.6g} %"


def _figure(value: float | None, measure: Measure, *, sign: str = "", more: int = 0) -> str:
    """Three places (counts: one) and `more`; n/a where it does not exist."""
    if value is None:
        return _UNDEFINED
    return f"{value:{sign}.{1 if measure.kind in TALLIES else 3 + more}f}"


def _point(value: float | None, measure: Measure) -> str:
    """The same; counts are whole."""
    return f"{value:.0f}" if value is not None and measure.kind in TALLIES else _figure(value, measure)


def _probability(p: float | None) -> str:
    return _UNDEFINED if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _about(count: int) -> str:
    """A number that is an estimate: two digits, rounded up, beyond a hundred."""
    if count <= 100:
        return str(count)
    step = 10 ** (int(math.log10(count)) - 1)
    return f"about {-(-count // step) * step:,}"
