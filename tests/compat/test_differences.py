"""Where `boxscore.compat` does not follow pycocotools, named by the rows of `docs/quirks.md` from Q50 on."""

import copy
from typing import Any

import numpy as np
import pytest

from boxscore.compat import COCO, COCOeval
from boxscore.errors import InputError
from tests.compat.both import Changes, box, ours, prepared, same_arrays, silent, theirs, truth_of
from tests.strategies import CocoData
from tests.support.bits import same_bits
from tests.test_pycocotools_agreement import seeded


@pytest.fixture(scope="module")
def data() -> CocoData:
    """Three labels, eight images, overlaps and scores with ties."""
    return seeded(images=8, objects=90, detections=300)


def figures(data: CocoData, changes: Changes | None = None) -> list[float]:
    made = ours(data, changes)
    silent(made.summarize)
    return list(made.stats)


def part(evaluation: Any, changes: Changes) -> Any:
    """Accumulate other parameters than those evaluated."""
    params = copy.deepcopy(evaluation.params)
    for name, value in changes.items():
        setattr(params, name, value)
    silent(lambda: evaluation.accumulate(params))
    return evaluation


@pytest.mark.parametrize(
    "changes",
    [
        {"catIds": [3]},
        {"catIds": [2, 3]},
        {"imgIds": [5, 2, 8]},
        {"areaRng": [[32**2, 96**2]], "areaRngLbl": ["medium"]},
        {"catIds": [2], "imgIds": [8], "maxDets": [10], "recThrs": np.array([0.25])},
    ],
    ids="+".join,
)
def test_q50_a_part_is_found_by_value(changes: Changes, data: CocoData) -> None:
    # Asked of a part that does not stand first, pycocotools gives the figures of the one that does.
    expected = theirs(data, changes)
    same_arrays(part(ours(data), changes), expected)
    with pytest.raises(AssertionError):
        same_arrays(part(theirs(data), changes), expected)


def test_q51_thresholds_are_found_by_value(data: CocoData) -> None:
    wanted = part(ours(data), {"iouThrs": np.array([0.75, 0.5])}).eval
    whole = theirs(data).eval
    for name in ("precision", "recall", "scores"):
        same_bits({name: wanted[name]}, {name: whole[name][[5, 0]]})


def test_q51_what_was_not_evaluated_is_minus_one(data: CocoData) -> None:
    made = ours(data, {"catIds": [1, 3], "maxDets": [1, 10]})
    whole = theirs(data, {"catIds": [1, 3], "maxDets": [1, 4, 10]}).eval["recall"]
    changes = {"catIds": [1, 2, 3], "maxDets": [4, 100], "iouThrs": np.array([0.5, 0.51])}
    recall = part(made, changes).eval["recall"]
    assert recall.shape == (2, 3, 4, 2)
    assert np.array_equal(recall[0, [0, 2], :, 0], whole[0, :, :, 1])
    for absent in (recall[:, 1], recall[1], recall[..., 1]):
        assert (absent == -1).all()


def test_q53_categories_regarded_or_not(data: CocoData) -> None:
    made = ours(data)
    made.params.useCats = 0
    with pytest.raises(InputError, match=r"useCats is 0.*set it before evaluate"):
        made.accumulate()


def test_q52_categories_stay_in_params(data: CocoData) -> None:
    made = ours(data, {"useCats": 0})
    first = made.eval["precision"]
    assert made.params.catIds == [1, 2, 3]
    again = prepared(made, {})
    assert again.eval["precision"].tobytes() == first.tobytes()
    # pycocotools puts -1 there, and then finds nothing of that category.
    other = theirs(data, {"useCats": 0})
    assert other.params.catIds == [-1]
    assert prepared(other, {}).eval["precision"].max() == -1


def test_q54_recall_points_in_any_order(data: CocoData) -> None:
    points = np.array([1.0, 0.25, 0.5])
    ascending = theirs(data, {"recThrs": np.sort(points)}).eval
    mine = ours(data, {"recThrs": points}).eval
    for name in ("precision", "scores"):
        same_bits({name: mine[name]}, {name: ascending[name][:, [2, 0, 1]]})
    # pycocotools stops at the first point that is not reached, and leaves 0 behind it.
    assert not np.array_equal(theirs(data, {"recThrs": points}).eval["precision"], mine["precision"])


