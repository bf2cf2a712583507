"""A server of this host that speaks S3, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support import needs


@contextmanager
def serving(bucket: str) -> Iterator[str]:
    """The address of a bucket; the environment tells clients of the server."""
    moto = needs.module("moto.server")
    needs.module("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    stated = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in stated.items():
            patch.setenv(name, value)
        try:
            client().mkdir(bucket)
            yield f"s3://{bucket}"
        finally:
            server.stop()


def client() -> Any:
    """A file system that remembers nothing of before."""
    s3fs = needs.module("s3fs")

    s3fs.S3FileSystem.clear_instance_cache()
    return s3fs.S3FileSystem()
