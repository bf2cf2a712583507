"""The operating-point explorer: precision, recall, F1 and counts at any confidence, in all and by label."""

from __future__ import annotations

from bisect import bisect_left

from boxscore.model.measure import threshold_text
from boxscore.report.parts import TEXT, Cell, Chart, Column, Section, Table, count, number
from boxscore.report.wording import confidence_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.report.contents import Contents

ALL = "all labels"
_NO_DETECTIONS = "no detections at or above the floor"
_NO_OBJECTS = "no ground truth"


def explorer(contents: Contents) -> Section:
    """A slider over the confidences that were counted; the tables show the first choice, as the page does."""
    found = contents.view("sweeps")
    title = "Operating point"
    if found is None:
        return Section(
            "explorer", title, missing=contents.why_missing("sweeps", "No sweeps were derived from this run.")
        )
    confidences = found["confidences"]
    floor, why = _start(contents, found)
    place = min(bisect_left(confidences, floor), len(confidences) - 1)
    rows = [[Cell(one["label"]), *_figures(*_at(one, place))] for one in found["labels"]]
    total = [sum(parts) for parts in zip(*(_at(one, place) for one in found["labels"]), strict=True)]
    data = {
        "confidences": confidences,
        "place": place,
        "start": why,
        "best": None if found["best"] is None else confidences.index(found["best"]),
        "images": found["images"],
        "labels": [_short(one) for one in found["labels"]],
    }
    at = f"IoU {threshold_text(found['iou'])}"
    shown = confidence_text(confidences[place])
    said = (
        f"What this detector does at {at}, as protocol {contents.saved.protocol.name} matches, when detections below "
        "one confidence are left out, for all labels alike. "
        f"Counts are exact at each of {len(confidences):,} confidences. Shown first: {shown}, {why}."
    )
    whole = Table(
        f"All labels at confidence {shown}", _columns("labels"), [[Cell(ALL), *_figures(*total)]], id="explorer-all"
    )
    by_label = Table(
        f"By label at confidence {shown}",
        _columns("label"),
        rows,
        id="explorer-labels",
        filters=True,
        folded=len(rows) > 12,
    )
    return Section(
        "explorer",
        title,
        lines=[said],
        tables=[whole, by_label],
        widget="explorer",
        data=data,
        charts=lambda: [_chart(data, contents)],
    )


def _start(contents: Contents, found: dict[str, Any]) -> tuple[float, str]:
    floors = contents.saved.floors
    if floors is not None:
        own = ", which some labels override in this run" if floors.by_label else ""
        return floors.default, f"the floor of the run{own}"
    if found["best"] is not None:
        return found["best"], "where F1 over all labels is the largest"
    return 0.25, "as there is no ground truth to choose one by"


def _at(one: dict[str, Any], place: int) -> tuple[int, int, int]:
    return one["objects"], one["true_positives"][place], one["false_positives"][place]


def _columns(first: str) -> list[Column]:
    return [Column(first, TEXT), *(Column(name) for name in ("objects", "TP", "FP", "FN", "precision", "recall", "F1"))]


def _figures(objects: int, found: int, wrong: int) -> list[Cell]:
    """Cells behind the label's; as `measures.rates` has them."""
    kept = found + wrong
    return [
        count(objects),
        count(found),
        count(wrong),
        count(objects - found),
        number(found / kept if kept else None, _NO_DETECTIONS),
        number(found / objects if objects else None, _NO_OBJECTS),
        number(2 * found / (kept + objects) if objects else None, _NO_OBJECTS),
    ]


def _short(one: dict[str, Any]) -> dict[str, Any]:
    """Counts as steps from the highest confidence down: mostly zeros and ones."""
    return {
        "label": one["label"],
        "objects": one["objects"],
        "tp": steps(one["true_positives"]),
        "fp": steps(one["false_positives"]),
    }


def steps(counts: Sequence[int]) -> list[int]:
    """Differences of counts from the last place to the first, trailing zeros left out."""
    found = []
    before = 0
    for value in reversed(counts):
        found.append(value - before)
        before = value
    while found and found[-1] == 0:
        found.pop()
    return found


def _chart(data: dict[str, Any], contents: Contents) -> Chart:
    from boxscore.report import charts

    view = contents.view("sweeps") or {}
    objects, found, wrong = (
        [sum(column) for column in zip(*(one[key] for one in view["labels"]), strict=True)]
        if key != "objects"
        else [sum(one[key] for one in view["labels"])]
        for key in ("objects", "true_positives", "false_positives")
    )
    rows = charts.confidence_rows(data["confidences"], objects[0], found, wrong)
    words = (
        "Precision, recall and F1 against confidence of the label chosen above; a rule stands at the confidence chosen."
    )
    spec = charts.by_confidence(rows, data["confidences"][data["place"]])
    return Chart("explorer-chart", "Precision, recall and F1 by confidence", words, spec)
