"""A server for each test."""

from collections.abc import Iterator

import pytest

from tests.presence_crosswalk.server import Service, serving


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as found:
        yield found
