"""What a set of scenes consists of, and that every part of it says the same."""

import csv
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import boxscore
from boxscore.model.reading import Reading
from boxscore.pipeline.sliced import Slicing, sliced
from boxscore.scenes.generating import Generated
from boxscore.scenes.rendering import LABELS
from tests.scenes_generating.made import contents, make, manifest_of, small, truth_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return make(tmp_path_factory.mktemp("made") / "set", small(20))


def test_the_folder_holds_pictures_and_three_files(made: Generated) -> None:
    pictures = [f"images/scene_{number:04d}.png" for number in range(20)]
    assert sorted(contents(made.folder)) == sorted([*pictures, "ground_truth.json", "manifest.json", "metadata.csv"])
    assert not [path for path in made.folder.iterdir() if path.name.startswith(".")]
    assert made.made == 20


def test_scenes_are_numbered_profile_by_profile(made: Generated) -> None:
    profiles = [row["profile"] for row in truth_of(made.folder)["images"]]
    expected = {"baseline": 6, "crowded": 3, "dark": 3, "far": 3, "occluded": 3, "steep": 2}
    assert profiles == [name for name, count in expected.items() for _ in range(count)]
    assert made.schedule.counts == expected


def test_the_manifest_has_the_hash_of_every_file_and_of_the_pixels(made: Generated) -> None:
    manifest = manifest_of(made.folder)
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((made.folder / name).read_bytes()).hexdigest() == digest
    assert sorted(manifest["files"]) == ["ground_truth.json", "metadata.csv"]
    for entry in manifest["scenes"]:
        path = made.folder / "images" / entry["file"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
        with Image.open(path) as picture:
            pixels = np.asarray(picture)
        assert pixels.shape == (72, 96, 3)
        assert hashlib.sha256(pixels.tobytes()).hexdigest() == entry["pixels_sha256"]
    assert len({entry["scene_seed"] for entry in manifest["scenes"]}) == 20
    assert manifest["made_with"]["seed"] == 5
    assert sorted(manifest["made_with"]["versions"]) == ["generator", "pillow", "pybullet"]


def test_annotations_are_the_objects_in_the_pictures(made: Generated) -> None:
    truth = truth_of(made.folder)
    assert [row["name"] for row in truth["categories"]] == list(LABELS)
    assert len({row["id"] for row in truth["annotations"]}) == len(truth["annotations"])
    images = {row["id"]: row for row in truth["images"]}
    shown: dict[int, int] = dict.fromkeys(images, 0)
    for row in truth["annotations"]:
        shown[row["image_id"]] += 1
        assert row["iscrowd"] == 0
        assert row["ignore"] == int(row["visible_fraction"] < 0.25)
        assert row["tier"] == ("easy" if row["category_id"] <= 5 else "hard")
        assert 0 <= row["area"] <= row["full_area"]
        assert row["area"] <= row["bbox"][2] * row["bbox"][3]
    for number, row in images.items():
        assert shown[number] == row["num_visible"] + row["num_ignored"] <= row["num_objects"]


def test_a_box_bounds_its_pixels(made: Generated) -> None:
    """Of scenes of one object, which the stand-in draws in one colour: found again in the picture that was saved."""
    truth = truth_of(made.folder)
    alone = [row["id"] for row in truth["images"] if row["num_objects"] == 1]
    assert alone
    for number in alone:
        (row,) = (row for row in truth["annotations"] if row["image_id"] == number)
        with Image.open(made.folder / "images" / f"scene_{number:04d}.png") as picture:
            object_pixels = np.asarray(picture)[:, :, 2] == 10
        rows, columns = np.nonzero(object_pixels)
        left, top = columns.min(), rows.min()
        assert row["bbox"] == [left, top, columns.max() - left + 1, rows.max() - top + 1]
        assert row["area"] == object_pixels.sum()


def test_the_table_says_what_the_ground_truth_says_of_images(made: Generated) -> None:
    with (made.folder / "metadata.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    images = truth_of(made.folder)["images"]
    own = ("id", "width", "height")
    wanted = [{"image_id": image["id"], **{k: v for k, v in image.items() if k not in own}} for image in images]
    assert rows == [{name: str(value) for name, value in row.items()} for row in wanted]
    assert {"profile", "camera_distance", "camera_pitch", "camera_yaw", "ambient_light", "num_objects"} <= set(rows[0])
    assert {"num_visible", "num_ignored", "num_clutter", "num_occluders"} <= set(rows[0])


def perfect(truth: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    names = ("image_id", "category_id", "bbox")
    return [{**{name: row[name] for name in names}, "score": 0.9} for row in truth["annotations"] if not row["ignore"]]


def test_it_is_evaluated_and_sliced_as_it_is(made: Generated) -> None:
    reading = Reading(ignore_flag="honour")
    run = boxscore.evaluate(made.ground_truth, perfect(truth_of(made.folder)), reading=reading)
    assert run.value("AP") == 1.0
    slicing = Slicing(["profile", "ambient_light:0,.25,.7,inf", "tier"])
    rows = sliced(run, slicing, measures=["AR", "recall[conf=0.3]@0.5"])
    names = {row["slice"] for row in rows}
    assert {"profile=dark", "profile=steep", "ambient_light=(0,0.25]", "tier=easy", "tier=hard"} <= names
    found = {row["value"] for row in rows if row["measure"] == "recall[conf=0.3]@0.5" and row["label"] is None}
    assert found == {1.0}


def test_the_older_boxes_are_an_option(made: Generated, tmp_path: Path) -> None:
    older = truth_of(make(tmp_path / "older", small(20, boxes="projected")).folder)
    for one, other in zip(truth_of(made.folder)["annotations"], older["annotations"], strict=True):
        assert other["bbox"] == other["aabb_bbox"] == one["aabb_bbox"]
        assert {**one, "bbox": None} == {**other, "bbox": None}


def test_objects_hardly_visible_are_ignored_and_not_gone(made: Generated, tmp_path: Path) -> None:
    strict = truth_of(make(tmp_path / "strict", small(20, min_visibility=1.0)).folder)
    loose = truth_of(made.folder)
    assert [row["id"] for row in strict["annotations"]] == [row["id"] for row in loose["annotations"]]
    ignored = [row for row in strict["annotations"] if row["ignore"]]
    assert ignored
    assert all(row["visible_fraction"] < 1 for row in ignored)
    assert sum(row["num_ignored"] for row in strict["images"]) == len(ignored)
