"""Presence as Matches: an image is a moment, a label an actor, and a box the actor's own place, the same in both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boxscore.io import arrays
from boxscore.model.labels import LabelSet
from boxscore.model.tables import Dataset, Predictions
from boxscore.presence.actors import role_of
from boxscore.presence.moments import clock
from boxscore.presence.spans import inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.pipeline.run import Run
    from boxscore.presence.actors import Actor, Mask
    from boxscore.presence.moments import Moments
    from boxscore.presence.timeline import Integers, Presence, Windows

PROTOCOL = Path(__file__).parent / "presence.toml"
SCORE = 1.0
"""Windows have no score: all count."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Who is there when: `moment` and `actor` by number, int64, shape (n,), by moment and then actor."""

    moment: Integers
    actor: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """What Matches say of both sides' pairs: which are right, and which are found; booleans, parallel to the pairs."""

    predicted: Pairs
    right: NDArray[np.bool_]
    true: Pairs
    found: NDArray[np.bool_]


def pairs_of(windows: Windows, rows: Sequence[int | None], moments: Moments) -> Pairs:
    """Pairs of a source, whose person `rows[actor]` each actor is (None: none of its people); it has no others."""
    moment, person = inside(windows, moments.time)
    number = {row: place for place, row in enumerate(rows) if row is not None}
    actor_of = np.array([number[row] for row in range(len(number))], np.int64)
    actor = actor_of[person]
    order = np.lexsort((actor, moment))
    return Pairs(moment[order], actor[order])


def run_of(
    truth: Presence,
    prediction: Presence,
    actors: Sequence[Actor],
    moments: Moments,
    mask: Mask,
    *,
    inputs: Mapping[str, str] | None = None,
    threads: int = 1,
) -> Run:
    """The run of a title. Its images have `time`, `scene`, `people`, its objects `role` and `masked` (`in`, `out`)."""
    import polars as pl

    from boxscore import _kernel
    from boxscore.pipeline.evaluate import finish
    from boxscore.protocols import load

    true = pairs_of(truth.windows, [actor.truth for actor in actors], moments)
    predicted = pairs_of(prediction.windows, [actor.predicted for actor in actors], moments)
    ids = moments.milliseconds
    kernel, _ = _kernel.dataset_from_columns(ids, *_columns(true), file_names=[clock(one) for one in ids])
    dataset = Dataset(
        kernel.with_groups(moments.group),
        LabelSet.from_names([actor.label for actor in actors]),
        source=truth.path,
        grouped_by=moments.grouped_by,
    )
    scores = arrays.column(np.full(len(predicted.moment), SCORE), "float64")
    detections, _ = _kernel.detections_from_columns(dataset.kernel, ids, *_columns(predicted), scores)
    protocol = load(PROTOCOL)
    run = finish(Predictions(detections, dataset, source=prediction.path), protocol, inputs=inputs, threads=threads)
    people = np.bincount(true.moment, minlength=len(moments))
    run.metadata = pl.DataFrame({"time": moments.time, "people": people, **_scene(truth, moments)})
    names = {"role": roles_of(true, actors, moments), "masked": ["in" if inside else "out" for inside in mask.inside]}
    run.attributes = pl.DataFrame({name: pl.Series(own, dtype=pl.String)[true.actor] for name, own in names.items()})
    return run


def outcomes_of(run: Run) -> Outcomes:
    """Outcomes read off a run's matches."""
    detections, objects = run.matches.detections, run.matches.ground_truth
    return Outcomes(_pairs(detections), _bit(detections), _pairs(objects), _bit(objects))


def roles_of(true: Pairs, actors: Sequence[Actor], moments: Moments) -> list[str]:
    """The role of each actor by true presence at the moments."""
    shares = np.bincount(true.actor, minlength=len(actors)) / len(moments)
    return [role_of(float(share), actor) for share, actor in zip(shares, actors, strict=True)]


def _scene(truth: Presence, moments: Moments) -> dict[str, Any]:
    if not len(truth.scenes):
        return {}
    return {"scene": [truth.scenes.names[row] if row >= 0 else None for row in moments.scene]}


def _columns(pairs: Pairs) -> tuple[Any, Any, Any]:
    """Image, label and boxes: every actor has a unit square of its own, so that IoU is 1 with itself and else 0."""
    boxes = np.ones((len(pairs.actor), 4))
    boxes[:, 0] = 2.0 * pairs.actor
    boxes[:, 1] = 0.0
    return (
        arrays.column(pairs.moment, "uint32"),
        arrays.column(pairs.actor, "uint32"),
        arrays.column(boxes, "float64"),
    )


def _pairs(table: Any) -> Pairs:  # noqa: ANN401  a kernel table
    moment, actor = (np.array(memoryview(table.column(name)), dtype=np.int64) for name in ("image", "label"))
    return Pairs(moment, actor)


def _bit(table: Any) -> NDArray[np.bool_]:  # noqa: ANN401  a kernel table
    bits = np.array(memoryview(table.column("matched")), dtype=np.uint64)
    return (bits & np.uint64(1)).astype(np.bool_)
