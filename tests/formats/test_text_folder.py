"""Text folders: labels with blanks, boxes and coordinates by option or by a look, and what is written."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.io import coco, text_folder, yolo
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.pipeline.evaluate import effective_protocol, finish
from tests.formats.test_yolo import PLAIN, READING, SIZED, boxes, labels_of, picture, put, told


def test_labels_may_hold_blanks_and_tabs_separate(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "stop sign\t10  20 30 40\n\ncar 1 2 3 4\r\n")
    put(tmp_path / "dt/a.txt", "stop sign .9 10 20 30 40\n")
    dataset = text_folder.read_ground_truth(tmp_path / "gt", PLAIN, READING)
    assert list(dataset.labels) == ["stop sign", "car"]
    predictions = text_folder.read_predictions(tmp_path / "dt", dataset, PLAIN, READING)
    assert boxes(predictions) == [(10, 20, 30, 40)]


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("x 10 20 30 50", PLAIN, (10, 20, 30, 50)),
        ("x 10 20 30 50", FormOptions(boxes="xyxy"), (10, 20, 20, 30)),
        ("x 10 20 30 50", FormOptions(boxes="cxcywh"), (-5, -5, 30, 50)),
        ("x 0.5 0.5 0.1 0.2", SIZED, (90, 40, 20, 20)),
        ("x 0.5 0.5 0.6 0.7", FormOptions(boxes="xyxy", coords="rel", img_size=(200, 100)), (100, 50, 20, 20)),
        ("x 0.5 0.5 0.1 0.2", FormOptions(coords="abs"), (0.5, 0.5, 0.1, 0.2)),
    ],
)
def test_forms_of_boxes(tmp_path: Path, line: str, options: FormOptions, expected: tuple[float, ...]) -> None:
    put(tmp_path / "a.txt", f"{line}\n")
    assert boxes(text_folder.read_ground_truth(tmp_path, options, READING)) == [expected]


def test_what_was_assumed_is_told(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "x 10 20 30 50\n")
    message = told(text_folder.read_ground_truth(tmp_path, PLAIN, READING), "read-as")
    assert "text files, absolute xywh, 1 file (--boxes and --coords assumed; override: --boxes" in message


def test_pictures_declare_images_and_sizes(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "x 0.5 0.5 0.1 0.2\n")
    for stem in ("a", "b"):
        picture(tmp_path / f"photos/{stem}.png")
    dataset = text_folder.read_ground_truth(tmp_path / "gt", FormOptions(images=tmp_path / "photos"), READING)
    assert (dataset.image_ids, boxes(dataset)) == (["a", "b"], [(90, 40, 20, 20)])
    assert "1 image without a line of text" in told(dataset, "background-images")


def test_numbers_for_labels_need_names(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "dog 10 20 30 40\n")
    put(tmp_path / "run/dt/a.txt", "1 .9 10 20 30 40\n")
    dataset = text_folder.read_ground_truth(tmp_path / "gt", PLAIN, READING)
    with pytest.raises(InputError, match=r"a\.txt line 1: \"1\", which is not among the labels of gt/.*--classes FILE"):
        text_folder.read_predictions(tmp_path / "run/dt", dataset, PLAIN, READING)
    options = FormOptions(classes=["cat", "dog"])
    predictions = text_folder.read_predictions(tmp_path / "run/dt", dataset, options, READING)
    assert finish(predictions, effective_protocol("coco", READING)).value("AP") == pytest.approx(1)


@pytest.mark.parametrize("reading", [Reading(label_match="fold"), Reading(unknown_labels="drop")])
def test_labels_that_are_almost_the_same(tmp_path: Path, reading: Reading) -> None:
    put(tmp_path / "gt/a.txt", "Stop Sign 10 20 30 40\n")
    put(tmp_path / "dt/a.txt", "stop sign .9 10 20 30 40\n")
    dataset = text_folder.read_ground_truth(tmp_path / "gt", PLAIN, READING)
    with pytest.raises(InputError, match='did you mean "Stop Sign"'):
        text_folder.read_predictions(tmp_path / "dt", dataset, PLAIN, READING)
    predictions = text_folder.read_predictions(tmp_path / "dt", dataset, PLAIN, reading)
    assert predictions.num_rows == (reading.label_match == "fold")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x 1 2 3\n", "expected a label and four numbers"),
        (b"x 1 2 3 4px\n", "box: expected a number, found '4px'"),
        (b"caf\xe9 1 2 3 4\n", "class: the label is not UTF-8 text"),
        ("x 1 2 3 4\n".encode("utf-16"), "text in UTF-16; save it as UTF-8"),
    ],
)
def test_faulty_lines_are_named(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(InputError) as caught:
        text_folder.read_ground_truth(tmp_path, PLAIN, READING)
    assert words in str(caught.value)
    assert "a.txt" in str(caught.value)


def test_folders_without_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        text_folder.read_ground_truth(tmp_path / "nowhere", PLAIN, READING)
    with pytest.raises(InputError, match=r"there is no \.txt file"):
        text_folder.read_ground_truth(tmp_path, PLAIN, READING)


def test_recognition(tmp_path: Path) -> None:
    put(tmp_path / "gt/a.txt", "stop sign 10 20 30 40\n")
    put(tmp_path / "prose/a.txt", "These are words, no boxes.\n")
    assert "a label, four numbers" in (text_folder.looks_like(tmp_path / "gt") or "")
    assert text_folder.looks_like(tmp_path / "prose") is None


number = st.floats(-50, 500, allow_nan=False)
name = st.sampled_from(["stop sign", "7", "高い", "x 1 2"])


@given(
    rows=st.lists(st.tuples(st.sampled_from(["a", "b/c"]), name, st.tuples(*[number] * 4), number), min_size=1),
    form=st.sampled_from(["xywh", "xyxy", "cxcywh"]),
)
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, tuple[float, ...], float]], form: str
) -> None:
    names = ["stop sign", "7", "高い", "x 1 2"]
    content = {
        "images": [{"id": "a", "width": 4, "height": 5}, {"id": "b/c"}],
        "annotations": [
            {"id": i, "image_id": image, "category_id": names.index(label), "bbox": list(four), "area": 1}
            for i, (image, label, four, _) in enumerate(rows)
        ],
        "categories": [{"id": i, "name": label} for i, label in enumerate(names)],
    }
    results = [
        {"image_id": image, "category_id": names.index(label), "bbox": list(four), "score": score}
        for image, label, four, score in rows
    ]
    dataset = coco.build_dataset(coco.parse_ground_truth(content), READING)
    predictions = coco.build_predictions(coco.parse_results(results), dataset, READING)
    folder = tmp_path_factory.mktemp("text")
    options = FormOptions(boxes=form, coords="abs")
    text_folder.write_ground_truth(dataset, folder / "gt", options)
    text_folder.write_predictions(predictions, folder / "dt", options)
    again = text_folder.read_ground_truth(folder / "gt", options, READING)
    found = text_folder.read_predictions(folder / "dt", again, options, READING)
    assert (again.image_ids, list(again.labels)) == (dataset.image_ids, list(dataset.labels))
    assert again.images.column("width").to_list() == [4, None]
    for one, other in ((dataset.ground_truth, again.ground_truth), (predictions.table, found.table)):
        for column in ("image", "label"):
            assert one.column(column).to_list() == other.column(column).to_list()
        exact = form == "xywh"
        for column in ("x", "y", "w", "h"):
            left, right = one.column(column).to_list(), other.column(column).to_list()
            assert left == (right if exact else pytest.approx(right, abs=1e-9))
    assert predictions.table.column("score").to_list() == found.table.column("score").to_list()


def test_absolute_and_relative_samples_are_the_same_boxes(data_folder: Path) -> None:
    root = data_folder / "padilla_voc"
    found = {}
    for kind, options in (("", PLAIN), ("_rel", FormOptions(img_size=(200, 200)))):
        dataset = text_folder.read_ground_truth(root / f"groundtruths{kind}", options, READING)
        predictions = text_folder.read_predictions(root / f"detections{kind}", dataset, options, READING)
        found[kind] = dataset.image_ids, boxes(dataset), boxes(predictions)
        assert (dataset.num_objects, predictions.num_rows) == (15, 24)
    assert found[""] == found["_rel"]


def test_real_detections_agree_with_their_coco_form(data_folder: Path) -> None:
    root = data_folder / "voc100_real_dets"
    table = FormOptions(images=root / "derived_gt_coco.json")
    dataset = yolo.read_ground_truth(root / "gts/yolo_format", table, READING)
    assert len(set(labels_of(dataset))) > 10
    forms = {"abs_xywh": "xywh", "abs_xyx2y2": "xyxy", "rel_xywh": None}
    for folder, form in forms.items():
        options = FormOptions(classes=root / "voc.names", boxes=form)
        predictions = text_folder.read_predictions(root / "dets" / folder, dataset, options, READING)
        value = finish(predictions, effective_protocol("coco", READING)).value("AP")
        assert value == pytest.approx(0.3469581862666092, abs=1e-12), folder
