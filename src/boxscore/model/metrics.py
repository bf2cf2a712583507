"""Metrics: one tidy table, a row a figure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import polars as pl

COLUMNS = {
    "measure": "String",
    "label": "String",
    "slice": "String",
    "average": "String",
    "value": "Float64",
    "reason": "String",
    "low": "Float64",
    "high": "Float64",
    "mean": "Float64",
    "std_error": "Float64",
    "bias": "Float64",
    "confidence": "Float64",
    "interval": "String",
    "interval_reason": "String",
    "unit": "String",
    "replicates": "UInt32",
    "seed": "UInt64",
    "images": "UInt64",
    "objects": "UInt64",
}
"""Columns in order, with their polars types."""


class Metrics:
    """Rows of figures, each a dict with the keys of `COLUMNS`.

    `measure` is a Measure's printed form; `label` is None for a figure over all labels, and `average` then says how it
    was made (`macro`: the mean over labels that have objects; `micro`: from the counts of all; `sum`: a count;
    `label-agnostic`: labels disregarded). `slice` names a part of the images, None for all.
    `value` is None exactly where `reason` says why. `images` and `objects` are what the figure rests on. The columns
    from `low` to `seed` are those of intervals, None without one: `mean` is that of the replicates, `bias` by how much
    it lies above the value; `interval_reason` says why there is none where one was asked for.
    """

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows = list(rows)

    def find(self, measure: str, label: str | None = None) -> dict[str, Any]:
        """The row of a measure over all images, overall or of one label. Raises KeyError where there is none."""
        for row in self.rows:
            if row["measure"] == measure and row["label"] == label and row["slice"] is None:
                return row
        raise KeyError((measure, label))

    def to_polars(self) -> pl.DataFrame:
        """The table as a polars data frame with typed columns."""
        import polars as pl

        return pl.DataFrame(self.rows, schema={name: getattr(pl, kind) for name, kind in COLUMNS.items()})

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, position: int) -> dict[str, Any]:
        return self.rows[position]

    def __repr__(self) -> str:
        return f"<Metrics of {len(self)} rows>"
