"""The operating point against an oracle that matches anew for every floor, and against figures worked by hand."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore
from boxscore.measures import rates
from tests.oracle import operating_point as oracle
from tests.oracle.overlap import overlap
from tests.strategies import CocoData, Shape, coco_data

SHAPE = Shape(max_images=3, max_labels=3, max_objects=7, max_detections=10)
FLOORS = st.sampled_from((-1.0, 0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 1.5))
IOUS = st.sampled_from((0.3, 0.5, 0.75, 1.0))


def evaluated(data: CocoData, **options: Any) -> boxscore.Run:
    return boxscore.evaluate(data.ground_truth, data.results, protocol="operating-point", threads=1, **options)


def named(floors: dict[int, float]) -> dict[str, float]:
    return {f"label {label}": floor for label, floor in floors.items()}


@st.composite
def with_floors(draw: st.DrawFn) -> tuple[CocoData, dict[int, float]]:
    data = draw(coco_data(SHAPE))
    return data, {label: draw(FLOORS) for label in data.labels}


def objects_of(data: CocoData) -> list[dict[str, Any]]:
    """Objects in the order that decides ties; those outside every area range count nowhere and are left out."""
    return list(data.ground_truth["annotations"])


def within_range(data: CocoData) -> CocoData:
    """Areas inside the range of all areas, so that the oracle needs to know of none."""
    rows = [row | {"area": row["bbox"][2] * row["bbox"][3]} for row in objects_of(data)]
    return CocoData(data.ground_truth | {"annotations": rows}, data.results)


@given(with_floors(), IOUS)
def test_counts_are_those_of_a_new_matching(case: tuple[CocoData, dict[int, float]], iou: float) -> None:
    data, floors = within_range(case[0]), case[1]
    # IoU 1 is lowered by COCO's 1e-10, so that boxes that differ in a last bit can reach it.
    expected = oracle.counts(objects_of(data), oracle.above(data.results, floors), min(iou, 1 - 1e-10), data.labels)
    run = evaluated(data, thresholds=named(floors), iou=iou)
    for label, row in expected.items():
        name = f"label {label}"
        assert {kind: run.value(kind, name) for kind in row} == row
        assert run.value("precision", name) == oracle.precision(row)
        assert run.value("recall", name) == oracle.recall(row)
        assert run.value("F2", name) == pytest.approx(oracle.f_beta(row, 2))
    whole = Counter[str]()
    for row in expected.values():
        whole.update(row)
    assert {kind: run.value(kind) for kind in ("TP", "FP", "FN", "ignored")} == {
        kind: whole[kind] for kind in ("TP", "FP", "FN", "ignored")
    }
    known = [value for row in expected.values() if (value := oracle.f_beta(row, 1)) is not None]
    assert run.value("F1[average=macro]") == (pytest.approx(sum(known) / len(known)) if known else None)


@given(with_floors(), IOUS)
def test_confusion(case: tuple[CocoData, dict[int, float]], iou: float) -> None:
    data, floors = within_range(case[0]), case[1]
    kept = oracle.above(data.results, floors)
    run = evaluated(data, thresholds=named(floors), iou=iou)
    matrix = run.confusion()
    # Every object and every detection that counts in exactly one cell.
    for position, label in enumerate(data.labels):
        assert sum(matrix.counts[position]) == run.value("objects", f"label {label}")
        column = sum(row[position] for row in matrix.counts)
        assert column == sum(run.value(kind, f"label {label}") or 0 for kind in ("TP", "FP"))
    assert matrix.counts[-1][-1] == 0
    if iou < 1:
        names = [*data.labels, oracle.NONE]
        found = {
            (names[row], names[column]): count
            for row, counts in enumerate(matrix.counts)
            for column, count in enumerate(counts)
            if count
        }
        overlaps = [
            overlap(row["bbox"], item["bbox"])
            for row in kept
            for item in objects_of(data)
            if row["image_id"] == item["image_id"] and row["category_id"] != item["category_id"]
        ]
        reached = [value for value in overlaps if value >= iou]
        if len(set(reached)) == len(reached):  # ties are taken in the order of the tables
            assert found == dict(oracle.confusion(objects_of(data), kept, iou))


@given(coco_data(SHAPE), IOUS)
def test_suppression(data: CocoData, most: float) -> None:
    kept = oracle.suppress(data.results, most)
    run = evaluated(within_range(data), thresholds=-10.0, nms=most)
    assert run.predictions is not None
    assert run.predictions.num_rows == len(kept)
    expected = oracle.counts(objects_of(data), kept, 0.5, data.labels)
    assert run.value("TP") == sum(row["TP"] for row in expected.values())
    step = {"step": "nms", "iou": most, "before": len(data.results), "after": len(kept)}
    assert run.steps == [step]
    assert "nms" in [note.code for note in run.notes]


@given(coco_data(SHAPE))
def test_a_sweep_is_what_each_floor_gives(data: CocoData) -> None:
    data = within_range(data)
    run = evaluated(data)
    for label in data.labels:
        name = f"label {label}"
        sweep = run.sweep(name)
        assert sweep.score == sorted(set(sweep.score), reverse=True)
        for place, score in enumerate(sweep.score):
            at = f"[conf={score!r}]"
            assert run.value(f"TP{at}", name) == sweep.true_positives[place]
            assert run.value(f"FP{at}", name) == sweep.false_positives[place]
        best = run.value("F1[conf=best]@0.5", name)
        known = [value for value in sweep.f_beta() if value is not None]
        assert best == (max(known) if known else (0.0 if sweep.objects else None))


@given(coco_data(SHAPE), st.sampled_from((0.0, 0.5, 1.0, 2.0)))
def test_floors_within_a_budget(data: CocoData, most: float) -> None:
    from boxscore.measures.thresholds import Aim
    from boxscore.pipeline.thresholds import fit

    run = evaluated(within_range(data))
    fitted = fit(run, Aim(f"max-fp-per-image={most}"))
    value = run.at_floors(fitted.floors).value("FPPI")
    assert value is not None
    assert value <= most


def test_the_published_record() -> None:
    """Its totals, and three labels of its table."""
    found, wrong, missed = 767, 251, 445
    assert rates.precision(found, wrong)[0] == pytest.approx(0.7534381139, abs=5e-11)
    assert rates.recall(found, found + missed)[0] == pytest.approx(0.6328382838, abs=5e-11)
    assert rates.f_beta(found, wrong, found + missed)[0] == pytest.approx(0.6878923767, abs=5e-11)
    for objects, hits, misses in ((218, 165, 53), (7, 7, 0), (4, 0, 4)):
        assert objects == hits + misses
    assert rates.precision(0, 0) == (None, "no detections at or above the floor")
    assert rates.recall(0, 0) == (None, "no ground truth")
    assert rates.recall(0, 4) == (0.0, None)
    assert rates.f_beta(0, 0, 4) == (0.0, None)
    assert rates.f_beta(0, 3, 0) == (None, "no ground truth")


def record() -> CocoData:
    """The record's rows for villager, mill and wolf as boxes: hits on objects, false positives beside them."""
    table = {"villager": (218, 165, 64), "mill": (7, 7, 0), "wolf": (4, 0, 0)}
    names = list(table)
    annotations: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for label, (objects, hits, wrong) in enumerate(table.values(), start=1):
        for number in range(objects):
            box = [number * 20, label * 1000, 10, 10]
            row = {"image_id": 1, "category_id": label, "bbox": box}
            annotations.append(row | {"id": len(annotations) + 1, "area": 100, "iscrowd": 0})
            # A detection under the floor leaves its object a miss.
            results.append(row | {"score": 0.9 if number < hits else 0.34})
        results += [
            {"image_id": 1, "category_id": label, "bbox": [number * 20, 9000, 10, 10], "score": 0.35}
            for number in range(wrong)
        ]
    categories = [{"id": label, "name": name} for label, name in enumerate(names, start=1)]
    return CocoData({"images": [{"id": 1}], "annotations": annotations, "categories": categories}, results)


