"""Ray Data's pipeline, run by an actor on the cluster: so it works through Ray's client, too."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from boxscore.cluster.lane import MakesWork
    from boxscore.cluster.sent_model import SentModel

RETRIES = 1
"""So often does a pipeline take up a shard again whose worker or node went away; what is left goes to the next one."""
_IN_FLIGHT = 2
"""Shards a lane at a time: one runs, one waits."""


class Pipeline:
    """Shards over lanes, in bounded number: the next ones start as answers are taken.

    `shards` are tables (`shards_of_pictures.table_of`), `lanes` the actors at most, `resources` what each asks of Ray;
    the rest is `lane.Lane`'s.
    """

    def __init__(
        self,
        shards: Sequence[Any],  # tables of pyarrow's
        sent: SentModel,
        identity: dict[str, Any],
        work: MakesWork,
        lanes: int,
        resources: dict[str, Any],
    ) -> None:
        self._answers = self._run(shards, (sent, identity, work), lanes, resources)

    def take(self) -> Any:  # noqa: ANN401  a table of pyarrow's
        """The next table of answers, None after the last, or the kind of Ray's error by which the pipeline was lost."""
        from ray.exceptions import RayError

        try:
            return next(self._answers, None)
        except InputError as error:
            return error
        except RayError as error:
            return type(error).__name__

    def _run(
        self, shards: Sequence[Any], arguments: tuple[Any, ...], lanes: int, resources: dict[str, Any]
    ) -> Iterator[Any]:
        from boxscore.cluster.lane import Lane

        data = _data()
        answered = data.from_arrow(list(shards)).map_batches(
            Lane,
            fn_constructor_args=arguments,
            batch_size=None,
            batch_format="pyarrow",
            compute=data.ActorPoolStrategy(
                min_size=1, max_size=lanes, initial_size=lanes, max_tasks_in_flight_per_actor=_IN_FLIGHT
            ),
            ray_remote_args_fn=_restarted,
            **resources,
        )
        yield from answered.iter_batches(batch_size=None, batch_format="pyarrow")


def _restarted() -> dict[str, Any]:
    """What Ray does with a lane that ended: begin it anew wherever there is room, and give it its shards again."""
    return {"max_restarts": -1, "max_task_retries": RETRIES}


def _data() -> Any:  # noqa: ANN401  Ray Data's module
    try:
        import ray.data
    except ImportError as error:
        raise InputError(
            f"pictures on a cluster go through Ray Data, which lacks a package there ({error}); pip install "
            "'boxscore[ray]' on all nodes"
        ) from None
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.max_errored_blocks = -1  # a shard that ends its workers doesn't end the others: it stays without answers
    return ray.data
