"""Simulated data as COCO files, and the writer behind them."""

import json
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.io.coco_write import write_ground_truth, write_results
from boxscore.scenes import (
    DetectorSpec,
    SceneSpec,
    as_coco_ground_truth,
    as_coco_results,
    simulate_detections,
    simulate_ground_truth,
    write_coco_ground_truth,
    write_coco_results,
)

TRUTH = simulate_ground_truth(SceneSpec(images=30, crowd_rate=0.3, clip_length=4), 41)
FOUND = simulate_detections(TRUTH, DetectorSpec(background_rate=200.0), 42)


def test_ground_truth_is_coco(tmp_path: Path) -> None:
    write_coco_ground_truth(TRUTH, tmp_path / "gt.json")
    written = json.loads((tmp_path / "gt.json").read_text())
    assert written == as_coco_ground_truth(TRUTH)
    assert [category["name"] for category in written["categories"]] == list(TRUTH.spec.labels)
    assert written["images"][5] == {
        "id": 6,
        "file_name": "00000006.jpg",
        "width": int(TRUTH.images.width[5]),
        "height": int(TRUTH.images.height[5]),
        "clip": "clip-00001",
    }
    assert len(written["annotations"]) == len(TRUTH.objects.label)
    first = written["annotations"][0]
    assert set(first) == {"id", "image_id", "category_id", "bbox", "area", "iscrowd", "visible"}
    assert first["id"] == 1
    assert {row["iscrowd"] for row in written["annotations"]} == {0, 1}


def test_results_are_coco(tmp_path: Path) -> None:
    write_coco_results(FOUND, tmp_path / "dt.json")
    written = json.loads((tmp_path / "dt.json").read_text())
    assert written == as_coco_results(FOUND)
    assert len(written) == len(FOUND.score) > 4096  # more than the rows turned into objects at a time
    assert written[0] == {
        "image_id": 1,
        "category_id": int(FOUND.label[0]) + 1,
        "bbox": FOUND.box[0].tolist(),
        "score": float(FOUND.score[0]),
    }


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        truth = simulate_ground_truth(TRUTH.spec, 41)
        write_coco_ground_truth(truth, tmp_path / f"{name}-gt.json")
        write_coco_results(simulate_detections(truth, FOUND.detector, 42), tmp_path / f"{name}-dt.json")
    for kind in ("gt", "dt"):
        assert (tmp_path / f"one-{kind}.json").read_bytes() == (tmp_path / f"other-{kind}.json").read_bytes()


def test_empty_sections_are_arrays(tmp_path: Path) -> None:
    write_ground_truth(tmp_path / "gt.json", images=[], annotations=iter(()), categories=[])
    assert (tmp_path / "gt.json").read_text() == '{"images": [], "annotations": [], "categories": []}\n'
    write_results(tmp_path / "dt.json", [])
    assert (tmp_path / "dt.json").read_text() == "[]\n"


def test_what_json_cannot_hold_is_refused_and_the_old_file_stays(tmp_path: Path) -> None:
    target = tmp_path / "dt.json"
    write_results(target, [{"score": 0.5}])
    with pytest.raises(InputError, match=r"results row 1 .*nan"):
        write_results(target, [{"score": 0.5}, {"score": float("nan")}])
    assert json.loads(target.read_text()) == [{"score": 0.5}]
    assert [path.name for path in tmp_path.iterdir()] == ["dt.json"]


def test_text_ids_and_letters_beyond_ascii_survive(tmp_path: Path) -> None:
    rows = [{"image_id": "straße/1", "category_id": 1, "bbox": [0, 0, 1, 1], "score": 0.5}]
    write_results(tmp_path / "dt.json", rows)
    assert json.loads((tmp_path / "dt.json").read_text(encoding="utf-8")) == rows
