"""What a pool does about pipelines that are lost, without Ray."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from boxscore.cluster import pool
from boxscore.cluster.pool import Pool
from boxscore.cluster.predicting import PoolRunner, Writing
from boxscore.cluster.shards_of_pictures import Answer, Batch
from boxscore.errors import InputError
from boxscore.predict.run_pictures import Pictures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boxscore.cluster.lane import MakesWork

WORK = Writing(0.01, 1, overlap=False)


class Losing(Pool):
    """Answers to each batch but those named; a pipeline ends or is lost after so many answers."""

    def __init__(self, ends: Sequence[int | None], never: Sequence[int] = (), error: int | None = None) -> None:
        self.lanes = 2
        self.ends = list(ends)
        self.never = never
        self.error = error
        self.pipelines: list[list[list[int]]] = []

    def _pipeline(self, shards: Sequence[Sequence[Batch]], work: MakesWork) -> Iterator[Answer]:
        assert work is WORK
        self.pipelines.append([[batch.number for batch in shard] for shard in shards])
        left = self.ends.pop(0) if self.ends else None
        for shard in reversed(shards):
            for batch in shard:
                if batch.number in self.never:
                    break
                if left == 0:
                    raise pool._LostError("ActorDiedError")
                left = None if left is None else left - 1
                yield Answer(batch.number, b'{"pictures":[]}', '{"processor":"p","processors":2}', self._error(batch))

    def _error(self, batch: Batch) -> str:
        return "it is refused" if batch.number == self.error else ""


def batches(count: int) -> list[Batch]:
    return [Batch(number, [f"{number}.jpg"], [""], [True]) for number in range(count)]


def test_the_rest_goes_through_another_pipeline_one_by_one() -> None:
    losing = Losing([5, 0, 0, 20])
    assert sorted(answer.number for answer in losing.answers(batches(40), WORK)) == list(range(40))
    first, second, *_ = losing.pipelines
    assert [number for shard in first for number in shard] == list(range(40))
    assert max(map(len, first)) > 1
    assert len(second) == 35
    assert max(map(len, second)) == 1


@pytest.mark.parametrize("ends", [[], [3, 5]])
def test_only_what_ends_its_workers_is_left_and_named(ends: list[int | None]) -> None:
    losing = Losing(ends, never=[7, 11])
    found: list[int] = []

    def run() -> None:
        for answer in losing.answers(batches(40), WORK):
            found.append(answer.number)  # noqa: PERF401  what was answered before the error counts

    with pytest.raises(InputError, match=r"2 pictures got no answer .*7\.jpg, 11\.jpg.*goes on where it was"):
        run()
    assert sorted(found) == [number for number in range(40) if number not in (7, 11)]


def test_an_error_is_raised_and_nothing_is_tried_again() -> None:
    losing = Losing([], error=12)
    with pytest.raises(InputError, match=r"^it is refused$"):
        list(losing.answers(batches(40), WORK))
    assert len(losing.pipelines) == 1


def test_nothing_to_do_asks_nobody() -> None:
    losing = Losing([])
    assert list(losing.answers([], WORK)) == []
    assert losing.pipelines == []


def test_room_for_a_lane() -> None:
    nodes = [{"CPU": 4.0}, {"CPU": 2.0, "GPU": 1.0}]
    pool._check_room(nodes, {"num_cpus": 4})
    pool._check_room(nodes, {"num_cpus": 2, "num_gpus": 1})
    with pytest.raises(InputError, match=r"asks for 3 CPU and 1 GPU, and the largest node of the cluster has 4 CPU"):
        pool._check_room(nodes, {"num_cpus": 3, "num_gpus": 1})


def test_the_machines_of_a_run_are_told_together() -> None:
    runner = PoolRunner(Losing([]), Pictures(["a.jpg"], ["a.jpg"]), WORK)
    assert runner.machine()["processors"] >= 1, "nothing was left to run: this machine"
    assert list(runner.run([(0, range(1))])) == [(0, {"pictures": []})]
    assert runner.machine() == {"processor": "p", "processors": 2}
    runner._machines.add('{"processor":"q","processors":2}')
    assert runner.machine() == {"processor": "p, q", "processors": 2, "kinds": ["p", "q"]}
