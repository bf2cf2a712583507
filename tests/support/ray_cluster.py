"""Clusters of Ray on this host, for tests: each node is a raylet of its own."""

import gc
import random
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support import needs


def node(num_cpus: int = 1) -> dict[str, Any]:
    """Arguments of a node."""
    return {"num_cpus": num_cpus, "object_store_memory": 100 << 20}


@contextmanager
def of_nodes(nodes: int, *, num_cpus: int = 1, client_port: int | None = None, **head: Any) -> Iterator[Any]:
    """A cluster of equal nodes, of which `head` are arguments of the first alone. Tests may add nodes, which they take
    away again. The environment doesn't name it: see `named`.
    """
    utility = needs.module("ray.cluster_utils")
    first = node(num_cpus) | {"include_dashboard": False, "dashboard_port": free_port()} | head
    if client_port is not None:
        first["ray_client_server_port"] = client_port
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Ray leaves the log files of what it starts to the collector
        # The client's server is a fork of a process with threads, which gRPC's own handlers of forks mostly end.
        patch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")
        made = utility.Cluster(initialize_head=True, head_node_args=first)
        for _ in range(nodes - 1):
            made.add_node(**node(num_cpus))
        gc.collect()
    try:
        made.wait_for_nodes()
        yield made
    finally:
        made.shutdown()


@contextmanager
def named(cluster: Any) -> Iterator[str]:
    """The address of a cluster, which the engine `ray` finds in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", cluster.address)
        yield cluster.address


def free_port() -> int:
    """A port of this host on which nothing listens, and which neither the system nor Ray gives out by itself."""
    for port in random.sample(range(2000, 10000), 1000):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError
