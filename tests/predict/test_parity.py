"""Parity: the same model twice, a changed model, a changed card, another interpreter; counts worked by hand."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.predict.card import load_card
from boxscore.predict.decode import Found
from boxscore.predict.parity import _pair
from boxscore.predict.parity_pairs import overlaps, pairs
from boxscore.predict.parity_result import Extreme, Limits, Parity
from boxscore.predict.parity_runners import Side
from tests.support.cards import write_card
from tests.support.command import Finished, boxscore, refusal

FEW = ("000000005001.jpg", "000000030213.jpg", "000000055299.jpg")


def found(*rows: tuple[float, float, float, float, float, int]) -> Found:
    table = np.array(rows, np.float64).reshape(-1, 6)
    return Found(table[:, :4], table[:, 4], table[:, 5].astype(np.int64))


def test_pairs_take_the_largest_overlap_of_their_label_first() -> None:
    one = found((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 9, 0.8, 0), (50, 50, 60, 60, 0.7, 1))
    other = found((0, 0, 10, 9, 0.85, 0), (0, 0, 10, 10, 0.5, 1), (50, 50, 60, 58, 0.65, 1), (0, 1, 10, 10, 0.1, 0))
    made = pairs(one, other)
    assert list(zip(made.one.tolist(), made.other.tolist(), strict=True)) == [(0, 3), (1, 0), (2, 2)]
    assert made.iou.tolist() == pytest.approx([0.9, 1.0, 0.8])
    assert made.score.tolist() == pytest.approx([0.8, 0.05, 0.05])
    assert made.pixels.tolist() == [1, 0, 2]


def test_among_equal_overlaps_the_nearest_score_is_the_partner() -> None:
    one = found((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 10, 0.2, 0))
    other = found((0, 0, 10, 10, 0.3, 0), (0, 0, 10, 10, 0.85, 0))
    made = pairs(one, other)
    assert made.other.tolist() == [1, 0]


def test_equal_boxes_without_area_are_pairs() -> None:
    assert overlaps(np.array([[1.0, 1, 1, 5]]), np.array([[1.0, 1, 1, 5], [1, 1, 1, 6]])).tolist() == [[1.0, 0.0]]


def parity(one: Found, other: Found, limits: Limits | None = None) -> Parity:
    made = Parity(({}, {}), limits or Limits())
    _pair(made, "a.jpg", one, other, ["cat", "dog"])
    return made


def test_counts_and_extremes_by_hand() -> None:
    one = found((0, 0, 100, 100, 0.9, 0), (200, 0, 300, 100, 0.06, 1), (0, 200, 100, 300, 0.5, 0))
    other = found((0, 0, 100, 99.5, 0.905, 0), (200, 0, 300, 100, 0.045, 1), (400, 0, 500, 9, 0.3, 1))
    made = parity(one, other)
    # The second pair has scores 0.015 apart; only one of them is 0.05 or more.
    assert (made.detections, made.paired, made.agreeing) == ([3, 2], [2, 1], [1, 1])
    assert made.share == pytest.approx(1 / 3)
    assert not made.passes
    assert made.pixels == Extreme(0.5, "a.jpg", "cat", (0.9, 0.905))
    assert made.iou.value == pytest.approx(0.995)
    assert made.score.value == pytest.approx(0.015)
    assert [(missed.value, missed.label) for missed in made.missed] == [(0.5, "cat"), (0.3, "dog")]
    assert made.same_bits == 0
    assert parity(one, other, Limits(share=0.3)).passes


def test_the_limits_are_inclusive() -> None:
    one, other = found((0, 0, 100, 100, 0.5, 0)), found((0, 0, 100, 99, 0.51, 0))
    assert parity(one, other).passes
    assert not parity(one, other, Limits(iou=0.991)).passes
    assert not parity(one, other, Limits(score=0.009)).passes


def test_nothing_found_on_both_sides_is_the_same_and_on_one_side_is_not() -> None:
    assert parity(found(), found()).passes
    assert parity(found(), found()).share is None
    assert not parity(found(), found((0, 0, 9, 9, 0.9, 0))).passes


@pytest.fixture(scope="module")
def card(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card of FastestDet, the fastest of the models."""
    content = json.loads((data_folder / "coco_val164/instances_val164.json").read_text())
    names = [one["name"] for one in sorted(content["categories"], key=lambda one: one["id"])]
    model = data_folder / "models_coco80/FastestDet.onnx"
    return write_card(tmp_path_factory.mktemp("card"), model, "fastestdet", 352, names)


