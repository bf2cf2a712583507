"""Slices for people: a table of slices of images, one of slices of objects, and labels by slice."""

from __future__ import annotations

from boxscore.cli import tables
from boxscore.cli.interval_tables import bounds
from boxscore.model.measure import COUNTS, TALLIES, Measure
from boxscore.slices.slice import IMAGE, NO_OBJECT, OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.pipeline.run import Run

    Row = Mapping[str, Any]
    Rows = dict[tuple[str, str | None, str | None], Row]

_KINDS = {
    IMAGE: ("AP", "AP@0.5", "AR", "precision", "recall", "F", "meanIoU", "TP", "FP", "FN", "FPPI"),
    OBJECT: ("AR", "recall", "TP", "FN"),
}


def slices(run: Run, *, per_label: bool = False) -> list[str]:
    """All tables, with the figures over all images on top; `per_label`: also each label of each slice."""
    told = run.slices or {}
    rows: Rows = {(row["measure"], row["label"], row["slice"]): row for row in run.metrics}
    lines: list[str] = []
    for kind in (IMAGE, OBJECT):
        known = [one for one in told.get("slices", []) if one["kind"] == kind]
        if known:
            lines += ["", *_table(run, rows, known, kind)]
            if per_label and not run.label_agnostic:
                lines += ["", *_labels(run, rows, known, kind)]
    if any(not one["supported"] for one in told.get("slices", [])):
        lines.append(f"* few: fewer than {told['support']} images, or objects where these are sliced")
    return lines


def _table(run: Run, rows: Rows, known: Sequence[Row], kind: str) -> list[str]:
    measures = _measures(rows, known, kind, None)
    whole: dict[str, Any] = {"slice": "all images" if kind == IMAGE else "all objects", "supported": True}
    body = [_line(rows, whole | {"slice": None}, whole["slice"], None, measures, kind, run)] if kind == IMAGE else []
    body += [_line(rows, one, one["slice"], None, measures, kind, run) for one in known]
    head = ["slice", *(["images"] if kind == IMAGE else []), "objects", *_head(measures, run)]
    lines = tables.aligned(head, body)
    if kind == OBJECT:
        false = [row for row in rows.values() if row["slice"] == NO_OBJECT and row["label"] is None]
        lines += [
            f"{NO_OBJECT}: {row['measure']} {tables.figure(None) if row['value'] is None else row['value']}"
            for row in false
        ]
    return lines


def _labels(run: Run, rows: Rows, known: Sequence[Row], kind: str) -> list[str]:
    """A row for each label that a slice has objects or detections of."""
    measures = _measures(rows, known, kind, next(iter(run.labels), None))
    body = []
    for label in run.labels:
        for one in known:
            counts = [rows.get((name, label, one["slice"])) for name in ("objects", "detections")]
            if any(row is not None and row["value"] for row in counts):
                cells = _line(rows, one, label, label, measures, kind, run)
                body.append([cells[0], _marked(one, one["slice"]), *cells[1:]])
    head = ["label", "slice", *(["images"] if kind == IMAGE else []), "objects", *_head(measures, run)]
    return tables.aligned(head, body)


def _measures(rows: Rows, known: Sequence[Row], kind: str, label: str | None) -> list[str]:
    """Of the figures that slices have, those that tables show, in their order."""
    names = {row["slice"] for row in known}
    there = list(dict.fromkeys(m for m, of_label, part in rows if part in names and of_label == label))
    shown: list[str] = []
    for wanted in _KINDS[kind]:
        for name in there:
            measure = Measure.parse(name)
            plain = (measure.area, measure.max_detections, measure.average, measure.conf) == (None,) * 4
            alike = wanted == ("F" if measure.beta is not None else measure.kind) and (
                measure.at_point or name == wanted
            )
            if name not in shown and plain and (name == wanted or alike):
                shown.append(name)
    return shown


def _head(measures: Sequence[str], run: Run) -> list[str]:
    head = []
    for name in measures:
        head += [name, "interval"] if _has_bounds(name, run) else [name]
    return head


def _line(
    rows: Rows, one: Row, shown: str, label: str | None, measures: Sequence[str], kind: str, run: Run
) -> list[str]:
    counts = ["images", "objects"] if kind == IMAGE else ["objects"]
    cells = [shown if label is not None else _marked(one, shown)]
    for name in counts:
        row = rows.get((name, None if name == "images" else label, one["slice"]))
        cells.append("" if row is None else f"{row['value']:.0f}")
    for name in measures:
        row = rows.get((name, label, one["slice"]))
        cells.append("" if row is None else _text(name, row["value"]))
        if _has_bounds(name, run):
            cells.append("" if row is None else bounds(row))
    return cells


def _has_bounds(name: str, run: Run) -> bool:
    measure = Measure.parse(name)
    made = run.resampled is not None and bool((run.slices or {}).get("intervals"))
    return made and measure.kind not in TALLIES and measure.kind not in COUNTS


def _text(name: str, value: float | None) -> str:
    return f"{value:.0f}" if value is not None and Measure.parse(name).kind in TALLIES else tables.figure(value)


def _marked(one: Row, shown: str) -> str:
    return shown if one["supported"] else f"{shown} *"
