"""Predictions and validations on a cluster of two nodes: the bytes of one process, whatever ends in the middle."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boxscore.cli import main
from boxscore.cluster.pool import Pool
from boxscore.cluster.predicting import predict_on
from boxscore.cluster.sent_model import SentModel
from boxscore.cluster.session import Session, connect
from boxscore.cluster.shards_of_pictures import Batch
from boxscore.errors import InputError
from boxscore.predict.card import load_card
from boxscore.predict.resume import place_of
from boxscore.predict.run import Predicted, predict
from tests.cluster_predict import ending
from tests.support import object_store as object_stores
from tests.support import ray_cluster
from tests.support.command import boxscore
from tests.validate.test_real_data import yolo

TIMES = ("read_ms", "preprocess_ms", "inference_ms", "decode_ms", "to_boxes_ms", "warm_up")


@pytest.fixture(scope="module")
def session(cluster: Any) -> Iterator[Session]:
    with connect("ray") as opened:
        assert opened.processors == 4, cluster
        yield opened


@pytest.fixture(scope="module")
def here(card: Path, images: Path, tmp_path_factory: pytest.TempPathFactory) -> Predicted:
    """What one process says."""
    return predict(load_card(card), images, tmp_path_factory.mktemp("here") / "out.json")


def about(done: Predicted) -> list[dict[str, Any]]:
    """What the record says of each picture, without times."""
    return [{name: one[name] for name in one if name not in TIMES} for one in done.record["by_picture"]]


@pytest.mark.parametrize(("lanes", "batch"), [(1, 1), (2, 5), (7, 1)])
def test_any_number_of_lanes_gives_the_bytes_of_one_process(
    session: Session, card: Path, images: Path, here: Predicted, tmp_path: Path, lanes: int, batch: int
) -> None:
    options: dict[str, Any] = {"batch": batch} if batch > 1 else {}
    done = predict_on(session, load_card(card), images, tmp_path / "out.json", threads=lanes, lanes=lanes, **options)
    expected = here if batch == 1 else predict(load_card(card), images, tmp_path / "here.json", batch=batch)
    assert done.out.read_bytes() == expected.out.read_bytes()
    assert about(done) == about(expected)
    assert [one["file_name"] for one in done.unreadable] == ["0_empty.jpg", "4_cut.jpg"]
    assert done.unreadable == expected.unreadable
    assert done.noted == expected.noted
    assert done.record["asked"]["lanes"] == lanes
    assert done.record["detector"] == expected.record["detector"]
    assert done.record["machine"] == expected.record["machine"]
    assert sorted(path.name for path in tmp_path.iterdir() if "here" not in path.name) == [
        "out.json",
        "out.json.run.json",
    ]


def test_pictures_in_an_object_store_give_the_bytes_of_a_folder(
    session: Session, object_store: str, card: Path, images: Path, here: Predicted, tmp_path: Path
) -> None:
    files = object_stores.client()
    for path in images.iterdir():
        files.pipe_file(f"{object_store}/night/{path.name}", path.read_bytes())
    done = predict_on(session, load_card(card), f"{object_store}/night", tmp_path / "out.json")
    assert done.out.read_bytes() == here.out.read_bytes()
    assert about(done) == about(here)


def started(card: Path, images: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "boxscore",
        "predict",
        card,
        images,
        "--out",
        out,
        "--engine",
        "ray",
    ]
    return subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def until_kept(process: subprocess.Popen[bytes], out: Path, lines: int) -> int:
    """Wait until the journal has so many lines; how many it has then."""
    journal = place_of(out)
    deadline = time.monotonic() + 100
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= lines):
        assert process.poll() is None, "it ended before anything could be done to it"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return journal.read_bytes().count(b"\n")


def told(process: subprocess.Popen[bytes]) -> list[str]:
    """Standard error's lines of a process that ends by itself."""
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 1, errors.decode()  # pictures that can't be read
    return errors.decode().splitlines()


