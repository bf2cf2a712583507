"""A cluster of two nodes on this host, a real model's card, and a folder of pictures."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import needs, ray_cluster
from tests.support.cards import write_card
from tests.support.object_store import serving

COPIES = 5


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """The address of a bucket."""
    with serving("pictures") as address:
        yield address


@pytest.fixture(scope="session")
def cluster(object_store: str) -> Iterator[Any]:  # noqa: ARG001  workers take the environment of their node
    """Two nodes of two processors each, and RAY_ADDRESS telling of them; `client` is the port of Ray's client."""
    needs.module("pandas")  # Ray Data's
    port = ray_cluster.free_port()
    with ray_cluster.of_nodes(2, num_cpus=2, client_port=port) as made, ray_cluster.named(made):
        made.client = port
        yield made


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
