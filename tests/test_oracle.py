"""The oracle itself, against figures worked by hand and against pycocotools."""

from hypothesis import given

from tests.oracle import evaluation
from tests.oracle.curves import at_recall_points, every_point
from tests.oracle.matching import FALSE, TRUE, match
from tests.oracle.overlap import overlap
from tests.strategies import CocoData, Shape, coco_data
from tests.support import reference
from tests.support.bits import same_bits


def rows(outcomes: str) -> list[dict[str, object]]:
    """`+` is a true positive, `-` a false one; scores descend."""
    kinds = {"+": TRUE, "-": FALSE}
    return [{"outcome": kinds[one], "score": 1 - at / 10} for at, one in enumerate(outcomes)]


def test_overlap_of_boxes_that_share_half() -> None:
    # Two squares of 10 x 10, shifted by 5: 50 shared, 150 covered.
    assert overlap([0, 0, 10, 10], [5, 0, 10, 10]) == 50 / 150
    assert overlap([0, 0, 10, 10], [5, 0, 10, 10], crowd=True) == 0.5
    assert overlap([0, 0, 10, 10], [10, 0, 10, 10]) == 0.0


def test_every_point_by_hand() -> None:
    # Hit, miss, hit of two objects: precision 1 up to recall 1/2, then 2/3.
    assert every_point(rows("+-+"), 2) == 0.5 * 1 + 0.5 * (2 / 3)


def test_eleven_points_by_hand() -> None:
    # Recall 0, 0.1 ... 0.5 at precision 1 (6 points), the other 5 at 2/3.
    values, _ = at_recall_points(rows("+-+"), 2, evaluation.POINTS_11, spaced=False)
    assert values == [1.0] * 6 + [2 / 3] * 5


def test_last_of_equal_overlaps_is_taken() -> None:
    box = {"bbox": [0, 0, 10, 10], "score": 1.0}
    objects = [{"bbox": [2, 0, 10, 10], "area": 100.0}, {"bbox": [-2, 0, 10, 10], "area": 100.0}]
    assert match(objects, [box], 0.5, (0, 1e10)) == ([TRUE], [1])


@given(coco_data(Shape(max_labels=2, max_objects=5, max_detections=7, degenerate=True)))
def test_oracle_agrees_with_pycocotools(data: CocoData) -> None:
    coco = reference.run(data.ground_truth, data.results)
    found = evaluation.evaluate(
        data.image_ids, data.ground_truth["annotations"], data.results, data.labels, limits=(1, 10, 100)
    )
    same_bits(found, reference.arrays(coco), ["precision", "recall", "scores"])
    assert evaluation.summary(found) == reference.figures(coco)
