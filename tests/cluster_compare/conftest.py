"""A cluster of two nodes on this host: two raylets of one processor each."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

MEMORY = 100 << 20
"""Of each node's object store, in bytes."""

NODE = {"num_cpus": 1, "object_store_memory": MEMORY}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes, and RAY_ADDRESS telling of them."""
    utility = pytest.importorskip("ray.cluster_utils")
    made = utility.Cluster(initialize_head=True, head_node_args=NODE)
    made.add_node(**NODE)
    made.wait_for_nodes()
    before = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = made.address
    try:
        yield made
    finally:
        made.shutdown()
        if before is None:
            del os.environ["RAY_ADDRESS"]
        else:
            os.environ["RAY_ADDRESS"] = before
