"""The streaming form: one piece, batches and merged ranks give the same bytes."""

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from tests.strategies import CocoData, Shape, coco_data
from tests.support.arrays import Images, as_arrays, label_names

DATA = coco_data(Shape(max_images=6, grid_only=True))


def evaluator(data: CocoData, *, named: bool = True) -> boxscore.Evaluator:
    """An evaluator for boxes as COCO writes them; without names the labels that occur stand for themselves."""
    return boxscore.Evaluator(labels=label_names(data) if named else None, box_format="xywh")


def batches(data: CocoData) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Image id, predictions and targets, image by image."""
    targets, predictions = as_arrays(data, "xywh", list)
    return list(zip(data.image_ids, predictions, targets, strict=True))


def fed(
    data: CocoData, images: list[tuple[int, dict[str, Any], dict[str, Any]]], size: int = 1, *, named: bool = True
) -> boxscore.Evaluator:
    """An evaluator that was given these images, `size` at a time."""
    found = evaluator(data, named=named)
    for start in range(0, len(images), size):
        batch = images[start : start + size]
        found.update([one[1] for one in batch], [one[2] for one in batch], image_ids=[one[0] for one in batch])
    return found


def whole(run: boxscore.Run) -> tuple[Any, ...]:
    """Everything that a run says: figures, rows, and every byte of its matches."""
    return run.summary, run.metrics.rows, run.image_ids, run.matches.kernel.state()


@settings(max_examples=40)
@given(data=DATA, random=st.randoms(use_true_random=False), size=st.integers(1, 4))
def test_batches_in_any_order_are_one_piece(data: CocoData, random: Random, size: int) -> None:
    images = batches(data)
    at_once = whole(fed(data, images, size=len(images)).result())
    random.shuffle(images)
    assert whole(fed(data, images, size).result()) == at_once


@pytest.mark.parametrize("named", [True, False], ids=["names", "numbers"])
@settings(max_examples=30)
@given(data=DATA, random=st.randoms(use_true_random=False), ranks=st.integers(1, 4))
def test_merged_ranks_are_one_piece(named: bool, data: CocoData, random: Random, ranks: int) -> None:
    images = batches(data)
    at_once = whole(fed(data, images, size=len(images), named=named).result())
    random.shuffle(images)
    parts = [fed(data, images[rank::ranks], named=named) for rank in range(ranks)]
    first, *others = [pickle.loads(pickle.dumps(part)) for part in parts]
    for other in others:
        first.merge(other)
    assert whole(first.result()) == at_once


@settings(max_examples=30)
@given(DATA)
def test_the_figures_are_those_of_evaluate(data: CocoData) -> None:
    targets, predictions = as_arrays(data, "xywh", list)
    run = boxscore.evaluate(targets, predictions, labels=label_names(data), box_format="xywh")
    assert fed(data, batches(data), size=2).result().summary == run.summary


@settings(max_examples=30)
@given(data=DATA, choice=st.data())
def test_an_image_seen_again_is_dropped_and_counted(data: CocoData, choice: st.DataObject) -> None:
    """Samplers of distributed training repeat images to fill the last batch."""
    images = batches(data)
    again = choice.draw(st.lists(st.sampled_from(images), min_size=1, max_size=3))
    run = fed(data, [*images, *again]).result()
    once = fed(data, images).result()
    assert run.summary == once.summary
    assert run.matches.kernel.state() == once.matches.kernel.state()
    notes = [note for note in run.notes if note not in once.notes]
    assert len(notes) == 1
    assert notes[0].count == len(again)


def one_image(score: float = 0.5, size: float = 40.0) -> tuple[Images, Images]:
    """Predictions and targets of one image."""
    box = {"boxes": [[0.0, 0.0, size, size]], "labels": [1]}
    return [box | {"scores": [score]}], [{"boxes": [[0.0, 0.0, 40.0, 40.0]], "labels": [1]}]


@pytest.mark.parametrize("changed", [{"score": 0.25}, {"size": 41.0}], ids=["score", "box"])
@pytest.mark.parametrize("by_merge", [False, True], ids=["update", "merge"])
def test_an_image_seen_again_with_other_content_is_refused(changed: dict[str, float], by_merge: bool) -> None:
    with pytest.raises(boxscore.InputError, match=r"a\.jpg"):
        seen_twice(changed, by_merge=by_merge)


def seen_twice(changed: dict[str, float], *, by_merge: bool) -> None:
    """Give one image with two contents, to one evaluator or to two that are merged."""
    first = boxscore.Evaluator(labels={1: "car"})
    first.update(*one_image(), image_ids=["a.jpg"])
    other = boxscore.Evaluator(labels={1: "car"}) if by_merge else first
    other.update(*one_image(**changed), image_ids=["a.jpg"])
    if by_merge:
        first.merge(other)
    first.result()


def test_results_while_it_goes_on() -> None:
    found = boxscore.Evaluator(labels={1: "car"})
    assert found.result().value("AP") is None
    found.update(*one_image(), image_ids=[1])
    assert found.result().value("AR") == 1.0
    predictions, targets = one_image()
    found.update([predictions[0] | {"boxes": [], "labels": [], "scores": []}], targets, image_ids=[2])
    assert found.result().value("AR") == 0.5
    assert found.result().value("AR") == 0.5


def test_without_ids_images_are_numbered() -> None:
    found = boxscore.Evaluator(labels={1: "car"})
    for _ in range(3):
        found.update(*one_image())
    run = found.result()
    assert run.num_images == 3
    assert run.value("objects") == 3


def test_ranks_without_ids_are_joined_end_to_end() -> None:
    first, second = boxscore.Evaluator(), boxscore.Evaluator()
    first.update(*one_image())
    for _ in range(2):
        second.update(*one_image())
    assert first.merge(second).result().image_ids == [0, 1, 2]
    assert len(second) == 2
    with pytest.raises(boxscore.InputError, match="ids"):
        first.update(*one_image(), image_ids=[9])


@pytest.mark.parametrize("value", [1.5, None, True, float("nan"), 2**64], ids=str)
def test_what_is_no_image_id(value: Any) -> None:
    with pytest.raises(boxscore.InputError):
        boxscore.Evaluator().update(*one_image(), image_ids=[value])


def test_evaluators_that_do_not_belong_together() -> None:
    first = boxscore.Evaluator(labels={1: "car"})
    for other in (boxscore.Evaluator(labels={1: "bus"}), boxscore.Evaluator(labels={1: "car"}, iou=0.5)):
        with pytest.raises(boxscore.InputError):
            first.merge(other)


def test_a_refused_batch_leaves_what_was_there() -> None:
    found = boxscore.Evaluator(labels={1: "car"})
    found.update(*one_image(), image_ids=[1])
    predictions, targets = one_image()
    with pytest.raises(boxscore.InputError):
        found.update([predictions[0] | {"scores": [float("nan")]}], targets, image_ids=[2])
    assert found.result().num_images == 1
    assert found.result().value("AR") == 1.0
