"""Shards of pictures: some batches each, as they travel to lanes, and their answers back, in Arrow tables."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from boxscore.io.stores import is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

A_LANE = 4
"""Shards a lane at least, so that a slow one is made up for by the others."""
MOST = 32
"""Pictures a shard at most: so few are done again where a worker goes away, or the driver."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch: its number in the run, its pictures' `names`, `paths`, and which of them the driver has seen."""

    number: int
    names: list[str]
    paths: list[str]
    there: list[bool]

    @classmethod
    def of(cls, number: int, names: Sequence[str], paths: Sequence[str]) -> Batch:
        """With absolute paths: workers stand in folders of their own. An object store is the same from everywhere."""
        full = [path if is_address(path) else os.path.abspath(path) for path in paths]  # noqa: PTH100  over many files
        there = [not is_address(path) and os.path.exists(path) for path in full]  # noqa: PTH110  likewise
        return cls(number, list(names), full, there)


def shard_size(batches: Sequence[Batch], lanes: int) -> int:
    """How many batches make a shard."""
    pictures = max((len(batch.names) for batch in batches), default=1)
    return max(1, min(MOST // pictures, len(batches) // (lanes * A_LANE)))


def cut(batches: Sequence[Batch], size: int) -> list[Sequence[Batch]]:
    """Batches in shards of a size, in order."""
    return [batches[start : start + size] for start in range(0, len(batches), size)]


def table_of(shard: Sequence[Batch]) -> Any:  # noqa: ANN401  a table of pyarrow's
    """A row a batch."""
    import pyarrow as pa

    fields = [json.dumps([batch.names, batch.paths, batch.there]) for batch in shard]
    return pa.table({"number": [batch.number for batch in shard], "batch": pa.array(fields, pa.large_string())})


def batches_in(table: Any) -> Iterator[Batch]:  # noqa: ANN401  as above
    """What `table_of` put there."""
    rows = zip(table.column("number").to_pylist(), table.column("batch").to_pylist(), strict=True)
    for number, text in rows:
        names, paths, there = json.loads(text)
        yield Batch(number, names, paths, there)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a batch: `content` as the work gives it, `machine` it ran on; or `error`, in words."""

    number: int
    content: bytes = b""
    machine: str = ""
    error: str = ""


_KINDS = {"number": "int64", "content": "large_binary", "machine": "string", "error": "string"}


def answers_table(answers: Sequence[Answer]) -> Any:  # noqa: ANN401  as above
    """A row an answer."""
    import pyarrow as pa

    columns = {name: [getattr(answer, name) for answer in answers] for name in _KINDS}
    return pa.table({name: pa.array(columns[name], getattr(pa, kind)()) for name, kind in _KINDS.items()})


def answers_in(table: Any) -> Iterator[Answer]:  # noqa: ANN401  as above
    """What `answers_table` put there."""
    for row in table.to_pylist():
        yield Answer(**row)