@pytest.fixture(scope="module")
def pictures(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for name in FEW:
        (folder / name).write_bytes((data_folder / "coco_val164/images" / name).read_bytes())
    return folder


def command(card: Path, pictures: Path, *options: str | Path) -> tuple[Finished, dict[str, Any]]:
    done = boxscore("parity", card, pictures, "--json", *options)
    return done, done.report if done.output else {}


def test_two_settings_of_one_provider(card: Path, pictures: Path) -> None:
    done, report = command(card, pictures, "--threads", "1,2", "--providers", "cpu")
    assert (done.status, report["passes"], report["share"]) == (0, True, 1.0)
    assert report["detections"][0] > 100
    assert report["detections"] == report["paired"] == report["agreeing"]
    assert [side["threads"] for side in report["sides"]] == [1, 2]
    assert report["largest_score_difference"]["value"] < 1e-4


def test_another_interpreter_with_the_same_runtime_gives_the_same_bits(card: Path, pictures: Path) -> None:
    done, report = command(card, pictures, "--threads", "1", "--python-b", sys.executable)
    assert done.status == 0
    assert report["pictures_with_the_same_bits"] == len(FEW)
    assert sys.executable in report["sides"][1]["python"]


def test_a_changed_model_is_told_with_the_largest_differences(card: Path, pictures: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.onnx"
    changed.write_bytes(with_other_weights(Path(load_card(card).model.path).read_bytes()))
    done = boxscore("parity", card, pictures, "--model-b", changed)
    assert done.status == 1
    assert "(model=changed.onnx): changed.onnx" in done.output
    assert "Not the same: " in done.output
    report = command(card, pictures, "--model-b", changed)[1]
    assert report["share"] < 0.9
    assert report["largest_score_difference"]["value"] > 0.01
    assert report["sides"][0]["model"]["sha256"] != report["sides"][1]["model"]["sha256"]
    assert command(card, pictures, "--model-b", changed, "--share", "0")[0].status == 0


def with_other_weights(content: bytes) -> bytes:
    """A stretch of weights, found as numbers that look like weights, is a tenth larger: the graph stays what it is."""
    weights = bytearray(content)
    stretch, changed = 8_000, 0
    for begin in range(0, len(weights) - stretch, stretch):
        for place in range(begin, begin + 4):
            with np.errstate(all="ignore"):
                values = np.frombuffer(content, np.float32, stretch // 4 - 1, place)
                alike = np.isfinite(values).all() and 1e-4 < np.median(np.abs(values)) < 1 and np.abs(values).max() < 50
            if alike:
                weights[place : place + values.nbytes] = (values * np.float32(1.1)).tobytes()
                changed += 1
                break
    assert changed > 10
    return bytes(weights)


def test_a_changed_card_and_figures_side_by_side(card: Path, pictures: Path, data_folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(card.read_text().replace("size: 352", "size: 352\n  channels: rgb"))
    truth = data_folder / "coco_val164/instances_val164.json"
    done, report = command(card, pictures, "--card-b", other, "--ground-truth", truth)
    assert (done.status, report["passes"]) == (1, False)
    first, second = report["figures"]["AP@0.5"]
    assert first > 0
    assert first != second
    same = command(card, pictures, "--ground-truth", truth)[1]["figures"]
    assert all(one == two for one, two in same.values())


def test_a_picture_that_can_not_be_read_is_listed_and_fails(card: Path, pictures: Path, tmp_path: Path) -> None:
    (tmp_path / "good.jpg").write_bytes((pictures / FEW[0]).read_bytes())
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    done, report = command(card, tmp_path)
    assert (done.status, report["share"], report["passes"]) == (1, 1.0, False)
    assert "bad.jpg" in report["unreadable"][0]
    assert "bad.jpg" in done.errors


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--providers", "cpu,tpu"], "no provider 'tpu'"),
        (["--providers", "cpu,cpu,cpu"], "--providers 'cpu,cpu,cpu': give one for each side"),
        (
            ["--providers", "cpu,tpu", "--python-b", sys.executable],
            "side B: .* no provider 'tpu'; this ONNX Runtime has",
        ),
        (["--python-b", "nowhere/python"], "nowhere/python can't be started"),
        (["--python-b", "a", "--package-b", "b"], "give one of them"),
        (["--package-b", "numpy"], "give a package that brings ONNX Runtime"),
        (["--threads", "0"], "give whole numbers from 1 up"),
        (["--model-b", "nowhere.onnx"], "nowhere.onnx: the model can't be read"),
        (["--taxonomy", "nowhere.yaml"], "give that, too, with --ground-truth"),
        (["--above", "2"], "--above 2: give a number from 0 to 1"),
    ],
)
def test_what_can_not_be_done_is_refused(options: list[str], told: str, card: Path, pictures: Path) -> None:
    import re

    message = refusal(boxscore("parity", card, pictures, *options))
    assert re.search(told, message), message


def test_an_interpreter_that_dies_is_told(card: Path, pictures: Path, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho 'the library is gone' >&2\nexit 3\n")
    fake.chmod(0o755)
    message = refusal(boxscore("parity", card, pictures, "--python-b", fake))
    assert "ended with status 3: the library is gone" in message


def test_models_of_other_classes_are_not_compared(card: Path, pictures: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(card.read_text().replace("- person\n", "- human\n"))
    assert "the two sides have other classes" in refusal(boxscore("parity", card, pictures, "--card-b", other))


def test_a_side_is_a_card_with_its_runtime(card: Path) -> None:
    runner = Side("A", load_card(card), ["cpu"], 1).start()
    assert runner.describe()["providers"] == ["CPUExecutionProvider"]
    runner.close()
