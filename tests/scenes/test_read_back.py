"""Scenes of a file, seen by the simulator's detectors."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.scenes import (
    DetectorSpec,
    SceneSpec,
    as_coco_ground_truth,
    as_coco_results,
    simulate_detections,
    simulate_ground_truth,
)
from boxscore.scenes.read_back import read_back

SCENES = SceneSpec(images=60, labels=("cup", "duck"), image_sizes=((640, 480),), clip_length=1)
FOUND = DetectorSpec(background_rate=0.0, duplicate_rate=0.0, difficulty_effect=1.0)


def content(light: float | None = None) -> dict[str, Any]:
    found: dict[str, Any] = as_coco_ground_truth(simulate_ground_truth(SCENES, 1))
    for image in found["images"]:
        image["id"] += 100
        if light is not None:
            image["ambient_light"] = light
    for row in found["annotations"]:
        row["image_id"] += 100
        row["category_id"] += 6
    for category in found["categories"]:
        category["id"] += 6
    return found


def test_rows_are_those_of_the_file(tmp_path: Path) -> None:
    made = content()
    path = tmp_path / "gt.json"
    path.write_text(json.dumps(made))
    truth = read_back(path, 3)
    original = simulate_ground_truth(SCENES, 1)
    assert truth.spec.labels == ("cup", "duck")
    assert np.array_equal(truth.objects.image, original.objects.image)
    assert np.array_equal(truth.objects.label, original.objects.label)
    assert np.array_equal(truth.objects.box, original.objects.box)
    assert np.allclose(truth.objects.visible, original.objects.visible, atol=1e-4)
    assert np.array_equal(truth.images.width, original.images.width)
    assert np.all(truth.images.difficulty == 0)  # no field says how light it is


def test_the_file_is_not_changed_by_reading() -> None:
    made = content(0.5)
    before = copy.deepcopy(made)
    read_back(made, 0)
    assert made == before


def test_difficulty_follows_the_light_and_what_is_added() -> None:
    made = content(0.5)
    first = made["images"][0]["id"]
    difficulty = read_back(made, 0, {first: 2.0}).images.difficulty
    assert difficulty[0] == pytest.approx(3.0)
    assert difficulty[1] == pytest.approx(1.0)


def test_less_is_found_in_the_dark() -> None:
    counts = [len(simulate_detections(read_back(content(light), 0), FOUND, 0).score) for light in (0.9, 0.7, 0.3, 0.05)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] / 2


def test_an_image_is_the_same_whatever_the_others_hold() -> None:
    whole = content(0.5)
    kept = [image["id"] for image in whole["images"][:20]]
    part = dict(whole)
    part["images"] = whole["images"][:20]
    part["annotations"] = [row for row in whole["annotations"] if row["image_id"] in kept]
    assert np.array_equal(
        read_back(part, 5).objects.hardness, read_back(whole, 5).objects.hardness[: len(part["annotations"])]
    )
    assert not np.array_equal(read_back(part, 5).objects.hardness, read_back(part, 6).objects.hardness)


def test_annotations_in_any_order_and_boxes_without_extent() -> None:
    made = content(0.5)
    made["annotations"].reverse()
    made["annotations"][0]["bbox"][2:] = [0.0, 0.0]
    truth = read_back(made, 0)
    assert np.all(np.diff(truth.objects.image) >= 0)
    assert as_coco_results(simulate_detections(truth, FOUND, 0))


def test_an_object_without_an_area_has_its_box_s() -> None:
    made = content()
    first = made["annotations"][0]
    del first["area"]
    areas = read_back(made, 0).objects.area
    assert areas[0] == first["bbox"][2] * first["bbox"][3]
    assert areas[1] == made["annotations"][1]["area"]


@pytest.mark.parametrize("of", ["image", "category"])
def test_an_annotation_of_something_that_is_not_there_is_refused(tmp_path: Path, of: str) -> None:
    made = content()
    row = made["annotations"][1]
    row["id"], row[f"{of}_id"] = 77, 9999
    (tmp_path / "gt.json").write_text(json.dumps(made))
    with pytest.raises(
        InputError, match=rf"gt\.json, annotation with id 77: {of}_id is 9999, and .* no such {of}; add"
    ):
        read_back(tmp_path / "gt.json", 0)
    row[f"{of}_id"] = [1]
    with pytest.raises(InputError, match=rf"the ground truth, annotation with id 77: {of}_id is \[1\],"):
        read_back(made, 0)
    del row["id"], row[f"{of}_id"]
    with pytest.raises(InputError, match=rf"the ground truth, annotation with number 2: {of}_id is None,"):
        read_back(made, 0)


def test_no_objects_at_all() -> None:
    made = content(0.5) | {"annotations": []}
    assert len(simulate_detections(read_back(made, 0), FOUND, 0).score) == 0


@pytest.mark.parametrize("lacking", ["images", "annotations", "categories"])
def test_a_file_that_is_no_ground_truth_is_refused(tmp_path: Path, lacking: str) -> None:
    made = content()
    del made[lacking]
    (tmp_path / "gt.json").write_text(json.dumps(made))
    with pytest.raises(InputError, match=rf"gt.json has no {lacking}; give a COCO file"):
        read_back(tmp_path / "gt.json", 0)
    with pytest.raises(InputError, match="has no images or categories"):
        read_back(content() | {"images": []}, 0)
    with pytest.raises(InputError, match=r"none\.json can't be read"):
        read_back(tmp_path / "none.json", 0)
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(InputError, match=r"list\.json holds a list"):
        read_back(tmp_path / "list.json", 0)
