"""Cells and tables of the page, in Markdown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

RATES = ("precision", "recall", "f1")
COUNTS = ("ground_truth", "true_positive", "false_positive", "false_negative")
FIGURES = ("objects", "TP", "FP", "FN", *RATES)
"""Heads of the columns of counts and rates."""
_NUMBERS = frozenset(("objects", "TP", "FP", "FN", "pictures", "sessions", "score", "ms", "bits apart"))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table, a blank one behind it; columns of numbers are set to the right."""
    rule = ["---" if place == 0 or name not in _NUMBERS else "---:" for place, name in enumerate(head)]
    return [*(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)), ""]


def cell(text: str) -> str:
    """Text that breaks no table."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def counts(figure: dict[str, Any]) -> list[str]:
    """Objects, TP, FP, FN."""
    return [str(figure[name]) for name in COUNTS]


def plain_rates(figure: dict[str, Any]) -> list[str]:
    """Precision, recall, F1 without intervals."""
    return ["–" if figure[name] is None else f"{figure[name]:.3f}" for name in RATES]


def rates(figure: dict[str, Any], made: dict[str, Any]) -> list[str]:
    """Precision, recall, F1 with their intervals; optimistic ones are marked."""
    return [_rate(figure[name], made[name]) for name in RATES]


def _rate(value: float | None, made: dict[str, Any]) -> str:
    if value is None:
        return f"– ({made['reason']})"
    if "low" not in made:
        return f"{value:.3f}"
    mark = "†" if made.get("optimistic") else ""
    return f"{value:.3f} [{max(0.0, made['low']):.3f}, {min(1.0, made['high']):.3f}]{mark}"
