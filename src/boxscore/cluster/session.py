"""A connection to Ray: tasks in bounded number, their results in order, their failures in words."""

from __future__ import annotations

import time

from boxscore.cluster import reaching, tasks
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from types import TracebackType
    from typing import Any, Self

    Progress = Callable[[str, int, int], None]

RETRIES = 5
"""So often is a task run again whose worker or node went away, or whose result was lost with one."""

_PER_PROCESSOR = 2
"""Tasks that are handed in at a time: one runs, one waits, so that no processor does."""

_LOOKED_AT = 5.0
"""Seconds after which the number of processors is asked for again: nodes come and go."""


def connect(name: str) -> Session:
    """Ray by name: `ray` is the cluster that RAY_ADDRESS or `ray start` tell of, else one started for the purpose;
    `ray://HOST:PORT` is a cluster's client port. What this process is connected to already is used as it is.

    Raises InputError where Ray is missing, nothing answers, or versions differ.
    """
    ray, dashboard, owned = reaching.reach(name)
    return Session(ray, name, dashboard, owned=owned)


class Session:
    """Ray, connected. Closing it ends the connection, and a cluster that was started for it; one use of `with` does.

    Work is a module's own function, or a partial of one; it raises what it likes of boxscore's errors, and runs on one
    processor.
    """

    def __init__(self, ray: Any, name: str, dashboard: str | None, *, owned: bool) -> None:  # noqa: ANN401  Ray's module
        self._ray = ray
        self._owned = owned
        self._place = tasks.Place.here()
        self._run = ray.remote(tasks.run)
        self._processors = 0
        self._looked: float | None = None
        self.name = name
        self.dashboard = dashboard

    def __enter__(self) -> Self:
        """This session."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End the connection, unless it was there before."""
        if self._owned:
            self._owned = False
            self._ray.shutdown()

    @property
    def processors(self) -> int:
        """Processors of all nodes, as of some seconds ago."""
        now = time.monotonic()
        if self._looked is None or now - self._looked > _LOOKED_AT:
            self._looked = now
            with reaching.in_words(self._ray, "asking the cluster for its processors"):
                self._processors = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
        return self._processors

    def put(self, value: object) -> Any:  # noqa: ANN401  a reference of Ray's
        """Put a value into Ray's object store, once for all tasks that it is given to. NumPy arrays aren't copied."""
        with reaching.in_words(self._ray, "putting an object into the cluster"):
            return self._ray.put(value)

    def submit(self, work: Callable[..., Any], *arguments: Any, returns: int = 1) -> list[Any]:  # noqa: ANN401  any; references among them arrive as values
        """Hand in `work(*arguments)`; references to what it returns, as many as `returns`."""
        call = self._run.options(num_returns=returns, num_cpus=1, max_retries=RETRIES)
        with reaching.in_words(self._ray, "handing in a task"):
            given = call.remote(self._place, returns, work, *arguments)
        return [given] if returns == 1 else list(given)

    def get(self, reference: Any, what: str) -> Any:  # noqa: ANN401  whatever was returned
        """A result. Raises the error that the work raised; InputError that names `what` where Ray gave it up."""
        with reaching.in_words(self._ray, what):
            value = self._ray.get(reference)
        if isinstance(value, tasks.Refused):
            raise value.error
        return value

    def map(
        self,
        work: Callable[..., Any],
        items: Sequence[Any],
        *shared: Any,  # noqa: ANN401  references (see `put`), or small values
        stage: str = "tasks",
        progress: Progress | None = None,
        what: Callable[[Any], str] = str,
    ) -> Iterator[Any]:
        """`work(*shared, item)` of each item, in order, a few at a time; `what(item)` names one in errors.

        Raises the error of the first item that has one.
        """
        calls = ((*shared, item) for item in items)
        names = [what(item) for item in items]
        for value, _ in self.in_order(work, calls, names, stage=stage, progress=progress):
            yield value

    def in_order(
        self,
        work: Callable[..., Any],
        calls: Iterator[tuple[Any, ...]],
        names: Sequence[str],
        *,
        returns: int = 1,
        stage: str = "tasks",
        progress: Progress | None = None,
    ) -> Iterator[tuple[Any, list[Any]]]:
        """`work(*call)` of each call, `names` of them: its first result, and references to the others.

        Raises the error of the first call that has one, which its name tells where it is Ray's.
        """
        ended = self.ended(work, calls, len(names), returns=returns, stage=stage, progress=progress)
        try:
            for name, (first, *others) in zip(names, ended, strict=True):
                yield self.get(first, name), others
        finally:
            ended.close()

    def ended(
        self,
        work: Callable[..., Any],
        calls: Iterator[tuple[Any, ...]],
        number: int,
        *,
        returns: int = 1,
        stage: str = "tasks",
        progress: Progress | None = None,
    ) -> Generator[list[Any]]:
        """References to the results of each of `number` calls, in order, once it has ended, well or not.

        No more tasks are handed in than keep all processors busy. What is still running is cancelled where the caller
        stops.
        """
        running: dict[Any, int] = {}
        handed_in: list[list[Any] | None] = []
        next_out = done = 0
        try:
            while next_out < number:
                while len(handed_in) < number and len(running) < self.processors * _PER_PROCESSOR:
                    references = self.submit(work, *next(calls), returns=returns)
                    running[references[0]] = len(handed_in)
                    handed_in.append(references)
                for reference in self._finished(list(running)):
                    del running[reference]
                    done += 1
                    if progress is not None:
                        progress(stage, done, number)
                waiting = min(running.values(), default=len(handed_in))
                while next_out < waiting:
                    references, handed_in[next_out] = handed_in[next_out] or [], None
                    next_out += 1
                    yield references
        finally:
            self._cancel(running)

    def _finished(self, references: list[Any]) -> list[Any]:
        """At least one that has ended, and all others that have, too."""
        if not references:
            return []
        with reaching.in_words(self._ray, "waiting for the cluster"):
            first, rest = self._ray.wait(references, num_returns=1, fetch_local=False)
            others = self._ray.wait(rest, num_returns=len(rest), timeout=0, fetch_local=False)[0] if rest else []
        return [*first, *others]

    def _cancel(self, running: dict[Any, int]) -> None:
        if not self._ray.is_initialized():
            return
        for reference in running:
            try:
                self._ray.cancel(reference)
            except (InputError, RuntimeError, ValueError, ConnectionError):  # the cluster is gone, or the task is done
                return
