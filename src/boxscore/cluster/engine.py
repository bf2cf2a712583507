"""Evaluation on a Ray cluster: a task a part, then a task a group of labels; no worker holds all detections."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace

from boxscore.cluster import parts as on_worker
from boxscore.cluster import reaching
from boxscore.cluster.grouping import chunks, groups_of
from boxscore.cluster.session import connect
from boxscore.io import stores
from boxscore.pipeline.sharding.gathered import whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike
    from typing import Any

    from boxscore import _kernel
    from boxscore.cluster.session import Progress, Session
    from boxscore.pipeline.sharding.engines import Rows, Work
    from boxscore.pipeline.sharding.jobs import PartJob, Settings, Summary


def ray_engine(
    name: str = "ray",
    *,
    parts: str | PathLike[str] | None = None,
    keep: bool = True,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> RayEngine:
    """The engine that `--engine ray` and `--engine ray://HOST:PORT` name (see `session.connect`), for one evaluation.

    `parts` keeps what was made of each part, in a folder that all nodes share or at an address such as
    `s3://bucket/name`; parts that are there already aren't made again. Without `keep` they go at the end. `progress` is
    told the stage, how many of it are done, and of how many; `tell` gets a line for the user: the dashboard's address,
    and the number of parts taken up.

    Raises InputError where Ray is missing; where it can't be reached, when the first part is made.
    """
    reaching.needed()
    return RayEngine(name, None if parts is None else os.fspath(parts), keep=keep, progress=progress, tell=tell)


class RayEngine:
    """See `ray_engine`, and the protocol `Engine`."""

    def __init__(
        self,
        name: str,
        parts: str | None,
        *,
        keep: bool,
        progress: Progress | None,
        tell: Callable[[str], None] | None,
    ) -> None:
        self._name = name
        self._parts = parts
        self._keep = keep
        self._progress = progress
        self._tell = tell
        self._opened: Session | None = None
        self._lengths: list[int] = []
        self._blocks: list[Any] = []
        self._tables: list[Any] = []
        self._sizes: list[int] = []
        self._grouped: tuple[list[list[int]], list[list[Any]]] | None = None
        self._rows: tuple[Rows, Any] | None = None

    def make(self, settings: Settings, jobs: Sequence[PartJob]) -> Iterator[Summary]:
        """A task a part. Of those whose worker or node goes away, Ray makes what was lost again."""
        with self._or_closed():
            session = self._session()
            self._sizes = [0] * settings.num_labels
            slim = replace(settings, truth=replace(settings.truth, parts=()), found=replace(settings.found, parts=()))
            shared = session.put(slim)
            calls = ((shared, self._parts, job) for job in jobs)
            names = [stores.joined(settings.truth.root, job.truth.files[-1].path) for job in jobs]
            made = session.in_order(
                on_worker.make,
                calls,
                names,
                returns=3 if settings.keep else 2,
                stage="parts",
                progress=self._progress,
            )
            reused = 0
            for first, others in made:
                reused += first.reused
                self._keep_part(first, others)
                yield first.summary
            if reused:
                self._say(f"{reused} of {len(jobs)} parts were taken from {self._parts}")

    def each_label(
        self, work: Work, labels: Sequence[int], image_rows: Rows, num_images: int, num_cells: int
    ) -> list[Any]:
        """A task a group of labels, each of which gets that group's blocks alone."""
        with self._or_closed():
            session = self._session()
            results: dict[int, Any] = {}
            groups, pieces = self._by_group()
            wanted = set(labels)
            asked = [(at, [label for label in group if label in wanted]) for at, group in enumerate(groups)]
            asked = [(at, some) for at, some in asked if some]
            rows = self._rows_there(image_rows)
            calls = ((work, some, groups[at], rows, num_images, num_cells, *pieces[at]) for at, some in asked)
            names = [f"matches of labels {', '.join(map(str, some[:5]))}" for _, some in asked]
            for (_, some), (found, _) in zip(asked, session.in_order(on_worker.reduce, calls, names), strict=True):
                results |= zip(some, found, strict=True)
                if self._progress is not None and len(labels) > 1:
                    self._progress("labels", len(results), len(wanted))
            return [results[label] for label in labels]

    def whole(self, image_rows: Rows, num_images: int, num_cells: int) -> _kernel.Matches:
        """All blocks, brought to this process."""
        with self._or_closed():
            session, (groups, pieces) = self._session(), self._by_group()
            parts: list[dict[int, bytes | memoryview]] = [{} for _ in image_rows]
            for group, references in zip(groups, pieces, strict=True):
                held = [session.get(reference, "bringing matches together") for reference in references]
                for label, blocks in on_worker.of_labels(group, held).items():
                    for part, block in zip(parts, blocks, strict=True):
                        part[label] = block
            return whole_of(parts, image_rows, num_images, num_cells)

    def table(self, number: int, name: str) -> bytes:
        """Out of Ray's object store."""
        with self._or_closed():
            tables = self._session().get(self._tables[number], f"tables of part {number}")
            return bytes(tables[name])

    def close(self) -> None:
        """Let go of all objects, and of the store of parts unless it is kept; end the connection that was made."""
        session, self._opened = self._opened, None
        self._blocks, self._tables, self._grouped, self._rows = [], [], None, None
        if session is None:
            return
        try:
            if self._parts is not None and not self._keep:
                session.get(session.submit(on_worker.remove, self._parts)[0], f"removing {self._parts}")
        finally:
            session.close()

    def _session(self) -> Session:
        if self._opened is None:
            self._opened = connect(self._name)
            if self._opened.dashboard is not None:
                self._say(f"Ray's dashboard: {self._opened.dashboard}")
        return self._opened

    def _say(self, line: str) -> None:
        if self._tell is not None:
            self._tell(line)

    @contextmanager
    def _or_closed(self) -> Iterator[None]:
        """An error leaves nothing running."""
        try:
            yield
        except BaseException:
            session, self._opened = self._opened, None
            if session is not None:
                session.close()
            raise

    def _keep_part(self, made: on_worker.Made, others: Sequence[Any]) -> None:
        self._blocks.append(others[0])
        self._tables += others[1:]
        self._lengths.append(made.length)
        of_part = zip(self._sizes, made.summary.objects, made.summary.detections, strict=True)
        self._sizes = [sum(counts) for counts in of_part]

    def _by_group(self) -> tuple[list[list[int]], list[list[Any]]]:
        """Groups of labels, and the references to each one's blocks of all parts."""
        if self._grouped is None:
            session = self._session()
            groups = groups_of(self._sizes, session.processors)
            shared = session.put(groups)
            calls = ((shared, *self._blocks[start:end]) for start, end in chunks(self._lengths))
            number = len(chunks(self._lengths))
            pieces: list[list[Any]] = [[] for _ in groups]
            for references in session.ended(on_worker.regroup, calls, number, returns=len(groups)):
                for of_group, reference in zip(pieces, references, strict=True):
                    of_group.append(reference)
            self._grouped = groups, pieces
            self._blocks = []  # what is lost of the groups, Ray makes of the parts again
        return self._grouped

    def _rows_there(self, image_rows: Rows) -> Any:  # noqa: ANN401  a reference of Ray's
        """A reference to the rows, put there once."""
        if self._rows is None or self._rows[0] is not image_rows:
            self._rows = image_rows, self._session().put(on_worker.ImageRows.of(image_rows))
        return self._rows[1]
