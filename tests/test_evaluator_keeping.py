"""What an Evaluator takes, keeps and tells: tensors, memory, notes, repeats."""

import gc
import pickle
import weakref
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from boxscore import _kernel
from tests.strategies import CocoData, Shape, coco_data, crowded_data
from tests.support.arrays import as_arrays, label_names

Row = dict[str, Any]
Image = tuple[Any, Row, Row]
AWKWARD = coco_data(Shape(max_images=5, degenerate=True))


def images_of(data: CocoData) -> list[Image]:
    """Id, prediction and target of each image."""
    targets, predictions = as_arrays(data, "xywh", list)
    return list(zip(data.image_ids, predictions, targets, strict=True))


def feed(evaluator: boxscore.Evaluator, images: list[Image], size: int = 1) -> boxscore.Evaluator:
    for start in range(0, len(images), size):
        ids, predictions, targets = zip(*images[start : start + size], strict=True)
        evaluator.update(list(predictions), list(targets), image_ids=list(ids))
    return evaluator


def new(data: CocoData, **options: Any) -> boxscore.Evaluator:
    return boxscore.Evaluator(label_names(data), **({"box_format": "xywh"} | options))


def one(*scores: float, labels: list[Any] | None = None) -> tuple[list[Row], list[Row]]:
    """Predictions and targets of one image with one object, a detection a score."""
    box = [0.0, 0.0, 40.0, 40.0]
    found = {"boxes": [box] * len(scores), "scores": list(scores), "labels": labels or [1] * len(scores)}
    return [found], [{"boxes": [box], "labels": [1]}]


# Everything that is told


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


def merged(parts: list[boxscore.Evaluator]) -> boxscore.Evaluator:
    first = pickle.loads(pickle.dumps(parts[0]))
    for part in parts[1:]:
        first.merge(part)
    assert isinstance(first, boxscore.Evaluator)
    return first


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
    ours = {note.code: note.count for note in streamed.notes if note.code != "area-missing"}
    theirs = {note.code: note.count for note in run.notes if note.code != "area-missing"}
    assert {code: ours[code] for code in theirs if code in ours} == {c: n for c, n in theirs.items() if c in ours}
    assert set(ours) <= set(theirs)
    assert set(theirs) - set(ours) <= {"area-outside-all"}


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
    assert [note.code for note in evaluator.result().notes] == ["scores-equal"]
    evaluator.update(*one(0.25), image_ids=[3])
    assert [note.code for note in evaluator.result().notes] == ["tied-scores"]


# Labels


def test_without_names_the_labels_that_occur_stand_for_themselves() -> None:
    evaluator = boxscore.Evaluator()
    evaluator.update(*one(0.5, labels=[90]), image_ids=[1])
    evaluator.update(*one(0.25, labels=[2_000_000_000]), image_ids=[2])
    run = evaluator.result()
    assert run.labels.ids == (1, 90, 2_000_000_000)
    assert run.labels.names == ("1", "90", "2000000000")
    assert run.detections_by_label() == [0, 1, 1]


@pytest.mark.parametrize("label", [-1, 1.5, "car", 2**31, float("nan")])
def test_labels_that_can_not_stand_for_themselves(label: Any) -> None:
    with pytest.raises(boxscore.InputError, match=r"predictions\[0\] box 1: label .*labels="):
        boxscore.Evaluator().update(*one(0.5, 0.25, labels=["7" if label == "car" else 1, label]))


def test_an_unknown_label_is_refused_or_dropped_and_counted() -> None:
    with pytest.raises(boxscore.InputError, match="label 9 is not among the labels"):
        boxscore.Evaluator({1: "car"}).update(*one(0.5, 0.25, labels=[1, 9]))
    evaluator = boxscore.Evaluator({1: "car"}, reading=boxscore.Reading(unknown_labels="drop"))
    evaluator.update(*one(0.5, 0.4, 0.25, labels=[1, 8, 9]), image_ids=[7])
    evaluator.update(*one(0.5, 0.125, labels=[1, 9]), image_ids=[5])
    run = evaluator.result()
    (note,) = [note for note in run.notes if note.code == "unknown-label"]
    assert note.count == 3
    assert note.message.startswith("image 5, detection 1: label 9 is not among the labels (3 detections); left out")
    assert run.value("detections") == 2


