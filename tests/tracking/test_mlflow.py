"""What a real MLflow server holds after `boxscore log`, read back by its REST interface."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.runs import read_run, write_derived
from boxscore.tracking.names import MLFLOW
from tests.support.command import Finished, refusal
from tests.tracking import made
from tests.tracking.conftest import Log
from tests.tracking.server import Server

EXPERIMENT = "nightly"


@pytest.fixture(scope="module")
def logged(log: Log, folder: Path, mlflow_server: Server) -> Finished:
    options = ("--experiment", EXPERIMENT, "--name", "epoch 7", "--tag", "commit=1a2b=3c", "--tag", "host=gpu")
    return log(folder, "--to", "mlflow", *options, MLFLOW_TRACKING_URI=mlflow_server.address)


@pytest.fixture(scope="module")
def held(logged: Finished, mlflow_server: Server) -> Any:
    """The run as the server has it."""
    assert logged.status == 0, logged.errors
    (run,) = mlflow_server.runs(EXPERIMENT)
    return run


def by_key(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = {row["key"]: row["value"] for row in rows}
    assert len(found) == len(rows)
    return found


def test_it_says_where_the_run_is(logged: Finished, held: Any, mlflow_server: Server) -> None:
    assert (logged.status, logged.errors) == (0, "")
    info = held["info"]
    page = f"{mlflow_server.address}/#/experiments/{info['experiment_id']}/runs/{info['run_id']}"
    first, *rest = logged.output.splitlines()
    assert first.startswith(f"Logged epoch 7 to {EXPERIMENT}: ")
    assert rest == [f"run   {info['run_id']}", f"see   {page}"]
    assert (info["run_name"], info["status"]) == ("epoch 7", "FINISHED")


def test_every_figure_and_interval_to_the_last_bit(held: Any, folder: Path) -> None:
    metrics = by_key(held["data"]["metrics"])
    expected = {}
    for row in read_run(folder).metrics:
        for bound in ("value", "low", "high"):
            if row[bound] is not None:
                expected[row["measure"], row["label"], row["slice"], None if bound == "value" else bound] = row[bound]
    found = {}
    for name, value in metrics.items():
        figure = MLFLOW.figure(name)
        found[figure.measure, figure.label, figure.slice, figure.bound] = value
    assert found == expected
    assert sum(1 for *_, bound in found if bound == "low") > 20
    assert metrics["AP"] == read_run(folder).summary["AP"]
    assert {"AP iou_0.5 low", "AP area_medium high", "AR max_10", "label_traffic light/AP", "label_-43ar/AP"} <= set(
        metrics
    )


def test_what_does_not_exist_has_a_reason_and_no_number(held: Any) -> None:
    tags = by_key(held["data"]["tags"])
    assert tags["undefined/AP area_large"] == "no ground truth of area large"
    assert tags["undefined/label_bus/AP"] == "no ground truth"
    metrics = by_key(held["data"]["metrics"])
    assert not {name.removeprefix("undefined/") for name in tags if name.startswith("undefined/")} & set(metrics)
    assert all(value == value and abs(value) < float("inf") for value in metrics.values())


def test_what_was_run_is_in_the_parameters(held: Any, folder: Path) -> None:
    parameters = by_key(held["data"]["params"])
    manifest = read_run(folder).manifest
    assert parameters["run.digest"] == manifest["digest"]
    assert parameters["protocol.name"] == "coco"
    assert json.loads(parameters["protocol.iou_thresholds"]) == manifest["protocol"]["iou_thresholds"]
    assert parameters["digests.data"] == manifest["digests"]["data"]
    assert parameters["versions.boxscore"] == boxscore.__version__
    assert (parameters["images"], parameters["labels"]) == ("12", str(len(made.LABELS)))
    expected = {"interval": "student", "confidence": "0.95", "unit": "image", "replicates": "50", "seed": "0"}
    assert {name: parameters[f"interval.{name}"] for name in expected} == expected
    gate = {name: value for name, value in parameters.items() if name.startswith("gate.")}
    assert gate == {"gate.verdict": "fail", "gate.failed": "1", "gate.baseline": "runs/base", "gate.checks": "2"}
    tags = by_key(held["data"]["tags"])
    assert (tags["commit"], tags["host"]) == ("1a2b=3c", "gpu")


def test_run_folder_and_report_are_there_byte_for_byte(held: Any, folder: Path, mlflow_server: Server) -> None:
    run_id = held["info"]["run_id"]
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert Path("derived/triage.json") in files
    for path in files:
        kept = f"report/{path}" if path.name == "report.html" else f"run/{path.as_posix()}"
        assert mlflow_server.artifact(run_id, kept) == (folder / path).read_bytes(), path
    assert len(mlflow_server.artifacts(run_id)) == len(files) + 1


def test_the_table_of_names_tells_each_figure(held: Any, mlflow_server: Server) -> None:
    names = json.loads(mlflow_server.artifact(held["info"]["run_id"], "boxscore-names.json"))
    tags = by_key(held["data"]["tags"])
    undefined = {name.removeprefix("undefined/") for name in tags if name.startswith("undefined/")}
    assert set(names) == set(by_key(held["data"]["metrics"])) | undefined
    assert names["label_-43ar/AP iou_0.5 low"] == {"measure": "AP@0.5", "label": "Car", "slice": None, "bound": "low"}


def test_a_run_folder_that_was_read_back_is_the_run(
    held: Any, folder: Path, mlflow_server: Server, tmp_path: Path
) -> None:
    run_id = held["info"]["run_id"]
    for path in mlflow_server.artifacts(run_id, "run"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(mlflow_server.artifact(run_id, path))
    assert boxscore.load_run(tmp_path / "run").summary == boxscore.load_run(folder).summary


def test_a_report_from_elsewhere_and_json(log: Log, folder: Path, mlflow_server: Server, tmp_path: Path) -> None:
    (tmp_path / "of the week.md").write_text("# week\n")
    options = ("--project", "weekly", "--report", tmp_path / "of the week.md", "--json")
    done = log(
        folder, "--to", "mlflow", *options, "--tracking-uri", mlflow_server.address, MLFLOW_TRACKING_URI="http://no"
    )
    assert done.status == 0, done.errors
    (run,) = mlflow_server.runs("weekly")
    report = done.report
    assert (report["tracker"], report["project"], report["name"]) == ("mlflow", "weekly", "night shift")
    assert report["run_id"] == run["info"]["run_id"]
    assert report["url"].endswith(f"/runs/{report['run_id']}")
    assert report["counts"]["metrics"] == len(run["data"]["metrics"])
    assert report["counts"]["artifacts"] == len(mlflow_server.artifacts(report["run_id"]))
    assert mlflow_server.artifacts(report["run_id"], "report") == ["report/of the week.md"]


def test_a_refused_run_is_told_and_marked_as_failed(log: Log, folder: Path, mlflow_server: Server) -> None:
    done = log(
        folder, "--to", "mlflow", "--experiment", "refused", "--tag", "a?=1", MLFLOW_TRACKING_URI=mlflow_server.address
    )
    told = refusal(done)
    assert f"MLflow at {mlflow_server.address} refuses the run: INVALID_PARAMETER_VALUE" in told
    assert "a?" in told
    assert [run["info"]["status"] for run in mlflow_server.runs("refused")] == ["FAILED"]


def test_no_server(log: Log, folder: Path) -> None:
    told = refusal(
        log(folder, "--to", "mlflow", "--tracking-uri", "http://127.0.0.1:9", MLFLOW_HTTP_REQUEST_MAX_RETRIES="0")
    )
    assert re.search(r"MLflow at http://127\.0\.0\.1:9 can't be reached \(\[Errno \d+\] .*check the address", told)


def test_no_address(log: Log, folder: Path) -> None:
    assert "give --tracking-uri, such as" in refusal(log(folder, "--to", "mlflow"))


def test_a_changed_run_is_not_logged(log: Log, folder: Path, mlflow_server: Server, tmp_path: Path) -> None:
    import shutil

    changed = shutil.copytree(folder, tmp_path / "changed")
    before = hashlib.sha256((folder / "metrics.json").read_bytes()).hexdigest()
    (changed / "metrics.json").write_bytes((folder / "metrics.json").read_bytes().replace(b"0.", b"1.", 1))
    assert hashlib.sha256((changed / "metrics.json").read_bytes()).hexdigest() != before
    arguments = ("--to", "mlflow", "--experiment", EXPERIMENT, "--tracking-uri", mlflow_server.address)
    assert "it was changed" in refusal(log(changed, *arguments))
    other = made.run_folder(tmp_path / "other")
    boxscore.load_run(other).save(tmp_path / "again")
    write_derived(tmp_path / "again", "gate", {})
    (tmp_path / "again" / "derived").rename(tmp_path / "stale")
    shutil.rmtree(other / "derived")
    (tmp_path / "stale").rename(other / "derived")
    assert "gate.json is stale" in refusal(log(other, *arguments))
    assert len(mlflow_server.runs(EXPERIMENT)) == 1
