"""YOLO's text: where its parts lie, what lines mean, what is refused, and what is written."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from boxscore.errors import InputError
from boxscore.io import coco, yolo
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset, Predictions
from boxscore.pipeline.evaluate import effective_protocol, finish

READING = Reading()
PLAIN = FormOptions()
SIZED = FormOptions(img_size=(200, 100))


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def picture(path: Path, size: tuple[int, int] = (200, 100)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size).save(path)
    return path


def boxes(tables: Dataset | Predictions) -> list[tuple[float, ...]]:
    table = tables.ground_truth if isinstance(tables, Dataset) else tables.table
    columns = [table.column(name).to_list() for name in ("x", "y", "w", "h")]
    return [tuple(map(float, row)) for row in zip(*columns, strict=True)]


def told(tables: Dataset | Predictions, code: str) -> str:
    return "\n".join(note.message for note in tables.notes if note.code == code)


def labels_of(tables: Dataset) -> list[str]:
    return [tables.labels.names[int(number or 0)] for number in tables.ground_truth.column("label").to_list()]


@pytest.mark.parametrize(
    ("label", "image", "given_path"),
    [
        ("labels/a.txt", "images/a.png", "."),
        ("labels/a.txt", "images/a.png", "labels"),
        ("labels/a.txt", "images/a.png", "images"),
        ("labels/val/a.txt", "images/val/a.png", "labels/val"),
        ("val/labels/a.txt", "val/images/a.png", "val"),
        ("all/a.txt", "all/a.png", "all"),
        ("labels/val/a.txt", "images/val/a.png", "data.yaml"),
        ("labels/val/a.txt", "images/val/a.png", "."),
    ],
)
def test_layouts(tmp_path: Path, label: str, image: str, given_path: str) -> None:
    put(tmp_path / label, "1 0.5 0.5 0.1 0.2\n")
    picture(tmp_path / image)
    put(tmp_path / Path(label).parent / "classes.txt", "dog\ncat\n")
    if given_path == "data.yaml" or (label.startswith("labels/val") and given_path == "."):
        put(tmp_path / "data.yaml", "path: .\ntrain: images/train\nval: images/val\nnames: {0: dog, 1: cat}\n")
    dataset = yolo.read_ground_truth(tmp_path / given_path, PLAIN, READING)
    assert (dataset.image_ids, labels_of(dataset), boxes(dataset)) == (["a"], ["cat"], [(90, 40, 20, 20)])
    assert "YOLO text, relative cxcywh, 1 label file" in told(dataset, "read-as")


def test_nested_folders_keep_their_stems(tmp_path: Path) -> None:
    for camera in ("left", "right"):
        put(tmp_path / f"labels/{camera}/1.txt", "0 0.5 0.5 0.1 0.2\n")
        picture(tmp_path / f"images/{camera}/1.jpg")
    dataset = yolo.read_ground_truth(tmp_path, PLAIN, READING)
    assert dataset.image_ids == ["left/1", "right/1"]
    assert dataset.images.column("file_name").to_list() == ["left/1.jpg", "right/1.jpg"]


def test_results_in_one_folder_meet_nested_images_by_name(tmp_path: Path) -> None:
    put(tmp_path / "labels/val/1.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / "labels/val/2.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / "run/labels/1.txt", "0 0.5 0.5 0.1 0.2 0.9\n")
    dataset = yolo.read_ground_truth(tmp_path, SIZED, READING)
    predictions = yolo.read_predictions(tmp_path / "run", dataset, PLAIN, READING)
    assert boxes(predictions) == [(90, 40, 20, 20)]
    assert "by the last part of their names" in told(predictions, "stems-without-folders")


def test_a_list_of_pictures_is_a_split(tmp_path: Path) -> None:
    for stem in ("a", "b", "c"):
        picture(tmp_path / f"images/{stem}.png")
        put(tmp_path / f"labels/{stem}.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / "val.txt", "./images/a.png\n./images/c.png\n")
    put(tmp_path / "data.yaml", "val: val.txt\nnames: [thing]\n")
    dataset = yolo.read_ground_truth(tmp_path / "data.yaml", PLAIN, READING)
    assert dataset.image_ids == ["a", "c"]


def test_the_split_that_is_read_is_told(tmp_path: Path) -> None:
    put(tmp_path / "labels/test/a.txt", "0 0.5 0.5 0.1 0.2\n")
    picture(tmp_path / "images/test/a.png")
    put(tmp_path / "data.yaml", "train: images/train\nval:\ntest: ../images/test\nnames: [thing]\n")
    dataset = yolo.read_ground_truth(tmp_path / "data.yaml", PLAIN, READING)
    assert "split `test` of data.yaml, not train" in told(dataset, "read-as")


def test_polygons_become_boxes(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "0 0.1 0.2 0.3 0.2 0.3 0.61 0.1 0.4\n0 0.5 0.5 0.11111 0.2\n")
    dataset = yolo.read_ground_truth(tmp_path, SIZED, READING)
    assert boxes(dataset)[0] == pytest.approx((20, 20, 40, 41))
    assert "1 polygon taken as the box around" in told(dataset, "read-as")


def test_scores_last_or_second(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / "last/a.txt", "0 0.5 0.5 0.1 0.2 0.9\n")
    put(tmp_path / "second/a.txt", "0 0.9 0.5 0.5 0.9 0.9\n")
    dataset = yolo.read_ground_truth(tmp_path / "gt", SIZED, READING)
    for place, options in (("last", PLAIN), ("second", PLAIN), ("second", FormOptions(score="second"))):
        predictions = yolo.read_predictions(tmp_path / place, dataset, options, READING)
        assert predictions.table.column("score").to_list() == [0.9]
        assert f"score {place} in the line" in told(predictions, "read-as")


def test_pixels_by_option(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "0 10 20 30 50\n")
    dataset = yolo.read_ground_truth(tmp_path / "gt", FormOptions(coords="abs", boxes="xyxy"), READING)
    assert boxes(dataset) == [(10, 20, 20, 30)]


def test_class_numbers_of_results_are_named_by_their_own_names(tmp_path: Path) -> None:
    put(tmp_path / "gt/labels/a.txt", "0 0.5 0.5 0.1 0.2\n1 0.2 0.5 0.1 0.2\n")
    put(tmp_path / "gt/classes.txt", "dog\ncat\n")
    put(tmp_path / "run/a.txt", "1 0.5 0.5 0.1 0.2 0.9\n0 0.2 0.5 0.1 0.2 0.8\n")
    put(tmp_path / "names.txt", "cat\ndog\n")
    dataset = yolo.read_ground_truth(tmp_path / "gt/labels", SIZED, READING)
    named = FormOptions(classes=tmp_path / "names.txt")
    for options, right, words in ((named, 1.0, "names from"), (PLAIN, 0.0, "classes named by labels/, 0 = dog")):
        predictions = yolo.read_predictions(tmp_path / "run", dataset, options, READING)
        value = finish(predictions, effective_protocol("coco", READING)).value("AP")
        assert value == pytest.approx(right)
        assert words in told(predictions, "read-as")


def test_class_numbers_may_start_at_1(tmp_path: Path) -> None:
    put(tmp_path / "classes.txt", "dog\ncat\n")
    put(tmp_path / "a.txt", "2 0.5 0.5 0.1 0.2\n")
    dataset = yolo.read_ground_truth(tmp_path, FormOptions(class_base=1, img_size=(200, 100)), READING)
    assert (labels_of(dataset), dataset.labels.ids) == (["cat"], (1, 2))


def test_without_names_classes_go_by_number(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "2 0.5 0.5 0.1 0.2\n")
    dataset = yolo.read_ground_truth(tmp_path, SIZED, READING)
    assert list(dataset.labels) == ["0", "1", "2"]
    assert "no class names found" in told(dataset, "read-as")


def test_labels_may_be_kept_or_dropped(tmp_path: Path) -> None:
    """Rows of whole pixels go by another way into the tables: places and rows must fit there, too."""
    put(tmp_path / "classes.txt", "dog\n")
    put(tmp_path / "a.txt", "7 0.5 0.5 0.1 0.2\n0 0.5 0.5 0.1 0\n0 0.5 0.5 0.1 0.2\n")
    dataset = yolo.read_ground_truth(tmp_path, SIZED, Reading(unknown_labels="drop"))
    assert boxes(dataset) == [(90, 50, 20, 0), (90, 40, 20, 20)]
    assert "a.txt line 1: class 7 has no name" in told(dataset, "unknown-label")
    assert "a.txt line 2: height is 0" in told(dataset, "degenerate")
    put(tmp_path / "a.txt", "7 0.5 0.5 0.1 0.2\n")
    assert yolo.read_ground_truth(tmp_path, SIZED, Reading(unknown_labels="drop")).num_objects == 0


line_of = st.text(st.sampled_from("019.-+e,;ni af\t\r\n\x00é"), max_size=40)


@given(content=line_of | st.text(max_size=40))
def test_whatever_stands_in_a_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.txt").write_bytes(content.encode("utf-8", "surrogatepass"))
    for options in (SIZED, FormOptions(coords="abs")):
        try:
            dataset = yolo.read_ground_truth(folder, options, READING)
        except InputError:
            continue
        assert dataset.num_images == 1


def test_results_over_coco_ground_truth(tmp_path: Path) -> None:
    content = {
        "images": [{"id": 7, "file_name": "val/a.jpg", "width": 200, "height": 100}],
        "annotations": [
            {"id": 1, "image_id": 7, "category_id": 3, "bbox": [90, 40, 20, 20], "area": 400, "iscrowd": 0}
        ],
        "categories": [{"id": 3, "name": "dog"}],
    }
    dataset = coco.build_dataset(coco.parse_ground_truth(content), READING)
    put(tmp_path / "a.txt", "0 0.5 0.5 0.1 0.2 0.9\n")
    predictions = yolo.read_predictions(tmp_path, dataset, PLAIN, READING)
    assert finish(predictions, effective_protocol("coco", READING)).value("AP") == pytest.approx(1)
    assert "0 = dog" in told(predictions, "read-as")


def test_files_without_an_image(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "0 0.5 0.5 0.1 0.2\n")
    for stem in ("a", "z"):
        put(tmp_path / f"run/{stem}.txt", "0 0.5 0.5 0.1 0.2 0.9\n")
    dataset = yolo.read_ground_truth(tmp_path / "gt", SIZED, READING)
    with pytest.raises(InputError, match=r"there is no image z in gt/ \(1 file: z\.txt\)"):
        yolo.read_predictions(tmp_path / "run", dataset, SIZED, READING)
    dropped = yolo.read_predictions(tmp_path / "run", dataset, SIZED, Reading(unknown_images="drop"))
    assert (dropped.num_rows, dropped.dataset.num_images) == (1, 1)
    empty = yolo.read_predictions(tmp_path / "run", dataset, SIZED, Reading(unknown_images="background"))
    assert (empty.num_rows, empty.dataset.num_images) == (2, 2)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 0.5 0.5 0.1", "line 1: expected a label and four numbers, found 4 fields, found '0 0.5 0.5 0.1'"),
        ("0 0.5 0.5 x 0.2", "box: expected a number, found 'x'; correct the line"),
        ("dog 0.5 0.5 0.1 0.2", "class: expected a whole number, found 'dog'; class numbers are expected"),
        ("3 0.5 0.5 0.1 0.2", "class 3 has no name: "),
        ("0 120 50 20 20", "They may be pixels: --coords abs"),
        ("0 0.5 0.5 0.1 nan", "is nan"),
        ("0,0.5,0.5,0.1,0.2", "separate the fields by blanks"),
    ],
)
def test_faulty_labels_are_named(tmp_path: Path, line: str, words: str) -> None:
    put(tmp_path / "classes.txt", "thing\nother\n")
    put(tmp_path / "a.txt", f"{line}\n")
    with pytest.raises(InputError) as caught:
        yolo.read_ground_truth(tmp_path, SIZED, READING)
    assert words in str(caught.value).replace("NaN", "nan")
    assert "a.txt" in str(caught.value)


def test_results_without_confidence(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "0 0.5 0.5 0.1 0.2\n")
    dataset = yolo.read_ground_truth(tmp_path, SIZED, READING)
    with pytest.raises(InputError, match=r"a\.txt line 1.*save_conf=True"):
        yolo.read_predictions(tmp_path, dataset, PLAIN, READING)


def test_sizes_must_come_from_somewhere(tmp_path: Path) -> None:
    put(tmp_path / "labels/a.txt", "0 0.5 0.5 0.1 0.2\n")
    with pytest.raises(InputError, match="--img-size"):
        yolo.read_ground_truth(tmp_path, PLAIN, READING)
    table = put(tmp_path / "table.csv", "file_name,width,height\na.jpg,200,100\n")
    dataset = yolo.read_ground_truth(tmp_path, FormOptions(images=table), READING)
    assert boxes(dataset) == [(90, 40, 20, 20)]


def test_a_picture_that_is_cut_off(tmp_path: Path) -> None:
    put(tmp_path / "labels/a.txt", "0 0.5 0.5 0.1 0.2\n")
    path = picture(tmp_path / "images/a.png")
    path.write_bytes(path.read_bytes()[:12])
    with pytest.raises(InputError, match=r"images/a\.png"):
        yolo.read_ground_truth(tmp_path, PLAIN, READING)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("data.yaml", "val: images\nnames: [a, a]\n", 'classes 0 and 1 are both named "a"'),
        ("data.yaml", "val: images\nnames: [yes, no]\n", "put it in quotes"),
        ("data.yaml", "val: images\nnames: [a\nnc: 1\n", "data.yaml line 3"),
        ("data.yaml", "val: images\nnc: 3\nnames: [a, b]\n", "`nc` is 3 and `names` has 2"),
        ("data.yaml", "val: nowhere\nnames: [a]\n", "nowhere is neither at"),
        ("classes.txt", "a\n\nb\n", "classes.txt line 2 is blank"),
        ("classes.txt", "", "classes.txt is empty"),
    ],
)
def test_faulty_names_are_refused(tmp_path: Path, name: str, text: str, words: str) -> None:
    put(tmp_path / "labels/a.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / name, text)
    with pytest.raises(InputError) as caught:
        yolo.read_ground_truth(tmp_path, SIZED, READING)
    assert words in str(caught.value)


def test_six_digits_of_whole_pixels_are_whole_pixels(tmp_path: Path) -> None:
    """162 of 486 pixels have no six digits that say so."""
    put(tmp_path / "a.txt", f"0 {256.5 / 486:.6f} {170.5 / 333:.6f} {189 / 486:.6f} {245 / 333:.6f}\n")
    dataset = yolo.read_ground_truth(tmp_path, FormOptions(img_size=(486, 333)), READING)
    assert boxes(dataset) == [(162, 48, 189, 245)]
    assert "all boxes (1) lie on whole pixels" in told(dataset, "whole-pixels")


def test_recognition(tmp_path: Path) -> None:
    put(tmp_path / "yolo/a.txt", "0 0.5 0.5 0.1 0.2\n")
    put(tmp_path / "text/a.txt", "dog 10 20 30 40\n")
    put(tmp_path / "data/data.yaml", "val: images\nnames: [a]\n")
    put(tmp_path / "taxonomy.yaml", "aliases: {}\n")
    found = [yolo.looks_like(tmp_path / name) for name in ("yolo", "data", "data/data.yaml", "text", "taxonomy.yaml")]
    assert [words is not None for words in found] == [True, True, True, False, False]
    assert yolo.looks_like(tmp_path / "nothing") is None


side = st.floats(0.5, 300, allow_nan=False)
box = st.tuples(st.floats(0, 100), st.floats(0, 100), side, side)


@given(rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), box, st.floats(0, 1)), max_size=12))
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, tuple[float, ...], float]]
) -> None:
    names = ["a", "sub/b", "c d"]
    content = {
        "images": [{"id": name, "file_name": f"{name}.jpg", "width": 400, "height": 401} for name in names],
        "annotations": [
            {"id": i, "image_id": names[image], "category_id": label, "bbox": list(four), "area": four[2] * four[3]}
            for i, (image, label, four, _) in enumerate(rows)
        ],
        "categories": [{"id": 0, "name": "stop sign"}, {"id": 1, "name": "no: 1"}],
    }
    results = [
        {"image_id": names[image], "category_id": label, "bbox": list(four), "score": score}
        for image, label, four, score in rows
    ]
    dataset = coco.build_dataset(coco.parse_ground_truth(content), READING)
    predictions = coco.build_predictions(coco.parse_results(results), dataset, READING)
    folder = tmp_path_factory.mktemp("yolo")
    yolo.write_ground_truth(dataset, folder / "gt", PLAIN)
    yolo.write_predictions(predictions, folder / "run", PLAIN)
    again = yolo.read_ground_truth(folder / "gt", PLAIN, READING)
    found = yolo.read_predictions(folder / "run", again, PLAIN, READING)
    assert (again.image_ids, again.labels) == (dataset.image_ids, dataset.labels)
    for one, other in ((dataset.ground_truth, again.ground_truth), (predictions.table, found.table)):
        for column in ("image", "label"):
            assert one.column(column).to_list() == other.column(column).to_list()
        for column in ("x", "y", "w", "h"):
            assert one.column(column).to_list() == pytest.approx(other.column(column).to_list(), abs=1e-3)
    assert predictions.table.column("score").to_list() == found.table.column("score").to_list()


def test_what_is_lost_is_told(tmp_path: Path) -> None:
    content = {
        "images": [{"id": 1, "width": 200, "height": 100}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 5, "iscrowd": 1}],
        "categories": [{"id": 1, "name": "thing"}],
    }
    dataset = coco.build_dataset(coco.parse_ground_truth(content), READING)
    lost = yolo.write_ground_truth(dataset, tmp_path / "out", PLAIN)
    assert "crowd flags (1 object)" in lost
    assert "areas that are not width x height (1 object)" in lost
    with pytest.raises(InputError, match="holds text files already"):
        yolo.write_ground_truth(dataset, tmp_path / "out", PLAIN)


def test_real_labels_agree_with_their_coco_form(data_folder: Path) -> None:
    root = data_folder / "voc100_real_dets"
    reference = coco.build_dataset(coco.parse_ground_truth(str(root / "derived_gt_coco.json")), READING)
    table = FormOptions(images=root / "derived_gt_coco.json")
    dataset = yolo.read_ground_truth(root / "gts/yolo_format", table, READING)
    assert sorted(zip(labels_of(dataset), boxes(dataset), strict=True)) == sorted(
        zip(labels_of(reference), boxes(reference), strict=True)
    )
    forms = {
        "abs_xywh": FormOptions(classes=root / "voc.names", score="second", coords="abs", boxes="xywh"),
        "abs_xyx2y2": FormOptions(classes=root / "voc.names", score="second", coords="abs", boxes="xyxy"),
        "rel_xywh": FormOptions(classes=root / "voc.names"),
    }
    for name, options in forms.items():
        predictions = yolo.read_predictions(root / "dets" / name, dataset, options, READING)
        value = finish(predictions, effective_protocol("coco", READING)).value("AP")
        assert value == pytest.approx(0.3469581862666092, abs=1e-12), name
