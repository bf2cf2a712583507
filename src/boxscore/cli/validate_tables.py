"""What `boxscore validate` prints of a record."""

from __future__ import annotations

from boxscore.cli.tables import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COUNTS = ("ground_truth", "true_positive", "false_positive", "false_negative")
_RATES = ("precision", "recall", "f1")


def lines(record: dict[str, Any]) -> list[str]:
    """Figures with intervals, and whether the pictures are an independent test set."""
    made = record["intervals"]
    rows = [["all", *_cells(record["micro"], made["micro"])]]
    rows += [[name, *_cells(one, made["per_class"][name])] for name, one in record["per_class"].items()]
    head = ["class", "objects", "TP", "FP", "FN", *_RATES]
    table = aligned(head, rows)
    told = [*table, ""]
    if any(cell.endswith("*") for row in rows for cell in row):
        told += ["* fewer than 20: Clopper and Pearson's interval, which is optimistic (docs/validate.md)", ""]
    if made["caution"] is not None:
        told += [made["caution"], ""]
    told.append(f"independent test set: {'yes' if record['independent_test_set'] else 'no'}")
    told += [f"  {_words(one)}" for one in record["independence"].values()]
    return told


def _words(condition: dict[str, Any]) -> str:
    mark = {True: "yes", False: "no", None: "unknown"}[condition["holds"]]
    return f"{mark}: {condition['reason']}"


def _cells(figure: dict[str, Any], made: dict[str, Any]) -> list[str]:
    return [*(str(figure[name]) for name in _COUNTS), *(_rate(figure[name], made[name]) for name in _RATES)]


def _rate(value: float | None, made: dict[str, Any]) -> str:
    if value is None:
        return "-"
    if "low" not in made:
        return f"{value:.3f}"
    star = "*" if made.get("optimistic") else ""
    return f"{value:.3f} [{max(0.0, made['low']):.3f}, {min(1.0, made['high']):.3f}]{star}"
