"""Data and parts at addresses of an object store, read and written by the nodes of a cluster."""

from pathlib import Path

import pytest

from boxscore.cluster.engine import ray_engine
from boxscore.errors import InputError
from tests.cluster.conftest import RAY
from tests.cluster.test_bytes import by_threads, evaluated, told
from tests.support import needs

pytestmark = [*RAY, pytest.mark.usefixtures("address")]


@pytest.fixture(scope="module")
def uploaded(object_store: str, shards: tuple[str, str]) -> tuple[str, str]:
    """The same data in the bucket."""
    s3fs = needs.module("s3fs")
    files = s3fs.S3FileSystem()
    for path in shards:
        files.put(path, f"{object_store}/data/{Path(path).name}", recursive=True)
    return f"{object_store}/data/gt", f"{object_store}/data/dt"


def test_data_and_parts_at_addresses(object_store: str, uploaded: tuple[str, str], shards: tuple[str, str]) -> None:
    lines: list[str] = []
    parts = f"{object_store}/parts"
    first = told(evaluated(uploaded, ray_engine("ray", parts=parts, tell=lines.append)))
    assert first == by_threads(shards)
    assert lines == []
    again = told(evaluated(uploaded, ray_engine("ray", parts=parts, keep=False, tell=lines.append)))
    assert again == first
    assert lines == [f"12 of 12 parts were taken from {parts}"]
    s3fs = needs.module("s3fs")
    files = s3fs.S3FileSystem()
    files.invalidate_cache()
    assert files.glob(f"{parts}/*.part") == []


def test_an_object_that_is_gone_is_named(object_store: str, uploaded: tuple[str, str]) -> None:
    s3fs = needs.module("s3fs")
    files = s3fs.S3FileSystem()
    files.copy(uploaded[1], f"{object_store}/broken", recursive=True)
    files.rm(f"{object_store}/broken/detections/part-00003.parquet")
    with pytest.raises(InputError, match=r"fleet/broken/detections/part-00003\.parquet"):
        evaluated((uploaded[0], f"{object_store}/broken"), ray_engine("ray"))


def test_parts_that_cannot_be_written_are_an_error_that_names_the_place(shards: tuple[str, str]) -> None:
    with pytest.raises(InputError, match=r"s3://no-such-bucket/parts/.*can't be"):
        evaluated(shards, ray_engine("ray", parts="s3://no-such-bucket/parts"))
