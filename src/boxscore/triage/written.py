"""Files that triage writes: tables of matches, of failures with mode and cluster, of clusters."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.whole_files import write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

MATCHES, FAILURES, CLUSTERS = "matches.csv", "failures_classified.csv", "cluster_summary.csv"


def write_tables(folder: str | PathLike[str], cases: pl.DataFrame, labels: list[int] | None) -> list[Path]:
    """Write the three tables into a folder (made where it is missing); other files there stay.

    `labels`: the cluster of each failure, in order; without, there is no summary of clusters, and one that is there
    goes. Raises InputError where they can't be written.
    """
    import polars as pl

    home = Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{home} can't be made: {error.strerror or error}; give another folder with --out") from None
    failures = cases.filter(pl.col("match_type") != "tp")
    tables = {MATCHES: cases}
    if labels is None:
        (home / CLUSTERS).unlink(missing_ok=True)
    else:
        failures = failures.with_columns(cluster=pl.Series(labels, dtype=pl.Int64))
        tables[CLUSTERS] = summary(failures)
    tables[FAILURES] = failures
    for name, frame in tables.items():
        write_text(home / name, frame.write_csv())
    return [home / name for name in (MATCHES, FAILURES, CLUSTERS) if name in tables]


def summary(failures: pl.DataFrame) -> pl.DataFrame:
    """A row a cluster, the largest first: count, leading mode and its share, means of numbers, leading categories."""
    import polars as pl

    from boxscore.triage.cases import COLUMNS

    metadata = [name for name in failures.columns if name not in (*COLUMNS, "cluster")]
    numbers = [name for name in metadata if failures[name].dtype.is_numeric()]
    texts = [name for name in metadata if failures[name].dtype == pl.String]
    rows = []
    for (number,), own in failures.group_by("cluster", maintain_order=True):
        mode, count = _leading(own["failure_mode"])
        row: dict[str, object] = {"cluster": number, "count": own.height}
        row |= {"dominant_failure_mode": mode, "mode_pct": count / own.height}
        row |= {f"mean_{name}": own[name].mean() for name in [*numbers, "gt_box_area"]}
        row |= {f"top_{name}": _leading(own[name])[0] for name in texts} | {"top_tier": _leading(own["gt_tier"])[0]}
        rows.append(row)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return frame.sort(["count", "cluster"], descending=[True, False]) if rows else frame


def _leading(values: pl.Series) -> tuple[str | None, int]:
    """The most frequent value, the first by name among equals; `?` where all are null."""
    counts: dict[str, int] = {}
    for value in values.drop_nulls().to_list():
        counts[str(value)] = counts.get(str(value), 0) + 1
    if not counts:
        return "?", 0
    name = min(counts, key=lambda one: (-counts[one], one))
    return name, counts[name]
