"""Slices of objects: recall and misses; a false positive has no object and counts once."""

from typing import Any

import pytest

import boxscore
from boxscore.errors import MeasureError
from boxscore.pipeline.sliced import NO_OBJECT, Slicing, sliced, slices_of
from tests.slices import made


def rows_of(rows: list[made.Row], name: str, label: str | None = None) -> dict[str, Any]:
    return {row["measure"]: row["value"] for row in rows if (row["slice"], row["label"]) == (name, label)}


@pytest.mark.parametrize("protocol", ["operating-point", "coco"])
def test_parts_of_the_objects_add_up(protocol: str) -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth), protocol=protocol)
    rows = sliced(run, Slicing(["tier", "tier*weather"]))
    at = "" if protocol == "operating-point" else "@0.5"
    for label in (None, *run.labels):
        easy, hard, none = (rows_of(rows, name, label) for name in ("tier=easy", "tier=hard", NO_OBJECT))
        for kind in ("TP", "FN"):
            assert easy[f"{kind}{at}"] + hard[f"{kind}{at}"] == run.value(f"{kind}@0.5", label)
        assert none == {f"FP{at}": run.value("FP@0.5", label)}
    false = [row for row in rows if row["measure"].startswith("FP")]
    assert {row["slice"] for row in false} == {NO_OBJECT}
    assert len(false) == 1 + len(run.labels)


def test_by_hand() -> None:
    """Two easy cups, one found; a hard one found below the floor; two false positives."""
    boxes = [(1, [0, 0, 40, 40], "easy"), (1, [100, 0, 40, 40], "easy"), (2, [0, 0, 40, 40], "hard")]
    truth = {
        "images": [{"id": 1}, {"id": 2}],
        "annotations": [
            {"id": i, "image_id": image, "category_id": 1, "bbox": box, "area": 1600, "iscrowd": 0, "tier": tier}
            for i, (image, box, tier) in enumerate(boxes)
        ],
        "categories": [{"id": 1, "name": "cup"}],
    }
    detections = [(1, [0, 0, 40, 40], 0.9), (2, [0, 0, 40, 40], 0.1), (1, [0, 200, 9, 9], 0.8), (2, [9, 99, 9, 9], 0.7)]
    found = [{"image_id": i, "category_id": 1, "bbox": box, "score": score} for i, box, score in detections]
    rows = sliced(boxscore.evaluate(truth, found, protocol="operating-point"), Slicing(["tier"]))
    assert rows_of(rows, "tier=easy") == {"recall": 0.5, "TP": 1, "FN": 1, "objects": 2}
    assert rows_of(rows, "tier=hard") == {"recall": 0.0, "TP": 0, "FN": 1, "objects": 1}
    assert rows_of(rows, NO_OBJECT) == {"FP": 2}
    rows = sliced(boxscore.evaluate(truth, found), Slicing(["tier"]))
    assert rows_of(rows, "tier=hard") == {"AR": 1.0, "recall@0.5": 1.0, "TP@0.5": 1, "FN@0.5": 0, "objects": 1}


def test_all_objects_in_one_slice_are_the_whole() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth))
    rows = sliced(
        run, Slicing(where=["all = area > 0"]), measures=["AR", "recall@0.75", "AR@0.6", "recall[conf=0.5]@0.5"]
    )
    for row in rows:
        assert row["value"] == pytest.approx(run.value(row["measure"], row["label"]), abs=1e-12)


def test_sizes_are_those_of_the_protocol() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth))
    slices = slices_of(run, Slicing(["size"]))
    assert [one.name for one in slices] == ["size=small", "size=medium", "size=large"]
    areas = [entry["area"] for entry in truth["annotations"] if not entry["iscrowd"]]
    small = sum(area <= 1024 for area in areas)
    assert [one.support for one in slices] == [
        small,
        sum(1024 < area <= 9216 for area in areas),
        0 + sum(a > 9216 for a in areas),
    ]


def test_crowds_are_in_no_slice() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth))
    assert sum(one.support for one in slices_of(run, Slicing(["tier"]))) == run.value("objects")


def test_conditions_over_objects_and_their_images() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth))
    (one,) = slices_of(run, Slicing(where=["dark hard = tier = 'hard' AND hour < 6"]))
    hours = {image["id"]: image["hour"] for image in truth["images"]}
    inside = [e for e in truth["annotations"] if e["tier"] == "hard" and hours[e["image_id"]] < 6 and not e["iscrowd"]]
    assert (one.kind, one.support) == ("object", len(inside))


def test_a_best_confidence_is_refused() -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth), protocol="operating-point")
    with pytest.raises(MeasureError, match="weighs false positives"):
        sliced(run, Slicing(["tier"]), measures=["recall[conf=best]"])
