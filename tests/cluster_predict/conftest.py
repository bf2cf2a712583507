"""A cluster of two nodes on this host, a real model's card, and a folder of pictures."""

import gc
import json
import os
import shutil
import socket
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.cards import write_card

NODE = {"num_cpus": 2, "object_store_memory": 100 << 20, "include_dashboard": False}
COPIES = 5


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Two nodes of two processors each, and RAY_ADDRESS telling of them; `client` is the port of Ray's client."""
    utility = pytest.importorskip("ray.cluster_utils")
    pytest.importorskip("pandas")  # Ray Data's
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Ray leaves the log files of what it starts to the collector
        # The client's server is a fork of a process with threads, which gRPC's own handlers of forks may end.
        patch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")
        made = utility.Cluster(initialize_head=True, head_node_args={**NODE, "ray_client_server_port": port})
        gc.collect()
    made.client = port
    made.add_node(**NODE)
    made.wait_for_nodes()
    before = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = made.address
    try:
        yield made
    finally:
        made.shutdown()
        del os.environ["RAY_ADDRESS"]
        if before is not None:
            os.environ["RAY_ADDRESS"] = before


@pytest.fixture(scope="session")
def card(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card of a detector of 80 classes."""
    truth = json.loads((data_folder / "coco_val164/instances_val164.json").read_text())
    classes = [category["name"] for category in sorted(truth["categories"], key=lambda one: one["id"])]
    folder = tmp_path_factory.mktemp("card")
    return write_card(folder, data_folder / "models_coco80/yolox_nano.onnx", "yolox", 416, classes)


@pytest.fixture(scope="session")
def images(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures, two of which can't be read, and an odd one."""
    from PIL import Image

    folder = tmp_path_factory.mktemp("images")
    sources = sorted((data_folder / "coco_val164/images").iterdir())[:12]
    for copy in range(COPIES):
        for path in sources:
            shutil.copyfile(path, folder / f"{copy}_{path.name}")
    (folder / "0_empty.jpg").write_bytes(b"")
    (folder / "4_cut.jpg").write_bytes(sources[0].read_bytes()[:5000])
    with Image.open(sources[1]) as picture:
        picture.convert("RGBA").save(folder / "2_alpha.png")
    return folder
