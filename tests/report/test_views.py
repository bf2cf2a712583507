"""Derived views: equal to what the run itself gives, at every confidence that is kept."""

import random
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.pipeline import derived_views
from boxscore.pipeline.confidence_grid import ladder
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.saved_confusion import confusion
from boxscore.runs import read_run
from tests.runs import samples


def test_a_thousand_steps_that_read_back() -> None:
    found = ladder([0.25, 0.9999])
    assert found == [float(f"{place / 1000:.3f}") for place in range(1001)]


@pytest.mark.parametrize("scores", [[-7.25, 3.5], [0.5, 99.0], [-1e-9, 0.5], [1e6], [0.0, 1.0000001], [-3e8, 2e9]])
def test_other_ranges(scores: list[float]) -> None:
    found = ladder(scores)
    assert found[0] <= min(0.0, *scores)
    assert found[-1] >= max(1.0, *scores)
    assert found == sorted(set(found))
    assert 100 <= len(found) <= 1001
    assert all(float(f"{value:.9g}") == value for value in found)


@pytest.mark.parametrize("name", ["point", "candidate"])
def test_sweeps_are_the_counts_at_each_confidence(runs: Path, name: str) -> None:
    saved, run = read_run(runs / name), load_run(runs / name)
    found = derived_views.sweeps(run, saved)
    suffix = "" if name == "point" else "@0.5"
    for place in [0, 1000, *random.Random(3).sample(range(1001), 12)]:
        confidence = found["confidences"][place]
        for one in found["labels"][:3]:
            for kind, column in (("TP", "true_positives"), ("FP", "false_positives")):
                assert run.value(f"{kind}[conf={confidence!r}]{suffix}", one["label"]) == one[column][place]


def test_the_best_confidence_has_the_largest_f1(runs: Path) -> None:
    found = derived_views.sweeps(load_run(runs / "point"), read_run(runs / "point"))
    objects = sum(one["objects"] for one in found["labels"])

    def f1(place: int) -> float:
        true, false = (sum(one[f"{kind}_positives"][place] for one in found["labels"]) for kind in ("true", "false"))
        return float(2 * true / (true + false + objects))

    scores = [f1(place) for place in range(len(found["confidences"]))]
    best = found["confidences"].index(found["best"])
    assert scores[best] == max(scores)
    assert max(scores[best + 1 :]) < scores[best]


@pytest.mark.parametrize("floor", [0.0, 0.2, 0.55, 0.9])
@pytest.mark.parametrize("protocol", ["coco", "operating-point", "voc2012"])
def test_confusion_of_a_folder_is_that_of_the_run(scenes: Path, tmp_path: Path, protocol: str, floor: float) -> None:
    run = boxscore.evaluate(scenes / "ground_truth.json", scenes / "candidate.json", protocol=protocol)
    run.save(tmp_path / "run")
    found = confusion(read_run(tmp_path / "run"), [floor] * len(run.labels))
    assert found.counts == run.confusion(floor).counts


def test_confusion_of_real_detections(data_folder: Path, tmp_path: Path) -> None:
    coco = data_folder / "coco_val164"
    run = boxscore.evaluate(coco / "instances_val164.json", coco / "predictions" / "nanodet_m_320.json.gz")
    run.save(tmp_path / "run")
    for floor in (0.0, 0.3):
        found = confusion(read_run(tmp_path / "run"), [floor] * len(run.labels))
        assert found.counts == run.confusion(floor).counts


def test_curves_are_those_of_the_run(runs: Path) -> None:
    run = load_run(runs / "candidate")
    found = derived_views.curves(run, read_run(runs / "candidate"))
    for one in found["labels"]:
        curve = run.precision_recall(one["label"], 0.5)
        assert one["precision"] == pytest.approx(curve.precision, abs=1e-6)
        assert [score is None for score in one["score"]] == [score is None for score in curve.score]
        assert sum(one["mean"]) / 101 == pytest.approx(run.value("AP", one["label"]), abs=1e-5)


def test_a_run_without_boxes_has_no_confusion(tmp_path: Path) -> None:
    samples.streamed().save(tmp_path / "run")
    reasons = derived_views.make_views(read_run(tmp_path / "run"), load_run(tmp_path / "run"))
    assert list(reasons) == ["confusion"]
    assert "boxes are let go" in reasons["confusion"]


def test_stale_and_damaged_views_are_made_anew(tmp_path: Path) -> None:
    from boxscore.runs.derived import read_derived

    samples.run().save(tmp_path / "run")
    saved, run = read_run(tmp_path / "run"), load_run(tmp_path / "run")
    assert derived_views.make_views(saved, run) == {}
    kept: Any = read_derived(tmp_path / "run", "sweeps")
    (tmp_path / "run" / "derived" / "sweeps.json").write_text("{")
    with pytest.raises(InputError, match="cut off"):
        read_derived(tmp_path / "run", "sweeps")
    assert derived_views.make_views(saved, run) == {}
    assert read_derived(tmp_path / "run", "sweeps") == kept


def test_no_detections_and_no_objects(tmp_path: Path) -> None:
    empty = samples.ground_truth() | {"annotations": []}
    for name, run in (
        ("nothing found", boxscore.evaluate(samples.ground_truth(), [])),
        ("nothing there", boxscore.evaluate(empty, samples.results())),
    ):
        run.save(tmp_path / name)
        saved, loaded = read_run(tmp_path / name), load_run(tmp_path / name)
        assert derived_views.make_views(saved, loaded) == {}
        assert (derived_views.sweeps(loaded, saved)["best"] is None) == (name == "nothing there")
