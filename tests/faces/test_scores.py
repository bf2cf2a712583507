"""Identification by hand, and against plain loops."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import arrays

from boxscore.faces.scores import Enrolled, Likeness
from boxscore.faces.threshold import fitted


def test_the_likest_embedding_of_an_actor_counts() -> None:
    enrolled = Enrolled.of(
        [("a", np.array([[1.0, 0], [0, 1]])), ("nobody", np.zeros((0, 2))), ("b", np.array([[-1.0, 0]]))]
    )
    assert enrolled.actors == ("a", "b")
    assert enrolled.likeness(np.array([[0.6, 0.8], [-1, 0]])).tolist() == [[0.8, -0.6], [0, 1]]
    assert enrolled.rows_of(["b", "nobody", "a"]).tolist() == [1, -1, 0]


def test_outcomes_by_hand() -> None:
    """Threshold 0.5, own actor in column 0 but for the last probe, who is not enrolled."""
    cosines = np.array(
        [
            [0.9, 0.2, 0.3],  # right, over: TPI
            [0.4, 0.2, 0.3],  # right, under: nothing
            [0.6, 0.7, 0.3],  # wrong, over: FPI
            [0.1, 0.3, 0.2],  # wrong, under: nothing
            [0.8, 0.8, 0.1],  # a tie is wrong, and over: FPI
            [0.5, 0.1, 0.1],  # at the threshold counts as over: TPI
            [0.2, 0.6, 0.1],  # a stranger taken for somebody: FPI
        ]
    )
    found = Likeness.of(cosines, np.array([0, 0, 0, 0, 0, 0, -1]))
    assert found.true_positive(0.5).tolist() == [True, False, False, False, False, True, False]
    assert found.false_positive(0.5).tolist() == [False, False, True, False, True, False, True]
    assert found.right().tolist() == [True, True, False, False, False, True, False]
    assert found.rivals(0.5).tolist() == [0, 0, 1, 0, 1, 0, 1]
    assert found.best.tolist()[:4] == [0, 0, 1, 1]
    assert cosines[0].tolist() == [0.9, 0.2, 0.3]


cosines_of = arrays(np.float64, (6, 5), elements=st.sampled_from([-0.5, 0.0, 0.2, 0.4, 0.6, 1.0]))


@given(cosines_of, st.lists(st.integers(0, 4), min_size=6, max_size=6), st.sampled_from([-1.0, 0.0, 0.2, 0.3, 1.0]))
def test_outcomes_against_plain_loops(cosines: np.ndarray, own: list[int], threshold: float) -> None:
    found = Likeness.of(cosines, np.array(own))
    for row, mine in enumerate(own):
        others = [cosine for column, cosine in enumerate(cosines[row]) if column != mine]
        right = cosines[row, mine] > max(others)
        best = cosines[row].max()
        assert found.true_positive(threshold)[row] == (right and best >= threshold)
        assert found.false_positive(threshold)[row] == (not right and best >= threshold)
        rivals = sum(other >= threshold and other >= cosines[row, mine] for other in others)
        assert found.rivals(threshold)[row] == rivals
        assert (rivals > 0) == found.false_positive(threshold)[row]
        assert sorted(found.strangers()[row]) == sorted(others)


def vectors(angles: list[float]) -> np.ndarray:
    return np.array([[np.cos(angle), np.sin(angle)] for angle in np.deg2rad(angles)])


def test_a_threshold_is_fitted_on_the_likest_stranger() -> None:
    gallery = Enrolled.of([("a", vectors([0])), ("b", vectors([90])), ("c", vectors([180]))])
    # Without their own actors: a at 80 degrees is likest b (10), c at 120 likest b (30), b at 45 likest a (45).
    probes = vectors([80, 120, 45, 5])
    actors = ["a", "c", "b", "outside"]  # the last is nobody's: likest a (5)
    likest = np.cos(np.deg2rad([10, 30, 45, 5]))
    none = fitted(probes, actors, gallery, 0.0)
    assert none.value > likest.max()
    assert np.isclose(none.value, likest.max())
    assert none.reached == 0
    half = fitted(probes, actors, gallery, 0.5)
    assert np.isclose(half.value, likest[1])
    assert half.reached == 0.5
    assert (half.pictures, half.actors) == (4, 4)
    assert half.caution() is None
    assert "can't show a share of 0.00%" in str(none.caution())


@given(st.lists(st.floats(0, 360), min_size=1, max_size=30), st.floats(0, 0.99))
def test_no_more_strangers_than_wanted_reach_a_fitted_threshold(angles: list[float], target: float) -> None:
    gallery = Enrolled.of([("a", vectors([0, 200])), ("b", vectors([90]))])
    found = fitted(vectors(angles), ["outside"] * len(angles), gallery, target)
    assert found.reached is not None
    assert found.reached <= target
