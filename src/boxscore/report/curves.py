"""Precision against recall, by label and as the mean over labels."""

from __future__ import annotations

from boxscore.model.measure import threshold_text
from boxscore.report.parts import Chart, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.report.contents import Contents

_PLACES = 4


def curves(contents: Contents) -> Section:
    """A chart of one label at a time, or of the mean over labels."""
    found = contents.view("curves")
    title = "Precision and recall"
    if found is None:
        return Section(
            "curves", title, missing=contents.why_missing("curves", "No curves were derived from this run."), drawn=True
        )
    drawn = [one for one in found["labels"] if one["reason"] is None]
    if not drawn:
        return Section("curves", title, missing="No label has ground truth: there is no curve.", drawn=True)
    mean = {"label": None, "precision": _mean([one["precision"] for one in drawn])}
    means = [one["mean"] for one in drawn]
    mean["mean"] = None if means[0] is None else _mean(means)
    at = threshold_text(found["iou"])
    several = means[0] is not None
    names = {"at": f"IoU {at}", "mean": _span(found["iou_thresholds"]) if several else None}
    data = {
        "recall": found["recall"],
        "names": names,
        "labels": [_short(one) for one in (mean, *drawn)],
    }
    absent = len(found["labels"]) - len(drawn)
    lines = [
        f"Precision that is reached at each recall ({found['interpolation']} interpolation), at IoU {at}"
        + (" and as the mean over all thresholds." if several else ".")
        + (f" {absent} of {len(found['labels'])} labels have no ground truth and no curve." if absent else "")
    ]
    return Section("curves", title, lines=lines, widget="curves", data=data, charts=lambda: [_chart(data)], drawn=True)


def _chart(data: dict[str, Any]) -> Chart:
    from boxscore.report import charts

    words = "Precision against recall of the label chosen above; precision falls as recall rises."
    return Chart("curves-chart", "Precision against recall", words, charts.precision_recall(_rows(data)))


def _rows(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The points of the first entry: the mean over labels."""
    first = data["labels"][0]
    return [
        {"recall": recall, "precision": precision, "curve": data["names"][name]}
        for name, key in (("at", "precision"), ("mean", "mean"))
        if first[key] is not None
        for recall, precision in zip(data["recall"], first[key], strict=True)
    ]


def _short(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "label": one["label"],
        **{
            key: None if one[key] is None else [round(value, _PLACES) for value in one[key]]
            for key in ("precision", "mean")
        },
    }


def _mean(columns: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) / len(columns) for values in zip(*columns, strict=True)]


def _span(thresholds: Sequence[float]) -> str:
    return f"mean over IoU {threshold_text(thresholds[0])}–{threshold_text(thresholds[-1])}"
