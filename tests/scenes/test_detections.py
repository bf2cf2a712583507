"""Simulated detections: the same from the same seed, image by image, with the mistakes that were asked for."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.scenes import (
    Detections,
    DetectorSpec,
    Kind,
    SceneSpec,
    SizeComponent,
    simulate_detections,
    simulate_ground_truth,
)
from boxscore.scenes.boxes import Bools, Floats, paired_overlaps
from tests.scenes.test_ground_truth import SPECS

COLUMNS = [f.name for f in fields(Detections) if f.name not in ("truth", "detector", "seed")]

DETECTORS = st.builds(
    DetectorSpec,
    recall=st.floats(0.01, 0.99),
    size_effect=st.floats(-2, 2),
    shift=st.floats(0, 0.5),
    stretch=st.floats(0, 0.5),
    confusion_rate=st.floats(0, 1),
    duplicate_rate=st.floats(0, 3),
    background_rate=st.floats(0, 5),
    separation=st.floats(0, 20),
    calibration=st.sampled_from(["calibrated", "over-confident", "under-confident"]),
    min_score=st.floats(0, 0.5),
)

# Finds every object, exactly, and nothing else.
PERFECT = DetectorSpec(
    recall=1 - 1e-12,
    size_effect=0,
    occlusion_effect=0,
    difficulty_effect=0,
    hardness_effect=0,
    shift=0,
    stretch=0,
    pixel_noise=0,
    confusion_rate=0,
    duplicate_rate=0,
    background_rate=0,
    crowd_detections=0,
)


def columns(detections: Detections, images: int) -> dict[str, bytes]:
    kept = detections.image < images
    return {name: getattr(detections, name)[kept].tobytes() for name in COLUMNS}


# Few examples: each new pair of specifications measures a pilot of 400 images.
@settings(max_examples=8)
@given(SPECS, DETECTORS, st.integers(0, 2**70))
def test_same_seed_same_bytes_and_images_apart(spec: SceneSpec, detector: DetectorSpec, seed: int) -> None:
    short = simulate_detections(simulate_ground_truth(spec, seed), detector, seed)
    again = simulate_detections(simulate_ground_truth(spec, seed), detector, seed)
    assert columns(short, spec.images) == columns(again, spec.images)
    longer = replace(spec, images=spec.images + 7)
    long = simulate_detections(simulate_ground_truth(longer, seed), detector, seed)
    assert columns(long, spec.images) == columns(short, spec.images)


@settings(max_examples=8)
@given(SPECS, DETECTORS, st.integers(0, 1000))
def test_detections_are_what_they_may_be(spec: SceneSpec, detector: DetectorSpec, seed: int) -> None:
    truth = simulate_ground_truth(spec, seed)
    found = simulate_detections(truth, detector, seed)
    assert np.all((found.score > 0) & (found.score < 1))
    assert np.all(found.score >= detector.min_score)
    assert np.all(np.diff(found.image) >= 0)
    assert np.all((np.diff(found.score) <= 0) | (np.diff(found.image) > 0))
    assert np.all(found.box[:, :2] >= 0)
    assert np.all(found.box[:, 2:] >= 1)
    made = found.object >= 0
    assert np.all(truth.objects.image[found.object[made]] == found.image[made])
    assert np.all((found.kind == Kind.BACKGROUND) == ~made)
    given_objects = found.object[found.right]
    assert len(np.unique(given_objects)) == len(given_objects)
    assert np.all(found.label[found.right] == truth.objects.label[given_objects])
    assert np.all(paired_overlaps(found.box[found.right], truth.objects.box[given_objects]) >= 0.5)


def test_a_perfect_detector_finds_everything() -> None:
    truth = simulate_ground_truth(SceneSpec(images=40, crowd_rate=0.5), 1)
    found = simulate_detections(truth, PERFECT, 2)
    order = np.argsort(found.object)
    countable = np.flatnonzero(~truth.objects.crowd)
    assert found.right.all()
    np.testing.assert_array_equal(found.object[order], countable)
    np.testing.assert_allclose(found.box[order], truth.objects.box[countable], atol=0.02)


SCENES = SceneSpec(images=800, crowd_rate=0.0, labels=("cat", "dog", "cow"), label_skew=0.0)


@given(
    st.floats(1, 500),
    st.floats(1.01, 4),
    st.floats(0.01, 2),
    st.floats(0, 1),
    st.floats(-3, 3),
)
def test_larger_objects_are_never_missed_more(
    size: float, factor: float, effect: float, visible: float, difficulty: float
) -> None:
    detector = DetectorSpec(size_effect=effect)
    odds = detector.log_odds_found(
        np.array([size, size * factor]), np.full(2, visible), np.full(2, difficulty), np.zeros(2)
    )
    assert odds[1] > odds[0]


def misses(detector: DetectorSpec, seed: int = 3) -> tuple[Floats, Floats, Bools]:
    """Sizes, visible shares and misses of all objects."""
    truth = simulate_ground_truth(SCENES, seed)
    found = simulate_detections(truth, detector, seed + 1)
    missed = np.ones(len(truth.objects.label), dtype=bool)
    missed[found.object[found.kind == Kind.FOUND]] = False
    box = truth.objects.box
    return np.sqrt(box[:, 2] * box[:, 3]), truth.objects.visible, missed


def test_small_and_hidden_objects_are_missed_more() -> None:
    size, visible, missed = misses(DetectorSpec())
    by_size = [part.mean() for part in np.array_split(missed[np.argsort(size)], 4)]
    assert by_size == sorted(by_size, reverse=True)
    hidden = visible < 0.7
    assert missed[hidden].mean() > missed[~hidden].mean() + 0.1


def test_misses_are_as_many_as_the_model_says() -> None:
    detector = DetectorSpec(recall=0.7, difficulty_effect=0, hardness_effect=0)
    size, visible, missed = misses(detector)
    zero = np.zeros(len(size))
    chance = 1 / (1 + np.exp(-detector.log_odds_found(size, visible, zero, zero)))
    for part in np.array_split(np.argsort(size), 5):
        error = np.sqrt((chance[part] * (1 - chance[part])).sum())
        assert abs((~missed[part]).sum() - chance[part].sum()) < 4 * error


def test_boxes_err_in_proportion_to_size() -> None:
    spec = replace(SCENES, sizes=(SizeComponent(1, 100, 0.3),), image_sizes=((3000, 3000),), crowding=0.0)
    truth = simulate_ground_truth(spec, 5)
    found = simulate_detections(truth, replace(PERFECT, shift=0.05, stretch=0.1), 6)
    given_box = truth.objects.box[found.object]
    inside = np.all((given_box[:, :2] > 200) & (given_box[:, :2] + given_box[:, 2:] < 2800), axis=1)
    sides = given_box[inside, 2:]
    off = found.box[inside, :2] + found.box[inside, 2:] / 2 - given_box[inside, :2] - sides / 2
    # Standard deviations of about 10,000 numbers are known to 0.7 %.
    assert abs((off / sides).std() / 0.05 - 1) < 0.03
    assert abs(np.log(found.box[inside, 2:] / sides).std() / 0.1 - 1) < 0.03


def test_labels_are_confused_as_asked() -> None:
    truth = simulate_ground_truth(SCENES, 7)
    detector = replace(PERFECT, confusions={("cat", "dog"): 0.3, ("cow", "cat"): 0.1}, confusion_rate=0.05)
    found = simulate_detections(truth, detector, 8)
    true = truth.objects.label[found.object]
    for row, expected in enumerate([[0.65, 0.325, 0.025], [0.025, 0.95, 0.025], [0.125, 0.025, 0.85]]):
        shares = np.bincount(found.label[true == row], minlength=3) / (true == row).sum()
        np.testing.assert_allclose(shares, expected, atol=4 * np.sqrt(0.25 / (true == row).sum()))


@pytest.mark.parametrize("rate", [0.5, 4.0])
def test_duplicates_and_background_are_as_many_as_asked(rate: float) -> None:
    truth = simulate_ground_truth(replace(SCENES, crowd_rate=0.3), 9)
    detector = DetectorSpec(duplicate_rate=rate, background_rate=2 * rate, crowd_detections=3 * rate)
    found = simulate_detections(truth, detector, 10)
    kinds = np.bincount(found.kind, minlength=4)
    assert abs(kinds[Kind.DUPLICATE] / kinds[Kind.FOUND] - rate) < 4 * np.sqrt(rate / kinds[Kind.FOUND])
    crowds = truth.objects.crowd.sum()
    assert abs(kinds[Kind.CROWD] / crowds - 3 * rate) < 4 * np.sqrt(3 * rate / crowds)
    # Some are left out for lying on an object of their label.
    assert 0.97 * 2 * rate - 4 * np.sqrt(2 * rate / 800) < kinds[Kind.BACKGROUND] / 800
    assert kinds[Kind.BACKGROUND] / 800 < 2 * rate + 4 * np.sqrt(2 * rate / 800)


def test_two_detectors_fail_on_the_same_objects() -> None:
    detector = DetectorSpec(recall=0.6, size_effect=0, occlusion_effect=0, difficulty_effect=1, hardness_effect=1)
    apart = replace(detector, difficulty_effect=0, hardness_effect=0)
    truth = simulate_ground_truth(SCENES, 11)

    def agreement(spec: DetectorSpec) -> float:
        missed = np.ones((2, len(truth.objects.label)))
        for number in (0, 1):
            found = simulate_detections(truth, spec, 20 + number)
            missed[number, found.object[found.kind == Kind.FOUND]] = 0
        return float(np.asarray(np.corrcoef(missed))[0, 1])

    assert agreement(detector) > 0.15
    assert abs(agreement(apart)) < 4 / np.sqrt(len(truth.objects.label))


def test_a_floor_only_leaves_out() -> None:
    truth = simulate_ground_truth(SCENES, 12)
    everything = simulate_detections(truth, DetectorSpec(), 13)
    floored = simulate_detections(truth, DetectorSpec(min_score=0.3), 13)
    kept = everything.score >= 0.3
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(floored, name), getattr(everything, name)[kept])
