"""An evaluation of sharded data, as `evaluate` was asked for it."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.tables import Dataset
from boxscore.pipeline.sharding import opened
from boxscore.pipeline.sharding.evaluate import evaluate_shards, label_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.io.shards.layout import Shards
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.floors import Floors
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading
    from boxscore.pipeline.sharding.engines import Engine
    from boxscore.pipeline.sharding.sharded_run import ShardedRun
    from boxscore.pipeline.thresholds import Thresholds


def refuse_options(*given: object) -> None:
    """Forms and their options are those of single files. Raises InputError where one is given."""
    if any(one is not None for one in given):
        raise InputError(
            "sharded data are Parquet tables, which say how they are read: leave out options of forms, or convert the "
            "data with them: boxscore convert --to shards"
        )


def evaluate(
    gt: object,
    pred: object,
    protocol: Protocol,
    *,
    engine: Engine | None,
    parts: str | PathLike[str] | None,
    keep: bool,
    labels: Sequence[str] | None,
    taxonomy: Taxonomy | None,
    label_agnostic: bool,
    thresholds: Thresholds | None,
    confidence: float | None,
    nms: float | None,
    reading: Reading,
    threads: int,
    identity: bool = False,
) -> ShardedRun:
    """See `boxscore.evaluate`, and `evaluate_shards` for `identity`. Raises InputError."""
    truth, found = opened.shards_of(gt, "ground_truth"), opened.shards_of(pred, "predictions")
    floors: Floors | None = None
    notes: list[Note] = []
    if thresholds is not None:
        from boxscore.pipeline.thresholds import floors_for

        dataset = _without_images(truth, labels, taxonomy)
        floors, notes = floors_for(thresholds, protocol, dataset, reading, asked=confidence, agnostic=label_agnostic)
    run = evaluate_shards(
        truth,
        found,
        protocol,
        engine or opened.thread_engine(parts, threads),
        reading=reading,
        labels=labels,
        taxonomy=taxonomy,
        label_agnostic=label_agnostic,
        floors=floors,
        nms=_checked(nms),
        keep=keep,
        identity=identity,
        threads=threads,
    )
    for note in notes:
        run.add_note(note)
    return run


def _checked(nms: float | None) -> float | None:
    from boxscore.pipeline.steps import checked_overlap

    return None if nms is None else checked_overlap(nms)


def _without_images(truth: Shards, labels: Sequence[str] | None, taxonomy: Taxonomy | None) -> Dataset:
    """The labels of a data set, as what looks at labels alone takes them."""
    from array import array

    from boxscore import _kernel
    from boxscore.io.flat import aligned

    declared, kept, _ = label_sets(truth, labels, taxonomy)
    nothing, numbers = aligned(array("I"), "I"), aligned(array("d"), "d")
    kernel, _ = _kernel.dataset_from_columns([], nothing, nothing, numbers)
    return Dataset(kernel, kept, declared=declared, source=truth.name)
