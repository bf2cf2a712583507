"""The tables of a run folder, of one part: rows count from 0, until all parts stand one behind the other."""

from __future__ import annotations

from boxscore.runs.layout import LEAST_OVERLAP, MATCH_COLUMNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import polars as pl

    from boxscore import _kernel
    from boxscore.io.shards.rows import Boxes
    from boxscore.model.tables import Matches
    from boxscore.pipeline.sharding.jobs import Settings

NAMES = ("images", "ground_truth", "detections", "pairs")


def tables_of(
    settings: Settings,
    truth: Boxes,
    dataset: _kernel.Dataset,
    detections: _kernel.Detections,
    matches: Matches,
    *,
    threads: int = 1,
) -> dict[str, bytes]:
    """Each as the bytes of a Parquet file; groups and metadata of images are the whole run's to add."""
    import polars as pl

    from boxscore import _kernel
    from boxscore.matching import pixel

    pairs = _kernel.overlap_pairs(
        dataset,
        detections,
        min_overlap=LEAST_OVERLAP,
        pixel=pixel(settings.protocol, settings.truth.corner_convention),
        threads=threads,
    )
    objects = pl.DataFrame(dataset.ground_truth)
    objects = objects.hstack(pl.DataFrame(matches.ground_truth).select("matched", "ignored"))
    found = pl.DataFrame(detections.table).hstack(pl.DataFrame(matches.detections).select(MATCH_COLUMNS))
    frames = {
        "images": pl.DataFrame(dataset.images),
        "ground_truth": objects.with_columns(_attributes(truth, objects)),
        "detections": found,
        "pairs": pl.DataFrame(pairs),
    }
    return {name: _parquet(frame) for name, frame in frames.items()}


def _attributes(truth: Boxes, objects: pl.DataFrame) -> list[pl.Series]:
    """Attributes of the objects in the table's order: by the row of the part that each came from."""
    import polars as pl

    rows = objects["source_row"]
    return [pl.Series(name, values.tolist(), strict=False).gather(rows) for name, values in truth.further.items()]


def _parquet(frame: pl.DataFrame) -> bytes:
    import io

    held = io.BytesIO()
    frame.write_parquet(held, compression="zstd", compression_level=1)
    return held.getvalue()
