"""A cluster of two nodes on this host (two raylets, of a processor each), and an object store."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cluster import data
from tests.support import ray_cluster
from tests.support.object_store import serving

IMAGES = 60
BUCKET = "fleet"

RAY = [
    pytest.mark.xdist_group("ray"),  # all in one process of the suite's: clusters take the host's memory and ports
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # Ray's own, while it looks for a port
]


@pytest.fixture(scope="package")
def client_port() -> int:
    """The port of the cluster for Ray's client."""
    return ray_cluster.free_port()


@pytest.fixture(scope="package")
def cluster(object_store: str, client_port: int) -> Iterator[Any]:  # noqa: ARG001  workers take the environment of their node
    """Two nodes; tests may add some, which they take away again."""
    with ray_cluster.of_nodes(2, client_port=client_port) as made:
        yield made


@pytest.fixture
def address(cluster: Any) -> Iterator[str]:
    """The cluster's, which the engine `ray` finds in the environment."""
    with ray_cluster.named(cluster) as address:
        yield address


@pytest.fixture(scope="package")
def shards(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Ground truth and predictions, 12 parts."""
    return data.write(tmp_path_factory.mktemp("shards"), IMAGES, 5)


@pytest.fixture(scope="package")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The same in 60 parts."""
    return data.write(tmp_path_factory.mktemp("many"), IMAGES, 1)


@pytest.fixture(scope="package")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Ten parts whose blocks are too long (100 kB) for the driver to keep: they stay where they were made."""
    return data.write(tmp_path_factory.mktemp("large"), 40, 4, detections=5000)


@pytest.fixture(scope="package")
def object_store() -> Iterator[str]:
    """The address of a bucket on a server of this host that speaks S3, which the environment tells of."""
    with serving(BUCKET) as address:
        yield address
