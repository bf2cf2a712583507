"""Calibration: whether a confidence of 0.8 means that 8 of 10 such detections are right."""

from __future__ import annotations

from boxscore.model.measure import threshold_text
from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, count, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents

    Curve = Mapping[str, Any]

_MOST_ROWS = 300


def calibration(contents: Contents) -> Section:
    """The reliability curve of all detections, and both errors by label and slice."""
    found = contents.view("calibration")
    if found is None:
        reason = contents.why_missing("calibration", "No calibration was derived from this run.")
        return Section("calibration", "Calibration", missing=reason)
    whole = next(one for one in found["curves"] if one["slice"] is None and one["label"] is None)
    if whole["ece"] is None:
        return Section("calibration", "Calibration", missing=f"There is no calibration: {whole['reason']}.")
    said = (
        f"Detections at IoU {threshold_text(found['iou'])} in {found['bins']} bins of confidence: on the diagonal, "
        "confidence is the share that is right; below it, the model is surer than it should be. ECE is the mean "
        "distance from it, weighed by detections; MCE the largest."
    )
    parts = [one for one in found["curves"] if one["label"] is None]
    tables = [_errors("Calibration errors", parts, "slice", "all images", id="calibration-all")]
    labels = [one for one in found["curves"] if one["label"] is not None and one["slice"] is None and one["detections"]]
    if labels:
        tables.append(_errors("Calibration errors by label", labels, "label", "", id="calibration-labels"))
    return Section("calibration", "Calibration", lines=[said], tables=tables, charts=lambda: [_chart(whole)])


def _errors(title: str, curves: Sequence[Curve], by: str, none: str, *, id: str) -> Table:  # noqa: A002  as HTML
    rows = [
        [
            Cell(one[by] or none),
            count(one["detections"]),
            number(one["ece"], one["reason"]),
            number(one["mce"], one["reason"]),
        ]
        for one in curves[:_MOST_ROWS]
    ]
    columns = [Column(by, TEXT), Column("detections"), Column("ECE"), Column("MCE")]
    return Table(title, columns, rows, id=id, filters=True, folded=len(rows) > 12)


def _chart(curve: Curve) -> Chart:
    from boxscore.report import charts

    rows = [
        {
            "confidence": round(one["confidence"], 4),
            "precision": round(one["precision"], 4),
            "detections": one["detections"],
        }
        for one in curve["bins"]
        if one["detections"]
    ]
    words = (
        "Share of right detections against their mean confidence, by bin; the dashed diagonal is perfect calibration."
    )
    return Chart("calibration-chart", "Reliability", words, charts.reliability(rows))