def lanes_running() -> list[int]:
    """Processes of lanes."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and b"ray::MapWorker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_a_worker_killed_and_a_node_lost_change_no_byte(
    cluster: Any, card: Path, images: Path, here: Predicted, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    third = cluster.add_node(**ray_cluster.node(2))
    cluster.wait_for_nodes()
    with started(card, images, out) as process:
        until_kept(process, out, 4)
        os.kill(lanes_running()[0], signal.SIGKILL)
        until_kept(process, out, 12)
        cluster.remove_node(third, allow_graceful=False)
        lines = told(process)
    assert out.read_bytes() == here.out.read_bytes()
    assert [line for line in lines if not line.startswith("note: ")] == []


def test_a_driver_that_is_killed_goes_on_where_it_was(
    cluster: Any, card: Path, images: Path, here: Predicted, tmp_path: Path
) -> None:
    assert cluster.address
    out = tmp_path / "out.json"
    with started(card, images, out) as process:
        until_kept(process, out, 8)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert not out.exists()
    kept = place_of(out).read_bytes().count(b"\n") - 1
    with started(card, images, out) as process:
        first = until_kept(process, out, kept + 2)
        assert first > kept
        lines = told(process)
    assert "note: the run was taken up 1 time where it had stopped" in lines
    assert out.read_bytes() == here.out.read_bytes()
    assert json.loads((tmp_path / "out.json.run.json").read_text())["continued"] == 1


def test_one_process_goes_on_with_what_a_cluster_began(
    session: Session, card: Path, images: Path, here: Predicted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Pool.answers

    def stopping(pool: Pool, batches: Any, work: Any) -> Iterator[Any]:
        for number, answer in enumerate(answers(pool, batches, work)):
            if number == 10:
                raise InputError("stopped")
            yield answer

    monkeypatch.setattr(Pool, "answers", stopping)
    out = tmp_path / "out.json"
    with pytest.raises(InputError, match="stopped"):
        predict_on(session, load_card(card), images, out)
    assert place_of(out).read_bytes().count(b"\n") == 11
    done = predict(load_card(card), images, out)
    assert done.continued == 1
    assert out.read_bytes() == here.out.read_bytes()


def test_a_picture_that_ends_its_workers_is_named_and_stops_no_other(session: Session, card: Path) -> None:
    pickle: Any = importlib.import_module("ray.cloudpickle")
    batches = [Batch(number, [f"{number}.jpg"], [""], [False]) for number in range(30)]
    batches[13].names[0] = "poison.jpg"
    found: list[int] = []

    def run() -> None:
        pool = Pool(session, SentModel.of(load_card(card), None, 1), 2)
        for answer in pool.answers(batches, ending.Ending):
            found.append(answer.number)  # noqa: PERF401  what was answered before the error counts

    pickle.register_pickle_by_value(ending)
    try:
        with pytest.raises(InputError, match=r"1 picture got no answer from the cluster .* poison\.jpg; "):
            run()
    finally:
        pickle.unregister_pickle_by_value(ending)
    assert sorted(found) == [number for number in range(30) if number != 13]


def test_what_no_node_can_run_is_told(session: Session, card: Path, images: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    for options, said in (
        ({"threads": 64, "lanes": 1}, "asks for 64 CPU, and the largest node of the cluster has 2 CPU"),
        ({"providers": ["cuda"]}, "asks for 1 CPU and 1 GPU"),
        ({"providers": ["cpux"]}, "there is no provider 'cpux'"),
    ):
        with pytest.raises(InputError, match=said):
            predict_on(session, load_card(card), images, out, **options)
    small = load_card(card, input_size=320)
    with pytest.raises(InputError, match=r"takes pictures of shape \[1, 3, 416, 416\]"):
        predict_on(session, small, images, out)
    assert list(tmp_path.iterdir()) == []


def test_a_validation_has_the_record_of_one_process(
    cluster: Any, card: Path, data_folder: Path, tmp_path: Path
) -> None:
    data = yolo(data_folder / "coco_val164", tmp_path / "data")
    shared = ["validate", str(card), str(data), "--threads", "2"]
    assert main([*shared, "--out", str(tmp_path / "here.json")]) == 0
    done = boxscore(*shared, "--out", tmp_path / "there.json", "--engine", f"ray://127.0.0.1:{cluster.client}")
    assert done.status == 0, done.errors
    assert [line for line in done.errors.splitlines() if not line.startswith("note: ")] == []
    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()
    verified = boxscore("validate", "--verify", tmp_path / "here.json", "--threads", "2", "--engine", "ray")
    assert "holds to the byte" in verified.output, verified.errors
