"""Comparisons on a cluster of two nodes: the bytes of one process, whatever happens to workers and nodes."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.cluster.comparing import RayDrawing
from boxscore.cluster.session import Session, connect
from boxscore.compare import compare
from boxscore.model.json_text import to_json
from tests.cluster_compare import dying, in_shards
from tests.compare import made
from tests.support import command, ray_cluster

RUNS = made.runs(60)
MANY = boxscore.Resampling(replicates=2000, seed=3)


@pytest.fixture(scope="module")
def here() -> str:
    """What one process says."""
    return to_json(compare(RUNS, resampling=MANY, pairs="all", per_label=True).to_dict())


def drawn_by(session: Session, progress: Callable[[str, int, int], None] | None = None) -> str:
    drawing = RayDrawing(session, progress=progress)
    return to_json(compare(RUNS, resampling=MANY, pairs="all", per_label=True, drawing=drawing).to_dict())


@pytest.fixture
def session(cluster: Any) -> Iterator[Session]:
    with connect("ray") as opened:
        assert opened.processors == 2, cluster
        yield opened


def test_two_nodes_give_the_bytes_of_threads(session: Session, here: str) -> None:
    assert drawn_by(session) == here


@pytest.mark.parametrize("stage", ["resamples", "swaps"])
def test_a_worker_that_is_killed_changes_no_byte(
    session: Session, here: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    import ray

    pickling: Any = ray.cloudpickle
    monkeypatch.setattr(session, "in_order", partial(_with_a_death, session.in_order, stage, str(tmp_path / "died")))
    pickling.register_pickle_by_value(dying)
    try:
        assert drawn_by(session) == here
    finally:
        pickling.unregister_pickle_by_value(dying)
    assert (tmp_path / "died").exists()


def _with_a_death(
    in_order: Callable[..., Any], where: str, marker: str, work: Any, *given: Any, stage: str, **rest: Any
) -> Any:
    chosen = partial(dying.killing, marker, work) if stage == where else work
    return in_order(chosen, *given, stage=stage, **rest)


def test_a_node_that_is_lost_changes_no_byte(cluster: Any, session: Session, here: str) -> None:
    third = cluster.add_node(**ray_cluster.node())
    cluster.wait_for_nodes()
    lost: list[int] = []

    def lose(stage: str, done: int, total: int) -> None:
        if stage == "resamples" and not lost:
            lost.append(total - done)
            cluster.remove_node(third, allow_graceful=False)

    assert drawn_by(session, lose) == here
    assert lost
    assert lost[0] > 4


def test_the_command_from_files_and_from_run_folders(cluster: Any, tmp_path: Path) -> None:
    assert cluster.address
    gt, good, fair, _ = made.files(tmp_path, 20)
    for name in ("good", "fair"):
        boxscore.evaluate(gt, tmp_path / f"{name}.json").save(tmp_path / name)
    asked = ("--replicates", "300", "--json", "--name", "a", "--name", "b")
    threads = command.boxscore("compare", gt, good, fair, *asked)
    of_files = command.boxscore("compare", gt, good, fair, *asked, "--engine", "ray")
    of_folders = command.boxscore("compare", tmp_path / "good", tmp_path / "fair", *asked, "--engine", "ray")
    assert of_files.output == threads.output, of_files.errors
    assert of_folders.report["results"] == threads.report["results"], of_folders.errors
    told = of_files.errors.splitlines()
    assert [line for line in told if not line.startswith(("note: ", "Ray's dashboard: "))] == []


def test_the_command_from_sharded_data(cluster: Any, tmp_path: Path) -> None:
    assert cluster.address
    paths = in_shards.write(tmp_path / "shards", 30, 7)
    asked = ("--replicates", "200", "--json", "--per-label")
    threads = command.boxscore("compare", *paths, *asked)
    first = command.boxscore("compare", *paths, *asked, "--engine", "ray", "--parts", tmp_path / "kept")
    assert first.output == threads.output, first.errors
    again = command.boxscore("compare", *paths, *asked, "--engine", "ray", "--parts", tmp_path / "kept")
    assert again.output == threads.output, again.errors
    assert f"5 of 5 parts were taken from {tmp_path / 'kept'}" in again.errors
