"""`predict` on Ray: the same file as from one process, whatever the lanes, and whatever ends in the middle."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import accumulate

from boxscore.cluster.pool import Pool
from boxscore.cluster.sent_model import SentModel
from boxscore.cluster.shards_of_pictures import Batch
from boxscore.predict.run import BATCH, LEAST_SCORE
from boxscore.predict.run_batches import BatchRunner
from boxscore.predict.run_kept import predict_by
from boxscore.predict.run_machine import machine
from boxscore.predict.run_pictures import Pictures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.cluster.session import Session
    from boxscore.predict.card import Card
    from boxscore.predict.detector import OnnxDetector
    from boxscore.predict.run_kept import Images, Predicted


def predict_on(
    session: Session,
    card: Card,
    images: Images,
    out: str | PathLike[str],
    *,
    providers: list[str] | None = None,
    threads: int | None = None,
    lanes: int | None = None,
    **options: Any,  # noqa: ANN401  those of `predict_by`
) -> Predicted:
    """Run a card's model on pictures that all nodes see, and write `out` here, as `boxscore.predict.run.predict` does.

    `threads` are the processors to use of the whole cluster (default: all), `lanes` the runs at a time that share them
    (default: one a thread). The journal is that of a run in one process: either goes on with what the other has begun.
    Raises InputError likewise, and where the cluster gives up.
    """
    pool = pool_of(session, card, providers, threads, lanes)
    options.setdefault("batch", pool.fixed_batch or (BATCH if pool.on_gpu else 1))
    least = min(LEAST_SCORE, card.output.least_score)
    return predict_by(
        lambda pictures: PoolRunner(pool, pictures, Writing(least, len(card.classes), pool.on_gpu)),
        images,
        out,
        classes=card.classes,
        identity=pool.identity,
        least_score=least,
        asked={"threads": pool.lanes * pool.threads, "lanes": pool.lanes, "one_by_one": False, "engine": session.name},
        **options,
    )


def pool_of(
    session: Session, card: Card, providers: Sequence[str] | None, threads: int | None, lanes: int | None
) -> Pool:
    """The pool that is asked for. Raises InputError."""
    total = threads or session.processors
    wanted = lanes or total
    sent = SentModel.of(card, providers, threads=max(1, total // wanted))
    return Pool(session, sent, min(wanted, total))


@dataclass(frozen=True, slots=True)
class Writing:
    """Makes the work of a lane: batches as the journal has them, in JSON. `overlap`: the next one is read meanwhile."""

    least: float
    num_labels: int
    overlap: bool

    def __call__(self, detector: OnnxDetector) -> Written:
        """That of one lane."""
        return Written(detector, self)


class Written:
    """The work of one lane."""

    def __init__(self, detector: OnnxDetector, asked: Writing) -> None:
        self._pictures = Pictures([], [])
        self._runner = BatchRunner(
            detector,
            self._pictures,
            workers=2 if asked.overlap else 1,
            least=asked.least,
            num_labels=asked.num_labels,
        )

    def __call__(self, batches: Sequence[Batch]) -> Iterator[tuple[int, bytes]]:
        """What the journal holds of each batch."""
        self._pictures.names = [name for batch in batches for name in batch.names]
        self._pictures.paths = [path for batch in batches for path in batch.paths]
        ends = list(accumulate(len(batch.names) for batch in batches))
        rows = [range(end - len(batch.names), end) for batch, end in zip(batches, ends, strict=True)]
        for number, content in self._runner.run(zip((batch.number for batch in batches), rows, strict=True)):
            yield number, json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


class PoolRunner:
    """Runs batches by a pool (`boxscore.predict.run_kept.Runner`)."""

    def __init__(self, pool: Pool, pictures: Pictures, work: Writing) -> None:
        self._pool = pool
        self._pictures = pictures
        self._work = work
        self._machines: set[str] = set()

    def run(self, batches: Iterable[tuple[int, range]]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Numbers of batches and what is found in them, as they are done. Raises InputError."""
        names, paths = self._pictures.names, self._pictures.paths
        waiting = [
            Batch.of(number, names[rows.start : rows.stop], paths[rows.start : rows.stop]) for number, rows in batches
        ]
        for answer in self._pool.answers(waiting, self._work):
            self._machines.add(answer.machine)
            yield answer.number, json.loads(answer.content)

    def machine(self) -> dict[str, Any]:
        """On what they ran: each field once where all machines agree, else all its values."""
        found = [json.loads(text) for text in sorted(self._machines)] or [machine()]
        merged = {}
        for name in found[0]:
            values = list(dict.fromkeys(one[name] for one in found))
            merged[name] = values[0] if len(values) == 1 else ", ".join(map(str, values))
        processors = sorted({one["processor"] for one in found})
        return merged if len(processors) == 1 else {**merged, "kinds": processors}
