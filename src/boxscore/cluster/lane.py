"""What a worker of the pool is: one model in memory, through which shards of pictures go, one after the other."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from boxscore.cluster.sent_model import same_everywhere
from boxscore.cluster.shards_of_pictures import Answer, answers_table, batches_in
from boxscore.errors import BoxscoreError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    from boxscore.cluster.sent_model import SentModel
    from boxscore.cluster.shards_of_pictures import Batch
    from boxscore.predict.detector import OnnxDetector

    class Work(Protocol):
        """What is done with a shard's batches by a lane's detector."""

        def __call__(self, batches: Sequence[Batch]) -> Iterator[tuple[int, bytes]]:
            """Numbers of batches, and what came of each. Raises InputError."""

    class MakesWork(Protocol):
        """Makes the work of a lane; it travels to the nodes."""

        def __call__(self, detector: OnnxDetector) -> Work:
            """The work of one lane."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a node says of a model: `identity`, what boxes depend on, and `fixed_batch`, None where it takes any."""

    identity: dict[str, Any]
    fixed_batch: int | None


def describe(sent: SentModel) -> Described:
    """Load the model on a node, and say what boxes depend on. Raises InputError."""
    detector = sent.detector()
    return Described(detector.describe(), detector.session.fixed_batch)


class Lane:
    """An actor of Ray Data's pool. What goes wrong comes back as an answer, in words, so that nothing is tried in vain.

    `identity` is what the first node said boxes depend on.
    """

    def __init__(self, sent: SentModel, identity: dict[str, Any], work: MakesWork) -> None:
        from boxscore.predict.run_machine import machine

        self._machine = json.dumps(machine())
        self._error = ""
        try:
            detector = sent.detector()
            same_everywhere(detector.describe(), identity)
            self._work = work(detector)
        except BoxscoreError as error:
            self._error = str(error)

    def __call__(self, shard: Any) -> Any:  # noqa: ANN401  tables of pyarrow's
        """Answers to a shard's batches; after an error there are no more."""
        return answers_table(list(self._answers(list(batches_in(shard)))))

    def _answers(self, batches: list[Batch]) -> Iterator[Answer]:
        if self._error:
            yield Answer(batches[0].number, error=self._error)
            return
        try:
            for batch in batches:
                _check_there(batch)
            for number, content in self._work(batches):
                yield Answer(number, content, self._machine)
        except BoxscoreError as error:
            yield Answer(batches[0].number, error=str(error))


def _check_there(batch: Batch) -> None:
    """Raise InputError for a picture that the driver sees and this node doesn't: it isn't unreadable, but elsewhere."""
    for path, there in zip(batch.paths, batch.there, strict=True):
        if there and not os.path.exists(path):  # noqa: PTH110  over many files
            import platform

            raise InputError(
                f"{path} is not there on node {platform.node()} of the cluster; put the pictures into a folder that "
                "all nodes share, under one path"
            )
