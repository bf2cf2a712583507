"""What workers make of parts: a part of the matches, blocks of several parts by label, the work on a label of all."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.pipeline.sharding.gathered import whole_of
from boxscore.pipeline.sharding.make import make_part
from boxscore.pipeline.sharding.store import PartStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy as np

    from boxscore import _kernel
    from boxscore.pipeline.sharding.jobs import PartJob, PartOutcome, Settings, Summary

    Bytes = np.ndarray[Any, np.dtype[np.uint8]]
    Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Packed:
    """Many blocks as one array, which workers of a node share without a copy of their own."""

    data: Bytes
    lengths: list[int]

    @staticmethod
    def of(blocks: Sequence[bytes | memoryview]) -> Packed:
        """Blocks, one after another."""
        import numpy as np

        return Packed(np.frombuffer(b"".join(blocks), np.uint8), [len(block) for block in blocks])

    def blocks(self) -> Iterator[memoryview]:
        """Each of them, in place."""
        view = self.data.data
        start = 0
        for length in self.lengths:
            yield view[start : start + length]
            start += length


@dataclass(frozen=True)
class Made:
    """What the driver gets of a part: its summary, how long its blocks are, and whether it was there already."""

    summary: Summary
    length: int
    reused: bool


@dataclass(frozen=True)
class ImageRows:
    """The rows of each part's images as one array."""

    rows: Numbers
    counts: list[int]

    @staticmethod
    def of(image_rows: Sequence[Numbers]) -> ImageRows:
        """Those of all parts."""
        import numpy as np

        joined = np.concatenate([np.empty(0, np.int64), *image_rows])
        return ImageRows(joined, [len(rows) for rows in image_rows])

    def by_part(self) -> list[Numbers]:
        """As they were."""
        import numpy as np

        return list(np.split(self.rows, np.cumsum(self.counts)[:-1])) if self.counts else []


def make(settings: Settings, parts: str | None, job: PartJob) -> tuple[Any, ...]:
    """Make a part, or take it from the store at `parts`: `Made`, `Packed` blocks by label, and (where they are kept)
    the tables of a run folder.

    Raises InputError.
    """
    store = None if parts is None else PartStore(parts)
    outcome = None if store is None else store.outcome(job.key)
    reused = outcome is not None
    if outcome is None:
        outcome = make_part(settings, job)
        if store is not None:
            store.save(job.key, outcome)
    blocks = Packed.of(outcome.blocks)
    made = Made(outcome.summary, len(blocks.data), reused)
    return (made, blocks, _packed_tables(outcome)) if settings.keep else (made, blocks)


def _packed_tables(outcome: PartOutcome) -> dict[str, Bytes]:
    import numpy as np

    return {name: np.frombuffer(data, np.uint8) for name, data in outcome.tables.items()}


def regroup(groups: Sequence[Sequence[int]], *parts: Packed) -> Any:  # noqa: ANN401  a Packed, or a tuple of them
    """Blocks of some parts by groups of labels: of each group one `Packed`, by label and then by part."""
    by_part = [list(part.blocks()) for part in parts]
    packed = tuple(Packed.of([blocks[label] for label in group for blocks in by_part]) for group in groups)
    return packed if len(packed) > 1 else packed[0]


def reduce(
    work: Callable[[_kernel.Matches, int], Any],
    asked: Sequence[int],
    group: Sequence[int],
    image_rows: ImageRows,
    num_images: int,
    num_cells: int,
    *pieces: Packed,
) -> list[Any]:
    """`work(matches, label)` for each label asked for, all of them in `group`, of which `pieces` hold all parts."""
    rows = image_rows.by_part()
    by_label = of_labels(group, pieces)
    return [
        work(whole_of([{0: block} for block in by_label[label]], rows, num_images, num_cells), label) for label in asked
    ]


def of_labels(group: Sequence[int], pieces: Sequence[Packed]) -> dict[int, list[memoryview]]:
    """The blocks of each label of a group, one a part."""
    found: dict[int, list[memoryview]] = {label: [] for label in group}
    for piece in pieces:
        blocks = list(piece.blocks())
        each = len(blocks) // len(group)
        for at, label in enumerate(group):
            found[label] += blocks[at * each : (at + 1) * each]
    return found


def remove(parts: str) -> None:
    """Take the store of parts away."""
    PartStore(parts).remove()