def test_what_is_under_the_floor_is_missed() -> None:
    run = evaluated(record(), confidence=0.35, thresholds={"mill": 0.55})
    assert [run.value(kind, "villager") for kind in ("TP", "FP", "FN")] == [165, 64, 53]
    assert run.value("recall", "mill") == 1.0
    assert run.explain("precision", "wolf") == (None, "no detections at or above the floor")
    assert run.explain("recall", "wolf") == (0.0, None)
    unstable = next(note for note in run.notes if note.code == "low-support")
    assert unstable.count == 2
    assert "mill, wolf" in unstable.message


def test_floors_are_inclusive() -> None:
    assert evaluated(record(), confidence=0.35).value("FP") == 64
    assert evaluated(record(), confidence=0.3500001).value("FP") == 0


def test_labels_without_ground_truth_add_their_false_positives() -> None:
    data = record()
    data.ground_truth["categories"].append({"id": 9, "name": "ghost"})
    data.results.append({"image_id": 1, "category_id": 9, "bbox": [0, 0, 5, 5], "score": 0.9})
    run = evaluated(data, confidence=0.35)
    assert run.value("FP") == 65
    assert run.value("FP", "ghost") == 1
    assert run.value("precision", "ghost") == 0.0
    assert run.explain("F1", "ghost") == (None, "no ground truth")
    assert run.value("recall[average=macro]") == pytest.approx((165 / 218 + 1 + 0) / 3)


