"""The kernel's rules `voc` and `greedy` against slow Python that knows neither, on small scenes full of ties."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import _kernel
from boxscore.io.arrays import column
from boxscore.matching import IGNORED
from tests.oracle import greedy, voc
from tests.oracle.evaluation import POINTS_11

Row = dict[str, Any]
# Thirds and quarters of shared rows are likely overlaps of boxes on the grid, with and without the pixel.
THRESHOLDS = (5e-324, 0.25, 1 / 3, 0.5, 0.75, 1.0)
IMAGES = ("a", "b")
OUTCOMES = {(True, False): voc.TRUE, (False, False): voc.FALSE, (False, True): voc.NEITHER}

pixels = st.sampled_from((0.0, 1.0))
thresholds = st.sampled_from(THRESHOLDS)


def boxes() -> st.SearchStrategy[tuple[float, ...]]:
    """On a coarse grid, one pixel wide at least at times, and anywhere at others."""
    grid = st.tuples(
        *[st.integers(0, 4).map(lambda step: 4.0 * step)] * 2, *[st.sampled_from((0.0, 3.0, 4.0, 8.0))] * 2
    )
    free = st.tuples(*[st.floats(0, 16)] * 2, *[st.floats(0, 12)] * 2)
    return st.one_of(grid, grid, free)


objects = st.lists(
    st.fixed_dictionaries({"image": st.sampled_from(IMAGES), "box": boxes(), "difficult": st.sampled_from((0, 0, 1))}),
    max_size=6,
)
detections = st.lists(
    st.fixed_dictionaries(
        {"image": st.sampled_from(IMAGES), "box": boxes(), "score": st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0))}
    ),
    max_size=8,
)


def columns(rows: Sequence[Row]) -> tuple[Any, Any, Any]:
    """Image, label and box of each row, as the kernel takes them."""
    return (
        column(np.array([IMAGES.index(row["image"]) for row in rows]), "uint32"),
        column(np.zeros(len(rows)), "uint32"),
        column(np.array([row["box"] for row in rows]).reshape(-1, 4), "float64"),
    )


def matched(
    truth: Sequence[Row], found: Sequence[Row], threshold: float, pixel: float, rule: str, flags: Sequence[str]
) -> _kernel.Matches:
    """The kernel's matches of one label."""
    dataset, _ = _kernel.dataset_from_columns(
        IMAGES,
        *columns(truth),
        difficult=column(np.array([row["difficult"] for row in truth]), "uint8"),
    )
    rows, _ = _kernel.detections_from_columns(
        dataset,
        IMAGES,
        *columns(found),
        column(np.array([row["score"] for row in found]), "float64"),
    )
    return _kernel.match_detections(
        dataset,
        rows,
        iou_thresholds=[threshold],
        area_ranges=[(0.0, 1e300)],
        max_detections=2**32 - 1,
        rule=rule,
        ignored=flags,
        pixel=pixel,
    )


def outcomes(matches: _kernel.Matches) -> list[str]:
    """What became of each detection, best score first, then by image, then by rank."""
    table = matches.detections
    values = [table.column(name).to_list() for name in ("score", "image", "rank", "matched", "ignored")]
    rows = [tuple(float(value or 0) for value in row) for row in zip(*values, strict=True)]
    ordered = sorted(rows, key=lambda row: (-row[0], row[1], row[2]))
    return [OUTCOMES[bool(row[3]), bool(row[4])] for row in ordered]


def average_precision(matches: _kernel.Matches) -> list[float | None]:
    """11-point AP, every-point AP and recall as the kernel accumulates them for VOC."""
    curves = _kernel.accumulate(
        matches,
        num_labels=1,
        num_areas=1,
        limits=[2**32 - 1],
        recall_points=POINTS_11,
        every_point=True,
        spaced=False,
    )
    where: dict[str, Any] = {"area": 0, "limit": 0, "thresholds": [0], "labels": [0]}
    return [curves.mean_precision(**where), curves.mean_average_precision(**where), curves.mean_recall(**where)]


