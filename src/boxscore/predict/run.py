"""Predictions on a folder of pictures, in a run that can be killed and goes on where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.predict.detector import OnnxDetector
from boxscore.predict.run_batches import BatchRunner
from boxscore.predict.run_kept import LEAST_SCORE, Predicted, predict_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, TextIO

    from boxscore.predict.card import Card
    from boxscore.predict.detector import Detector
    from boxscore.predict.run_kept import Images
    from boxscore.predict.run_output import Ids
    from boxscore.predict.run_pictures import Pictures

__all__ = ["LEAST_SCORE", "Predicted", "predict", "predict_with"]

BATCH = 8
"""Pictures a batch of a model that takes any number, where its provider gains by it; the CPU's does not."""


def predict(
    card: Card,
    images: Images,
    out: str | PathLike[str],
    *,
    providers: Sequence[str] | None = None,
    threads: int | None = None,
    lanes: int | None = None,
    one_by_one: bool = False,
    **options: Any,  # noqa: ANN401  those of `predict_with`
) -> Predicted:
    """Run a card's model on pictures and write all detections from LEAST_SCORE up to `out`.

    `providers`, `threads` and `lanes` are those of `Session`. With `one_by_one` nothing overlaps: one picture at a time
    has all threads, so that its latency is undisturbed. `options` are those of `predict_with`.
    Raises InputError as `predict_with` and `Session` do.
    """
    detector = OnnxDetector.of(card, providers=providers, threads=threads, lanes=1 if one_by_one else lanes)
    session = detector.session
    on_cpu = session.providers[0].startswith("CPU")
    options.setdefault("batch", session.fixed_batch or (1 if on_cpu or one_by_one else BATCH))
    spare = 0 if one_by_one or session.lanes == session.threads else 1
    return predict_with(
        detector,
        images,
        out,
        classes=card.classes,
        identity=detector.describe(),
        workers=session.lanes + spare,
        least_score=min(LEAST_SCORE, card.output.least_score),
        asked={"threads": session.threads, "lanes": session.lanes, "one_by_one": one_by_one},
        **options,
    )


def predict_with(
    detector: Detector,
    images: Images,
    out: str | PathLike[str],
    *,
    classes: Sequence[str],
    identity: Mapping[str, Any],
    batch: int = 1,
    workers: int = 2,
    least_score: float = LEAST_SCORE,
    skip_unreadable: bool = False,
    ids: Ids | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: TextIO | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Predicted:
    """Run any detector on pictures and write what it finds to `out`, `.parquet` or `.json`.

    Beside `out` grows `OUT.journal`; where one is found, the run goes on from there, and ends in the same bytes as if
    it had never been interrupted. Of a run that is killed, the batches are lost that its `workers` threads had in hand.
    `identity` says what boxes depend on besides the pictures: a journal of another identity is refused. `classes` are
    the names of the detector's labels; with `ids` a `.json` has a ground truth's ids in the place of names. `asked` is
    kept in the record. `progress` is drawn on where it is a terminal.

    Raises InputError for pictures that are not there, an output that exists (unless `overwrite`) or can't be written,
    and a journal of another run (unless `restart`).
    """

    def runner_of(pictures: Pictures) -> BatchRunner:
        return BatchRunner(detector, pictures, workers=workers, least=least_score, num_labels=len(classes))

    return predict_by(
        runner_of,
        images,
        out,
        classes=classes,
        identity=identity,
        batch=batch,
        least_score=least_score,
        skip_unreadable=skip_unreadable,
        ids=ids,
        overwrite=overwrite,
        restart=restart,
        progress=progress,
        asked=asked,
    )
