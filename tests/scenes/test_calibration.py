"""Scores mean what the specification says they mean."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.scenes import Calibration, DetectorSpec, Kind, SceneSpec, simulate_detections, simulate_ground_truth
from boxscore.scenes.boxes import Bools, Floats, paired_overlaps
from boxscore.scenes.calibration import Outcomes, below, calibration_of, evidence_grid, score_scale, significant

SCENES = SceneSpec(images=1500, crowd_rate=0.05)
TRUTH = simulate_ground_truth(SCENES, 31)


@lru_cache
def scored(detector: DetectorSpec) -> tuple[Floats, Bools]:
    """Scores of the detections that are right or wrong, and which are right."""
    found = simulate_detections(TRUTH, detector, 32)
    counted = found.kind != Kind.CROWD
    return found.score[counted], found.right[counted]


@pytest.mark.parametrize(
    "detector",
    [
        DetectorSpec(),
        DetectorSpec(calibration="over-confident"),
        DetectorSpec(calibration="under-confident"),
        DetectorSpec(calibration=Calibration(slope=0.5, intercept=-1.0), separation=1.5),
        DetectorSpec(duplicate_rate=3.0, duplicate_noise=1.0, background_rate=0.5),
        DetectorSpec(duplicate_rate=0.0, background_rate=15.0, separation=3.0),
    ],
    ids=["calibrated", "over", "under", "own", "duplicates", "background"],
)
def test_the_share_that_is_right_follows_the_chosen_curve(detector: DetectorSpec) -> None:
    score, right = scored(detector)
    chance = calibration_of(detector.calibration).probability(score)
    # In each band of scores the number right is a sum of independent trials; 4 standard errors, plus what the pilot
    # of 400 images leaves uncertain in the log odds (about 0.05, which moves a probability p by 0.05 p (1 - p)).
    for low in np.arange(0, 1, 0.1):
        band = (score >= low) & (score < low + 0.1)
        spread = (chance[band] * (1 - chance[band])).sum()
        assert abs(right[band].sum() - chance[band].sum()) < 4 * np.sqrt(spread) + 0.05 * spread


def test_names_say_on_which_side_scores_err() -> None:
    over, right = scored(DetectorSpec(calibration="over-confident"))
    assert over.mean() > right.mean() + 0.02
    high = over > 0.5
    assert over[high].mean() > right[high].mean() + 0.02
    under, right = scored(DetectorSpec(calibration="under-confident"))
    assert under.mean() < right.mean() - 0.02


@pytest.mark.parametrize("separation", [0.0, 1.0, 2.5])
def test_separation_is_d_prime(separation: float) -> None:
    score, right = scored(DetectorSpec(separation=separation, duplicate_rate=0.0))
    rank = np.argsort(np.argsort(score, kind="stable")).astype(float)
    pairs = right.sum() * (~right).sum()
    area = (rank[right].sum() - right.sum() * (right.sum() - 1) / 2) / pairs
    # Phi(d' / sqrt 2), the area under the curve of two normals of equal variance.
    expected = {0.0: 0.5, 1.0: 0.76025, 2.5: 0.96145}[separation]
    assert abs(area - expected) < 0.02


def test_calibration_does_not_change_order() -> None:
    plain, _ = scored(DetectorSpec())
    over, _ = scored(DetectorSpec(calibration="over-confident"))
    assert len(plain) == len(over)
    # Rounding leaves a few scores equal in one list that differ a little in the other.
    assert np.all(np.diff(plain[np.argsort(over)]) > -1e-8)


def test_a_duplicate_never_outscores_the_right_one() -> None:
    found = simulate_detections(TRUTH, DetectorSpec(duplicate_rate=4.0, duplicate_noise=0.5, separation=0.5), 33)
    best = np.zeros(len(TRUTH.objects.label))
    best[found.object[found.right]] = found.score[found.right]
    rivals = (found.kind <= Kind.DUPLICATE) & ~found.right
    same_label = found.label == TRUTH.objects.label[found.object]
    on_object = rivals & same_label
    rows = np.flatnonzero(on_object)
    good = rows[paired_overlaps(found.box[rows], TRUTH.objects.box[found.object[rows]]) >= 0.5]
    assert len(good) > 1000
    assert np.all(found.score[good] <= best[found.object[good]])


@given(
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.floats(0, 1),
    st.floats(0, 20),
    st.floats(0.1, 5),
    st.floats(-5, 5),
)
def test_more_evidence_means_a_higher_score(
    right: int, wrong: int, share: float, separation: float, slope: float, intercept: float
) -> None:
    scale = score_scale(Outcomes(right, wrong, int(share * wrong)), separation, Calibration(slope, intercept))
    assert np.all(np.isfinite(scale.logit))
    assert np.all(np.diff(scale.logit) >= -1e-9)
    scores = scale.scores(evidence_grid(separation))
    assert np.all((scores > 0) & (scores < 1))


@given(st.floats(1e-12, 1 - 1e-15))
def test_scores_have_eight_digits_or_their_complements_do(value: float) -> None:
    rounded = float(significant(np.array([value]))[0])
    assert 0 < rounded < 1
    assert abs(rounded / value - 1) < 1e-7
    assert abs(rounded - value) <= max(1e-7 * (1 - value), 1e-15)
    assert len(repr(rounded)) <= 17
    if value < 0.5:
        assert float(f"{rounded:.8g}") == rounded


@given(st.floats(-4, 6), st.floats(0, 1))
def test_rivals_lie_below(evidence: float, uniform: float) -> None:
    assert below(np.array([evidence]), np.array([uniform]))[0] <= evidence + 0.01


def test_the_relation_and_its_inverse() -> None:
    relation = Calibration(slope=0.5, intercept=-1.0)
    # logit(0.8) = 1.386: -1 + 0.693 = -0.307, whose probability is 0.4239.
    assert abs(float(relation.probability(np.array(0.8))) - 0.4239) < 1e-4
    np.testing.assert_allclose(Calibration().probability(np.array([0.1, 0.9])), [0.1, 0.9])


def test_a_detector_that_is_always_right_gets_scores_too() -> None:
    detector = replace(DetectorSpec(), confusion_rate=0.0, duplicate_rate=0.0, background_rate=0.0, shift=0.0)
    score, _ = scored(replace(detector, stretch=0.0, pixel_noise=0.0))
    assert np.all((score > 0.5) & (score < 1))


def test_a_detector_whose_every_mistake_is_a_duplicate_has_scores() -> None:
    scale = score_scale(Outcomes(right=50, wrong=9, rivals=9), separation=2.0, calibration=Calibration())
    scores = scale.scores(np.array([-9.0, 0.0, 2.0, 12.0]))
    assert ((scores > 0) & (scores < 1)).all()
    assert (np.diff(scores) >= 0).all()
