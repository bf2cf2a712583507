"""A cluster gives the bytes that threads of one process give, whatever its workers, and the cut of the data."""

from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.cluster.engine import ray_engine
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.sharding.sharded_run import ShardedRun
from tests.cluster import data
from tests.cluster.conftest import IMAGES, RAY
from tests.support import command, ray_cluster

pytestmark = [*RAY, pytest.mark.usefixtures("address")]

ASKED: dict[str, dict[str, Any]] = {
    "coco": {},
    "voc": {"protocol": "voc2012"},
    "operating point": {"protocol": "operating-point", "confidence": 0.4},
    "agnostic, suppressed": {"label_agnostic": True, "nms": 0.6},
    "some labels": {"labels": ["gear", "bolt"]},
}


def evaluated(shards: tuple[str, str], engine: Any = None, **asked: Any) -> ShardedRun:
    run = boxscore.evaluate(*shards, engine=engine, threads=2, **asked)
    assert isinstance(run, ShardedRun)
    return run


def told(run: ShardedRun) -> tuple[str, list[str]]:
    """metrics.json and notes."""
    text = run.to_json()
    run.sharded.engine.close()
    return text, [str(note) for note in run.notes]


def by_ray(shards: tuple[str, str], **asked: Any) -> tuple[str, list[str]]:
    return told(evaluated(shards, ray_engine("ray"), **asked))


def by_threads(shards: tuple[str, str], **asked: Any) -> tuple[str, list[str]]:
    return told(evaluated(shards, **asked))


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
def test_a_cluster_gives_what_threads_give(shards: tuple[str, str], asked: dict[str, Any]) -> None:
    assert by_ray(shards, **asked) == by_threads(shards, **asked)


def test_any_workers_and_any_cut_give_the_same_bytes(
    tmp_path: Path, cluster: Any, shards: tuple[str, str], many: tuple[str, str]
) -> None:
    expected = by_threads(shards)
    few = data.write(tmp_path / "few", IMAGES, 35)
    assert by_ray(few) == expected
    assert by_ray(many) == expected  # two chunks of parts on their way to the labels
    added = cluster.add_node(num_cpus=5, object_store_memory=100 << 20)  # seven workers
    try:
        assert by_ray(many) == expected
    finally:
        cluster.remove_node(added)


def test_by_the_client_of_a_cluster(client_port: int, shards: tuple[str, str], tmp_path: Path) -> None:
    asked = ("--json", "--engine", f"ray://127.0.0.1:{client_port}", "--out", tmp_path / "run")
    found = command.boxscore("eval", *shards, *asked)
    assert found.status == 0, found
    assert found.output == command.evaluate(*shards).output
    assert (tmp_path / "run" / "pairs.parquet").is_file()


def test_one_worker_gives_the_same_bytes(shards: tuple[str, str]) -> None:
    with ray_cluster.of_nodes(1) as alone, ray_cluster.named(alone):
        assert by_ray(shards) == by_threads(shards)


def test_measures_that_are_asked_for_later_and_intervals(shards: tuple[str, str]) -> None:
    asked = {"protocol": "operating-point", "confidence": 0.3}
    plain, run = evaluated(shards, **asked), evaluated(shards, ray_engine("ray"), **asked)
    assert run.sweeps(1.0) == plain.sweeps(1.0)
    for measure in ("recall[conf=0.5]@0.5", "F1[conf=best]@0.5"):
        assert run.value(measure) == plain.value(measure)
    resampling = Resampling(replicates=30, seed=5)
    assert run.with_intervals(resampling).to_json() == plain.with_intervals(resampling).to_json()
    run.sharded.engine.close()
    plain.sharded.engine.close()


def test_run_folders_are_those_of_threads(tmp_path: Path, shards: tuple[str, str]) -> None:
    for name, engine in (("threads", None), ("ray", ray_engine("ray"))):
        run = evaluated(shards, engine, keep=True)
        run.save(tmp_path / name)
        run.sharded.engine.close()
    names = sorted(path.name for path in (tmp_path / "threads").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "ray").iterdir())
    for name in names:
        if name != "run.json":  # its time
            assert (tmp_path / "threads" / name).read_bytes() == (tmp_path / "ray" / name).read_bytes(), name