@given(objects, detections, thresholds, pixels)
def test_voc_rule(truth: list[Row], found: list[Row], threshold: float, pixel: float) -> None:
    # The kernel lowers a threshold of 1, as pycocotools does: rounding must not take it out of reach.
    expected = voc.judged(truth, found, min(threshold, 1 - 1e-10), pixel)
    assert outcomes(matched(truth, found, threshold, pixel, "voc", IGNORED["difficult"])) == expected


@given(objects, detections, thresholds, pixels)
def test_voc_average_precision(truth: list[Row], found: list[Row], threshold: float, pixel: float) -> None:
    positives = voc.positives_of(truth)
    if positives == 0:
        return
    curve = voc.curve(voc.judged(truth, found, min(threshold, 1 - 1e-10), pixel), positives)
    expected = [voc.eleven_points(*curve), voc.every_point(*curve), max(curve[0], default=0.0)]
    matches = matched(truth, found, threshold, pixel, "voc", IGNORED["difficult"])
    assert average_precision(matches) == pytest.approx(expected, abs=1e-12)


@given(objects, detections, thresholds, pixels)
def test_greedy_rule(truth: list[Row], found: list[Row], threshold: float, pixel: float) -> None:
    expected = greedy.judged(truth, found, min(threshold, 1 - 1e-10), pixel)
    assert outcomes(matched(truth, found, threshold, pixel, "greedy", IGNORED["crowd"])) == expected


@pytest.mark.parametrize(("judge", "second"), [(voc.judged, voc.FALSE), (greedy.judged, voc.TRUE)])
def test_the_rules_differ_where_the_best_object_is_taken(judge: Callable[..., list[str]], second: str) -> None:
    """Two objects 1 apart, two detections nearer to the first: by hand, 9 of 11 columns and 8 of 12 are shared."""
    truth: list[Row] = [{"image": "a", "box": (x, 0.0, 10.0, 10.0), "difficult": 0} for x in (0.0, 3.0)]
    found: list[Row] = [{"image": "a", "box": (x, 0.0, 10.0, 10.0), "score": s} for x, s in ((0.0, 0.9), (1.0, 0.8))]
    assert math.isclose(voc.overlap(found[1]["box"], truth[0]["box"], 0.0), 9 / 11)
    assert judge(truth, found, 0.5, 0.0) == [voc.TRUE, second]
    rule = "voc" if judge is voc.judged else "greedy"
    assert outcomes(matched(truth, found, 0.5, 0.0, rule, ())) == [voc.TRUE, second]


def test_a_pixel_by_hand() -> None:
    """Boxes of 10 columns (0..9), shifted by 5: they share 5 of 15 columns, and without the pixel 4 of 14."""
    assert voc.overlap((0, 0, 9, 9), (5, 0, 9, 9), 1.0) == 50 / 150
    assert voc.overlap((0, 0, 9, 9), (5, 0, 9, 9), 0.0) == 36 / 126
    truth: list[Row] = [{"image": "a", "box": (0.0, 0.0, 9.0, 9.0), "difficult": 0}]
    found: list[Row] = [{"image": "a", "box": (5.0, 0.0, 9.0, 9.0), "score": 0.5}]
    for pixel, outcome in ((1.0, voc.TRUE), (0.0, voc.FALSE)):
        assert voc.judged(truth, found, 0.3, pixel) == [outcome]
        assert outcomes(matched(truth, found, 0.3, pixel, "voc", ())) == [outcome]


def test_a_difficult_object_by_hand() -> None:
    """It need not be found, and is not used up: two detections of it count neither way."""
    truth: list[Row] = [{"image": "a", "box": (0.0, 0.0, 9.0, 9.0), "difficult": 1}]
    found: list[Row] = [{"image": "a", "box": (0.0, 0.0, 9.0, 9.0), "score": score} for score in (0.9, 0.8)]
    assert voc.judged(truth, found, 0.5, 1.0) == [voc.NEITHER] * 2
    assert outcomes(matched(truth, found, 0.5, 1.0, "voc", IGNORED["difficult"])) == [voc.NEITHER] * 2
    assert voc.positives_of(truth) == 0
