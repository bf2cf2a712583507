"""Objects that don't fit a node's memory go to its disk, and the figures stay."""

from pathlib import Path
from typing import Any

from boxscore.cluster.engine import ray_engine
from tests.cluster.conftest import RAY
from tests.cluster.test_bytes import by_threads, evaluated, told
from tests.support import needs, ray_cluster

pytestmark = RAY

MEMORY = 80 << 20
SPILLING = {"object_spilling_threshold": 0.01, "min_spilling_size": 1}
"""A share of the memory, and bytes: Ray begins to spill here."""


def test_spilled_objects(tmp_path: Path, large: tuple[str, str]) -> None:
    ray = needs.module("ray")
    spilling: dict[str, Any] = {"_system_config": SPILLING, "object_spilling_directory": str(tmp_path)}
    with ray_cluster.of_nodes(1, num_cpus=2, object_store_memory=MEMORY, **spilling) as made, ray_cluster.named(made):
        try:
            run = evaluated(large, ray_engine("ray"), keep=True)
            assert run.to_json()
            assert any(path.is_file() for path in tmp_path.glob("ray_spilled_objects*/**/*")), "nothing was spilled"
            assert told(run) == by_threads(large)
        finally:
            ray.shutdown()
