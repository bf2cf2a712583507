"""Each decoder on tensors made by hand, with boxes worked by hand, and beside plain loops on random ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxscore.errors import InputError
from boxscore.predict import decoders
from boxscore.predict.decoders.asked import Asked
from tests.oracle import decoding

Array = NDArray[Any]
LEAST = 0.01
HALF = float(np.log(0.5))
"""exp of it is one half."""


def run(name: str, outputs: Sequence[Array], asked: Asked) -> tuple[Any, Any, Any]:
    """The candidates of one picture, as lists."""
    (found,) = decoders.built_in(name)(outputs, asked)
    boxes, scores, labels = found
    assert boxes.shape == (len(scores), 4)
    return boxes.tolist(), scores.tolist(), labels.tolist()


def single(*values: float) -> Array:
    return np.array(values, np.float32)


def test_yolox_by_hand() -> None:
    # 64 x 32: grids of 8 x 4, 4 x 2 and 2 x 1 cells. Cell 34 is column 2, row 0 of stride 16.
    output = np.zeros((1, 32 + 8 + 2, 7), np.float32)
    output[0, 34] = [0.5, 0.25, np.log(2), HALF, 0.5, 0.8, 0.1]
    boxes, scores, labels = run("yolox", [output], Asked(64, 32, 2))
    # Centre (2.5 * 16, 0.25 * 16) = (40, 4), size (32, 8).
    assert boxes[0] == pytest.approx([24, 0, 56, 8], abs=1e-5)
    assert boxes[1] == boxes[0]
    assert scores == pytest.approx([0.4, 0.05])
    assert labels == [0, 1]


def test_yolov5_by_hand() -> None:
    output = single(100, 50, 20, 10, 0.5, 0.9, 0.01, 10, 10, 4, 4, 0.005, 1, 1).reshape(1, 2, 7)
    assert run("yolov5", [output], Asked(640, 640, 2)) == ([[90, 45, 110, 55]], pytest.approx([0.45]), [0])


def test_yolov8_by_hand() -> None:
    # Three boxes, two labels; the columns are the boxes.
    columns = [[10, 20, 30], [5, 6, 7], [4, 8, 2], [2, 2, 2], [0.9, 0.001, 0.2], [0.3, 0.002, 0.6]]
    boxes, scores, labels = run("yolov8", [np.array([columns], np.float32)], Asked(64, 64, 2))
    assert boxes == [[8, 4, 12, 6]] * 2 + [[29, 6, 31, 8]] * 2
    assert scores == pytest.approx([0.9, 0.3, 0.2, 0.6])
    assert labels == [0, 1, 0, 1]
    best = run("yolov8", [np.array([columns], np.float32)], Asked(64, 64, 2, one_label=True))
    assert (best[1], best[2]) == (pytest.approx([0.9, 0.6]), [0, 1])


def test_end_to_end_by_hand() -> None:
    output = single(1, 2, 3, 4, 0.9, 1, 5, 6, 7, 8, 0.0099, 0, 0, 0, 0, 0, 0, 0).reshape(1, 3, 6)
    assert run("end-to-end", [output], Asked(64, 64, 2)) == ([[1, 2, 3, 4]], pytest.approx([0.9]), [1])


def test_nanodet_by_hand() -> None:
    # 32 x 32: 16, 4 and 1 cells; cell 2 of stride 16 is column 0, row 1: its centre (7.5, 23.5).
    scores = [np.zeros((1, count, 2), np.float32) for count in (16, 4, 1)]
    bins = [np.full((1, count, 32), -50, np.float32) for count in (16, 4, 1)]
    scores[1][0, 2] = [0.0, 0.7]
    for side, distance in enumerate((0, 1, 2, 7)):
        bins[1][0, 2, side * 8 + distance] = 50.0
    bins[1][0, 2, 1] = 50.0  # left: 0 and 1 alike, so one half
    boxes, chances, labels = run("nanodet", [*scores, *bins], Asked(32, 32, 2))
    assert boxes == [pytest.approx([7.5 - 8, 23.5 - 16, 7.5 + 32, 23.5 + 112])]
    assert (chances, labels) == (pytest.approx([0.7]), [1])


def test_fastestdet_by_hand() -> None:
    output = np.full((1, 7, 2, 4), 0.0, np.float32)
    output[0, :, 1, 3] = [0.5, 0, np.arctanh(0.5), 0, np.log(1 / 3), 1.0, 0.25]
    boxes, scores, labels = run("fastestdet", [output], Asked(400, 200, 2))
    # Centre (3 / 4 * 400, 1.5 / 2 * 200) = (300, 150), size (1/2 * 400, 1/4 * 200).
    assert boxes[0] == pytest.approx([200, 125, 400, 175])
    assert scores == pytest.approx([0.5**0.6, 0.5**0.6 * 0.25**0.4])
    assert labels == [0, 1]


def test_detr_by_hand() -> None:
    boxes = single(0.5, 0.5, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1).reshape(1, 2, 4)
    # Two classes and a column for no object, which gives nothing, however sure.
    logits = single(0.0, np.log(3), 9, -20, -20, 9).reshape(1, 2, 3)
    wanted = [[pytest.approx([40, 22.5, 60, 27.5])] * 2, pytest.approx([0.5, 0.75]), [0, 1]]
    asked = Asked(100, 50, 2, score="sigmoid")
    assert [*run("detr", [boxes, logits], asked)] == wanted
    assert [*run("detr", [logits, boxes], asked)] == wanted


def test_detr_with_softmax_gives_the_best_label_of_each_query() -> None:
    boxes = single(0.5, 0.5, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1).reshape(1, 2, 4)
    logits = np.log(single(1, 2, 1, 1, 1, 998)).reshape(1, 2, 3)
    found = run("detr", [logits, boxes], Asked(100, 100, 2, score="softmax"))
    assert found == ([pytest.approx([40, 45, 60, 55])], pytest.approx([0.5]), [1])


def test_detr_chosen_within_the_model_by_hand() -> None:
    labels, scores = np.array([[1, 0, 1]]), single(0.9, 0.5, 0.001).reshape(1, 3)
    boxes = single(*range(12)).reshape(1, 3, 4)
    found = run("detr", [labels, boxes, scores], Asked(64, 64, 2))
    assert found == ([[0, 1, 2, 3], [4, 5, 6, 7]], pytest.approx([0.9, 0.5]), [1, 0])


def test_rtmdet_by_hand() -> None:
    logits = [np.full((1, 2, side, side), -20, np.float32) for side in (8, 4, 2)]
    reaches = [np.zeros((1, 4, side, side), np.float32) for side in (8, 4, 2)]
    logits[2][0, 1, 1, 0] = np.log(4)
    reaches[2][0, :, 1, 0] = [1, 2, 3, 4]
    # Column 0, row 1 of stride 32: the point is (0, 32), without half a cell.
    assert run("rtmdet", [*logits, *reaches], Asked(64, 64, 2)) == ([[-1, 30, 3, 36]], pytest.approx([0.8]), [1])


def test_rtmdet_with_suppression_inside_by_hand() -> None:
    dets = single(1, 2, 3, 4, 0.9, 5, 6, 7, 8, 0.001).reshape(1, 2, 5)
    labels = np.array([[1, 0]])
    assert run("rtmdet", [dets, labels], Asked(64, 64, 2)) == ([[1, 2, 3, 4]], pytest.approx([0.9]), [1])


def test_damo_by_hand() -> None:
    scores, boxes = single(0.001, 0.002, 0.3, 0.6).reshape(1, 2, 2), single(*range(8)).reshape(1, 2, 4)
    found = run("damo-yolo", [scores, boxes], Asked(64, 64, 2))
    assert found == ([[4, 5, 6, 7]] * 2, pytest.approx([0.3, 0.6]), [0, 1])


def yunet_outputs(width: int, height: int) -> list[Array]:
    counts = [(width // stride) * (height // stride) for stride in (8, 16, 32)]
    return [np.zeros((1, count, columns), np.float32) for columns in (1, 1, 4, 10) for count in counts]


def test_yunet_by_hand() -> None:
    outputs = yunet_outputs(64, 32)
    for output, values in zip(outputs[1:12:3], ([0.5], [0.02], [0.5, 0.5, 0, np.log(2)], [9] * 10), strict=True):
        output[0, 5] = values
    # Cell 5 of a grid of 4 x 2 with stride 16: column 1, row 1. Centre (24, 24), size (16, 32).
    found = run("yunet", outputs, Asked(64, 32, 1))
    assert found == ([pytest.approx([16, 8, 32, 40])], pytest.approx([0.1]), [0])


def hold(name: str, outputs: Sequence[Array], asked: Asked, wanted: Sequence[decoding.Candidate]) -> None:
    """The decoder gives the candidates of the plain loops, from the least score up, in order of place and label."""
    boxes, scores, labels = run(name, outputs, asked)
    enough = [one for one in wanted if one[2] >= asked.least]
    assert len(wanted) > len(enough) > 10
    assert labels == [label for _, _, _, label in enough]
    assert scores == pytest.approx([score for _, _, score, _ in enough], rel=1e-5)
    np.testing.assert_allclose(boxes, [box for _, box, _, _ in enough], rtol=1e-4, atol=1e-3)


def random(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).uniform(size=shape).astype(np.float32)


def normal(seed: int, *shape: int, middle: float = 0.0) -> Array:
    return np.random.default_rng(seed).normal(middle, 2, size=shape).astype(np.float32)


def test_yolox_beside_plain_loops() -> None:
    output = np.concatenate([normal(1, 1, 168, 4), random(2, 1, 168, 4) ** 4], axis=2)
    hold("yolox", [output], Asked(128, 64, 3), decoding.yolox(output[0].tolist(), 128, 64))


def test_nanodet_beside_plain_loops() -> None:
    scores = [random(seed, 1, count, 3) ** 8 for seed, count in ((1, 128), (2, 32), (3, 8))]
    bins = [normal(seed, 1, count, 32) for seed, count in ((4, 128), (5, 32), (6, 8))]
    every, all_bins = (np.concatenate(group, axis=1)[0].tolist() for group in (scores, bins))
    hold("nanodet", [*scores, *bins], Asked(128, 64, 3), decoding.nanodet(every, all_bins, 128, 64, plus=False))


def test_nanodet_plus_beside_plain_loops() -> None:
    # 100 x 60 is no multiple of the strides: cells that reach over the edge count.
    count = 13 * 8 + 7 * 4 + 4 * 2 + 2 * 1
    scores, bins = random(1, 1, count, 3) ** 8, normal(2, 1, count, 32)
    wanted = decoding.nanodet(scores[0].tolist(), bins[0].tolist(), 100, 60, plus=True)
    hold("nanodet-plus", [np.concatenate([scores, bins], axis=2)], Asked(100, 60, 3), wanted)


def test_fastestdet_beside_plain_loops() -> None:
    maps = np.concatenate([random(1, 1, 1, 4, 6) ** 4, normal(2, 1, 4, 4, 6), random(3, 1, 3, 4, 6) ** 8], axis=1)
    hold("fastestdet", [maps], Asked(96, 64, 3), decoding.fastestdet(maps[0].tolist(), 96, 64))


def test_yunet_beside_plain_loops() -> None:
    outputs = [
        np.random.default_rng(seed).uniform(size=one.shape).astype(np.float32) ** 6
        for seed, one in enumerate(yunet_outputs(96, 64))
    ]
    rows = [np.concatenate(outputs[begin : begin + 3], axis=1)[0].tolist() for begin in (0, 3, 6)]
    hold("yunet", outputs, Asked(96, 64, 1), decoding.yunet(rows[0], rows[1], rows[2], 96, 64))


def test_rtmdet_beside_plain_loops() -> None:
    sides = ((8, 12), (4, 6), (2, 3))
    logits = [normal(seed, 1, 3, *side, middle=-5) for seed, side in enumerate(sides)]
    reaches = [random(seed, 1, 4, *side) * 50 for seed, side in enumerate(sides)]
    wanted = decoding.rtmdet([one[0].tolist() for one in logits], [one[0].tolist() for one in reaches], (8, 16, 32))
    hold("rtmdet", [*logits, *reaches], Asked(96, 64, 3), wanted)


def test_detr_beside_plain_loops() -> None:
    boxes, logits = random(1, 1, 60, 4), normal(2, 1, 60, 6, middle=-4)
    wanted = decoding.detr(boxes[0].tolist(), logits[0].tolist(), 320, 256, 5)
    hold("detr", [boxes, logits], Asked(320, 256, 5, score="sigmoid"), wanted)
    softmax = decoding.detr_softmax(boxes[0].tolist(), (logits[0] * 2).tolist(), 320, 256)
    hold("detr", [boxes, logits * 2], Asked(320, 256, 5, score="softmax"), softmax)


def test_pictures_of_a_batch_are_decoded_apart() -> None:
    output = np.concatenate([normal(1, 2, 168, 4), random(2, 2, 168, 4) ** 4], axis=2)
    both = decoders.built_in("yolox")([output], Asked(128, 64, 3))
    for row in (0, 1):
        (alone,) = decoders.built_in("yolox")([output[row : row + 1]], Asked(128, 64, 3))
        for part, other in zip(both[row], alone, strict=True):
            np.testing.assert_array_equal(part, other)


@pytest.mark.parametrize(("name", "axes"), [("yolox", 3), ("yolov8", 3), ("detr", 3), ("fastestdet", 4), ("yunet", 3)])
def test_outputs_of_another_model_are_refused_with_both_shapes(name: str, axes: int) -> None:
    with pytest.raises(InputError, match=rf"output.decoder: {name} expects .*the model gives 2: \[1, 7\] and \[1, 7\]"):
        run(name, [np.zeros((1, 7))] * 2, Asked(64, 64, 2))
    with pytest.raises(InputError, match=f"{name} expects"):
        run(name, [np.zeros((1,) * axes)] * 5, Asked(64, 64, 2))


def test_another_number_of_classes_is_refused() -> None:
    with pytest.raises(InputError, match="classes: the card lists 3, but the model's output has scores for 2"):
        run("yolov8", [np.zeros((1, 6, 10), np.float32)], Asked(64, 64, 3))
    with pytest.raises(InputError, match=r"numbers 0 to 1.*gives label 7"):
        run("end-to-end", [single(1, 2, 3, 4, 0.9, 7).reshape(1, 1, 6)], Asked(64, 64, 2))
    with pytest.raises(InputError, match="the card lists 2, but the model's output has scores for 4"):
        run("detr", [np.zeros((1, 9, 4)), np.zeros((1, 9, 4)) - 3], Asked(64, 64, 2, score="sigmoid"))


def test_another_input_size_is_refused() -> None:
    with pytest.raises(InputError, match=r"input.size: yolox makes 84 boxes of 64 x 64 .* the model gives 42"):
        run("yolox", [np.zeros((1, 42, 7), np.float32)], Asked(64, 64, 2))


def test_a_transform_that_a_decoder_has_no_place_for_is_refused() -> None:
    with pytest.raises(InputError, match=r"output.score: yolox can't use 'sigmoid'; give as-is"):
        run("yolox", [np.zeros((1, 84, 7), np.float32)], Asked(64, 64, 2, score="sigmoid"))


def test_an_unknown_decoder_lists_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no decoder 'yolo9000'; there are yolox, .* module:function"):
        decoders.built_in("yolo9000")
