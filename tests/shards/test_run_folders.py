"""Run folders out of parts: those of the whole, table by table, but for where rows stood."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import boxscore
from boxscore.pipeline.convert import convert
from tests.shards.test_faults import data
from tests.support.command import boxscore as command
from tests.support.command import refusal

ROWS = ("source_row", "source_id")
TABLES = ("images", "ground_truth", "detections", "pairs", "metrics")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    truth, results = data()
    for image in truth["images"]:
        image |= {"clip": f"clip {image['id'] // 4}", "file_name": f"{image['id']}.jpg"}
    truth["annotations"].reverse()
    results.sort(key=lambda row: row["score"])
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    (tmp_path / "dt.json").write_text(json.dumps(results))
    convert(tmp_path / "gt.json", tmp_path / "gt", to="shards", images_per_part=5)
    convert(tmp_path / "dt.json", tmp_path / "dt", to="shards", ground_truth=tmp_path / "gt.json", images_per_part=4)
    return tmp_path


OPTIONS: dict[str, list[str]] = {
    "plain": [],
    "agnostic": ["--label-agnostic"],
    "nms": ["--nms", "0.3"],
    "point": ["--protocol", "operating-point", "--conf", "0.3", "--sweep"],
    "intervals": ["--interval", "--replicates", "50", "--seed", "3"],
}


@pytest.mark.parametrize("name", OPTIONS)
def test_the_same_tables(folder: Path, name: str) -> None:
    whole = command("eval", "gt.json", "dt.json", "--json", "--out", "whole", *OPTIONS[name], cwd=folder)
    parts = command("eval", "gt", "dt", "--json", "--out", "parts", "--threads", "2", *OPTIONS[name], cwd=folder)
    assert whole.status == parts.status == 0, (whole.errors, parts.errors)
    assert parts.report["metrics"] == whole.report["metrics"]
    for key in ("summary", "sweep", "intervals"):
        assert parts.report.get(key) == whole.report.get(key)
    for table in TABLES:
        one, other = (pl.read_parquet(folder / run / f"{table}.parquet") for run in ("whole", "parts"))
        kept = [column for column in one.columns if column not in ROWS]
        assert other.select(kept).equals(one.select(kept)), table
    first, second = (json.loads((folder / run / "run.json").read_text()) for run in ("whole", "parts"))
    assert _settled(first) == _settled(second)


def _settled(content: Any) -> Any:
    """What of run.json tells of the data and the protocol, rather than of files and times."""
    return {key: content.get(key) for key in ("data_identity", "compatibility", "protocol", "labels", "steps")}


def test_metadata_of_images(folder: Path) -> None:
    run = boxscore.evaluate(folder / "gt", folder / "dt", keep=True)
    run.save(folder / "run")
    assert run.groups is not None
    assert run.groups.rule == {"field": "clip"}
    images = pl.read_parquet(folder / "run/images.parquet")
    assert images["clip"].to_list() == [f"clip {image // 4}" for image in range(12)]


def test_bytes_do_not_depend_on_threads_or_cuts(folder: Path) -> None:
    told = set()
    for size, threads in ((1, 1), (3, 2), (5, 7), (99, 1)):
        convert(folder / "gt.json", folder / "g", to="shards", images_per_part=size, overwrite=True)
        convert(folder / "dt.json", folder / "d", to="shards", ground_truth=folder / "g", overwrite=True)
        done = command("eval", "g", "d", "--threads", str(threads), "--out", "run", "--overwrite", cwd=folder)
        assert done.status == 0, done.errors
        told.add((folder / "run" / "metrics.json").read_bytes())
    assert len(told) == 1


def test_slices_by_fields_of_images(folder: Path) -> None:
    for options in (["--slice-by", "clip"], ["--interval", "--group-by", "clip", "--replicates", "40"]):
        whole = command("eval", "gt.json", "dt.json", "--json", *options, cwd=folder)
        parts = command("eval", "gt", "dt", "--json", *options, cwd=folder)
        assert whole.status == parts.status == 0, (whole.errors, parts.errors)
        kept = [row for row in whole.report["metrics"] if "IoU" not in row["measure"]]
        assert [row for row in parts.report["metrics"] if "IoU" not in row["measure"]] == kept
    told = refusal(command("eval", "gt", "dt", "--slice-by", "weather", cwd=folder))
    assert "there is no column 'weather' to slice by" in told
    assert "of sharded data, fields of objects are let go" in told


def test_an_attribute_that_only_the_last_part_has(folder: Path) -> None:
    truth = json.loads((folder / "gt.json").read_text())
    last = max(one["image_id"] for one in truth["annotations"])
    for one in truth["annotations"]:
        if one["image_id"] == last:
            one["lit"] = 3
    (folder / "lit.json").write_text(json.dumps(truth))
    convert(folder / "lit.json", folder / "lit", to="shards", images_per_part=5)
    done = command("eval", "lit", "dt", "--out", "run", cwd=folder)
    assert done.status == 0, done.errors
    kept = pl.read_parquet(folder / "run/ground_truth.parquet")["lit"]
    lit = sum("lit" in one for one in truth["annotations"])
    assert kept.drop_nulls().to_list() == [3] * lit
    assert 0 < lit < len(kept) == len(truth["annotations"])


@pytest.mark.parametrize("options", [("--out", "refused"), ("--parts", "refused")])
def test_input_that_is_refused_leaves_nothing(folder: Path, options: tuple[str, str]) -> None:
    refusal(command("eval", "gt", "dt.json", *options, cwd=folder))
    assert not list(folder.glob("refused*"))
