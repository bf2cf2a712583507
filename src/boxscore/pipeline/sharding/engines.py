"""Where parts are made and labels added up: in threads of this process, or wherever another engine takes them."""

from __future__ import annotations

from boxscore.pipeline.sharding.gathered import whole_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Protocol

    import numpy as np

    from boxscore import _kernel
    from boxscore.pipeline.sharding.jobs import PartJob, Settings, Summary
    from boxscore.pipeline.sharding.store import PartStore, TemporaryFolder

    Rows = list[np.ndarray[Any, np.dtype[np.int64]]]
    Work = Callable[[_kernel.Matches, int], Any]

    class Engine(Protocol):
        """Makes parts, keeps their blocks, and applies work to the matches of a label out of all of them.

        An engine is used for one evaluation: `make` first, then any of the others, then `close`.
        """

        def make(self, settings: Settings, jobs: Sequence[PartJob]) -> Iterator[Summary]:
            """Summaries of the parts in the order of the jobs. Raises InputError of the first part that has one."""

        def each_label(
            self, work: Work, labels: Sequence[int], image_rows: Rows, num_images: int, num_cells: int
        ) -> list[Any]:
            """`work(matches, label)` for each label; `image_rows[p][i]` is the row of image i of part p."""

        def whole(self, image_rows: Rows, num_images: int, num_cells: int) -> _kernel.Matches:
            """All parts as one, in this process."""

        def table(self, number: int, name: str) -> bytes:
            """A run folder's table of a part, as Parquet."""

        def close(self) -> None:
            """Let go of what was kept."""


class ThreadEngine:
    """Parts in threads of this process, blocks in a store on disk: memory holds a few parts, then a few labels.

    `remove` takes the store away at the end; `held` is the temporary folder that it is in, where it is in one.
    `progress` is told the stage, how many of it are done, and of how many.
    """

    def __init__(
        self,
        store: PartStore,
        *,
        threads: int = 1,
        remove: bool = True,
        progress: Callable[[str, int, int], None] | None = None,
        held: TemporaryFolder | None = None,
    ) -> None:
        self._store = store
        self._threads = threads
        self._remove = remove
        self._progress = progress
        self._held = held
        self._keys: list[str] = []

    def make(self, settings: Settings, jobs: Sequence[PartJob]) -> Iterator[Summary]:
        """Each part that isn't in the store yet."""
        from functools import partial

        self._keys = [job.key for job in jobs]
        return self._in_order(partial(_stored, self._store, settings), jobs, "parts")

    def each_label(
        self, work: Work, labels: Sequence[int], image_rows: Rows, num_images: int, num_cells: int
    ) -> list[Any]:
        """As many labels at a time as there are threads."""

        def of_label(label: int) -> Any:  # noqa: ANN401  whatever the work gives
            blocks = [self._store.block(key, label) for key in self._keys]
            return work(whole_of([{0: block} for block in blocks], image_rows, num_images, num_cells), label)

        return list(self._in_order(of_label, labels, "labels"))

    def whole(self, image_rows: Rows, num_images: int, num_cells: int) -> _kernel.Matches:
        """All blocks of all parts."""
        parts = [dict(enumerate(self._store.blocks(key))) for key in self._keys]
        return whole_of(parts, image_rows, num_images, num_cells, threads=self._threads)

    def table(self, number: int, name: str) -> bytes:
        """Out of the store."""
        return self._store.table(self._keys[number], name)

    def close(self) -> None:
        """Remove the store, if it is this evaluation's own."""
        if self._remove:
            self._store.remove()
        if self._held is not None:
            self._held.cleanup()

    def _in_order(self, work: Callable[[Any], Any], items: Sequence[Any], stage: str) -> Iterator[Any]:
        """Results in order, never more of them waiting than there are threads, so that memory stays bounded."""
        from collections import deque
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._threads) as pool:
            waiting: deque[Any] = deque()
            done = 0
            rest = iter(items)
            try:
                while True:
                    while len(waiting) <= self._threads and (item := next(rest, None)) is not None:
                        waiting.append(pool.submit(work, item))
                    if not waiting:
                        return
                    result = waiting.popleft().result()
                    done += 1
                    if self._progress is not None:
                        self._progress(stage, done, len(items))
                    yield result
            finally:
                for future in waiting:
                    future.cancel()


def _stored(store: PartStore, settings: Settings, job: PartJob) -> Summary:
    """The summary of a part, made only where it isn't in the store."""
    from boxscore.pipeline.sharding.make import make_part

    found = store.summary(job.key)
    if found is not None:
        return found
    outcome = make_part(settings, job)
    store.save(job.key, outcome)
    return outcome.summary
