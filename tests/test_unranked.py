"""Detections of one score: AP is said to be degenerate, and the operating point is given beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from tests.support import command


def ground_truth() -> dict[str, Any]:
    """Three cars and a dog over two images."""
    objects = [(1, 1, [0, 0, 10, 10]), (1, 1, [20, 0, 10, 10]), (2, 1, [0, 0, 10, 10]), (2, 2, [50, 50, 10, 10])]
    return {
        "images": [{"id": i, "width": 100, "height": 100} for i in (1, 2)],
        "categories": [{"id": 1, "name": "car"}, {"id": 2, "name": "dog"}],
        "annotations": [
            {"id": i, "image_id": image, "category_id": label, "bbox": box, "area": 100, "iscrowd": 0}
            for i, (image, label, box) in enumerate(objects)
        ],
    }


def results(*scores: float) -> list[dict[str, Any]]:
    """Two of three cars found, and a car where there is none."""
    boxes = [(1, [0, 0, 10, 10]), (2, [0, 0, 10, 10]), (2, [70, 0, 10, 10])]
    return [
        {"image_id": image, "category_id": 1, "bbox": box, "score": score}
        for (image, box), score in zip(boxes, scores, strict=True)
    ]


def rows_at_point(run: boxscore.Run) -> dict[tuple[str, str | None], float | None]:
    names = ("precision@", "recall@", "F1@", "TP@", "FP@", "FN@", "ignored@")
    return {(row["measure"], row["label"]): row["value"] for row in run.metrics if row["measure"].startswith(names)}


def test_equal_scores_are_flagged_and_counted() -> None:
    run = boxscore.evaluate(ground_truth(), results(0.5, 0.5, 0.5))
    (note,) = [note for note in run.notes if note.code == "ap-degenerate"]
    assert note.count == 3
    assert note.message.startswith("all 3 detections have the score 0.5, so that AP is degenerate")
    assert note.message.endswith("at IoU 0.5: precision 0.667, recall 0.500, F1 0.571")
    rows = rows_at_point(run)
    assert rows["precision@0.5", None] == pytest.approx(2 / 3)
    assert rows["recall@0.5", None] == 0.5
    assert rows["F1@0.5", None] == pytest.approx(4 / 7)
    assert (rows["TP@0.5", None], rows["FP@0.5", None], rows["FN@0.5", None]) == (2, 1, 2)
    assert rows["recall@0.5", "car"] == pytest.approx(2 / 3)
    assert (rows["precision@0.5", "dog"], rows["recall@0.5", "dog"]) == (None, 0)
    measures = [(row["measure"], row["label"]) for row in run.metrics]
    assert len(measures) == len(set(measures))


@pytest.mark.parametrize("scores", [(0.5, 0.5, 0.25), (0.25, 0.5, 0.5)])
def test_other_scores_are_not(scores: tuple[float, ...]) -> None:
    run = boxscore.evaluate(ground_truth(), results(*scores))
    assert "ap-degenerate" not in {note.code for note in run.notes}
    assert not rows_at_point(run)


def test_one_detection_has_a_ranking_and_an_operating_point_needs_none() -> None:
    one = boxscore.evaluate(ground_truth(), results(1, 1, 1)[:1])
    at_point = boxscore.evaluate(ground_truth(), results(1, 1, 1), protocol="operating-point")
    for run in (one, at_point):
        assert "ap-degenerate" not in {note.code for note in run.notes}


def test_labels_disregarded_and_other_thresholds() -> None:
    agnostic = boxscore.evaluate(ground_truth(), results(1, 1, 1), label_agnostic=True)
    assert rows_at_point(agnostic)["recall@0.5", None] == 0.5
    assert {label for _, label in rows_at_point(agnostic)} == {None}
    strict = boxscore.evaluate(ground_truth(), results(1, 1, 1), iou=[0.75, 0.9])
    assert rows_at_point(strict)["recall@0.75", None] == 0.5


def test_order_of_rows_moves_ap_but_not_the_operating_point() -> None:
    """Why it is called degenerate: the same detections in two orders."""
    first, last = results(1, 1, 1), results(1, 1, 1)
    first[1:] = first[:0:-1]
    runs = [boxscore.evaluate(ground_truth(), rows) for rows in (first, last)]
    assert runs[0].value("AP", "car") != runs[1].value("AP", "car")
    assert rows_at_point(runs[0]) == rows_at_point(runs[1])


def test_the_command_prints_it(tmp_path: Path) -> None:
    (tmp_path / "gt.json").write_text(json.dumps(ground_truth()))
    answer = json.dumps([{"bbox_2d": [0, 0, 10, 10], "label": "car"}])
    lines = [json.dumps({"image_id": image, "answer": answer}) for image in (1, 2)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    done = command.boxscore("eval", "gt.json", "answers.jsonl", "--out", "run", cwd=tmp_path)
    assert done.status == 0, done.errors
    last = done.output.splitlines()[-1]
    assert last == (
        " All detections have the score 1: AP is degenerate. At IoU 0.5: precision 1.000, recall 0.500, F1 0.667 "
        "(TP 2, FP 0, FN 2)"
    )
    assert "note: all 2 detections have the score 1, so that AP is degenerate" in done.errors
    report = command.evaluate("gt.json", "answers.jsonl", cwd=tmp_path).report
    values = {row["measure"]: row["value"] for row in report["metrics"] if row["label"] is None}
    assert values["F1@0.5"] == pytest.approx(2 / 3)
    assert json.loads((tmp_path / "run" / "metrics.json").read_text()) is not None
