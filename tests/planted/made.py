"""What the tests of planted regressions share."""

import importlib.util

import pytest

needs_rendering = pytest.mark.skipif(
    importlib.util.find_spec("pybullet") is None, reason="PyBullet renders, and is not here"
)