# Tensors


class Tensor:
    """Behaves as a torch tensor does where it matters: no array until it is detached, on the CPU, and asked."""

    def __init__(self, values: Any, *, grad: bool = True, device: str = "cuda", wide: bool = True) -> None:
        self.values = np.asarray(values)
        self.grad, self.device, self.wide = grad, device, wide

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator["Tensor"]:
        return (Tensor(value) for value in self.values)

    def detach(self) -> "Tensor":
        return Tensor(self.values, grad=False, device=self.device, wide=self.wide)

    def cpu(self) -> "Tensor":
        return Tensor(self.values, grad=self.grad, device="cpu", wide=self.wide)

    def float(self) -> "Tensor":
        return Tensor(self.values.astype(np.float32), grad=self.grad, device=self.device)

    def item(self) -> Any:
        return self.values.item()

    def numpy(self) -> np.ndarray[Any, np.dtype[Any]]:
        if self.grad or self.device != "cpu":
            message = "Can't call numpy() on a tensor that requires grad, or is on another device"
            raise RuntimeError(message)
        if not self.wide:
            message = "Got unsupported ScalarType BFloat16"
            raise TypeError(message)
        return self.values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype, copy=copy)


def tensors(row: Row, **options: Any) -> Row:
    return {name: Tensor(values, **options) for name, values in row.items()}


@settings(max_examples=20)
@given(coco_data(Shape(grid_only=True)))
def test_tensors_are_as_good_as_lists(data: CocoData) -> None:
    expected = feed(new(data), images_of(data)).result()
    evaluator = new(data)
    for image, prediction, target in images_of(data):
        evaluator.update([tensors(prediction)], [tensors(target)], image_ids=Tensor([image]))
    assert evaluator.result().to_json() == expected.to_json()


def test_half_precision_tensors() -> None:
    predictions, targets = one(0.5)
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update([tensors(predictions[0], wide=False)], [tensors(targets[0])])
    assert evaluator.result().value("AP") == pytest.approx(1)


def test_inputs_are_not_changed() -> None:
    predictions, targets = one(0.5, 0.25)
    arrays = [{name: np.array(values) for name, values in row.items()} for row in (predictions[0], targets[0])]
    for row in arrays:
        for values in row.values():
            values.flags.writeable = False
    boxscore.Evaluator({1: "car"}).update([arrays[0]], [arrays[1]])
    assert arrays[0]["boxes"].tolist() == predictions[0]["boxes"]


# Memory


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


# Repeats


def test_what_differs_is_counted() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    evaluator.update(*one(0.5), image_ids=[17])
    with pytest.raises(boxscore.InputError, match="image 17 .*1 object and 1 detection then, 1 object and 2 det"):
        evaluator.update(*one(0.5, 0.25), image_ids=[17])
    with pytest.raises(boxscore.InputError, match="image 17 .*1 object and 1 detection both times, but other det"):
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


def test_ids_are_whole_numbers_or_texts_in_any_type() -> None:
    evaluator = boxscore.Evaluator({1: "car"})
    for image in (np.int64(3), 2.0, np.float32(1), "3", np.str_("a"), 2**64 - 1, -(2**63)):
        evaluator.update(*one(0.5), image_ids=[image])
    evaluator.update(*one(0.5), image_ids=np.array([7]))
    assert evaluator.result().image_ids == [-(2**63), 1, 2, 3, 7, 2**64 - 1, "3", "a"]
    for wrong in ("12", [1, 2], []):
        with pytest.raises(boxscore.InputError, match="image_ids"):
            evaluator.update(*one(0.5), image_ids=wrong)


def test_nothing_at_all() -> None:
    evaluator = boxscore.Evaluator()
    evaluator.update([], [])
    run = evaluator.result()
    assert (len(evaluator), run.num_images, run.value("AP")) == (0, 0, None)
    evaluator.update(*one(0.5), image_ids=[1])
    assert evaluator.result().value("AR") == 1.0


def test_an_unknown_box_format() -> None:
    with pytest.raises(boxscore.InputError, match="box_format"):
        boxscore.Evaluator(box_format="yxyx")
