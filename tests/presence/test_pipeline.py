"""Run folders of presence are runs like any other: slices, gate, compare, report and verification, unchanged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from boxscore.cli import main
from boxscore.pipeline.saved import load_run
from tests.presence.written import ANN, BOB, CID, PREDICTED, gallery, prediction

Score = Callable[..., dict[str, dict[str, Any]]]
People = tuple[tuple[str, dict[str, object]], ...]

GALLERY: People = (("Ann Lee", {"imdb": ANN}), ("Bob Best", {"imdb": BOB}), ("Eve", {"tmdb": 5}), ("Zoe", {"tmdb": 6}))


@pytest.fixture
def runs(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two predictions with another invented actor each, scored with a gallery: `good`, and `bad` that loses Ann."""
    gallery(home / "gallery.json", *GALLERY)
    bad: list[dict[str, object]] = [{"name": "Ann Lee", "windows": [[0, 1]]}, {"name": "Bob Best", "windows": [[0, 5]]}]
    bad.append({"name": "Zoe", "ids": {"tmdb": 6}, "windows": [[10, 20]]})
    prediction(home / "bad.json", bad)
    for name, path in (("good", "pred.json"), ("bad", "bad.json")):
        options = ["--xray", "xray", "--gallery", "gallery.json", "--step", "0.1", "--block", "1", "--anneal", "0,2"]
        assert main(["presence", "score", "--pred", path, *options, "--out", f"runs/{name}"]) == 0
    capsys.readouterr()
    return home / "runs"


def test_the_folder_holds_moments_actors_and_all_columns(runs: Path) -> None:
    run = load_run(runs / "good")
    assert run.num_images == 200
    assert list(run.labels) == [f"imdb:{ANN}", f"imdb:{BOB}", f"imdb:{CID}", "tmdb:5", "tmdb:6"]
    images = pl.read_parquet(runs / "good" / "images.parquet")
    assert images["image_id"].to_list() == list(range(0, 20_000, 100))
    assert images["file_name"][61] == "0:00:06.100"
    assert images["group"][61] == "block 6"
    assert images["time"][61] == pytest.approx(6.1)
    assert (images["scene"][61], images["people"][61]) == ("23", 0)
    objects = pl.read_parquet(runs / "good" / "ground_truth.parquet")
    assert set(objects["role"]) == {"lead"}
    assert objects.group_by("label").agg(pl.col("masked").unique()).sort("label")["masked"].to_list() == [
        ["in"],
        ["in"],
        ["out"],
    ]


def test_masked_figures_are_among_the_metrics(runs: Path) -> None:
    metrics = json.loads((runs / "good" / "metrics.json").read_text())["metrics"]
    masked = {row["measure"]: row for row in metrics if row["slice"] == "mask: gallery and ground truth"}
    assert [masked[name]["value"] for name in ("TP", "FP", "FN")] == [150, 10, 50]
    assert masked["F1"]["value"] == pytest.approx(300 / 360)
    assert masked["F1"]["low"] < masked["F1"]["value"] < masked["F1"]["high"]
    whole = next(row for row in metrics if row["measure"] == "TP" and row["label"] is None and row["slice"] is None)
    assert whole["value"] == 150