def test_images_with_and_without_objects() -> None:
    data = record()
    data.ground_truth["images"] += [{"id": 2}, {"id": 3}]
    data.results.extend([{"image_id": 2, "category_id": 1, "bbox": [0, 0, 5, 5], "score": 0.9}] * 3)
    rows = {(row["slice"], row["measure"]): row["value"] for row in evaluated(data).metrics if row["label"] is None}
    assert rows["images without objects", "images"] == 2
    assert rows["images without objects", "FP"] == 3
    assert rows["images without objects", "FPPI"] == 1.5
    assert rows["images without objects", "recall"] is None
    assert rows["images with objects", "images"] == 1
    assert rows[None, "FP"] == rows["images with objects", "FP"] + 3
    assert rows[None, "FPPI"] == rows[None, "FP"] / 3


def test_measures_of_other_protocols_have_operating_points_too() -> None:
    data = record()
    run = boxscore.evaluate(data.ground_truth, data.results, max_detections=1000)
    assert run.value("TP[conf=0.35]@0.5") == 172
    with pytest.raises(boxscore.MeasureError, match=r"F1@0\.5"):
        run.value("F1")


def test_several_thresholds() -> None:
    run = evaluated(record(), iou=[0.5, 0.75])
    assert "F1@0.5" in run.summary
    assert "F1@0.75" in run.summary
    assert run.metrics.find("recall@0.75", "mill")["value"] == 1.0


def test_labels_disregarded() -> None:
    run = boxscore.evaluate(*_files(record()), protocol="operating-point", label_agnostic=True, confidence=0.35)
    assert run.value("TP") == 172
    assert run.metrics.find("precision")["average"] == "label-agnostic"


def test_a_saved_run_has_its_floors(tmp_path: Path) -> None:
    run = evaluated(record(), thresholds={"villager": 0.3}, nms=0.9)
    run.save(tmp_path / "run")
    again = boxscore.load_run(tmp_path / "run")
    assert again.floors == run.floors
    assert again.steps == run.steps
    assert again.metrics.rows == run.metrics.rows
    assert again.protocol == run.protocol


def test_the_confidence_decides_what_may_be_compared() -> None:
    from boxscore.runs.digests import compatibility

    one, two = (evaluated(record(), confidence=value) for value in (0.25, 0.5))
    digests = [compatibility(run.protocol, run.labels, label_agnostic=False) for run in (one, two)]
    assert digests[0] != digests[1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"protocol": "coco", "confidence": 0.5}, "operating-point"),
        ({"protocol": "coco", "thresholds": {"mill": 0.5}}, "operating-point"),
        ({"thresholds": {"mil": 0.5}}, '"mil"; did you mean "mill"'),
        ({"thresholds": {"mill": float("nan")}}, '"mill" is nan'),
        ({"thresholds": {"mill": 0.5}, "label_agnostic": True}, "label_agnostic"),
        ({"thresholds": [0.5]}, "thresholds is"),
        ({"nms": 0}, "nms is 0"),
        ({"nms": "x"}, "nms is 'x'"),
        ({"confidence": "high"}, "confidence is 'high'"),
        ({"beta": 0}, "F0"),
    ],
)
def test_refusals(options: dict[str, Any], words: str) -> None:
    with pytest.raises(boxscore.BoxscoreError, match=r"(?s).") as caught:
        boxscore.evaluate(*_files(record()), **{"protocol": "operating-point"} | options)
    assert words in str(caught.value)


def _files(data: CocoData) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return data.ground_truth, data.results
