"""CVAT, LabelMe, Open Images, Ultralytics' predictions and tables: what they read, note and refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.io import coco_form, cvat, labelme, open_images, table, ultralytics_json
from boxscore.io.form_options import FormOptions
from boxscore.io.forms import FORMS, form
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset

CVAT = """<annotations><meta><task><labels><label><name>cat</name></label><label><name>dog</name></label></labels>
</task></meta><image id="0" name="d/1.jpg" width="20" height="10">
<polygon label="dog" points="1,1;5,1;5,4"/><points label="dog" points="1,1"/>
<box label="dog" xtl="1" ytl="2" xbr="4" ybr="6" occluded="1" rotation="30">
<attribute name="difficult">true</attribute></box>
</image><image id="1" name="2.jpg"/></annotations>"""


def boxes(dataset: Dataset) -> list[tuple[Any, ...]]:
    columns = [dataset.ground_truth.column(name).to_list() for name in ("image", "label", *"xywh")]
    return list(zip(*columns, strict=True))


def codes(dataset: Dataset) -> list[str]:
    return [note.code for note in dataset.notes]


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def dataset_with(tmp_path: Path, names: list[str], ids: list[int], files: list[str]) -> Dataset:
    content = {
        "images": [{"id": i, "file_name": name, "width": 100, "height": 50} for i, name in enumerate(files, 1)],
        "categories": [{"id": i, "name": name} for i, name in zip(ids, names, strict=True)],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": ids[0], "bbox": [0, 0, 5, 5], "area": 25, "iscrowd": 0}
        ],
    }
    return coco_form.read_ground_truth(write(tmp_path / "gt.json", content), FormOptions(), Reading())


def test_cvat_shapes_labels_and_flags(tmp_path: Path) -> None:
    dataset = cvat.read_ground_truth(write(tmp_path / "annotations.xml", CVAT), FormOptions(), Reading())
    assert dataset.image_ids == ["2", "d/1"]
    assert dataset.labels.names == ("cat", "dog")
    assert boxes(dataset) == [(1, 1, 1, 1, 4, 3), (1, 1, 1, 2, 3, 4)]
    assert dataset.ground_truth.column("difficult").to_list() == [False, True]
    assert dataset.attributes == {"occluded": [None, True]}
    assert codes(dataset)[:4] == ["read-as", "polygon-box", "shape-left-out", "rotated-box"]


def test_cvat_for_video_and_bad_corners_are_refused(tmp_path: Path) -> None:
    video = write(tmp_path / "annotations.xml", '<annotations><track id="0" label="a"/></annotations>')
    with pytest.raises(InputError, match="CVAT for images"):
        cvat.read_ground_truth(video, FormOptions(), Reading())
    wrong = write(tmp_path / "annotations.xml", CVAT.replace('xtl="1"', 'xtl="one"'))
    with pytest.raises(InputError, match=r"image d/1.jpg shape 3: xtl is 'one'; it must be a number"):
        cvat.read_ground_truth(wrong, FormOptions(), Reading())


def test_labelme_shapes(tmp_path: Path) -> None:
    shapes: list[dict[str, Any]] = [
        {"label": "a", "points": [[9, 8], [1, 2]], "shape_type": "rectangle", "flags": {"difficult": True}},
        {"label": "a", "points": [[5, 5], [5, 7]], "shape_type": "circle"},
        {"label": "b", "points": [[0, 0], [4, 0], [4, 3]]},
        {"label": "b", "points": [[0, 0]], "shape_type": "point"},
    ]
    content = {"shapes": shapes, "imagePath": "x.jpg", "imageWidth": 20, "imageHeight": 10}
    write(tmp_path / "x.json", content)
    assert labelme.looks_like(tmp_path)
    dataset = labelme.read_ground_truth(tmp_path, FormOptions(), Reading())
    assert boxes(dataset) == [(0, 0, 1, 2, 8, 6), (0, 0, 3, 3, 4, 4), (0, 1, 0, 0, 4, 3)]
    assert codes(dataset) == ["read-as", "circle-box", "polygon-box", "shape-left-out"]
    shapes[0]["points"] = [[1, "2"], [3, 4]]
    write(tmp_path / "x.json", content)
    with pytest.raises(InputError, match=r"x.json shape 1: points is '2'; it must be a number"):
        labelme.read_ground_truth(tmp_path, FormOptions(), Reading())


def test_open_images_need_sizes_and_read_decimal_commas(tmp_path: Path) -> None:
    rows = 'ImageID,LabelName,XMin,XMax,YMin,YMax,IsGroupOf,IsOccluded\na,Car,"0,25",0.5,0.1,0.3,1,-1\n'
    file = write(tmp_path / "boxes.csv", rows)
    with pytest.raises(InputError, match=r'line 2: the size of image "a" isn\'t known; give'):
        open_images.read_ground_truth(file, FormOptions(), Reading())
    dataset = open_images.read_ground_truth(file, FormOptions(img_size=(100, 50)), Reading())
    assert boxes(dataset) == [(0, 0, 25, 5, 25, 10)]
    assert dataset.ground_truth.column("group_of").to_list() == [True]
    assert codes(dataset) == ["read-as", "decimal-comma"]
    table_of_sizes = write(tmp_path / "sizes.csv", "name,width,height\na.jpg,100,50\nb.jpg,10,10\n")
    listed = open_images.read_ground_truth(file, FormOptions(images=table_of_sizes), Reading())
    assert listed.image_ids == ["a", "b"]
    write(file, rows.replace("0.3", "x"))
    with pytest.raises(InputError, match="line 2: YMax is 'x'; it must be a number"):
        open_images.read_ground_truth(file, FormOptions(img_size=(100, 50)), Reading())


@pytest.mark.parametrize(
    ("ids", "stated", "base", "expected"),
    [
        ([0, 1], [1, 2], None, [0, 1]),  # newer releases: the largest is the number of labels
        ([0, 1], [0, 1], None, [0, 1]),
        ([0, 1], [1, 1], 0, [1, 1]),
        ([3, 90], [3, 90], None, [0, 1]),  # COCO's own ids
        ([3, 90], [1, 2], None, [0, 1]),
    ],
)
def test_ultralytics_classes(
    tmp_path: Path, ids: list[int], stated: list[int], base: int | None, expected: list[int]
) -> None:
    dataset = dataset_with(tmp_path, ["cat", "dog"], ids, ["000007.jpg", "b.jpg"])
    rows = [
        {"image_id": image, "category_id": category, "bbox": [0, 0, 5, 5], "score": 0.5}
        for image, category in zip((7, "b"), stated, strict=True)
    ]
    file = write(tmp_path / "predictions.json", rows)
    predictions = ultralytics_json.read_predictions(file, dataset, FormOptions(class_base=base), Reading())
    assert predictions.table.column("label").to_list() == expected
    assert predictions.table.column("image").to_list() == [0, 1]
    assert "--class-base" in predictions.notes[0].message or "as given" in predictions.notes[0].message


@pytest.mark.parametrize(
    "text",
    [
        "image_id,label,x,y,w,h\na,car,1,2,3,4\nb,,,,,\n",
        "file_name,class,xmin,ymin,xmax,ymax\na.jpg,car,1,2,4,6\nb.jpg,,,,,\n",
        "image,category,cx,cy,width,height\na,car,2.5,4,3,4\nb,,,,,\n",
    ],
)
def test_columns_of_tables_by_their_names(tmp_path: Path, text: str) -> None:
    file = write(tmp_path / "t.csv", text)
    assert table.looks_like(file)
    dataset = table.read_ground_truth(file, FormOptions(), Reading())
    assert dataset.image_ids == ["a", "b"]
    assert boxes(dataset) == [(0, 0, 1, 2, 3, 4)]


def test_tables_keep_further_columns_and_refuse_what_is_missing(tmp_path: Path) -> None:
    head = "image_id,label,x,y,w,h,weather,difficult\n"
    dataset = table.read_ground_truth(
        write(tmp_path / "t.csv", f"{head}7,car,1,2,3,4,wet,1\n"), FormOptions(), Reading()
    )
    assert dataset.image_ids == [7]
    assert dataset.attributes == {"weather": ["wet"]}
    assert dataset.ground_truth.column("difficult").to_list() == [True]
    for text, told in (
        (f"{head}7,car,1,2,,4,wet,1\n", "line 2: w is missing"),
        (f"{head}7,car,1,2,3,4,wet,2\n", "line 2: difficult is 2; it must be 0 or 1"),
        ("image_id,label,x,y\n", "there is no column x, y, w, h"),
    ):
        with pytest.raises(InputError, match=told):
            table.read_ground_truth(write(tmp_path / "t.csv", text), FormOptions(), Reading())


def test_unknown_images_and_labels_are_named(tmp_path: Path) -> None:
    dataset = dataset_with(tmp_path, ["cat"], [1], ["a.jpg"])
    file = write(tmp_path / "dt.csv", "image_id,label,x,y,w,h,score\na,cat,0,0,5,5,.5\nz,cat,0,0,5,5,.5\n")
    with pytest.raises(InputError, match=r'dt.csv line 3: image_id "?z"? is not in gt.json'):
        table.read_predictions(file, dataset, FormOptions(), Reading())
    kept = table.read_predictions(file, dataset, FormOptions(), Reading(unknown_images="background"))
    assert kept.dataset.num_images == 2
    write(file, "image_id,label,x,y,w,h,score\na,dog,0,0,5,5,.5\na,cat,0,0,5,5,.25\n")
    with pytest.raises(InputError, match=r'dt.csv line 2: category_name "dog" is not among'):
        table.read_predictions(file, dataset, FormOptions(), Reading())
    dropped = table.read_predictions(file, dataset, FormOptions(), Reading(unknown_labels="drop"))
    assert dropped.table.column("score").to_list() == [0.25]


def test_no_form_takes_another_ones_files(tmp_path: Path) -> None:
    dataset_with(tmp_path, ["cat"], [1], ["a.jpg"])
    write(tmp_path / "annotations.xml", CVAT)
    write(tmp_path / "t.csv", "image_id,label,x,y,w,h\n")
    write(tmp_path / "o.csv", "ImageID,LabelName,XMin,XMax,YMin,YMax\n")
    for file, name in (("gt.json", "coco"), ("annotations.xml", "cvat"), ("t.csv", "table"), ("o.csv", "open-images")):
        found = [one for one in FORMS if form(one).looks_like(str(tmp_path / file))]
        assert found[0] == name
