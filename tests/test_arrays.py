"""Per-image arrays, the form that torchvision and torchmetrics users hold, give what files give."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import boxscore
from tests.strategies import CocoData, Shape, coco_data
from tests.support import public
from tests.support.arrays import Images, as_arrays, label_names

# Sums and halves of such numbers are exact, so that corners and centres hold the very boxes.
EXACT = Shape(sizes=(8, 16, 32, 64, 96, 128), grid_only=True)


@pytest.mark.parametrize("kind", [list, np.array], ids=["lists", "arrays"])
@pytest.mark.parametrize("box_format", ["xyxy", "xywh", "cxcywh"])
@settings(max_examples=25)
@given(data=coco_data(EXACT))
def test_arrays_give_what_files_give(kind: Any, box_format: str, data: CocoData) -> None:
    targets, predictions = as_arrays(data, box_format, kind)
    run = boxscore.evaluate(targets, predictions, labels=label_names(data), box_format=box_format)
    assert run.summary == public.evaluate(data.ground_truth, data.results).summary


def one_image(**fields: Any) -> Images:
    """A list of one image with one box."""
    return [{"boxes": np.array([[0.0, 0.0, 40.0, 40.0]]), "labels": np.array([1])} | fields]


def test_inputs_stay_as_they_were() -> None:
    targets, predictions = one_image(), one_image(scores=np.array([0.5]))
    for array in (*targets[0].values(), *predictions[0].values()):
        array.flags.writeable = False
    boxscore.evaluate(targets, predictions)
    assert targets[0]["boxes"].tolist() == [[0.0, 0.0, 40.0, 40.0]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint8"])
def test_any_type_of_number(dtype: str) -> None:
    boxes = np.array([[0, 0, 40, 40], [100, 100, 140, 141]], dtype=dtype)
    targets = [{"boxes": boxes, "labels": np.array([1, 1], dtype="int32")}]
    predictions = [{"boxes": boxes, "labels": np.array([1, 1]), "scores": np.array([0.5, 0.25], dtype="float32")}]
    run = boxscore.evaluate(targets, predictions)
    assert run.value("AR") == 1.0
    assert run.dataset is not None
    assert run.dataset.ground_truth.column("h").to_list() == [40.0, 41.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "uint64", "object", "str"])
def test_any_type_of_label(dtype: str) -> None:
    labels = np.array([1]).astype(dtype)
    run = boxscore.evaluate(one_image(labels=labels), one_image(labels=labels, scores=[0.5]))
    assert run.value("AR", label="1") == 1.0


def test_strided_and_swapped_arrays() -> None:
    boxes = np.array([[0, 0, 40, 40], [100, 100, 140, 141]], dtype=">f8")
    twice = np.repeat(boxes, 2, axis=0)
    predictions = one_image(boxes=np.asfortranarray(boxes), labels=[1, 1], scores=np.array([9, 0.5, 9, 0.25])[1::2])
    run = boxscore.evaluate(one_image(boxes=twice[::2], labels=[1, 1]), predictions)
    assert run.value("AR") == 1.0


def test_labels_by_position_by_number_and_by_name() -> None:
    predictions = one_image(scores=[0.5])
    for labels in (["none", "car"], {1: "car"}):
        run = boxscore.evaluate(one_image(), predictions, labels=labels)
        assert run.value("AR", label="car") == 1.0
    named = boxscore.evaluate(one_image(labels=["car"]), one_image(labels=["car"], scores=[0.5]))
    assert named.value("AR", label="car") == 1.0


def test_images_without_boxes() -> None:
    nothing = {"boxes": np.empty((0, 4)), "labels": np.empty(0, dtype=np.int64)}
    targets = [*one_image(), nothing]
    predictions = [*one_image(scores=[0.5]), nothing | {"scores": np.empty(0)}]
    run = boxscore.evaluate(targets, predictions)
    assert run.value("AR") == 1.0
    assert run.num_images == 2


@pytest.mark.parametrize(
    ("targets", "predictions", "words"),
    [
        ({"boxes": [[1, 2, 3]]}, {}, ("targets[0]", "boxes", "(1, 3)")),
        ({"boxes": [0, 0, 1, 1]}, {}, ("targets[0]", "boxes", "(4,)")),
        ({}, {"scores": [0.5, 0.5]}, ("predictions[0]", "scores", "(2,)")),
        ({}, {"labels": [7]}, ("predictions[0]", "7", "1 (car)")),
        ({}, {"scores": [float("nan")]}, ("predictions[0]", "score", "NaN")),
        ({}, {"boxes": [[0, 0, float("inf"), 1]]}, ("predictions[0]", "bbox", "Infinity")),
        ({}, {"scores": ["high"]}, ("predictions[0]", "scores")),
        ({"iscrowd": ["no"]}, {}, ("targets[0]", "iscrowd")),
        ({"iscrowd": [2]}, {}, ("targets[0]", "iscrowd")),
        ({"area": ["x"]}, {}, ("targets[0]", "area")),
        ({"labels": [1.5]}, {}, ("targets[0]", "1.5")),
        ({"labels": [float("nan")]}, {}, ("targets[0]", "nan")),
        ({"boxes": [[0, 0, 1, 1], [0, 0]]}, {}, ("targets[0]", "boxes")),
        ({"boxes": [[True, 0, 1, 1]]}, {}, ("targets[0] box 0", "boxes", "boolean")),
        ({"boxes": [["wide", 0, 1, 1]]}, {}, ("targets[0] box 0", "'wide'")),
        ({"boxes": None}, {}, ("targets[0]", "boxes is None")),
        ({"boxes": [[0, 0, float("nan"), 1]]}, {}, ("targets[0] box 0", "correct the annotation", 'non_finite="drop"')),
        ({"boxes": [[0, 0, float("inf"), float("inf")]]}, {}, ("targets[0] box 0", "Infinity")),
        ({"area": [float("nan")]}, {}, ("targets[0] box 0", "area is NaN", "correct the annotation")),
        ({"area": [True]}, {}, ("targets[0] box 0", "area", "boolean")),
        ({"iscrowd": [float("nan")]}, {}, ("targets[0] box 0", "iscrowd is nan", "0, 1")),
        ({"iscrowd": [None]}, {}, ("targets[0] box 0", "iscrowd is None")),
        ({"labels": np.array([2**63], dtype="uint64")}, {}, ("targets[0] box 0", "labels is 9223372036854775808")),
        ({"labels": np.array([1.5], dtype="float16")}, {}, ("targets[0] box 0", "labels is 1.5")),
        ({"labels": [None]}, {}, ("targets[0] box 0", "labels is None")),
        ({"labels": [True]}, {}, ("targets[0] box 0", "boolean")),
        ({"labels": [[1], [1, 2]]}, {}, ("targets[0]", "labels", "different lengths")),
        ({"boxes": [[0, 0, 1, 1]] * 2, "labels": ["car", 1]}, {}, ("targets[0] box 1", "labels is 1", "'car'")),
        ({}, {"labels": ["bus"]}, ("predictions[0] box 0", '"bus"', "1 (car)")),
        ({}, {"scores": [True]}, ("predictions[0] box 0", "scores", "boolean")),
        ({}, {"scores": [None]}, ("predictions[0] box 0", "scores is None")),
        ({}, {"scores": [float("nan")]}, ("predictions[0] box 0", "mend the model's output", 'non_finite="drop"')),
    ],
)
def test_what_is_wrong_is_named(targets: dict[str, Any], predictions: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(boxscore.InputError) as caught:
        boxscore.evaluate(one_image(**targets), one_image(**{"scores": [0.5]} | predictions), labels={1: "car"})
    message = str(caught.value).lower()
    assert [word for word in words if word.lower() not in message] == [], message


@pytest.mark.parametrize("iscrowd", [[1], [True], [1.0], [np.bool_(True)], np.array([1], dtype="uint8")], ids=repr)
def test_what_marks_a_crowd(iscrowd: Any) -> None:
    run = boxscore.evaluate(one_image(iscrowd=iscrowd), one_image(scores=[0.5]))
    assert run.dataset is not None
    assert run.dataset.ground_truth.column("crowd").to_list() == [True]


def test_labels_are_numbers_or_texts_throughout() -> None:
    numbers, texts = one_image(scores=[0.5]), one_image(labels=["car"], scores=[0.5])
    with pytest.raises(boxscore.InputError, match=r"targets\[1\]: labels are texts, those of targets\[0\] numbers"):
        boxscore.evaluate([*numbers, *texts], numbers * 2)
    with pytest.raises(boxscore.InputError, match="labels of targets and predictions"):
        boxscore.evaluate(numbers, texts)
    assert boxscore.evaluate(numbers, texts, labels={1: "car"}).value("AR") == 1.0


def test_objects_that_are_numbers_are_numbers() -> None:
    fields: dict[str, Any] = {"labels": np.array([1], dtype=object), "boxes": np.array([[0, 0, 40, 40]], dtype=object)}
    run = boxscore.evaluate(one_image(**fields), one_image(scores=np.array([0.5], dtype=object)))
    assert run.value("AR") == 1.0


def test_missing_fields_are_named() -> None:
    for field in ("boxes", "labels", "scores"):
        predictions = one_image(scores=[0.5])
        del predictions[0][field]
        with pytest.raises(boxscore.InputError, match=field):
            boxscore.evaluate(one_image(), predictions)


def test_lists_of_different_lengths() -> None:
    with pytest.raises(boxscore.InputError, match="1 targets and 2 predictions"):
        boxscore.evaluate(one_image(), one_image(scores=[0.5]) * 2)


@pytest.mark.parametrize(
    "options",
    [
        {"iou": "0.5"},
        {"iou": [None]},
        {"iou": 1.5},
        {"iou": []},
        {"iou": True},
        {"iou": {"from": 0.5}},
        {"iou": 10**400},
        {"max_detections": "100"},
        {"max_detections": [1.5]},
        {"max_detections": 0},
        {"max_detections": True},
        {"max_detections": 10.0},
        {"threads": 0},
        {"threads": 1.5},
        {"threads": True},
        {"protocol": "pascal"},
        {"protocol": None},
        {"protocol": b"coco"},
        {"protocol": "zero\0byte.toml"},
        {"reading": "strict"},
        {"reading": {}},
        {"label_agnostic": "no"},
        {"box_format": "yolo"},
        {"labels": "car"},
        {"labels": []},
        {"labels": 5},
        {"labels": {1.5: "car"}},
        {"labels": {True: "car"}},
        {"labels": {1: None}},
    ],
    ids=str,
)
def test_wrong_options_raise_what_boxscore_raises(options: dict[str, Any]) -> None:
    with pytest.raises(boxscore.BoxscoreError):
        boxscore.evaluate(one_image(), one_image(scores=[0.5]), **options)


def test_numbers_of_numpy_are_numbers() -> None:
    options: list[dict[str, Any]] = [
        {"iou": np.float32(0.5)},
        {"iou": np.array([0.5, 0.75])},
        {"max_detections": np.int64(10)},
        {"max_detections": np.array([1, 10])},
        {"threads": np.int64(1)},
        {"labels": {np.int64(1): "car"}},
    ]
    for chosen in options:
        assert boxscore.evaluate(one_image(), one_image(scores=[0.5]), **chosen).value("AR") == 1.0


def test_any_number_of_threads_will_do() -> None:
    assert boxscore.evaluate(one_image(), one_image(scores=[0.5]), threads=2**70).value("AR") == 1.0
