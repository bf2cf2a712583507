"""Scenes made by one process or several.

Processes are started and spoken to one by one, not by a pool of the standard library: that one can't say which scene a
dead process had in hand, and may wait for ever after Ctrl-C (CPython 3.11).
"""

import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import cast

from boxscore.errors import InputError
from boxscore.scenes.generating.records import Record
from boxscore.scenes.generating.work import Work
from boxscore.scenes.rendering import ScenePlan

SCENES_A_PROCESS = 200
"""After so many it is replaced by a new one, so that what native code may keep of each scene can't add up."""


def made(work: Work, plans: Sequence[ScenePlan], processes: int) -> Generator[Record]:
    """Records of the scenes in the order in which they are done.

    Raises InputError where a process ends that should not have, naming the scene that it had in hand.
    """
    if processes == 1 and len(plans) <= SCENES_A_PROCESS:
        yield from map(work.make, plans)
        return
    waiting = list(reversed(plans))
    workers: list[_Worker] = []
    try:
        for _ in range(min(processes, len(plans))):
            workers.append(_started(work))
            workers[-1].take(waiting.pop())
        while workers:
            for connection in wait([worker.connection for worker in workers]):
                at = next(at for at, worker in enumerate(workers) if worker.connection is connection)
                record = workers[at].result()
                if not waiting:
                    workers.pop(at).end()
                else:
                    if workers[at].taken >= SCENES_A_PROCESS:
                        workers[at].end()
                        workers[at] = _started(work)
                    workers[at].take(waiting.pop())
                yield record
    finally:
        for worker in workers:
            worker.stop()


@dataclass
class _Worker:
    """A process that makes scenes, one at a time; `scene` is the one it has in hand, `taken` how many it was given."""

    process: SpawnProcess
    connection: Connection
    scene: int = -1
    taken: int = 0

    def take(self, plan: ScenePlan) -> None:
        self.scene, self.taken = plan.index, self.taken + 1
        try:
            self.connection.send(plan)
        except OSError:
            raise InputError(self._ended()) from None

    def result(self) -> Record:
        try:
            found = self.connection.recv()
        except (EOFError, OSError):
            raise InputError(self._ended()) from None
        if isinstance(found, BaseException):
            raise found
        return cast("Record", found)

    def end(self) -> None:
        """It has nothing in hand: the end of what it reads is its own."""
        self.connection.close()
        self.process.join()

    def stop(self) -> None:
        """At once, whatever it has in hand: that is made again, as a picture without a record is none."""
        self.connection.close()
        self.process.kill()
        self.process.join()

    def _ended(self) -> str:
        return (
            f"the process that made scene {self.scene} ended before its time (killed, out of memory, or a crash of the "
            "renderer); scenes that are done are kept: give the same command again, with fewer --processes where "
            "memory is short (a script that calls `generate` needs `if __name__ == '__main__':` before it)"
        )


def _started(work: Work) -> _Worker:
    """A fresh interpreter: a fork would share what the renderer holds open."""
    context = get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=_serve, args=(work, its), daemon=True)
    with _interrupts_held():
        process.start()
    # Its end is open in that process alone, so that either end is told when the other is gone.
    its.close()
    return _Worker(process, ours)


def _serve(work: Work, connection: Connection) -> None:
    """In a process of its own: make the scenes that come, until nobody asks any more."""
    while True:
        try:
            plan = connection.recv()
        except (EOFError, OSError):
            return
        found: Record | Exception
        try:
            found = work.make(plan)
        except InputError as error:
            found = error
        except Exception as error:  # noqa: BLE001  told by the process that asked; some exceptions can't be sent
            found = RuntimeError(f"scene {plan.index}: {type(error).__name__}: {error}")
        try:
            connection.send(found)
        except OSError:
            return


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process that is started meanwhile never sees Ctrl-C: that is for the one that started it, which ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
