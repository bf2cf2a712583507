"""Specifications refuse what they can't use, naming the field and the value."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.scenes import (
    Calibration,
    DetectorSpec,
    SceneSpec,
    SizeComponent,
    confusions_from_matrix,
    simulate_detections,
    simulate_ground_truth,
)

NAN = float("nan")

SCENE_FAULTS: list[tuple[str, Any, str]] = [
    ("images", 0, "0"),
    ("images", 2.5, "2.5"),
    ("images", True, "True"),
    ("labels", (), "()"),
    ("labels", ("cat", "dog", "cat"), "'cat'"),
    ("labels", ("cat", ""), "''"),
    ("objects_per_image", -1.0, "-1.0"),
    ("objects_per_image", NAN, "nan"),
    ("density_spread", float("inf"), "inf"),
    ("labels_per_image", 0.5, "0.5"),
    ("label_skew", "steep", "'steep'"),
    ("sizes", (), "()"),
    ("image_sizes", (), "()"),
    ("image_sizes", ((640, 0),), "0"),
    ("image_sizes", ((640, 480, 3),), "(640, 480, 3)"),
    ("crowding", 1.4, "1.4"),
    ("occluder_rate", -0.1, "-0.1"),
    ("min_visible", 2, "2"),
    ("crowd_rate", NAN, "nan"),
    ("fill", (0.9, 0.5), "(0.9, 0.5)"),
    ("fill", (0.0, 0.5), "(0.0, 0.5)"),
    ("clip_length", 0, "0"),
    ("clip_correlation", 1.01, "1.01"),
]

DETECTOR_FAULTS: list[tuple[str, Any, str]] = [
    ("recall", 1.0, "1.0"),
    ("recall", 0, "0"),
    ("size_effect", NAN, "nan"),
    ("shift", -0.1, "-0.1"),
    ("pixel_noise", float("inf"), "inf"),
    ("confusions", {("cat", "dog"): 1.5}, "1.5"),
    ("confusions", {("cat", "cat"): 0.5}, "('cat', 'cat')"),
    ("confusion_rate", 2, "2"),
    ("duplicate_rate", -1, "-1"),
    ("background_rate", None, "None"),
    ("separation", 21, "21"),
    ("calibration", "perfect", "'perfect'"),
    ("min_score", 1.5, "1.5"),
]


@pytest.mark.parametrize(("field", "value", "shown"), SCENE_FAULTS)
def test_scene_faults_name_field_and_value(field: str, value: Any, shown: str) -> None:
    with pytest.raises(InputError) as caught:
        SceneSpec(**{field: value})
    assert f"SceneSpec.{field}" in str(caught.value)
    assert shown in str(caught.value)


@pytest.mark.parametrize(("field", "value", "shown"), DETECTOR_FAULTS)
def test_detector_faults_name_field_and_value(field: str, value: Any, shown: str) -> None:
    with pytest.raises(InputError) as caught:
        DetectorSpec(**{field: value})
    assert f"DetectorSpec.{field}" in str(caught.value)
    assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (lambda: SizeComponent(0.0, 10.0, 0.1), "SizeComponent.share is 0.0"),
        (lambda: SizeComponent(1.0, -3.0, 0.1), "SizeComponent.median is -3.0"),
        (lambda: SizeComponent(1.0, 3.0, NAN), "SizeComponent.spread is nan"),
        (lambda: Calibration(slope=0.0), "Calibration.slope is 0.0"),
        (lambda: Calibration(intercept=NAN), "Calibration.intercept is nan"),
        (lambda: simulate_ground_truth(SceneSpec(images=1), -1), "seed is -1"),
        (lambda: simulate_ground_truth(SceneSpec(images=1), 1.5), "seed is 1.5"),  # type: ignore[arg-type]
    ],
)
def test_other_faults_name_field_and_value(make: Callable[[], object], shown: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert shown in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    assert SceneSpec(images=np.int64(3), crowding=np.float32(0.5)).clips == 1  # type: ignore[arg-type]


def test_confusions_must_name_labels_of_the_scenes() -> None:
    truth = simulate_ground_truth(SceneSpec(images=1, labels=("cat", "dog")), 0)
    with pytest.raises(InputError, match=r"'cow'.*cat, dog"):
        simulate_detections(truth, DetectorSpec(confusions={("cat", "cow"): 0.1}), 0)


def test_confusions_of_one_label_sum_to_at_most_one() -> None:
    with pytest.raises(InputError, match=r"'cat'.*1\.1"):
        DetectorSpec(confusions={("cat", "dog"): 0.6, ("cat", "cow"): 0.5}, confusion_rate=0).confusion_matrix(
            ("cat", "dog", "cow")
        )


def test_specifications_are_values() -> None:
    listed = SceneSpec(labels=["cat"], image_sizes=[[640, 480]], fill=[0.5, 1.0])  # type: ignore[arg-type]
    assert listed == SceneSpec(labels=("cat",), image_sizes=((640, 480),), fill=(0.5, 1.0))
    assert hash(listed) == hash(SceneSpec(labels=("cat",), image_sizes=((640, 480),), fill=(0.5, 1.0)))
    one = DetectorSpec(confusions={("a", "b"): 0.1, ("b", "a"): 0.2})
    other = DetectorSpec(confusions={("b", "a"): 0.2, ("a", "b"): 0.1})
    assert one == other
    assert hash(one) == hash(other)


def test_confusion_matrix_round_trip() -> None:
    counts = np.array([[8.0, 2.0, 0.0], [0.0, 5.0, 0.0], [1.0, 1.0, 2.0]])
    confusions = confusions_from_matrix(("a", "b", "c"), counts)
    assert confusions == {("a", "b"): 0.2, ("c", "a"): 0.25, ("c", "b"): 0.25}
    found = DetectorSpec(confusions=confusions, confusion_rate=0).confusion_matrix(("a", "b", "c"))
    np.testing.assert_allclose(found, counts / counts.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("matrix", [np.zeros((2, 3)), np.array([[1.0, -1.0], [0.0, 1.0]]), np.full((2, 2), NAN)])
def test_confusion_matrices_are_checked(matrix: np.ndarray[Any, Any]) -> None:
    with pytest.raises(InputError, match="confusion matrix"):
        confusions_from_matrix(("a", "b"), matrix)
