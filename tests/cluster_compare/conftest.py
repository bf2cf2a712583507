"""A cluster of two nodes on this host: two raylets of one processor each."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import ray_cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes, and RAY_ADDRESS telling of them."""
    with ray_cluster.of_nodes(2) as made, ray_cluster.named(made):
        yield made
