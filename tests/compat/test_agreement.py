"""Random data and parameters give pycocotools' arrays, figures, entries and printed lines, to the last bit."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compat.both import Changes, ours, ours_of_files, same_arrays, same_entries, same_overlaps, silent, theirs
from tests.strategies import CocoData, Shape, coco_data, crowded_data

AWKWARD = Shape(degenerate=True)
GRID = (0.125, 0.25, 1 / 3, 0.5, 0.6, 0.75, 7 / 9, 0.875, 1.0)


def thresholds(most: int = 5) -> st.SearchStrategy[Any]:
    """IoU thresholds, often ones that overlaps on the grid meet exactly."""
    values = st.lists(st.one_of(st.sampled_from(GRID), st.floats(0.05, 0.99)), min_size=1, max_size=most)
    return values.map(np.array)


def area_ranges() -> st.SearchStrategy[list[list[float]]]:
    """Ranges of area, some of them open above, some empty."""
    edges = st.sampled_from((0.0, 64.0, 1024.0, 4096.0, 9216.0, 1e10, float("inf")))
    return st.lists(st.tuples(edges, edges).map(list), min_size=1, max_size=9)


@st.composite
def changes(draw: st.DrawFn, data: CocoData) -> Changes:
    """Parameters other than the default, any of them."""
    ranges = draw(area_ranges())
    possible: Changes = {
        "iouThrs": draw(thresholds()),
        "recThrs": np.array(sorted(draw(st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=6)))),
        "maxDets": draw(st.permutations(draw(st.sampled_from([[1, 10, 100], [2, 3, 5], [1, 2, 100], [1, 2, 7]])))),
        "areaRng": ranges,
        "imgIds": draw(st.lists(st.sampled_from(data.image_ids), min_size=1)),
        "catIds": draw(st.lists(st.sampled_from(data.labels), min_size=1, unique=True)),
        "useCats": draw(st.integers(0, 1)),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(possible))))
    labels = {"areaRngLbl": [f"range {n}" for n in range(len(ranges))]} if "areaRng" in chosen else {}
    return {name: possible[name] for name in chosen} | labels


@st.composite
def cases(draw: st.DrawFn) -> tuple[CocoData, Changes]:
    """Data and parameters."""
    data = draw(coco_data(AWKWARD))
    return data, draw(changes(data))


@given(coco_data(AWKWARD))
def test_default_parameters(data: CocoData) -> None:
    mine, other = ours(data), theirs(data)
    same_arrays(mine, other)
    assert silent(mine.summarize) == silent(other.summarize)
    assert mine.stats.dtype == other.stats.dtype
    assert mine.stats.tobytes() == other.stats.tobytes()
    same_entries(mine, other)
    same_overlaps(mine, other)


@given(cases())
def test_any_parameters(case: tuple[CocoData, Changes]) -> None:
    data, changed = case
    mine, other = ours(data, changed), theirs(data, changed)
    same_arrays(mine, other)
    for name in ("imgIds", "maxDets"):
        assert list(getattr(mine.params, name)) == list(getattr(other.params, name))
    same_entries(mine, other)
    same_overlaps(mine, other)


@given(cases())
def test_any_parameters_from_files(tmp_path_factory: pytest.TempPathFactory, case: tuple[CocoData, Changes]) -> None:
    data, changed = case
    folder = tmp_path_factory.getbasetemp()
    mine, other = ours_of_files(data, folder, changed), theirs(data, changed)
    assert mine.cocoGt._tabled is not None
    assert mine.cocoDt._tabled is not None
    same_arrays(mine, other)
    same_entries(mine, other)
    same_overlaps(mine, other)
    # Dicts that are looked at are the same as if they had been made at once.
    assert mine.cocoDt.anns == ours(data).cocoDt.anns
    assert mine.cocoGt.dataset == data.ground_truth
    assert mine.cocoGt._tabled is mine.cocoDt._tabled is None
    silent(mine.evaluate)
    silent(mine.accumulate)
    same_arrays(mine, other)


@settings(max_examples=50)
@given(cases())
def test_printed_lines_and_figures(case: tuple[CocoData, Changes]) -> None:
    data, changed = case
    mine, other = ours(data, changed), theirs(data, changed)
    lines, reference = silent(mine.summarize).splitlines(), silent(other.summarize).splitlines()
    # pycocotools' first figure is at the limit 100, whatever the limits are (Q02).
    first = 0 if mine.params.maxDets[2] == 100 else 1
    assert len(lines) == len(reference) == 12
    assert lines[first:] == reference[first:]
    assert mine.stats[first:].tobytes() == other.stats[first:].tobytes()


@settings(max_examples=20)
@given(crowded_data())
def test_more_detections_than_the_limit(data: CocoData) -> None:
    mine, other = ours(data), theirs(data)
    same_arrays(mine, other)
    same_entries(mine, other)
    same_overlaps(mine, other)


@settings(max_examples=20)
@given(
    coco_data(), st.sampled_from(((70, 1), (70, 3), (10, 7), (1, 65), (33, 2))), st.lists(st.floats(0, 1), min_size=1)
)
def test_more_than_64_cells(data: CocoData, sizes: tuple[int, int], points: list[float]) -> None:
    many, areas = sizes
    changed = {
        "iouThrs": np.linspace(0.05, 0.95, many),
        "areaRng": [[64.0 * place, 64.0 * place + 4096] for place in range(areas)],
        "recThrs": np.array(sorted(points)),
    }
    mine, other = ours(data, changed), theirs(data, changed)
    same_arrays(mine, other)
    same_entries(mine, other)
    mine.accumulate()
    same_arrays(mine, other)


@settings(max_examples=50)
@given(cases())
def test_entries_that_were_looked_at_are_what_is_summed_up(case: tuple[CocoData, Changes]) -> None:
    data, changed = case
    mine, other = ours(data, changed), theirs(data, changed)
    assert mine.evalImgs is mine.evalImgs
    mine.accumulate()
    same_arrays(mine, other)


@settings(max_examples=50)
@given(coco_data(AWKWARD), st.randoms(use_true_random=False))
def test_detections_that_state_another_area_than_their_box(data: CocoData, random: Any) -> None:
    mine, other = ours(data), theirs(data)
    areas = [random.choice((0.0, 500.0, 5000.0, 50000.0)) for _ in data.results]
    for evaluation in (mine, other):
        for number, area in enumerate(areas):
            evaluation.cocoDt.anns[number + 1]["area"] = area
        silent(evaluation.evaluate)
        silent(evaluation.accumulate)
    same_arrays(mine, other)
    same_entries(mine, other)


@settings(max_examples=50)
@given(
    coco_data(), st.fixed_dictionaries({"imgIds": st.integers(1, 4), "catIds": st.integers(1, 3)}), st.integers(1, 4)
)
def test_accumulating_a_part_that_stands_first(data: CocoData, kept: dict[str, int], areas: int) -> None:
    # pycocotools finds a part only where it stands first in what was evaluated (Q50).
    mine, other = ours(data), theirs(data)
    for evaluation in (mine, other):
        part = evaluation.params
        for name, count in kept.items():
            setattr(part, name, getattr(part, name)[:count])
        part.areaRng = part.areaRng[:areas]
        part.recThrs = np.array([0.0, 0.3, 0.9])
        part.maxDets = [1, 10]
        silent(evaluation.accumulate)
    same_arrays(mine, other)


def test_published_figures_of_real_detectors(data_folder: Path) -> None:
    folder = data_folder / "coco_val164"
    ground_truth = json.loads((folder / "instances_val164.json").read_text())
    expected = json.loads((folder / "expected_pycocotools_stats.json").read_text())
    files = sorted((folder / "predictions").glob("*.json.gz"))
    assert files
    for path in files:
        evaluation = ours(CocoData(ground_truth, json.loads(gzip.decompress(path.read_bytes()))))
        silent(evaluation.summarize)
        assert evaluation.stats.tolist() == list(expected["stats"][path.name.removesuffix(".json.gz")].values())
