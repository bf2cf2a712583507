"""Intervals for people: beside the summary, in the table of labels, and below the tables of an operating point."""

from __future__ import annotations

from boxscore.cli import tables
from boxscore.model.measure import TALLIES, Measure
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.pipeline.run import Run

    Row = Mapping[str, Any]

_HEAD = ["low", "high", "std error", "bias"]


def heading(run: Run) -> str:
    """What the intervals are, and what they were made from."""
    made = run.resampled or {}
    units = counted(made["units"], made["unit"])
    drawn = f"{counted(made['replicates'], 'resample')} of {units}"
    which = f"all {drawn}" if made["exact"] else f"{drawn}, seed {made['seed']}"
    return f"{100 * made['confidence']:g} % intervals ({made['interval']}) from {which}"


def summary(run: Run) -> list[str]:
    """The lines of the summary, each with its interval, standard error and bias."""
    lines = tables.summary(run)
    cells = [_cells(run.metrics.find(str(measure))) for measure in run.protocol.headline]
    widths = [max(len(text) for text in column) for column in zip(_HEAD, *cells, strict=True)]
    beside = ["  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)) for row in (_HEAD, *cells)]
    longest = max(len(line) for line in lines[: len(cells)])
    told = heading(run)
    first = f"{told:<{longest}}  {beside[0]}"
    return [
        first,
        *(f"{line:<{longest}}  {row}" for line, row in zip(lines, beside[1:], strict=False)),
        *lines[len(cells) :],
    ]


def operating(run: Run) -> list[str]:
    """All figures over all images with their intervals, then those of labels."""
    whole = [row for row in run.metrics if row["label"] is None and row["slice"] is None and _is_tried(row)]
    lines = tables.aligned(
        [heading(run), "value", *_HEAD], [[row["measure"], tables.figure(row["value"]), *_cells(row)] for row in whole]
    )
    return lines if run.label_agnostic else [*lines, "", *_by_label(run)]


def bounds(row: Row) -> str:
    """`0.412..0.587`; n/a where there is no interval."""
    if row["low"] is None:
        return tables.figure(None)
    return f"{tables.figure(row['low'])}..{tables.figure(row['high'])}"


def _by_label(run: Run) -> list[str]:
    found: dict[str, dict[str, Row]] = {}
    for row in run.metrics:
        is_share = Measure.parse(row["measure"]).kind not in TALLIES
        if row["label"] is not None and row["slice"] is None and is_share:
            found.setdefault(row["label"], {})[row["measure"]] = row
    names = [name for name in next(iter(found.values())) if Measure.parse(name).at_point]
    head = ["label", "objects"]
    for name in names:
        head += [name, "interval"]
    body = []
    for label, rows in found.items():
        if rows["objects"]["value"]:
            cells = [text for name in names for text in (tables.figure(rows[name]["value"]), bounds(rows[name]))]
            body.append([label, f"{rows['objects']['value']:.0f}", *cells])
    return tables.aligned(head, body)


def _is_tried(row: Row) -> bool:
    return row["low"] is not None or row["interval_reason"] is not None


def _cells(row: Row) -> list[str]:
    return [*(tables.figure(row[name]) for name in ("low", "high", "std_error")), _signed(row["bias"])]


def _signed(bias: float | None) -> str:
    # Rounded first, so that nothing is shown as -0.000.
    return tables.figure(None) if bias is None else f"{round(bias, 3) + 0.0:+.3f}"
