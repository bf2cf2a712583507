"""What an Evaluator keeps: matches and digests, no boxes; and what it makes of images given again."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given, settings

import boxscore
from boxscore import _kernel
from tests.strategies import CocoData, crowded_data
from tests.support.streams import feed, images_of, merged, new, one


def reachable(start: object) -> list[object]:
    """All objects that are kept alive by one, modules and classes left out."""
    found: dict[int, object] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, type) or type(thing).__name__ in ("module", "function"):
            continue
        found[id(thing)] = thing
        waiting += gc.get_referents(thing)
    return list(found.values())


def test_boxes_are_let_go() -> None:
    predictions, targets = one(*(k / 100 for k in range(100)))
    arrays = [{name: np.array(values) for name, values in row.items()} for row in (predictions[0], targets[0])]
    boxes = [weakref.ref(row["boxes"]) for row in arrays]
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update([arrays[0]], [arrays[1]], image_ids=[1])
    del arrays
    gc.collect()
    assert [box() for box in boxes] == [None, None]
    kinds = {type(thing) for thing in reachable(evaluator)}
    assert not kinds & {np.ndarray, _kernel.Dataset, _kernel.Detections, boxscore.Dataset, boxscore.Predictions}
    # A detection is 40 bytes (image, label, score, rank, two sets of bits, ground truth); a box would be 32 more.
    empty = len(pickle.dumps(boxscore.Evaluator({1: "car"})))
    assert len(pickle.dumps(evaluator)) - empty < 100 * 40 + 1000
    assert evaluator.result().dataset is None
    assert evaluator.result().predictions is None


def test_few_parts_are_held_of_many_updates() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    whole = boxscore.Evaluator({1: "car"})
    numbers = list(range(300))
    for number in reversed(numbers):
        evaluator.update(*one(1 / (number + 1)), image_ids=[number])
    pairs = [one(1 / (number + 1)) for number in numbers]
    whole.update([pair[0][0] for pair in pairs], [pair[1][0] for pair in pairs], image_ids=numbers)
    kept = [thing for thing in reachable(evaluator) if isinstance(thing, _kernel.Matches)]
    assert len(kept) < 64 + 5
    assert evaluator.result().matches.kernel.state() == whole.result().matches.kernel.state()


# Images given again


def test_what_differs_is_counted() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update(*one(0.5), image_ids=[17])
    with pytest.raises(boxscore.InputError, match=r"image 17 .*1 object and 1 detection then, 1 object and 2 det"):
        evaluator.update(*one(0.5, 0.25), image_ids=[17])
    with pytest.raises(boxscore.InputError, match=r"image 17 .*1 object and 1 detection both times, but other det"):
        evaluator.update(*one(0.25), image_ids=[17])
    predictions, targets = one(0.5)
    targets[0]["boxes"] = [[0.0, 0.0, 40.0, 41.0]]
    with pytest.raises(boxscore.InputError, match="both times, but other objects"):
        evaluator.update(predictions, targets, image_ids=[17])
    assert evaluator.result().notes == []
    assert len(evaluator) == 1


def test_a_batch_counts_in_full_or_not_at_all() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    first, second = one(0.5), one(0.25)
    both = [first[0][0], second[0][0]], [first[1][0], second[1][0]]
    with pytest.raises(boxscore.InputError, match="image 4 "):
        evaluator.update(*both, image_ids=[4, 4])
    assert len(evaluator) == 0
    evaluator.update([first[0][0]] * 2, [first[1][0]] * 2, image_ids=[4, 4])
    assert len(evaluator) == 1
    (note,) = evaluator.result().notes
    assert (note.code, note.count) == ("images-repeated", 1)


def test_order_of_rows_that_decides_nothing_is_no_difference() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update(*one(0.5, 0.25), image_ids=[1])
    evaluator.update(*one(0.25, 0.5), image_ids=[1])
    assert len(evaluator) == 1


@settings(max_examples=15)
@given(data=crowded_data(limit=10))
def test_detections_beyond_the_limit_are_counted_once(data: CocoData) -> None:
    """An image that two ranks hold leaves no trace in what is said of the limit."""
    limits = {"max_detections": [1, 10]}
    images = images_of(data)
    expected = feed(new(data, **limits), images).result()
    parts = [feed(new(data, **limits), images), feed(new(data, **limits), images[:1])]
    for order in (parts, parts[::-1]):
        run = merged(order).result()
        assert run.matches.over_limit == expected.matches.over_limit
        assert run.matches.kernel.state() == expected.matches.kernel.state()


def test_merging_leaves_the_other_as_it_was() -> None:
    first, second = boxscore.Evaluator({1: "car"}), boxscore.Evaluator({1: "car"})
    first.update(*one(0.5), image_ids=[1])
    second.update(*one(0.25), image_ids=[2])
    before = second.result().to_json()
    assert first.merge(second) is first
    first.update(*one(0.125), image_ids=[3])
    assert (len(first), len(second)) == (3, 1)
    assert second.result().to_json() == before
    first.merge(first)
    assert len(first) == 3
    empty = boxscore.Evaluator({1: "car"})
    assert merged([empty, first]).result().to_json() == first.result().to_json()


def test_settings_that_differ_are_named() -> None:
    first = boxscore.Evaluator({1: "car"})
    others = {
        "labels": boxscore.Evaluator(),
        "protocol": boxscore.Evaluator({1: "car"}, max_detections=5),
        "label_agnostic": boxscore.Evaluator({1: "car"}, label_agnostic=True),
        "reading": boxscore.Evaluator({1: "car"}, reading=boxscore.Reading(degenerate="drop")),
    }
    for name, other in others.items():
        with pytest.raises(boxscore.InputError, match=f"differ in {name}"):
            first.merge(other)
    first.update(*one(0.5))
    with_ids = boxscore.Evaluator({1: "car"})
    with_ids.update(*one(0.5), image_ids=[1])
    with pytest.raises(boxscore.InputError, match="ids"):
        first.merge(with_ids)
