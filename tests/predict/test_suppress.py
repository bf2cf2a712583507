"""Non-maximum suppression beside its definition, and what happens at the threshold, with ties and without area."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore.predict import suppress
from tests.oracle.suppression import suppressed

BOXES = np.array([[0, 0, 10, 10], [0, 0, 10, 5], [0, 0, 10, 10], [20, 0, 30, 10]], np.float64)
"""The first two overlap by exactly one half."""


def test_overlap_by_exactly_the_threshold_stays() -> None:
    scores, labels = np.array([0.9, 0.8, 0.1, 0.2]), np.zeros(4, int)
    assert suppress.kept(BOXES, scores, labels, 0.5).tolist() == [0, 1, 3]
    assert suppress.kept(BOXES, scores, labels, np.nextafter(0.5, 0)).tolist() == [0, 3]


def test_the_first_of_equal_scores_stays() -> None:
    same = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [0, 1, 10, 11]], np.float64)
    assert suppress.kept(same, np.array([0.5, 0.5, 0.5]), np.zeros(3, int), 0.5).tolist() == [0]
    assert suppress.kept(same[::-1], np.array([0.0, -0.0, 0.0]), np.zeros(3, int), 0.5).tolist() == [0]


def test_labels_compete_only_where_there_is_one_for_all() -> None:
    scores = np.array([0.3, 0.1, 0.9, 0.2])
    assert suppress.kept(BOXES, scores, np.array([0, 0, 1, 1]), 0.4).tolist() == [2, 0, 3]
    assert suppress.kept(BOXES, scores, None, 0.4).tolist() == [2, 3]


def test_a_box_that_was_suppressed_suppresses_nobody() -> None:
    chain = np.array([[0, 0, 10, 10], [4, 0, 14, 10], [8, 0, 18, 10], [12, 0, 22, 10]], np.float64)
    assert suppress.kept(chain, np.array([0.9, 0.8, 0.7, 0.6]), None, 0.4).tolist() == [0, 2]


def test_rows_behind_suppress_nobody_but_each_other() -> None:
    scores = np.array([0.3, 0.1, 0.9, 0.2])
    behind = np.array([False, True, True, False])
    assert suppress.kept(BOXES, scores, None, 0.4, behind=behind).tolist() == [0, 3]
    assert suppress.kept(BOXES[[0, 2]], np.array([0.1, 0.2]), None, 0.4, behind=np.array([True, True])).tolist() == [1]


def test_boxes_without_area_and_no_boxes() -> None:
    flat = np.array([[5, 5, 5, 9], [5, 5, 5, 9], [0, 0, 10, 10]], np.float64)
    assert suppress.kept(flat, np.array([0.9, 0.8, 0.7]), None, 0.0).tolist() == [0, 1, 2]
    assert suppress.kept(np.empty((0, 4)), np.empty(0), np.empty(0, int), 0.5).tolist() == []


@given(
    st.lists(
        st.tuples(*[st.integers(0, 12)] * 2, *[st.integers(0, 8)] * 2, st.integers(0, 5), st.integers(0, 2)),
        max_size=40,
    ),
    st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.65, 1.0]),
    st.booleans(),
    st.sampled_from([0, 64]),
)
def test_any_boxes_as_the_definition_reads(rows: list[tuple[int, ...]], iou: float, per_label: bool, few: int) -> None:
    boxes = [[x, y, x + w, y + h] for x, y, w, h, _, _ in rows]
    scores, labels = [row[4] / 5 for row in rows], [row[5] for row in rows]
    corners = np.array(boxes, np.float64).reshape(-1, 4)
    with mock.patch.object(suppress, "_FEW_PAIRS", few):
        mine = suppress.kept(corners, np.array(scores), np.array(labels, int) if per_label else None, iou)
    assert mine.tolist() == suppressed(boxes, scores, labels if per_label else None, iou)


@pytest.mark.parametrize("few", [0, 2, 1e9], ids=["rounds alone", "rounds, then pairs", "pairs alone"])
@pytest.mark.parametrize(("count", "scale", "block"), [(1500, 60.0, 1 << 17), (400, 8.0, 64)])
def test_many_boxes_by_each_way(
    count: int, scale: float, block: int, few: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suppress, "_PAIRS_AT_ONCE", block)
    monkeypatch.setattr(suppress, "_FEW_PAIRS", few)
    random = np.random.default_rng(7)
    corners = random.uniform(0, 5 * scale, (count, 2))
    boxes = np.concatenate([corners, corners + random.uniform(0, scale, (count, 2))], axis=1)
    scores, labels = random.uniform(size=count).round(2), random.integers(0, 3, count)
    wanted = suppressed(boxes.tolist(), scores.tolist(), labels.tolist(), 0.45)
    assert len(wanted) < count
    assert suppress.kept(boxes, scores, labels, 0.45).tolist() == wanted


@given(st.integers(1, 30), st.integers(0, 50), st.booleans())
def test_the_best_are_the_first_of_all_that_stay(most: int, seed: int, per_label: bool) -> None:
    random = np.random.default_rng(seed)
    corners = random.integers(0, 30, (300, 2))
    boxes = np.concatenate([corners, corners + random.integers(0, 25, (300, 2))], axis=1).astype(np.float64)
    scores, labels = random.integers(0, 9, 300) / 8, random.integers(0, 3, 300) if per_label else None
    everything = suppress.kept(boxes, scores, labels, 0.3)
    assert suppress.best(boxes, scores, labels, 0.3, most).tolist() == everything[:most].tolist()
