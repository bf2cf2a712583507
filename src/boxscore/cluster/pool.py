"""Batches of pictures over a pool of lanes, by Ray Data: answers as they come, in bounded memory."""

from __future__ import annotations

from boxscore.cluster.lane import describe
from boxscore.cluster.pipeline import Pipeline
from boxscore.cluster.session import RETRIES
from boxscore.cluster.shards_of_pictures import answers_in, cut, shard_size, table_of
from boxscore.errors import InputError
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from boxscore.cluster.lane import Described, MakesWork
    from boxscore.cluster.sent_model import SentModel
    from boxscore.cluster.session import Session
    from boxscore.cluster.shards_of_pictures import Answer, Batch

_ATTEMPTS = 3
"""Pipelines without a single answer before a run is given up."""


class Pool:
    """Up to `lanes` actors with a model each, `processors` a lane (default: the threads of a run), and a GPU if asked.

    Raises InputError where no node has room for a lane, where Ray Data is missing a package, and as `lane.describe`.
    """

    def __init__(self, session: Session, sent: SentModel, lanes: int, processors: int | None = None) -> None:
        self._session = session
        self._sent = sent
        self.lanes = lanes
        self.threads = sent.threads
        self.on_gpu = sent.on_gpu()
        self._resources: dict[str, Any] = {"num_cpus": processors or sent.threads}
        if self.on_gpu:
            self._resources["num_gpus"] = 1
        self._reference = session.put(sent)
        described: Described = session.get(self._describing(), f"loading {sent.card.model.path} on the cluster")
        self.identity = described.identity
        self.fixed_batch = described.fixed_batch

    def answers(self, batches: Sequence[Batch], work: MakesWork) -> Iterator[Answer]:
        """An answer to each batch, in any order. Raises InputError of a batch that has one, and where workers end.

        What has no answer when a pipeline ends, or is lost, goes through another one, in shards of one batch, so that
        in the end only what can't be answered is left.
        """
        waiting = {batch.number: batch for batch in batches}
        size, fruitless = shard_size(batches, self.lanes), 0
        while waiting:
            before = len(waiting)
            try:
                for answer in self._pipeline(cut(list(waiting.values()), size), work):
                    if answer.error:
                        raise InputError(answer.error)
                    if waiting.pop(answer.number, None) is not None:
                        yield answer
            except _LostError as error:
                lost = str(error)
            else:
                lost = "workers ended"
            size, fruitless = 1, fruitless + 1 if len(waiting) == before else 0
            if fruitless >= _ATTEMPTS:
                raise _given_up(list(waiting.values()), lost)

    def _describing(self) -> Any:  # noqa: ANN401  a reference of Ray's
        """What a node says of the model, where a lane has room. Raises InputError where none ever has."""
        import ray

        from boxscore.cluster import tasks

        _check_room(_nodes(), self._resources)
        call = ray.remote(tasks.run).options(max_retries=RETRIES, **self._resources)
        return call.remote(tasks.Place.here(), 1, describe, self._reference)

    def _pipeline(self, shards: Sequence[Sequence[Batch]], work: MakesWork) -> Iterator[Answer]:
        """Answers, in any order, until all are there or the pipeline is lost."""
        import ray

        tables = [table_of(shard) for shard in shards]
        begin = ray.remote(Pipeline).options(num_cpus=0)
        pipeline: Any = begin.remote(tables, self._reference, self.identity, work, self.lanes, self._resources)
        try:
            while (taken := self._taken(pipeline)) is not None:
                yield from answers_in(taken)
        finally:
            ray.kill(pipeline)

    def _taken(self, pipeline: Any) -> Any:  # noqa: ANN401  an actor; a table of pyarrow's
        import ray

        try:
            taken = ray.get(pipeline.take.remote())
        except ray.exceptions.RayError as error:
            raise _LostError(type(error).__name__) from None
        if isinstance(taken, InputError):
            raise taken
        if isinstance(taken, str):
            raise _LostError(taken)
        return taken


def largest_node() -> int:
    """Processors of the cluster's largest node."""
    return max((int(resources.get("CPU", 0)) for resources in _nodes()), default=0) or 1


def _nodes() -> list[dict[str, float]]:
    """The resources of each node that is alive."""
    import ray

    nodes: Any = ray.nodes
    return [one["Resources"] for one in nodes() if one["Alive"]]


class _LostError(Exception):
    """The pipeline was lost, by which kind of Ray's errors."""


def _check_room(there: Sequence[dict[str, float]], wanted: dict[str, Any]) -> None:
    """Raise InputError where no node is so large that a lane could ever run on it."""
    names = {"num_cpus": "CPU", "num_gpus": "GPU"}
    if any(all(one.get(names[name], 0) >= count for name, count in wanted.items()) for one in there):
        return
    asked = " and ".join(f"{count:g} {names[name]}" for name, count in wanted.items())
    most = " and ".join(
        f"{max((one.get(names[name], 0) for one in there), default=0):g} {names[name]}" for name in wanted
    )
    raise InputError(
        f"one run of the model asks for {asked}, and the largest node of the cluster has {most}; ask for fewer "
        "--threads or more --lanes, or add such a node"
    )


def _given_up(batches: Sequence[Batch], lost: str) -> InputError:
    names = [name for batch in batches for name in batch.names]
    return InputError(
        f"{counted(len(names), 'picture')} got no answer from the cluster ({lost}, each time): {listed(names)}; what "
        "reads such a picture may end with its worker, or the nodes are short of memory: look at Ray's dashboard, and "
        "give the command again, which goes on where it was, or take these away and start anew"
    )
