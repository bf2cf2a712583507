"""Run folders that older versions wrote are read for ever."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.sliced import Slicing, sliced
from boxscore.runs import digests, read_run

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
RUN = FIXTURES / "run_1_0"

SUMMARY = {
    "AP": 0.44629,
    "AP@0.5": 0.66502,
    "AP@0.75": 0.50165,
    "AP[area=small]": 0.5,
    "AP[area=medium]": 0.50495,
    "AP[area=large]": 0.7,
    "AR[max=1]": 0.34167,
    "AR": 0.55833,
    "AR[area=small]": 0.5,
    "AR[area=medium]": 0.5,
    "AR[area=large]": 0.7,
}


def test_results_of_format_1_0() -> None:
    saved = read_run(RUN)
    assert json.loads((RUN / "run.json").read_text())["format"] == "1.0"
    assert saved.summary == pytest.approx(SUMMARY, abs=1e-5)
    assert saved.labels.names == ("vélo", "car", "bus")
    assert saved.image_ids == [3, 12, 40, "night"]
    assert saved.protocol.modified == ("max_detections",)
    assert saved.manifest["over_limit"] == [1, 1]
    assert [note.code for note in saved.notes] == ["protocol-modified", "over-limit", "labels-without-ground-truth"]


def test_tables_of_format_1_0() -> None:
    saved = read_run(RUN)
    heights = {name: saved.table(name).height for name in saved.tables}
    assert heights == {"images": 4, "ground_truth": 6, "detections": 8, "metrics": 47, "pairs": 6}
    detections = saved.table("detections")
    assert detections["score"].to_list() == [0.9, 0.6, 0.3, 0.75, 0.5, 0.125, 0.8, 0.25]
    assert detections["rank"].to_list() == [0, 1, 2, 0, 0, 0, 0, 1]
    assert detections["gt"].to_list() == [0, 1, None, 2, 3, None, None, 4]


def test_a_run_of_format_1_0_is_a_run_again() -> None:
    run = load_run(RUN)
    assert run.summary == read_run(RUN).summary
    assert run.metrics.rows == read_run(RUN).metrics.rows


def test_the_same_data_meet_a_run_of_format_1_0() -> None:
    """What was saved then can be compared with what is evaluated now: both digests are the same."""
    inputs = FIXTURES / "run_1_0_input"
    run = boxscore.evaluate(inputs / "gt.json", inputs / "pred.json", max_detections=[1, 2])
    saved = read_run(RUN)
    assert run.data_identity == saved.data_identity
    assert digests.compatibility(run.protocol, run.labels, label_agnostic=False) == saved.compatibility
    assert run.summary == saved.summary


def test_format_1_0_had_no_floors_and_no_steps() -> None:
    saved = read_run(RUN)
    assert saved.floors is None
    assert saved.steps == []


def test_a_run_of_format_1_1_is_a_run_again() -> None:
    saved = read_run(FIXTURES / "run_1_1")
    assert json.loads((FIXTURES / "run_1_1" / "run.json").read_text())["format"] == "1.1"
    assert saved.summary["F1"] == pytest.approx(0.8)
    assert saved.steps == [{"step": "nms", "iou": 0.7, "before": 8, "after": 8}]
    run = load_run(FIXTURES / "run_1_1")
    assert run.floors is not None
    assert (run.floors.default, run.floors.by_label) == (0.2, {"car": 0.35})
    assert run.summary == saved.summary
    assert run.metrics.rows == saved.metrics.rows


def test_the_same_data_meet_a_run_of_format_1_1() -> None:
    inputs = FIXTURES / "run_1_0_input"
    run = boxscore.evaluate(
        inputs / "gt.json",
        inputs / "pred.json",
        protocol="operating-point",
        thresholds=inputs / "floors.yaml",
        nms=0.7,
    )
    saved = read_run(FIXTURES / "run_1_1")
    assert run.data_identity == saved.data_identity
    assert digests.compatibility(run.protocol, run.labels, label_agnostic=False) == saved.compatibility
    assert run.summary == saved.summary


def test_a_run_of_format_1_1_had_no_intervals() -> None:
    saved = read_run(FIXTURES / "run_1_1")
    assert (saved.grouped_by, saved.resampled) == (None, None)
    assert {row[name] for row in saved.metrics for name in ("mean", "bias", "interval_reason")} == {None}
    assert load_run(FIXTURES / "run_1_1").groups is None


def test_a_run_of_format_1_2_is_a_run_again() -> None:
    saved = read_run(FIXTURES / "run_1_2")
    assert json.loads((FIXTURES / "run_1_2" / "run.json").read_text())["format"] == "1.2"
    assert saved.grouped_by == {"expression": "^(?P<first>.)"}
    run = load_run(FIXTURES / "run_1_2")
    assert run.groups is not None
    assert run.groups.of_image == ["s", "y", "4", "n"]
    assert run.file_names == ["straße 🚗.jpg", "yard.jpg", None, None]
    assert run.metrics.rows == saved.metrics.rows
    row = run.metrics.find("AP")
    assert (row["unit"], row["replicates"], row["seed"]) == ("group", 35, None)
    # What was called `percentile` then is called `midpoint` where all replicates are listed.
    again = run.with_intervals(Resampling(interval="midpoint")).metrics.find("AP")
    assert again == pytest.approx(row | {"interval": "midpoint"})


def test_a_run_of_format_1_3_has_slices() -> None:
    saved = read_run(FIXTURES / "run_1_3")
    assert json.loads((FIXTURES / "run_1_3" / "run.json").read_text())["format"] == "1.3"
    assert saved.slices is not None
    slices = {one["slice"]: (one["kind"], one["support"]) for one in saved.slices["slices"]}
    assert (slices["place=street"], slices["late"]) == (("image", 2), ("image", 2))
    run = load_run(FIXTURES / "run_1_3")
    assert run.metadata is not None
    assert run.metadata["place"].to_list() == ["street", "yard", None, "street"]
    assert run.metrics.rows == saved.metrics.rows
    made_anew = sliced(run, Slicing(["place"], ["late = hour >= 20"]))
    kept = [row for row in saved.metrics if row["slice"] in ("place=street", "place=yard", "late")]
    assert sorted(made_anew, key=_place) == [pytest.approx(row) for row in sorted(kept, key=_place)]


def test_runs_of_format_1_2_had_no_slices() -> None:
    saved = read_run(FIXTURES / "run_1_2")
    run = load_run(FIXTURES / "run_1_2")
    assert (saved.slices, run.slices, run.metadata, run.attributes) == (None, None, None, None)


def _place(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["slice"], row["label"] or "", row["measure"]
