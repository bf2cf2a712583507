"""Delays, gaps, fit and segmentation: by hand, and against a slow definition."""

from itertools import pairwise
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from boxscore.presence.actors import actors_of, detected_of
from boxscore.presence.beyond import fit, fits
from boxscore.presence.identity import match_people
from tests.presence.strategies import spans
from tests.presence.written import timeline

Spans = list[tuple[float, float]]


def row(true: Spans, predicted: Spans) -> dict[str, Any]:
    return fit(pair(true), pair(predicted)).row("Ann", None)


def pair(given_spans: Spans) -> tuple[np.ndarray, np.ndarray]:
    return np.array([low for low, _ in given_spans]), np.array([high for _, high in given_spans])


def test_a_window_cut_in_three() -> None:
    """Late by 1 s, let go 2 s early, two gaps of 1 and 2 s in a minute: 3 pieces."""
    found = row([(0, 60)], [(1, 20), (21, 40), (42, 58)])
    assert (found["onset"], found["offset"]) == (1.0, -2.0)
    assert (found["gaps"], found["gap_seconds"], found["flicker"]) == (2, 3.0, 2.0)
    assert found["over_segmentation"] == 3.0
    assert found["under_segmentation"] == 1.0
    assert found["window_iou"] == pytest.approx(19 / 60)
    assert found["time_iou"] == pytest.approx((19 + 19 + 16) / 60)


def test_two_windows_run_together() -> None:
    """Noticed on time and let go 1 s late, though in between nobody was there for 4 s."""
    found = row([(0, 10), (14, 20)], [(0, 21)])
    assert (found["onset"], found["offset"]) == ((0 + -14) / 2, (11 + 1) / 2)
    assert found["over_segmentation"] == 1.0
    assert found["under_segmentation"] == 2.0
    assert found["window_iou"] == pytest.approx((10 / 21 + 6 / 21) / 2)


def test_gaps_between_true_windows_are_none_within_one() -> None:
    assert row([(0, 5), (10, 15)], [(0, 5), (10, 15)])["gaps"] == 0


def test_windows_that_only_touch_do_not_reach_into_each_other() -> None:
    found = row([(5, 10)], [(0, 5), (10, 12)])
    assert found["found"] == 0
    assert found["onset"] is None
    assert found["reasons"]["onset"] == "no true window of the actor is found"
    assert found["reasons"]["under_segmentation"] == "no predicted window reaches into a true one"
    assert (found["window_iou"], found["time_iou"]) == (0.0, 0.0)


def test_nothing_at_all_is_undefined_with_reasons() -> None:
    found = row([], [])
    for name in ("onset", "offset", "flicker", "window_iou", "time_iou", "over_segmentation", "under_segmentation"):
        assert found[name] is None
        assert found["reasons"][name]


@given(spans(), spans())
def test_agrees_with_the_slow_definition(true: Spans, predicted: Spans) -> None:
    found = row(true, predicted)
    onsets, offsets, gaps, pieces, ious = [], [], [], [], []
    for low, high in true:
        meeting = [(a, b) for a, b in predicted if a < high and b > low]
        ious.append(max([(min(b, high) - max(a, low)) / (max(b, high) - min(a, low)) for a, b in meeting], default=0.0))
        if meeting:
            onsets.append(meeting[0][0] - low)
            offsets.append(meeting[-1][1] - high)
            pieces.append(len(meeting))
            gaps += [after[0] - before[1] for before, after in pairwise(meeting)]
    joins = [count for a, b in predicted if (count := sum(a < high and b > low for low, high in true))]
    assert found["onset"] == (median(onsets) if onsets else None)
    assert found["offset"] == (median(offsets) if offsets else None)
    assert found["gaps"] == len(gaps)
    assert found["gap_seconds"] == pytest.approx(sum(gaps))
    assert found["over_segmentation"] == (mean(pieces) if pieces else None)
    assert found["under_segmentation"] == (mean(joins) if joins else None)
    assert found["window_iou"] == (pytest.approx(mean(ious)) if ious else None)


def test_windows_are_those_before_the_end_and_touching_scenes_are_one_presence() -> None:
    truth = timeline({"Ann": [(0, 5), (5, 10), (30, 40)]}, duration=20)
    predicted = timeline({"Ann": [(1, 9), (30, 40)]}, source="prediction")
    actors = actors_of(truth, predicted, match_people(truth, predicted).pairs)
    found = fits(truth, predicted, actors, np.array([True]), 20.0)
    assert (found["all"]["windows"], found["all"]["found"]) == (1, 1)
    assert (found["all"]["onset"], found["all"]["offset"], found["all"]["time_iou"]) == (1.0, -1.0, 0.8)


def test_a_window_without_length_is_neither_there_nor_found() -> None:
    truth = timeline({"Ann": [(5, 5)], "Bob": [(0, 20)]}, duration=20)
    predicted = timeline({"Ann": [(0, 10)], "Bob": [(3, 3)]}, source="prediction")
    actors = actors_of(truth, predicted, match_people(truth, predicted).pairs)
    found = fits(truth, predicted, actors, np.array([True, True]), 20.0)
    assert (found["all"]["windows"], found["all"]["found"], found["all"]["flicker"]) == (1, 0, None)
    assert [row["found"] for row in found["by_actor"]] == [0, 0]
    assert found["by_actor"][0]["reasons"]["window_iou"] == "the ground truth has no window of the actor"
    assert detected_of(actors, predicted).tolist() == [True, False]


def test_a_source_of_moments_has_no_windows_to_fit() -> None:
    truth = timeline({"Ann": [(0, 5)]}, source="movienet", samples=[2.0], annotated=[(0, 5)])
    found = fits(truth, truth, actors_of(truth, truth, [(0, 0)]), np.array([True]), 5.0)
    assert found["all"] is None
    assert "at annotated moments" in found["reason"]
