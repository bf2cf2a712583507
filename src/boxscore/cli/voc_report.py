"""What `boxscore voc` tells, in the forms of the tools it stands in for: JSON and text with the same keys and lines."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.measures.running import RunningCurve
    from boxscore.pipeline.run import Run

    Report = dict[str, Any]


def report(run: Run, threshold: float) -> Report:
    """Per class and overall figures of a run at one threshold; classes without ground truth are only named."""
    from boxscore.measures.running import running_curves

    curves = dict(zip(run.labels, running_curves(run.matches, len(run.labels)), strict=True))
    classes = [_of_class(run, name, curve) for name, curve in curves.items() if curve is not None]
    mean = run.value("AP")
    notes = [] if run.predictions is None else run.predictions.notes
    return {
        "metric": f"PASCAL VOC {run.protocol.interpolation} AP",
        "threshold": threshold,
        "classes": classes,
        "valid_classes": len(classes),
        "ignored_classes": [name for name, curve in curves.items() if curve is None],
        "mAP": mean,
        "mAP_percent": _percent(mean),
        "warnings": [str(note) for note in notes],
    }


def _of_class(run: Run, name: str, curve: RunningCurve) -> Report:
    value = run.value("AP", name)
    precision, recall = curve.interpolated_precision, curve.interpolated_recall
    if run.protocol.interpolation == "11-point":
        points = run.precision_recall(name, run.protocol.iou_thresholds[0])
        precision, recall = points.precision, points.recall
    return {
        "class": name,
        "AP": value,
        "AP_percent": _percent(value),
        "precision": curve.precision,
        "recall": curve.recall,
        "interpolated_precision": precision,
        "interpolated_recall": recall,
        "total positives": curve.objects,
        "total TP": curve.true_positives,
        "total FP": curve.false_positives,
    }


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def json_text(content: Report, *, pretty: bool) -> str:
    """The report as JSON, keys sorted, indented if asked for."""
    return json.dumps(content, sort_keys=True, allow_nan=False, indent=2 if pretty else None) + "\n"


def text(content: Report) -> str:
    """The report for people."""
    lines = [content["metric"], "", f"IoU threshold: {content['threshold']:.6g}"]
    if content["warnings"]:
        lines += ["", "Warnings:", *(f"- {warning}" for warning in content["warnings"])]
    lines += ["", "Average Precision (AP), Precision and Recall per class:"]
    for one in content["classes"]:
        lines += [
            "",
            f"Class: {one['class']}",
            f"AP: {one['AP_percent']:.2f}%",
            f"Precision: {_two_places(one['precision'])}",
            f"Recall: {_two_places(one['recall'])}",
            f"Total positives: {one['total positives']}",
            f"Total TP: {one['total TP']}",
            f"Total FP: {one['total FP']}",
        ]
    return "\n".join([*lines, "", f"mAP: {content['mAP_percent']:.2f}%", ""])


def _two_places(values: list[float]) -> list[str]:
    return [f"{value:.2f}" for value in values]


def one_line(content: Report) -> str:
    """What is printed where the report went into files."""
    return f"Evaluated {content['valid_classes']} class(es); mAP={content['mAP_percent']:.2f}%"
