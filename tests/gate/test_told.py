"""Figures as the gate tells them."""

import pytest

from boxscore.gate.told import figure


@pytest.mark.parametrize(
    ("value", "measure", "told"),
    [
        (0.38, "AP", "0.3800"),
        (1234.56, "latency", "1,234.6"),
        (5.0, "detections", "5"),
        (0.0, "detections", "0"),
        (7.25, "TP[conf=0.3]@0.5", "7.2"),
        (0.11, "detections", "0.1"),
        (0.049, "detections", "0.05"),  # a hundredth of five: were the floor told as 0, 0 would seem to reach it
        (0.0012, "FP", "0.001"),
        (None, "AP", "n/a"),
        (float("nan"), "AP", "n/a"),
    ],
)
def test_figures(value: float | None, measure: str, told: str) -> None:
    assert figure(value, measure) == told


def test_a_difference_keeps_its_sign() -> None:
    assert figure(-5.0, "detections", sign="+") == "-5"
    assert figure(0.04, "detections", sign="+") == "+0.04"
    assert figure(0.04, "AP", sign="+") == "+0.0400"
