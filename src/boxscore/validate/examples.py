"""Examples of errors: the most confident false positives and the largest misses."""

from __future__ import annotations

from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import polars as pl

    from boxscore.pipeline.run import Run

MOST = 5


def examples(run: Run) -> dict[str, list[dict[str, Any]]]:
    """`false_positives` by descending score and `misses` by descending area, at most five each, at the run's floors.

    Boxes are x, y, w, h in pixels. Ties go by picture, then by the order of the tables.
    """
    import polars as pl

    floors = operating.floors_of(run) or [0.0] * len(run.labels)
    detections = _detections(run).filter(pl.col("score") >= pl.col("label").replace_strict(dict(enumerate(floors))))
    matched = (pl.col("matched") & 1) == 1
    wrong = detections.filter(~matched & ((pl.col("ignored") & 1) == 0))
    taken = detections.filter(matched)["gt"]
    objects = _objects(run)
    missed = objects.filter(~pl.col("row").is_in(taken.to_list()) & ((pl.col("ignored") & 1) == 0))
    wrong = wrong.sort("score", descending=True, maintain_order=True).head(MOST)
    missed = missed.sort(pl.col("w") * pl.col("h"), descending=True, maintain_order=True).head(MOST)
    return {
        "false_positives": [_told(run, row) | {"score": row["score"]} for row in wrong.iter_rows(named=True)],
        "misses": [_told(run, row) for row in missed.iter_rows(named=True)],
    }


def _detections(run: Run) -> pl.DataFrame:
    import polars as pl

    boxes = pl.DataFrame(run.predictions.table if run.predictions is not None else None)
    return boxes.hstack(pl.DataFrame(run.matches.detections).select("matched", "ignored", "gt"))


def _objects(run: Run) -> pl.DataFrame:
    import polars as pl

    boxes = pl.DataFrame(run.dataset.ground_truth if run.dataset is not None else None)
    matches = pl.DataFrame(run.matches.ground_truth).select(matched_anyhow="matched", ignored="ignored")
    kept = boxes.select("image", "label", "x", "y", "w", "h").hstack(matches)
    return kept.with_row_index("row")


def _told(run: Run, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "picture": run.file_names[row["image"]],
        "class": run.labels.names[row["label"]],
        "box": [round(row[side], 2) for side in ("x", "y", "w", "h")],
    }
