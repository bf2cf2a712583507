"""Chromium for tests of pages: BOXSCORE_CHROMIUM, else one on PATH, else Debian's package where tests run as root."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium_or_skip() -> str:
    """Path of the browser; without one the test is skipped, or fails when `BOXSCORE_REQUIRE_BROWSER` is 1."""
    path = _chromium()
    if path is not None:
        return path
    reason = "there is no Chromium; install it, or set BOXSCORE_CHROMIUM to its path"
    if os.environ.get("BOXSCORE_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def _chromium() -> str | None:
    stated = os.environ.get("BOXSCORE_CHROMIUM")
    if stated:
        return stated
    found = _on_path()
    if found is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        command = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]
        subprocess.run(command, check=False, capture_output=True, timeout=600)
        found = _on_path()
    return found


def _on_path() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path is not None), None)


@contextmanager
def browser() -> Iterator[Any]:
    """The browser, driven by Playwright, which skips likewise where it is missing."""
    path = chromium_or_skip()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        if os.environ.get("BOXSCORE_REQUIRE_BROWSER") == "1":
            pytest.fail("playwright is missing")
        pytest.skip("playwright is missing")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as driver:
        # Chromium refuses to be run by root with its sandbox on.
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"] if root else [])
        try:
            yield started
        finally:
            started.close()
