"""What an Evaluator takes: labels, ids, tensors."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import boxscore
from tests.strategies import CocoData, Shape, coco_data
from tests.support.streams import Row, feed, images_of, new, one


def test_without_names_the_labels_that_occur_stand_for_themselves() -> None:
    evaluator = boxscore.Evaluator()
    evaluator.update(*one(0.5, labels=[90]), image_ids=[1])
    evaluator.update(*one(0.25, labels=[2]), image_ids=[2])
    run = evaluator.result()
    assert run.labels.ids == (1, 2, 90)
    assert run.labels.names == ("1", "2", "90")
    assert run.detections_by_label() == [0, 1, 1]
    assert run.matches.detections.column("label").to_list() == [2, 1]


def test_a_large_label_number_takes_no_more_memory() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    evaluator = boxscore.Evaluator()
    evaluator.update(*one(0.25, labels=[2_000_000_000]))
    assert evaluator.result().labels.ids == (1, 2_000_000_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "kilobytes"


@pytest.mark.parametrize(
    ("label", "said"), [(-1, "can't .*labels="), (2**31, "can't .*labels="), (1.5, ""), (float("nan"), "")]
)
def test_labels_that_can_not_stand_for_themselves(label: float, said: str) -> None:
    with pytest.raises(boxscore.InputError, match=rf"predictions\[0\] box 1: label.*{said}"):
        boxscore.Evaluator().update(*one(0.5, 0.25, labels=[1, label]))
    with pytest.raises(boxscore.InputError, match=r"predictions\[0\] box 0: label 'car' .*labels="):
        boxscore.Evaluator().update(*one(0.5, labels=["car"]))


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