def test_verifies(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--promote", str(runs / "good"), str(runs / "baseline"), "--slim"]) == 0
    assert main(["gate", str(runs / "good"), "--baseline", str(runs / "baseline")]) == 0
    assert "PASS" in capsys.readouterr().out


def test_compare_separates_them(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(runs / "good"), str(runs / "bad"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    assert result["measure"] == "F1"
    assert result["pairs"][0]["verdict"] == "separated"


def test_gate_goes_red_and_names_the_actor(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", str(runs / "bad"), "--baseline", str(runs / "good")]) == 1
    told = capsys.readouterr().out
    assert "FAIL" in told
    assert any(f"imdb:{ANN}" in line and line.endswith("fail") for line in told.splitlines())
    assert not any(f"imdb:{BOB}" in line and line.endswith("fail") for line in told.splitlines())


def test_gate_by_slices_and_labels_of_the_mask(runs: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules see the mask as a list of labels, and moments by their columns."""
    (home / "gate.yaml").write_text(
        "slices: {by: [people, 'time:0,10,20', masked]}\n"
        "rules:\n"
        f"  - {{measure: recall, label: ['imdb:{ANN}', 'imdb:{BOB}']}}\n"
        "  - {measure: F1, slice: people=2}\n"
        "  - {measure: recall, slice: masked=in}\n"
    )
    assert main(["gate", str(runs / "bad"), "--baseline", str(runs / "good"), "--rules", "gate.yaml", "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    verdicts = {tuple(line.split()[:2]): line.split()[-1] for line in lines if line.endswith(("pass", "fail"))}
    assert verdicts["all", f"imdb:{ANN}"] == "fail"
    assert verdicts["all", f"imdb:{BOB}"] == "pass"
    assert verdicts["masked=in", "all"] == "fail"


@pytest.mark.usefixtures("home")
def test_slices(capsys: pytest.CaptureFixture[str]) -> None:
    """By scene: 8 right of 10, none of none, 7 right of 20 (Cid, too, is there, and missed)."""
    options = ["--slice-by", "scene", "--slice-by", "masked", "--slice", "late = time >= 10", "--json"]
    assert main(["presence", "score", "--pred", "pred.json", "--xray", "xray", *options]) == 0
    (rows,) = json.loads(capsys.readouterr().out)["slices"]
    found = {
        (row["slice"], row["measure"]): row["value"]
        for row in rows
        if row["label"] is None and row["average"] != "macro"
    }
    assert [found[f"scene={name}", "TP"] for name in ("17", "23", "40")] == [8, 0, 7]
    assert [found[f"scene={name}", "FP"] for name in ("17", "23", "40")] == [0, 1, 2]
    assert found["scene=40", "recall"] == found["late", "recall"] == 7 / 20
    assert found["masked=in", "recall"] == 15 / 20
    assert found["masked=out", "recall"] == 0


def test_two_sources_are_two_runs_in_one_folder(home: Path) -> None:
    options = ["--xray", "xray", "--movienet", "movienet", "--fps", "10", "--out", "both"]
    assert main(["presence", "score", "--pred", "pred.json", *options]) == 0
    assert load_run(home / "both" / "xray").num_images == 20
    assert load_run(home / "both" / "movienet").num_images == 3
    for source in ("xray", "movienet"):
        content = json.loads((home / "both" / source / "derived" / "presence.json").read_text())["content"]
        assert [one["source"] for one in content["sources"]] == ["movienet", "xray"]
        assert content["source"] == source


def test_runs_with_other_invented_actors_compare_when_each_names_the_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = [*PREDICTED[:2], {"name": "Zoe", "windows": [[3, 4]]}]
    prediction(home / "other.json", other)
    both = {"one": ("pred.json", "other.json"), "two": ("other.json", "pred.json")}
    for name, (path, also) in both.items():
        options = ["--xray", "xray", "--also", also, "--out", name]
        assert main(["presence", "score", "--pred", path, *options]) == 0
    assert main(["compare", "one", "two"]) == 0
    main(["presence", "score", "--pred", "pred.json", "--xray", "xray", "--out", "alone"])
    capsys.readouterr()
    assert main(["compare", "one", "alone"]) == 2
    assert "labels differ" in capsys.readouterr().err


def test_the_report_has_presence_first_and_its_timeline(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, text = runs / "good.html", runs / "good.md"
    for path in (page, text):
        assert main(["report", str(runs / "good"), "--out", str(path)]) == 0
    assert main(["report", str(runs / "good"), "--out", str(page), "--check"]) == 0
    capsys.readouterr()
    html, markdown = page.read_text(encoding="utf-8"), text.read_text(encoding="utf-8")
    assert 'id="presence-timeline"' in html
    assert html.index('id="presence-title"') < html.index('id="gate-title"')
    assert "## Presence" in markdown
    assert "| X-Ray: the ceiling | masked |" in markdown


def test_other_runs_have_no_such_section(home: Path) -> None:
    from tests.runs import samples

    samples.run(protocol="coco").save(home / "plain")
    assert main(["report", str(home / "plain"), "--out", "plain.md"]) == 0
    assert "Presence" not in (home / "plain.md").read_text(encoding="utf-8")
