"""Rows of any order brought into the order of images in bounded memory: buckets of images on disk, each sorted.

A bucket that would be too large is spread over further buckets; only the rows of a single image must fit in memory.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io.shards import columns, layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    import numpy as np
    import pyarrow as pa

    from boxscore.io.shards.columns import Rows

    Array = np.ndarray[Any, np.dtype[Any]]

MOST_BUCKETS = 128
"""Files that are open at the same time."""

MOST_ROWS = 1_500_000
"""Rows of a bucket that are sorted in memory."""

_LENGTH = 8


class Spill:
    """Takes rows as they come, and gives them back by image; `counts` are the rows of each image.

    `folder` is a temporary one, which is the caller's to remove. Raises InputError where the disk is full.
    """

    def __init__(self, folder: Path, num_images: int, role: str, *, most_rows: int | None = None) -> None:
        import numpy as np
        import pyarrow as pa

        self.counts = np.zeros(num_images, dtype=np.int64)
        self._most_rows = most_rows or MOST_ROWS
        number = "score" if role == "predictions" else "area"
        self._types: dict[str, list[pa.DataType]] = {"image": [pa.uint32()], "label": [pa.uint32()]}
        self._types |= {name: [pa.float64()] for name in (*layout.BOX, number)}
        self._buckets = _Buckets(folder, 0, num_images)

    def add(self, rows: Rows) -> None:
        """Take further rows, which stand behind all that were given before."""
        import numpy as np

        if not len(rows.image):
            return
        self.counts += np.bincount(rows.image, minlength=len(self.counts))
        table = columns.table_of(rows)
        for name, kind in zip(table.column_names, table.schema.types, strict=True):
            held = self._types.setdefault(name, [])
            if kind not in held:
                held.append(kind)
        self._buckets.add(table)

    def close(self) -> None:
        """Close the files that are being written."""
        self._buckets.close()

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The columns of all rows with the one type that each has."""
        return {name: columns.one_type(kinds) for name, kinds in self._types.items()}

    def sorted(self) -> Iterator[pa.Table]:
        """Tables by image: all rows once."""
        yield from self._of(self._buckets)

    def _of(self, buckets: _Buckets) -> Iterator[pa.Table]:
        import pyarrow as pa

        buckets.close()
        for number in range(buckets.count):
            first, last = buckets.range(number)
            rows = int(self.counts[first:last].sum())
            if rows > self._most_rows and last - first > 1:
                finer = _Buckets(buckets.folder / f"{number}", first, last)
                for table in buckets.read(number):
                    finer.add(table)
                buckets.remove(number)
                yield from self._of(finer)
                continue
            tables = list(buckets.read(number)) if rows else []
            buckets.remove(number)
            if tables:
                yield columns.sorted_by_image(columns.joined(tables, self.types))
            del tables
            pa.default_memory_pool().release_unused()


class _Buckets:
    """Files of tables, one an equal share of a range of images, each table in a frame of its own."""

    def __init__(self, folder: Path, first: int, last: int) -> None:
        self.folder = folder
        self.count = max(1, min(MOST_BUCKETS, last - first))
        self._first = first
        self._last = last
        self._files: dict[int, BinaryIO] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def range(self, number: int) -> tuple[int, int]:
        """The images of a bucket: first, and the first of the next."""
        span = self._last - self._first
        return self._first + span * number // self.count, self._first + span * (number + 1) // self.count

    def add(self, table: pa.Table) -> None:
        """Share a table out."""
        import numpy as np

        table = columns.sorted_by_image(table)
        starts = [self.range(number)[0] for number in range(self.count)]
        cuts = np.searchsorted(table.column("image").to_numpy(), [*starts[1:], self._last])
        before = 0
        for number, cut in enumerate(cuts.tolist()):
            if cut > before:
                self._write(number, table.slice(before, cut - before))
            before = cut

    def read(self, number: int) -> Iterator[pa.Table]:
        """The tables of a bucket in the order in which they came."""
        import pyarrow as pa

        path = self._path(number)
        if not path.exists():
            return
        with path.open("rb") as file:
            while length := file.read(_LENGTH):
                frame = file.read(int.from_bytes(length, "little"))
                with pa.ipc.open_stream(pa.py_buffer(frame)) as reader:
                    yield reader.read_all()

    def remove(self, number: int) -> None:
        """Take the file of a bucket away."""
        self._path(number).unlink(missing_ok=True)

    def close(self) -> None:
        """Close all files: nothing is added any more."""
        while self._files:
            self._files.popitem()[1].close()

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.rows"

    def _write(self, number: int, table: pa.Table) -> None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        frame = sink.getvalue()
        try:
            file = self._files.get(number) or self._opened(number)
            file.write(frame.size.to_bytes(_LENGTH, "little"))
            file.write(memoryview(frame))
        except OSError as error:
            raise no_room(self.folder, error) from None

    def _opened(self, number: int) -> BinaryIO:
        file = self._files[number] = self._path(number).open("ab")
        return file


def no_room(folder: Path | str, error: OSError) -> InputError:
    """Rows that can't be kept on disk, in words."""
    return InputError(
        f"{folder}: rows can't be kept there while they are sorted: {error.strerror or error}; make room, or name "
        "another temporary folder with TMPDIR"
    )
