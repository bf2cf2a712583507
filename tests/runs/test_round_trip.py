"""What is written is what was evaluated, and what is read is what was written."""

import hashlib
import json
import os
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import boxscore
from boxscore import cli
from boxscore.model.metrics import COLUMNS
from boxscore.pipeline.saved import load_run
from boxscore.runs import read_run, verify
from tests.runs import samples

TABLES = ["images", "ground_truth", "detections", "metrics", "pairs"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    samples.run().save(tmp_path / "run")
    return tmp_path / "run"


def test_files_of_the_folder(folder: Path) -> None:
    found = sorted(path.name for path in folder.iterdir())
    assert found == sorted(["run.json", "metrics.json", *(f"{name}.parquet" for name in TABLES)])
    assert [path.name for path in folder.parent.iterdir()] == ["run"], "nothing is left beside it"


def test_results_come_back(folder: Path) -> None:
    run, saved = samples.run(), read_run(folder)
    assert saved.summary == run.summary
    assert saved.metrics.rows == run.metrics.rows
    assert saved.notes == run.notes
    assert saved.labels == run.labels
    assert saved.protocol == run.protocol
    assert saved.reading == run.reading
    assert saved.image_ids == run.image_ids == [3, 12, 40, "night"]
    assert saved.data_identity == run.data_identity
    assert (folder / "metrics.json").read_text() == run.to_json() + "\n"


def test_tables_come_back(folder: Path) -> None:
    run, saved = samples.run(), read_run(folder)
    assert run.dataset is not None
    assert run.predictions is not None
    assert sorted(saved.tables) == sorted(TABLES)
    assert saved.table("images").equals(pl.DataFrame(run.dataset.images))
    for name, own, matches, added in (
        ("ground_truth", run.dataset.ground_truth, run.matches.ground_truth, ["matched", "ignored"]),
        ("detections", run.predictions.table, run.matches.detections, ["rank", "matched", "ignored", "gt"]),
    ):
        frame = saved.table(name)
        assert frame.select(own.column_names).equals(pl.DataFrame(own))
        assert frame.select(added).equals(pl.DataFrame(matches).select(added))
        assert frame.columns == [*own.column_names, *added]
    assert saved.table("pairs").equals(pl.DataFrame(run.pairs(0.1)))
    assert saved.table("metrics").equals(run.metrics.to_polars())
    assert saved.table("metrics").columns == list(COLUMNS)


def test_pyarrow_reads_every_table(folder: Path) -> None:
    saved = read_run(folder)
    for name in TABLES:
        table: pa.Table = pq.read_table(folder / f"{name}.parquet")
        assert table.num_rows == saved.table(name).height
        assert table.to_pydict() == saved.table(name).to_dict(as_series=False)


def test_pairs_are_of_all_labels_from_a_tenth_on(folder: Path) -> None:
    pairs = read_run(folder).table("pairs")
    assert pairs["overlap"].min() >= 0.1  # type: ignore[operator]
    frames = {name: read_run(folder).table(name)["label"] for name in ("detections", "ground_truth")}
    labels = [(frames["detections"][d], frames["ground_truth"][g]) for d, g, _ in pairs.iter_rows()]
    assert any(one != two for one, two in labels), "the bicycle that lies on a car is a pair too"


def test_a_saved_run_is_a_run_again(folder: Path) -> None:
    run, again = samples.run(), load_run(folder)
    assert again.to_json() == run.to_json()
    assert again.matches.kernel.state() == run.matches.kernel.state()
    assert again.data_identity == run.data_identity
    assert again.value("AP@0.55", label="car") == run.value("AP@0.55", label="car")


def test_a_run_without_boxes_says_what_it_lacks(tmp_path: Path) -> None:
    whole, streamed = samples.run(), samples.streamed()
    streamed.save(tmp_path / "run")
    saved = read_run(tmp_path / "run")
    assert sorted(saved.tables) == ["detections", "ground_truth", "images", "metrics"]
    assert sorted(saved.manifest["not_kept"]) == ["detections", "ground_truth", "images", "pairs"]
    with pytest.raises(boxscore.InputError, match=r"pairs.*boxes are let go"):
        saved.table("pairs")
    assert saved.table("detections").equals(pl.DataFrame(whole.matches.detections))
    assert saved.table("ground_truth").equals(pl.DataFrame(whole.matches.ground_truth))
    assert saved.summary == whole.summary
    assert load_run(tmp_path / "run").matches.kernel.state() == whole.matches.kernel.state()


@pytest.mark.parametrize("ids", [[1, 2], [2**64 - 1, 0], ["b", "a"], ["1", 1], [-1, 2**64 - 1], []], ids=str)
def test_ids_of_every_kind(tmp_path: Path, ids: list[int | str]) -> None:
    evaluator = boxscore.Evaluator(labels=["thing"])
    nothing: samples.Row = {"boxes": [], "labels": []}
    evaluator.update([nothing | {"scores": []}] * len(ids), [nothing] * len(ids), image_ids=ids)
    streamed = evaluator.result()
    streamed.save(tmp_path / "streamed")
    ground_truth = {"images": [{"id": i} for i in ids], "annotations": [], "categories": [{"id": 0, "name": "thing"}]}
    boxscore.evaluate(ground_truth, []).save(tmp_path / "whole")
    one, two = read_run(tmp_path / "streamed"), read_run(tmp_path / "whole")
    assert set(one.image_ids) == set(ids)
    assert one.image_ids == two.image_ids
    assert one.data_identity == two.data_identity
    assert one.table("images")["image_id"].equals(two.table("images")["image_id"])


def test_saved_over_and_over_gives_the_same_tables(tmp_path: Path) -> None:
    for name in ("one", "two"):
        samples.run().save(tmp_path / name)
    one, two = (read_run(tmp_path / name).manifest for name in ("one", "two"))
    for field in ("tables", "digests", "files", "labels", "images", "protocol"):
        assert one[field] == two[field]


def test_the_command_line_writes_what_was_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ground_truth, predictions = samples.files(tmp_path)
    out = tmp_path / "runs" / "first"
    options = ["--iou", "0.5,0.75", "--labels", "car,vélo", "--unknown-labels", "drop", "--out", str(out)]
    assert cli.main(["eval", str(ground_truth), str(predictions), "--json", *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    saved = read_run(out)
    assert saved.summary == printed["summary"]
    assert saved.manifest["command"] == {
        "name": "eval",
        "options": {
            "gt": str(ground_truth),
            "pred": str(predictions),
            "protocol": "coco",
            "iou": "0.5,0.75",
            "labels": ["car,vélo"],
            "unknown_images": "error",
            "unknown_labels": "drop",
            "label_match": "exact",
            "non_finite": "error",
            "degenerate": "keep",
            "assume": "stated",
        },
    }
    assert saved.protocol.modified == ("iou_thresholds",)
    assert saved.reading == boxscore.Reading(unknown_labels="drop")
    for role, path in (("ground_truth", ground_truth), ("predictions", predictions)):
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        assert saved.manifest["inputs"][role] == {"path": str(path), "bytes": len(data), "sha256": digest}
    verify(out)


def test_an_input_that_changed_since_is_not_vouched_for(tmp_path: Path) -> None:
    paths = samples.files(tmp_path)
    run = boxscore.evaluate(*paths)
    later = run.created + 10
    paths[0].write_text("{}")
    os.utime(paths[0], (later, later))
    paths[1].unlink()
    run.save(tmp_path / "run")
    inputs = read_run(tmp_path / "run").manifest["inputs"]
    assert inputs["ground_truth"]["sha256"] is None
    assert "changed after it was read" in inputs["ground_truth"]["reason"]
    assert inputs["predictions"]["sha256"] is None
    assert "can't be read again" in inputs["predictions"]["reason"]


def test_provenance(folder: Path) -> None:
    manifest = read_run(folder).manifest
    assert manifest["format"] == "1.3"
    assert manifest["versions"]["boxscore"] == boxscore.__version__
    assert set(manifest["versions"]) == {"boxscore", "kernel", "python", "polars"}
    assert set(manifest["platform"]) == {"system", "machine", "implementation"}
    assert manifest["time"].endswith("Z")
    assert manifest["inputs"] == {}
