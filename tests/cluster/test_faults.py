"""Workers, nodes and drivers end in the middle, shards can't be read: the same bytes, or an error that names it."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boxscore.cluster.engine import ray_engine
from boxscore.cluster.session import connect
from boxscore.errors import InputError
from tests.cluster import ending
from tests.cluster.conftest import RAY
from tests.cluster.test_bytes import by_threads, evaluated, told
from tests.support import command, ray_cluster

pytestmark = [*RAY, pytest.mark.usefixtures("address")]


@pytest.mark.parametrize(("stage", "done"), [("parts", 20), ("labels", 1)])
def test_workers_that_are_killed_change_nothing(cluster: Any, many: tuple[str, str], stage: str, done: int) -> None:
    ends = ending.At(stage, done, lambda: ending.kill_workers(cluster))
    assert told(evaluated(many, ray_engine("ray", progress=ends))) == by_threads(many)
    assert ends.happened


def test_a_node_that_is_lost_in_the_middle_changes_nothing(cluster: Any, large: tuple[str, str]) -> None:
    from ray.experimental import get_object_locations

    added = cluster.add_node(**ray_cluster.node(3))
    cluster.wait_for_nodes()
    lost: list[int] = []

    def lose(stage: str, done: int, _: int) -> None:
        """Once the node holds what some part left."""
        if stage != "parts" or lost:
            return
        places = get_object_locations(engine._blocks).values()
        if any(added.node_id in place["node_ids"] for place in places):
            lost.append(done)
            cluster.remove_node(added, allow_graceful=False)

    with connect("ray"):
        _start_workers(added.node_id, 3)
        engine = ray_engine("ray", progress=lose)
        assert told(evaluated(large, engine)) == by_threads(large)
    assert lost, "nothing was lost with it"


def _start_workers(node_id: str, count: int) -> None:
    """Have a node's workers at hand, so that parts are made there from the beginning."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    def wait() -> None:
        time.sleep(0.3)

    there = NodeAffinitySchedulingStrategy(node_id, soft=False)
    started = ray.remote(wait).options(num_cpus=1, scheduling_strategy=there)
    ray.get([started.remote() for _ in range(count)])


def test_a_driver_that_is_begun_again_takes_up_the_parts(tmp_path: Path, many: tuple[str, str]) -> None:
    kept = tmp_path / "parts"
    asked = [sys.executable, "-m", "boxscore", "eval", *many, "--json", "--engine", "ray", "--parts", str(kept)]
    first = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list(kept.glob("*.part"))) < 10:
        assert first.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.wait()
    time.sleep(1)  # its workers end after it
    before = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.part")}
    assert 10 <= len(before) < 60

    second = command.boxscore(*asked[3:])
    assert second.status == 0, second
    assert f"{len(before)} of 60 parts were taken from {kept}" in second.errors
    assert second.output == command.evaluate(*many).output
    after = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.part")}
    assert len(after) == 60
    assert before.items() <= after.items()


def test_a_part_that_was_cut_is_made_again(tmp_path: Path, shards: tuple[str, str]) -> None:
    lines: list[str] = []
    expected = told(evaluated(shards, ray_engine("ray", parts=tmp_path / "parts")))
    one, *_ = sorted((tmp_path / "parts").iterdir())
    one.write_bytes(one.read_bytes()[:-3])
    assert told(evaluated(shards, ray_engine("ray", parts=tmp_path / "parts", tell=lines.append))) == expected
    assert lines == [f"11 of 12 parts were taken from {tmp_path / 'parts'}"]


def test_parts_that_are_not_kept_go(tmp_path: Path, shards: tuple[str, str]) -> None:
    told(evaluated(shards, ray_engine("ray", parts=tmp_path / "parts", keep=False)))
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("harm", ["cut", "changed", "gone"])
def test_a_shard_that_cannot_be_read_is_an_error_that_names_it(
    tmp_path: Path, shards: tuple[str, str], harm: str
) -> None:
    found = shutil.copytree(shards[1], tmp_path / "dt")
    part = found / "detections" / "part-00007.parquet"
    if harm == "gone":
        part.unlink()
    else:
        whole = part.read_bytes()
        part.write_bytes(whole[:-20] if harm == "cut" else whole[:100] + b"x" + whole[101:])
    message = command.refusal(command.boxscore("eval", shards[0], found, "--engine", "ray"))
    assert str(part) in message
    with pytest.raises(InputError) as by_one_process:
        evaluated((shards[0], str(found)))
    assert message == f"error: {by_one_process.value}"


def test_relative_paths_are_those_of_the_driver(shards: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(shards[0]).parent
    here = command.boxscore("eval", "gt", "dt", "--json", "--engine", "ray", cwd=root)
    assert here.status == 0, here
    assert here.output == command.evaluate("gt", "dt", cwd=root).output
    monkeypatch.chdir(root)
    assert told(evaluated(("gt", "dt"), ray_engine("ray"))) == by_threads(("gt", "dt"))
    assert Path.cwd() == root
