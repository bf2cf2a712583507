"""Runs to compare, from sharded data: each model made by parts, its matches then brought together here."""

from __future__ import annotations

import os

from boxscore.compare.loading import Loaded
from boxscore.compare.names import names_of
from boxscore.errors import InputError
from boxscore.io.shard_paths import looks_sharded
from boxscore.io.taxonomy import Taxonomy
from boxscore.model.reading import Reading
from boxscore.model.tables import Matches
from boxscore.pipeline.evaluate import effective_protocol, names_to_keep, thread_count
from boxscore.pipeline.run import Run
from boxscore.pipeline.sharding import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from boxscore.pipeline.evaluate import TaxonomyInput
    from boxscore.pipeline.sharding.engines import Engine
    from boxscore.pipeline.sharding.sharded_run import ShardedRun
    from boxscore.pipeline.thresholds import Thresholds

    Engines = Callable[[], Engine]
    """A fresh engine: each is used for one evaluation."""


def are_sharded(paths: Sequence[str]) -> bool:
    """Whether any of these is sharded data; a file among them is then refused, by name, when it is opened."""
    return any(looks_sharded(path) for path in paths)


def load_shards(
    gt: str,
    predictions: Sequence[str],
    names: Sequence[str] | None,
    engines: Engines,
    **given: Any,  # noqa: ANN401  those of `made`
) -> Loaded:
    """Every model of sharded predictions over one sharded ground truth; `given` as in `made`. Raises InputError."""
    if len(predictions) < 2:
        what = f"{predictions[0]} is the only file of predictions" if predictions else f"there is nothing but {gt}"
        raise InputError(
            f"{what}; give the ground truth and two sets of predictions or more (for one model: "
            "`boxscore eval GT PRED --interval`)"
        )
    called = names_of([os.fspath(one) for one in predictions], names)
    return Loaded({name: made(gt, path, engines, **given) for name, path in zip(called, predictions, strict=True)})


def load_sharded_sides(
    sides: Sequence[tuple[str, str]],
    names: Sequence[str] | None,
    engines: Engines,
    **given: Any,  # noqa: ANN401  likewise
) -> Loaded:
    """Ground truth and predictions of several sharded data sets, which give the names. Raises InputError."""
    called = names_of([gt for gt, _ in sides], names)
    return Loaded({name: made(gt, found, engines, **given) for name, (gt, found) in zip(called, sides, strict=True)})


def made(
    gt: str,
    pred: str,
    engines: Engines,
    *,
    protocol: Any = "coco",  # noqa: ANN401  as `evaluate` takes it
    labels: Sequence[str] | None = None,
    label_agnostic: bool = False,
    iou: Sequence[float] | None = None,
    max_detections: Sequence[int] | None = None,
    taxonomy: TaxonomyInput | None = None,
    reading: Reading | None = None,
    thresholds: Thresholds | None = None,
    confidence: float | None = None,
    beta: float | None = None,
    nms: float | None = None,
    threads: int | None = None,
    examined: Callable[[Run], Run] | None = None,
    **forms: Any,  # noqa: ANN401  options of single files, which are refused
) -> Run:
    """One model as `evaluate` makes it, by parts, with its matches in memory. Raises InputError."""
    del examined  # Parts have let their boxes go, so that no other reading of them can be tried.
    asked.refuse_options(*forms.values())
    policies, workers, engine = Reading.of(reading), thread_count(threads), engines()
    try:
        run = asked.evaluate(
            gt,
            pred,
            effective_protocol(
                protocol, policies, iou=iou, max_detections=max_detections, confidence=confidence, beta=beta
            ),
            engine=engine,
            parts=None,
            keep=False,
            identity=True,
            labels=names_to_keep(labels),
            taxonomy=None if taxonomy is None else Taxonomy.of(taxonomy),
            label_agnostic=label_agnostic,
            thresholds=thresholds,
            confidence=confidence,
            nms=nms,
            reading=policies,
            threads=workers,
        )
        return _in_memory(run)
    finally:
        engine.close()


def _in_memory(run: ShardedRun) -> Run:
    """The same run with all matches in this process, so that its engine can be let go."""
    about_input = run.input_notes
    return Run(
        Matches(run.matches.kernel, run.protocol),
        run.labels,
        image_ids=run.image_ids,
        file_names=run.file_names,
        groups=run.groups,
        data_identity=run.data_identity,
        label_agnostic=run.label_agnostic,
        floors=run.floors,
        steps=run.steps,
        notes=about_input,
        result_notes=run.notes[len(about_input) :],
        reading=run.reading,
        inputs=run.inputs,
        metadata=run.metadata,
        threads=run.threads,
    )
