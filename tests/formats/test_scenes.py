"""Scenes of a simulator: counted against their manifest, sliced by its columns, refused by row and entry."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io import scene_folder
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from tests.support import cards, command, shared

Row = dict[str, Any]

MANIFEST = "scene_id,frame_path,gt_path,num_visible,profile,distance\n"
CUP: Row = {
    "box": {"x_min": 10.5, "y_min": 20, "x_max": 30.5, "y_max": 60},
    "class_id": 0,
    "class_name": "cup",
    "tier": "easy",
    "scene_id": "s1",
    "object_id": "1",
}
CUBE: Row = CUP | {"class_id": 5, "class_name": "cube", "tier": "hard", "object_id": "2"}
CLUTTER: Row = CUP | {"class_id": 9, "class_name": "box", "tier": "clutter"}


def scenes(folder: Path, *objects: object, rows: str = "s1,,s1.json,2,dark,2.5\n", header: str = MANIFEST) -> Path:
    (folder / "manifest.csv").write_text(header + rows, encoding="utf-8")
    (folder / "s1.json").write_text(json.dumps(objects), encoding="utf-8")
    return folder


def read(path: Path, **options: Any) -> boxscore.Dataset:
    return scene_folder.read_ground_truth(path, FormOptions(**options), Reading())


@pytest.fixture
def foreign() -> Path:
    return shared.folder_or_skip("data") / "perceptorguard/artifacts/ci_dataset"


def test_foreign_scenes_are_counted_as_their_manifest_says(foreign: Path) -> None:
    """Oracle: Python's own readers."""
    with (foreign / "manifest.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = boxscore.read_ground_truth(foreign)
    assert found.image_ids == [row["scene_id"] for row in rows]
    images = found.ground_truth.column("image").to_list()
    assert [images.count(place) for place in range(20)] == [int(row["num_visible"]) for row in rows]
    objects = [one for row in rows for one in json.loads((foreign / row["gt_path"]).read_text())]
    assert found.num_objects == len(objects) == 76
    names = sorted({(one["class_id"], one["class_name"]) for one in objects})
    assert list(zip(found.labels.ids, found.labels.names, strict=True)) == names
    boxes = sorted(tuple(one["box"][side] for side in ("x_min", "y_min")) for one in objects)
    table = found.ground_truth
    assert sorted(zip(table.column("x").to_list(), table.column("y").to_list(), strict=True)) == boxes
    assert set(zip(*(found.images.column(side).to_list() for side in ("width", "height")), strict=True)) == {(640, 480)}
    assert [note.code for note in found.notes] == ["read-as"]
    assert "20 scenes of manifest.csv, 76 objects" in str(found.notes[0])


def test_foreign_scenes_are_sliced_by_their_manifest_and_tier(foreign: Path, tmp_path: Path) -> None:
    """Objects of each profile and tier, against a count of the files; a detector that finds every cup where it is."""
    cups = [
        {"file_name": f"scenes/{one['scene_id']}/frame.png", "label": "cup", "score": 0.9} | one["box"]
        for file in sorted(foreign.glob("scenes/*/ground_truth.json"))
        for one in json.loads(file.read_text())
        if one["class_name"] == "cup"
    ]
    text = "file_name,label,score,xmin,ymin,xmax,ymax\n"
    for cup in cups:
        values = [cup[name] for name in ("file_name", "label", "score", "x_min", "y_min", "x_max", "y_max")]
        text += ",".join(map(str, values)) + "\n"
    (tmp_path / "found.csv").write_text(text)
    slices = ("--slice-by", "profile", "--slice-by", "ambient_light:0,0.25,0.7,inf", "--slice-by", "tier")
    done = command.evaluate(foreign, tmp_path / "found.csv", "--protocol", "operating-point", *slices)
    assert done.status == 0, done.errors
    by_slice = {
        row["slice"]: row["value"]
        for row in done.report["metrics"]
        if row["measure"] == "recall" and row["label"] is None and row["slice"] is not None
    }
    assert by_slice["tier=easy"] == 10 / 38
    assert by_slice["tier=hard"] == 0.0
    with (foreign / "manifest.csv").open(newline="") as file:
        profile = {row["scene_id"]: row["profile"] for row in csv.DictReader(file)}
    for name in ("baseline", "crowded", "dark", "far", "occluded", "steep"):
        every = sum(
            len(json.loads((foreign / f"scenes/{scene}/ground_truth.json").read_text()))
            for scene, own in profile.items()
            if own == name
        )
        found = sum(profile[cup["file_name"].split("/")[1]] == name for cup in cups)
        assert by_slice[f"profile={name}"] == pytest.approx(found / every), name
    assert {name for name in by_slice if name.startswith("ambient")} == {
        "ambient_light=(0,0.25]",
        "ambient_light=(0.25,0.7]",
        "ambient_light=(0.7,inf]",
    }


def overlap(one: Row, other: Row) -> float:
    """IoU of two boxes by corners."""
    wide = min(one["x_max"], other["x_max"]) - max(one["x_min"], other["x_min"])
    high = min(one["y_max"], other["y_max"]) - max(one["y_min"], other["y_min"])
    both = max(wide, 0) * max(high, 0)
    areas = sum((box["x_max"] - box["x_min"]) * (box["y_max"] - box["y_min"]) for box in (one, other))
    return float(both / (areas - both))


def hits(foreign: Path, rows: list[Row], floor: float) -> tuple[int, int]:
    """True and false positives, counted plainly: the best score first, the best object that is still free."""
    objects = [
        {"taken": False} | one
        for file in sorted(foreign.glob("scenes/*/ground_truth.json"))
        for one in json.loads(file.read_text())
    ]
    known = {one["class_name"] for one in objects}
    right = wrong = 0
    for row in sorted(rows, key=lambda row: -row["score"]):
        if row["score"] < floor or row["label"] not in known:
            continue
        x, y, w, h = (row[side] for side in "xywh")
        box = {"x_min": x, "y_min": y, "x_max": x + w, "y_max": y + h}
        scene = row["file_name"].split("/")[1]
        free = [
            one
            for one in objects
            if not one["taken"] and one["scene_id"] == scene and one["class_name"] == row["label"]
        ]
        best = max(free, key=lambda one: overlap(one["box"], box), default=None)
        if best is not None and overlap(best["box"], box) >= 0.5:
            best["taken"] = True
            right += 1
        else:
            wrong += 1
    return right, wrong


@pytest.mark.parametrize(
    ("model", "preset", "size"),
    [("yolox_nano", "yolox", 416), ("FastestDet", "fastestdet", 352), ("nanodet_m_320", "nanodet", 320)],
)
def test_real_detectors_on_foreign_scenes(foreign: Path, tmp_path: Path, model: str, preset: str, size: int) -> None:
    """Counts at two floors against a count by hand. Few objects are found; none of the hard tier, whose names no COCO
    model knows.
    """
    pytest.importorskip("onnxruntime", reason="models are run with it: pip install 'boxscore[predict]'")
    pl = pytest.importorskip("polars")
    models = foreign.parents[2] / "models_coco80"
    names = [name for name in (models / "coco_classes.txt").read_text().splitlines() if name]
    card = cards.write_card(tmp_path, models / f"{model}.onnx", preset, size, names)
    done = command.boxscore("predict", card, foreign, "--out", tmp_path / "found.parquet")
    assert done.status == 0, done.errors
    rows = pl.read_parquet(tmp_path / "found.parquet").to_dicts()
    for floor in (0.25, 0.01):
        told = command.evaluate(
            foreign, tmp_path / "found.parquet", "--protocol", "operating-point", "--conf", str(floor),
            "--unknown-labels", "drop", "--slice-by", "tier",
        )  # fmt: skip
        assert told.status == 0, told.errors
        value = {(row["measure"], row["slice"]): row["value"] for row in told.report["metrics"] if row["label"] is None}
        right, wrong = hits(foreign, rows, floor)
        assert (value["TP", None], value["FP", None], value["FN", None]) == (right, wrong, 76 - right)
        assert (value["TP", "tier=easy"], value["TP", "tier=hard"]) == (right, 0)
        assert right <= 7


def test_conversion_to_coco_keeps_fields_and_attributes(foreign: Path, tmp_path: Path) -> None:
    done = command.boxscore("convert", foreign, tmp_path / "gt.json", "--to", "coco", "--json")
    assert done.status == 0, done.errors
    assert done.report["lost"] == []
    content = json.loads((tmp_path / "gt.json").read_text())
    first = content["images"][0]
    assert (first["id"], first["profile"], first["camera_distance"], first["num_objects"]) == (
        "scene_0000",
        "crowded",
        3.364,
        9,
    )
    assert sorted({row["tier"] for row in content["annotations"]}) == ["easy", "hard"]
    (tmp_path / "none.json").write_text("[]")
    slices = ("--slice-by", "profile", "--slice-by", "tier")
    both = [command.evaluate(gt, tmp_path / "none.json", *slices) for gt in (foreign, tmp_path / "gt.json")]
    assert both[0].report["metrics"] == both[1].report["metrics"]


def test_what_a_table_loses_is_told(foreign: Path, tmp_path: Path) -> None:
    done = command.boxscore("convert", foreign, tmp_path / "gt.csv", "--to", "table", "--json")
    assert done.report["lost"][0].startswith("fields of images (profile, num_objects, num_visible, camera_distance")


def test_clutter_is_never_ground_truth(tmp_path: Path) -> None:
    by_name = CUBE | {"class_name": "clutter", "class_id": 7}
    found = read(scenes(tmp_path, CLUTTER, CUP, by_name, CUBE | {"tier": "clutter"}))
    assert (found.num_objects, list(found.labels)) == (1, ["cup"])
    told = {note.code: note.message for note in found.notes}
    assert "3 objects of clutter left out" in told["clutter-left-out"]
    assert (
        "1 scene has another number of objects than num_visible of manifest.csv says, first s1: 1, not 2"
        in (told["count-differs"])
    )


def test_labels_go_by_class_id_and_boxes_as_stated(tmp_path: Path) -> None:
    found = read(scenes(tmp_path, CUBE, CUP))
    assert (list(found.labels), list(found.labels.ids)) == (["cup", "cube"], [0, 5])
    assert [found.ground_truth.column(name).to_list()[0] for name in "xywh"] == [10.5, 20.0, 20.0, 40.0]
    assert [note.code for note in found.notes] == ["read-as"]


def test_the_manifest_itself_may_be_given(tmp_path: Path) -> None:
    folder = scenes(tmp_path, CUP, CUBE)
    assert read(folder / "manifest.csv").num_objects == 2
    assert scene_folder.looks_like(folder / "manifest.csv") == scene_folder.looks_like(folder)
    assert scene_folder.looks_like(folder / "s1.json") is None


@pytest.mark.parametrize(
    "header",
    [
        "scene_id, gt_path, profile\n",
        '"scene_id","gt_path"\n',
        ' scene_id ,profile, "gt_path"\r\n',
        "\ufeffscene_id,gt_path\r",
        ",,\nscene_id,gt_path,profile\n",
    ],
)
def test_headers_are_recognised_as_they_are_read(tmp_path: Path, header: str) -> None:
    row = "s1,s1.json" + ",dark" * ("profile" in header) + "\n"
    if header.startswith(" "):
        row = "s1,dark,s1.json\n"
    folder = scenes(tmp_path, CUP, rows=row, header=header)
    assert scene_folder.looks_like(folder)
    assert boxscore.read_ground_truth(folder).image_ids == ["s1"]


@pytest.mark.parametrize("header", ["scene,path\n", "\n", "gt_path\n"])
def test_other_manifests_are_not_taken_for_scenes(tmp_path: Path, header: str) -> None:
    assert scene_folder.looks_like(scenes(tmp_path, CUP, header=header)) is None


def test_columns_are_numbers_where_all_their_values_are(tmp_path: Path) -> None:
    rows = "s1,,s1.json,2,1,nan\ns2,,s1.json,2,,3\ns3,,s1.json,2,3.5,4\n"
    content = read(scenes(tmp_path, rows=rows), classes=["cup"]).origin
    assert isinstance(content, dict)
    assert [row.get("profile") for row in content["images"]] == [1.0, None, 3.5]
    assert [row["distance"] for row in content["images"]] == ["nan", "3", "4"]


def test_sizes_may_be_given(tmp_path: Path) -> None:
    found = read(scenes(tmp_path, CUP, CUBE), img_size=(640, 480))
    assert [found.images.column(side).to_list() for side in ("width", "height")] == [[640.0], [480.0]]
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    assert read(tmp_path, images=pictures).images.column("width").to_list() == [None]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("", "names no scene; give a header and a row a scene"),
        ("s1,,s1.json,2,dark\n", "line 2 has 5 values, and the header 6 columns"),
        ("s1,,s1.json,2,dark,1\ns1,,s1.json,2,dark,1\n", "line 3: scene_id 's1' stands in line 2 already"),
        (",,s1.json,2,dark,1\n", "line 2: scene_id is missing"),
        ("s1,,,2,dark,1\n", "line 2: gt_path is missing"),
        ("s1,,other.json,2,dark,1\n", "gt_path is 'other.json', and there is no such file"),
        ("s2,,s1.json,2,dark,1\n", "s1.json entry 1: scene_id is 's1', and the manifest names this file for scene s2"),
    ],
)
def test_wrong_manifests_are_refused_by_line(tmp_path: Path, rows: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(scenes(tmp_path, CUP, rows=rows))
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ([1], "entry 2 is [1]; it must be an object"),
        (CUBE | {"class_name": None}, "entry 2: class_name is missing"),
        (CUBE | {"class_id": "five"}, "entry 2: class_id is 'five'; it must be a whole number"),
        (CUBE | {"class_id": 0}, "class_id 0 is 'cube', and"),
        (CUBE | {"class_name": "cup"}, "'cup' has class_id 5, and"),
        (CUBE | {"box": [1, 2, 3, 4]}, "box is [1, 2, 3, 4]; it must be an object with x_min"),
        (CUBE | {"box": CUBE["box"] | {"x_max": "far"}}, "entry 2: box.x_max is 'far'; it must be a number"),
    ],
)
def test_wrong_objects_are_refused_by_entry(tmp_path: Path, entry: object, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(scenes(tmp_path, CUP, entry))
    assert told in str(caught.value)


def test_a_scene_that_is_no_list_is_refused(tmp_path: Path) -> None:
    folder = scenes(tmp_path, CUP)
    (folder / "s1.json").write_text('{"objects": []}')
    with pytest.raises(InputError, match=r"s1.json holds .*; a scene is a list of objects"):
        read(folder)
