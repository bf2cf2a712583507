"""What an Evaluator tells is the same whatever the batches were, and what `evaluate` tells."""

from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from tests.strategies import CocoData, Shape, coco_data
from tests.support.arrays import as_arrays, label_names
from tests.support.streams import feed, images_of, merged, new, one

AWKWARD = coco_data(Shape(max_images=5, degenerate=True))


@settings(max_examples=40)
@given(data=AWKWARD, random=st.randoms(use_true_random=False), size=st.integers(1, 5), ranks=st.integers(1, 3))
def test_all_text_is_the_same_whatever_the_batches(data: CocoData, random: Random, size: int, ranks: int) -> None:
    """Notes too, each with the first image in canonical order, also where ranks overlap."""
    images = images_of(data)
    at_once = feed(new(data), images, size=len(images)).result().to_json()
    random.shuffle(images)
    assert feed(new(data), images, size).result().to_json() == at_once
    parts = [feed(new(data), images[rank::ranks], size) for rank in range(ranks)]
    assert merged(parts).result().to_json() == at_once
    again = [feed(new(data), images, size), *parts]
    repeated = merged(again).result()
    assert repeated.notes[0].code == "images-repeated"
    assert repeated.notes[0].count == len(images)
    assert repeated.notes[1:] == feed(new(data), images).result().notes


@settings(max_examples=30)
@given(data=AWKWARD, named=st.booleans(), agnostic=st.booleans())
def test_all_rows_and_matches_are_those_of_evaluate(data: CocoData, named: bool, agnostic: bool) -> None:
    """The same notes as well, by code and count; `evaluate` names places by position, an evaluator by image id."""
    targets, predictions = as_arrays(data, "xywh", np.array)
    options: dict[str, Any] = {"labels": label_names(data) if named else None, "label_agnostic": agnostic}
    run = boxscore.evaluate(targets, predictions, box_format="xywh", **options)
    streamed = feed(boxscore.Evaluator(box_format="xywh", **options), images_of(data)).result()
    assert streamed.metrics.rows == run.metrics.rows
    assert streamed.labels == run.labels
    assert streamed.matches.kernel.state() == run.matches.kernel.state()
    assert streamed.data_identity is not None
    counts = [sorted((note.code, note.count) for note in found.notes) for found in (streamed, run)]
    assert counts[0] == counts[1]


def test_notes_name_the_image() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update(*one(2.0, 0.5, 0.5), image_ids=["b.jpg"])
    evaluator.update(*one(-1.0), image_ids=["a.jpg"])
    notes = {note.code: note for note in evaluator.result().notes}
    assert 'first image "a.jpg", detection 0' in notes["score-range"].message
    assert "from -1.0 to 2" in notes["score-range"].message
    assert notes["score-range"].count == 2
    assert 'first image "b.jpg", detection 2' in notes["tied-scores"].message


def test_equal_scores_are_told_as_such_only_when_all_are() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update(*one(0.5, 0.5), image_ids=[1])
    evaluator.update(*one(0.5), image_ids=[2])
    assert [note.code for note in evaluator.result().notes] == ["scores-equal", "ap-degenerate"]
    evaluator.update(*one(0.25), image_ids=[3])
    assert [note.code for note in evaluator.result().notes] == ["tied-scores"]