def test_q55_thresholds_in_a_list(data: CocoData) -> None:
    thresholds = [0.5, 0.75]
    assert figures(data, {"iouThrs": thresholds}) == figures(data, {"iouThrs": np.array(thresholds)})
    with pytest.raises(ValueError, match="nonzero"):
        silent(theirs(data, {"iouThrs": thresholds}).summarize)


@pytest.mark.parametrize(
    ("limits", "at"), [([1, 10, 500], [1, 10, 500]), ([2, 3, 5], [2, 3, 5]), ([3, 1, 2], [1, 2, 3])]
)
def test_q56_the_first_figure_is_at_the_largest_limit(limits: list[int], at: list[int], data: CocoData) -> None:
    lines = silent(ours(data, {"maxDets": limits}).summarize).splitlines()
    assert [line.count(f"maxDets={at[2]:>3d}") for line in lines] == [1] * 6 + [0, 0] + [1] * 4
    stats, other = figures(data, {"maxDets": limits}), theirs(data, {"maxDets": limits})
    silent(other.summarize)
    assert other.stats[0] == -1 < stats[0]
    assert stats[1:] == list(other.stats[1:])
    at_last = theirs(data, {"maxDets": [1, at[2], 100]}).eval["precision"][:, :, :, 0, 1]
    assert stats[0] == np.mean(at_last[at_last > -1])


@pytest.mark.parametrize("limits", [[7], [2, 7], [1, 2, 5, 7], [1, 2, 3, 5, 7]])
def test_q56_any_number_of_limits(limits: list[int], data: CocoData) -> None:
    made = ours(data, {"maxDets": limits})
    lines = silent(made.summarize).splitlines()
    assert [line.split("maxDets=")[1].split()[0] for line in lines[6 : 6 + len(limits)]] == [str(n) for n in limits]
    assert len(lines) == 9 + len(limits)
    assert len(made.stats) == 12
    three = figures(data, {"maxDets": [limits[0], limits[1] if len(limits) > 1 else 3, 7]})
    absent = {6, 7} if len(limits) == 1 else {7} if len(limits) == 2 else set()
    assert [value for place, value in enumerate(made.stats) if place not in absent] == [
        value for place, value in enumerate(three) if place not in absent
    ]
    assert all(made.stats[place] == -1 for place in absent)


def test_q59_summarize_speaks_of_what_was_accumulated(data: CocoData) -> None:
    made = ours(data)
    part(made, {"maxDets": [5], "areaRng": [[0, 1e10]], "areaRngLbl": ["all"]})
    lines = silent(made.summarize).splitlines()
    assert len(lines) == 10
    assert all("maxDets=  5" in line for line in lines)


def test_what_was_given_is_not_changed(data: CocoData) -> None:
    ground_truth, results = copy.deepcopy(data.ground_truth), copy.deepcopy(data.results)
    made = ours(data)
    assert made.evalImgs
    assert made.ious
    assert (data.ground_truth, data.results) == (ground_truth, results)


def test_ignore_flags_and_areas_as_asked_for() -> None:
    from boxscore import Reading

    row = box(1, 5, 0, 0, 40, 40)
    truth = COCO(truth_of([{**row, "id": 1, "ignore": 1}, {**box(1, 5, 100, 0, 40, 40), "id": 2, "area": 1}], [1], [5]))
    found = truth.loadRes([{**row, "score": 0.9}])
    recalls = {}
    for reading in (Reading(), Reading(ignore_flag="honour"), Reading(area="box")):
        made = COCOeval(truth, found, "bbox", reading=reading)
        made.evaluate()
        made.accumulate()
        recalls[reading] = made.eval["recall"][0, 0, :3, -1].tolist()
    assert list(recalls.values()) == [[0.5, 0, 1], [0, 0, -1], [0.5, -1, 0.5]]
