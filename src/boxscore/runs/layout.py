"""Names and numbers of the run folder's format."""

from __future__ import annotations

FORMAT = (1, 3)
"""Major and minor. A new major is a change that old readers would misread; a new minor only adds."""

KIND = "boxscore run"
"""What `kind` in run.json says: how a run folder is told from any other folder."""

MANIFEST = "run.json"
METRICS = "metrics.json"
DERIVED = "derived"
"""Where analyses save what they found; replaced with the run that it was derived from."""
DERIVED_FORMAT = 1
"""Of the files in it; another number is another arrangement of their fields."""

REPORTS = ("report.html", "report.md")
"""Reports that were written into the run folder itself; they too are replaced with the run that they tell of."""

TABLES = ("images", "ground_truth", "detections", "pairs", "metrics")
MATCH_COLUMNS = ("rank", "matched", "ignored", "gt")
"""Columns that matching adds to detections; ground truth gets `matched` and `ignored`."""

IMAGE_COLUMNS = ("image", "image_id", "file_name", "width", "height", "group", "source_row")
OBJECT_COLUMNS = (
    *("image", "label", "x", "y", "w", "h", "area"),
    *("crowd", "ignore", "difficult", "group_of"),
    *("source_id", "source_row", "matched", "ignored"),
)
"""Columns of the tables' own; further ones are metadata of images and attributes of objects that were brought."""

LEAST_OVERLAP = 0.1
"""From here on a detection and a ground truth are a row of `pairs`."""

ARITHMETIC = 1
"""Raised only when the same input and protocol would give another figure. Part of the compatibility digest."""


def file_of(table: str) -> str:
    """The file that holds a table."""
    return f"{table}.parquet"


def format_text() -> str:
    """`1.3`."""
    return ".".join(map(str, FORMAT))
