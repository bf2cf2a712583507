"""What a run folder holds, drawn from a run: its tables as data frames."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.runs.layout import LEAST_OVERLAP, MATCH_COLUMNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    import polars as pl

    from boxscore.model.floors import Floors
    from boxscore.model.labels import Id, LabelSet
    from boxscore.model.metrics import Metrics
    from boxscore.model.protocol import Protocol as EvaluationProtocol
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Matches, Predictions

    class ImageGroups(Protocol):
        """The group of each image, and what says so."""

        of_image: list[str | None]
        rule: dict[str, str]

    class Evaluation(Protocol):
        """What is written: the pipeline's Run, seen from here."""

        dataset: Dataset | None
        predictions: Predictions | None
        matches: Matches
        labels: LabelSet
        label_agnostic: bool
        floors: Floors | None
        reading: Reading | None
        inputs: dict[str, str]
        created: float
        metadata: pl.DataFrame | None
        attributes: pl.DataFrame | None

        @property
        def protocol(self) -> EvaluationProtocol:
            """The protocol in effect."""

        @property
        def corner_convention(self) -> str:
            """What the ground truth's corners are."""

        @property
        def steps(self) -> list[dict[str, Any]]:
            """What was done to the detections before they were matched."""

        @property
        def image_ids(self) -> list[Id]:
            """In canonical order."""

        @property
        def file_names(self) -> list[str | None]:
            """Of all images, None where there is none."""

        @property
        def groups(self) -> ImageGroups | None:
            """Clips, sessions, cameras."""

        @property
        def metrics(self) -> Metrics:
            """All figures."""

        @property
        def data_identity(self) -> str | None:
            """Digest of the ground truth."""

        def pairs(self, min_overlap: float) -> Any:  # noqa: ANN401  a kernel table, or None
            """Detections and ground truth that overlap."""

        def to_json(self) -> str:
            """Content of metrics.json."""


def frames(run: Evaluation) -> dict[str, pl.DataFrame]:
    """The tables that the run can give, by name."""
    import polars as pl

    found = {
        "images": _images(run),
        "ground_truth": _ground_truth(run),
        "detections": _detections(run),
        "metrics": run.metrics.to_polars(),
    }
    pairs = run.pairs(LEAST_OVERLAP)
    if pairs is not None:
        found["pairs"] = pl.DataFrame(pairs)
    return found


def not_kept(run: Evaluation) -> dict[str, str]:
    """What the folder lacks, with the reason: runs made in pieces let their boxes go."""
    reason = "boxes are let go once matched"
    found = {}
    if run.dataset is None:
        names = "" if any(name is not None for name in run.file_names) else "file_name, "
        found["images"] = f"{names}width, height, source_row: {reason}"
        found["ground_truth"] = f"boxes, area, flags, source_id, source_row: {reason}"
    if run.predictions is None:
        found["detections"] = f"boxes, source_row: {reason}"
    if run.dataset is None or run.predictions is None:
        found["pairs"] = f"the table: {reason}, and overlaps need them"
    return found


def grouped_by(run: Evaluation) -> dict[str, str] | None:
    """What the column `group` of the images was made of; None where there are no groups."""
    groups = _groups(run)
    return None if groups is None else dict(groups.rule)


def _groups(run: Evaluation) -> ImageGroups | None:
    try:
        return run.groups
    except InputError:
        # The file was changed since it was read, as its digest will say, and no figure depends on groups.
        return None


def _images(run: Evaluation) -> pl.DataFrame:
    return with_brought(_own_images(run), run)


def with_brought(frame: pl.DataFrame, run: Evaluation) -> pl.DataFrame:
    """A table of images with the groups and the metadata of a run."""
    import polars as pl

    groups = _groups(run)
    if groups is not None:
        frame = frame.with_columns(pl.Series("group", groups.of_image, dtype=pl.String))
    return frame if run.metadata is None else frame.hstack(_kept(run.metadata, frame))


def _kept(further: pl.DataFrame, own: pl.DataFrame) -> list[pl.Series]:
    """Columns that were brought, of the types that run folders have; the table's own keep their names."""
    import polars as pl

    columns = []
    for series in further.iter_columns():
        if series.name not in own.columns:
            kinds = ((series.dtype.is_integer(), pl.Int64), (series.dtype.is_float(), pl.Float64))
            kind = next((kind for holds, kind in kinds if holds), pl.String)
            same = series.dtype in (pl.Boolean, pl.String, pl.UInt64, pl.UInt32)
            columns.append(series if same else series.cast(kind))
    return columns


def _own_images(run: Evaluation) -> pl.DataFrame:
    import polars as pl

    if run.dataset is not None:
        return pl.DataFrame(run.dataset.images)
    ids = run.image_ids
    numbers = pl.Series("image", range(len(ids)), dtype=pl.UInt32)
    names = pl.Series("file_name", run.file_names, dtype=pl.String)
    return pl.DataFrame([numbers, _id_column(ids), *([] if names.is_null().all() else [names])])


def _id_column(ids: list[Id]) -> pl.Series:
    """Integers where all are, else texts, as the kernel has them."""
    import polars as pl

    if any(isinstance(value, str) for value in ids):
        return pl.Series("image_id", [str(value) for value in ids], dtype=pl.String)
    beyond = any(isinstance(value, int) and value >= 2**63 for value in ids)
    if beyond and any(isinstance(value, int) and value < 0 for value in ids):
        return pl.Series("image_id", [str(value) for value in ids], dtype=pl.String)
    return pl.Series("image_id", ids, dtype=pl.UInt64 if beyond else pl.Int64)


def _ground_truth(run: Evaluation) -> pl.DataFrame:
    frame = _own_ground_truth(run)
    return frame if run.attributes is None else frame.hstack(_kept(run.attributes, frame))


def _own_ground_truth(run: Evaluation) -> pl.DataFrame:
    import polars as pl

    matches = pl.DataFrame(run.matches.ground_truth)
    if run.dataset is None:
        return matches
    return pl.DataFrame(run.dataset.ground_truth).hstack(matches.select("matched", "ignored"))


def _detections(run: Evaluation) -> pl.DataFrame:
    import polars as pl

    matches = pl.DataFrame(run.matches.detections)
    if run.predictions is None:
        return matches
    return pl.DataFrame(run.predictions.table).hstack(matches.select(MATCH_COLUMNS))
