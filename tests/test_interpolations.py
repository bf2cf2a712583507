"""Other ways to the area under the curve, through a protocol file of one's own, against the oracle."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings

import boxscore
from tests.oracle import evaluation
from tests.oracle.evaluation import POINTS_11, POINTS_101
from tests.strategies import CocoData, Shape, coco_data
from tests.support import public

PROTOCOL = """
format = 1
name = "own"
version = "1"
rule = "coco"
pixels = "continuous"
interpolation = "{interpolation}"
iou_thresholds = [0.5, 0.75]
max_detections = [10, 100]
ignore_flag = "crowd"
object_area = "field"
headline = ["AP", "AP@0.5", "AR"]

[area_ranges]
all = [0, 1e10]
small = [0, 1024]
"""


@pytest.fixture(scope="session")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], boxscore.Protocol]:
    """Makes a protocol with an interpolation."""

    def make(interpolation: str) -> boxscore.Protocol:
        path: Path = tmp_path_factory.mktemp("protocol") / "own.toml"
        path.write_text(PROTOCOL.format(interpolation=interpolation))
        return boxscore.load_protocol(path)

    return make


def by_oracle(data: CocoData, points: tuple[float, ...]) -> dict[str, evaluation.Array]:
    """The oracle's arrays for the protocol's cells and limits."""
    return evaluation.evaluate(
        data.image_ids,
        data.ground_truth["annotations"],
        data.results,
        data.labels,
        thresholds=(0.5, 0.75),
        area_ranges=((0.0, 1e10), (0.0, 1024.0)),
        limits=(10, 100),
        points=points,
    )


@pytest.mark.parametrize(("interpolation", "points"), [("11-point", POINTS_11), ("101-point", POINTS_101)])
@settings(max_examples=40)
@given(data=coco_data())
def test_recall_points(
    interpolation: str, points: tuple[float, ...], protocol: Callable[[str], boxscore.Protocol], data: CocoData
) -> None:
    run = public.evaluate(data.ground_truth, data.results, protocol=protocol(interpolation))
    precision = by_oracle(data, points)["precision"]
    assert run.value("AP") == evaluation.mean(precision[:, 0, 1])
    assert run.value("AP[max=10]@0.75") == evaluation.mean(precision[:, 0, 0, 1:])
    assert run.value("AP[area=small]") == evaluation.mean(precision[:, 1, 1])


@settings(max_examples=40)
@given(data=coco_data(Shape(max_labels=2)))
def test_every_point(protocol: Callable[[str], boxscore.Protocol], data: CocoData) -> None:
    run = public.evaluate(data.ground_truth, data.results, protocol=protocol("every-point"))
    area = by_oracle(data, POINTS_11)["average_precision"]
    named = {"AP": area[:, 0, 1], "AP[max=10]@0.5": area[:, 0, 0, :1], "AP[area=small]": area[:, 1, 1]}
    for name, values in named.items():
        expected = evaluation.mean(values)
        found = run.value(name)
        assert (found is None) == (expected is None), name
        assert found is None or expected is None or abs(found - expected) < 1e-12, name


def test_the_three_differ_by_hand(protocol: Callable[[str], boxscore.Protocol]) -> None:
    """Hit, miss, hit of two objects: precision 1 up to recall 1/2, then 2/3."""
    box = {"image_id": 1, "category_id": 1}
    places = ([0, 0, 40, 40], [300, 0, 40, 40], [100, 0, 40, 40])
    objects = [box | {"id": at + 1, "bbox": places[at], "area": 1600, "iscrowd": 0} for at in (0, 2)]
    truth = {"images": [{"id": 1}], "annotations": objects, "categories": [{"id": 1, "name": "thing"}]}
    results = [box | {"bbox": place, "score": 0.9 - at / 10} for at, place in enumerate(places)]
    expected = {"11-point": (6 + 5 * 2 / 3) / 11, "101-point": (51 + 50 * 2 / 3) / 101, "every-point": (1 + 2 / 3) / 2}
    for interpolation, value in expected.items():
        run = public.evaluate(truth, results, protocol=protocol(interpolation))
        assert run.value("AP") == pytest.approx(value, rel=0, abs=1e-12), interpolation
