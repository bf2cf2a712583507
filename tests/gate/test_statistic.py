"""Figures of columns: copies by weight are copies."""

import numpy as np
import pytest

from boxscore.errors import MeasureError
from boxscore.gate.statistic import Statistic


@pytest.mark.parametrize("text", ["x", "x[mean]", "x[median]", "x[p95]", "x[p12.5]", "x[min]", "x[max]"])
def test_weights_are_copies(text: str) -> None:
    rng = np.random.default_rng(1)
    values, weights = rng.normal(size=40), rng.integers(0, 4, size=40).astype(np.uint32)
    values[3] = np.nan
    copies = np.repeat(values, weights)
    copies = copies[~np.isnan(copies)]
    statistic = Statistic.parse(text)
    expected = copies.mean() if statistic.percent is None else np.percentile(copies, statistic.percent)
    assert statistic.of(values, weights) == pytest.approx(expected, abs=1e-12)
    assert statistic.of(np.repeat(values, weights)) == pytest.approx(expected, abs=1e-12)


def test_columns_may_be_called_anything() -> None:
    assert Statistic.parse("recall@10").column == "recall@10"
    assert Statistic.parse("a [ms][p95]").column == "a [ms]"
    assert Statistic.parse("a[b]").column == "a[b]"
    with pytest.raises(MeasureError, match="percentile above 100"):
        Statistic.parse("x[p100.5]")


def test_nothing_has_no_figure() -> None:
    assert Statistic.parse("x[p95]").of(np.array([np.nan])) is None
    assert Statistic.parse("x").of(np.array([1.0]), np.array([0], dtype=np.uint32)) is None
