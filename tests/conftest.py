"""Settings and fixtures of the whole suite: Hypothesis profiles and the folders of shared data."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import shared

# Derandomised, so that a run of CI says something about the change alone; `HYPOTHESIS_PROFILE=deep` searches anew.
COMMON = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, suppress_health_check=COMMON)
settings.register_profile("deep", deadline=None, max_examples=3000, suppress_health_check=COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

CLUSTERS = ("cluster", "cluster_compare", "cluster_predict")
"""Folders of tests that start clusters."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts a cluster, so that it runs as a stage of its own."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and item.path.relative_to(here).parts[0] in CLUSTERS:
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Real data that the repository does not hold; skips, or fails where data are required."""
    return shared.folder_or_skip("data")


@pytest.fixture(scope="session")
def cases_folder() -> Path:
    """The small cases from bug reports; skips, or fails where data are required."""
    return shared.folder_or_skip("cases")
