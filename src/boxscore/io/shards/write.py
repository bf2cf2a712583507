"""Parts written one after another, each whole or not at all; the manifest last."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards import layout, manifest
from boxscore.io.shards.layout import Part, PartFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    import pyarrow as pa

    from boxscore.model.labels import Id


class ShardWriter:
    """Writes a sharded data set, a part at a time, images in canonical order over all parts.

    `root` is a folder (made where it is missing) or an address. Raises InputError for a place that can't be written.
    """

    def __init__(
        self,
        root: str | PathLike[str],
        role: str,
        *,
        labels: Sequence[tuple[Id, str]] | None = None,
        corner_convention: str = "continuous",
        made_of: str | None = None,
    ) -> None:
        self._root = os.fspath(root)
        self._role = role
        self._labels = labels
        self._corner_convention = corner_convention
        self._made_of = made_of
        self._parts: list[Part] = []

    def add(self, first: Id | None, last: Id | None, tables: Mapping[str, pa.Table]) -> None:
        """Write the next part: tables `images` and `ground_truth`, or `detections`, of images `first` to `last`."""
        number = len(self._parts)
        files = {name: self._write(f"{name}/part-{number:05}.parquet", table) for name, table in tables.items()}
        self._parts.append(
            Part(
                number,
                first,
                last,
                files.get(layout.IMAGES),
                files.get(layout.OBJECTS),
                files.get(layout.DETECTIONS),
            )
        )

    def finish(self) -> None:
        """Write the manifest, by which the data set is complete."""
        text = manifest.text_of(self._role, self._parts, self._labels, self._corner_convention, self._made_of)
        self._put(layout.MANIFEST, text.encode())

    def _write(self, path: str, table: pa.Table) -> PartFile:
        import hashlib

        import pyarrow as pa
        import pyarrow.parquet as pq

        sink = pa.BufferOutputStream()
        texts = [name for name in ("label", "group") if name in table.column_names]
        pq.write_table(table, sink, compression="zstd", use_dictionary=texts, write_page_checksum=True)
        data = sink.getvalue()
        self._put(path, data)
        return PartFile(path, table.num_rows, data.size, hashlib.sha256(data).hexdigest())

    def _put(self, path: str, data: bytes | pa.Buffer) -> None:
        place = stores.joined(self._root, path)
        try:
            if stores.is_address(place):
                with stores.open_file(place, "wb") as file:  # an object appears whole, when it is closed
                    file.write(memoryview(data))
                return
            target = Path(place)
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.partial")
            try:
                beside.write_bytes(data)
                beside.replace(target)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{place} can't be written: {error.strerror or error}; check space and rights") from None
