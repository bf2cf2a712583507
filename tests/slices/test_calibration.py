"""Reliability curves and calibration errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore
from boxscore.errors import InputError
from boxscore.measures.calibration import Binned
from boxscore.pipeline.sliced import Slicing, slices_of
from boxscore.pipeline.sliced_calibration import calibration
from tests.slices import made

PAIRS = st.lists(
    st.tuples(st.one_of(st.sampled_from((0.0, 0.1, 0.2, 0.5, 1.0)), st.floats(0, 1)), st.booleans()), min_size=1
)


def slow(pairs: list[tuple[float, bool]], bins: int) -> tuple[float, float]:
    """Both errors, bin by bin, as defined."""
    gaps, weights = [], []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [(s, t) for s, t in pairs if low < s <= high or (number == 0 and s == 0)]
        if inside:
            gaps.append(abs(sum(t for _, t in inside) / len(inside) - sum(s for s, _ in inside) / len(inside)))
            weights.append(len(inside))
    return sum(g * w for g, w in zip(gaps, weights, strict=True)) / len(pairs), max(gaps)


@given(PAIRS, st.sampled_from((1, 2, 5, 10)))
def test_errors_are_as_defined(pairs: list[tuple[float, bool]], bins: int) -> None:
    score, true = np.array([s for s, _ in pairs]), np.array([t for _, t in pairs])
    curve = Binned(score, true, bins=bins).curve(slice(None))
    expected, largest = slow(pairs, bins)
    assert curve.expected == pytest.approx(expected, abs=1e-12)
    assert curve.largest == pytest.approx(largest, abs=1e-12)
    assert int(curve.detections.sum()) == len(pairs)


def test_by_hand() -> None:
    curve = Binned(np.array([0.9, 0.9, 0.95, 0.2]), np.array([True, False, True, True])).curve(slice(None)).to_dict()
    full = [one for one in curve["bins"] if one["detections"]]
    assert [(one["low"], one["high"], one["detections"]) for one in full] == [
        (0.1, 0.2, 1),
        (0.8, 0.9, 2),
        (0.9, 1.0, 1),
    ]
    assert curve["ece"] == pytest.approx((0.8 + 2 * 0.4 + 0.05) / 4)
    assert curve["mce"] == pytest.approx(0.8)


def test_what_has_none_says_why() -> None:
    nothing = Binned(np.zeros(0), np.zeros(0, dtype=bool)).curve(slice(None)).to_dict()
    assert (nothing["ece"], nothing["mce"], nothing["reason"]) == (None, None, "no detections")
    outside = Binned(np.array([0.5, 3.0]), np.array([True, True])).curve(slice(None)).to_dict()
    assert (outside["ece"], outside["reason"]) == (None, "confidences lie outside 0..1")


def test_slices_have_the_calibration_of_their_images() -> None:
    truth = made.ground_truth()
    found = made.results(truth)
    run = boxscore.evaluate(truth, found)
    curves = calibration(run, slices_of(run, Slicing(["weather", "tier"])))["curves"]
    assert {one["slice"] for one in curves} == {None, "weather=fog", "weather=rain", "weather=sun"}
    whole = run.explain("TP@0.5")[0], run.explain("FP@0.5")[0]
    assert curves[0]["detections"] == sum(count or 0 for count in whole)
    for name in ("fog", "rain", "sun"):
        part = boxscore.evaluate(*made.only(truth, found, lambda image, name=name: image["weather"] == name))  # type: ignore[misc]  # bound now
        own = [one | {"slice": None} for one in curves if one["slice"] == f"weather={name}"]
        assert own == calibration(part)["curves"]


@pytest.mark.parametrize("bins", [0, -1, 2.5, 1001])
def test_bins_there_cannot_be(bins: int) -> None:
    truth = made.ground_truth()
    with pytest.raises(InputError, match="bins of a calibration"):
        calibration(boxscore.evaluate(truth, made.results(truth)), bins=bins)
