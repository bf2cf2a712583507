"""Parquet files of parts: the bytes that the manifest speaks of, the columns that are needed, nothing else."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import pyarrow as pa

    from boxscore.io.shards.layout import PartFile


def require(place: str) -> None:
    """Raise InputError where pyarrow, which reads and writes all parts, is missing."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            f"{place}: sharded data are Parquet files, which need pyarrow: pip install 'boxscore[shards]'"
        ) from None
    assert pa  # noqa: S101  it was only to be found


def read(root: str, file: PartFile, columns: Sequence[str], *, texts: Sequence[str] = ()) -> pa.Table:
    """The columns of a part that it has, in the order asked for; those of `texts` as dictionaries.

    A local file's bytes are held to the manifest's SHA-256; of a remote one only the columns are fetched, and their
    pages are held to the checksums that they carry. Raises InputError that names the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = stores.joined(root, file.path)
    try:
        opened, source = _opened(place, file)
        with (
            opened,
            pq.ParquetFile(
                source, read_dictionary=list(texts), page_checksum_verification=True, pre_buffer=stores.is_address(root)
            ) as parquet,
        ):
            names = [name for name in columns if name in parquet.schema_arrow.names]
            table = parquet.read(names)
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise unreadable(place, error) from None
    if table.num_rows != file.rows:
        raise _rows_differ(place, table.num_rows, file)
    return table


def batches(
    root: str, file: PartFile, columns: Sequence[str], *, texts: Sequence[str] = (), rows: int = 500_000
) -> Iterator[pa.Table]:
    """The same, some rows at a time: of a file that may be larger than memory, and has no digest to be held to."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = stores.joined(root, file.path)
    try:
        with (
            stores.open_file(place) as source,
            pq.ParquetFile(source, read_dictionary=list(texts), page_checksum_verification=True) as parquet,
        ):
            names = [name for name in columns if name in parquet.schema_arrow.names]
            if parquet.metadata.num_rows != file.rows:
                raise _rows_differ(place, parquet.metadata.num_rows, file)
            for batch in parquet.iter_batches(batch_size=rows, columns=names):
                yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise unreadable(place, error) from None


def _rows_differ(place: str, rows: int, file: PartFile) -> InputError:
    before = "it had" if file.sha256 is None else "the manifest states"
    return InputError(
        f"{place}: it has {rows} rows, and {before} {file.rows}: the file was changed; write the data set again"
    )


def schema(root: str, path: str) -> tuple[list[str], int, Any]:
    """Names of the columns, number of rows, and the file's statistics (pyarrow's metadata). Raises InputError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = stores.joined(root, path)
    try:
        with stores.open_file(place) as source, pq.ParquetFile(source) as parquet:
            return list(parquet.schema_arrow.names), parquet.metadata.num_rows, parquet.metadata
    except (pa.ArrowException, OSError) as error:
        raise unreadable(place, error) from None


def unreadable(place: str, error: Exception) -> InputError:
    """A part that can't be read, by name: a data set is never read without one of its parts."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{place}: this part is missing; the data set can't be read without it: write it again")
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(f"{place}: this part can't be read ({reason}); the data set can't be read without it")


def _opened(place: str, file: PartFile) -> tuple[Any, Any]:
    """What has to be closed, and what pyarrow reads: the bytes of a local file, an open remote one."""
    import hashlib

    import pyarrow as pa

    if file.sha256 is None or stores.is_address(place):  # nothing to hold all bytes to, or too far away for all
        opened = stores.open_file(place)
        if not stores.is_address(place):
            return opened, opened
        _check_size(place, opened.size, file)
        return opened, opened
    data = Path(place).read_bytes()
    _check_size(place, len(data), file)
    if file.sha256 is not None and hashlib.sha256(data).hexdigest() != file.sha256:
        raise InputError(
            f"{place}: its SHA-256 is not the one that the manifest states: the file was changed or damaged"
        )
    reader = pa.BufferReader(data)
    return reader, reader


def _check_size(place: str, size: int, file: PartFile) -> None:
    if file.bytes is not None and size != file.bytes:
        raise InputError(
            f"{place}: it has {size} bytes, and the manifest states {file.bytes}: the file was cut off or changed"
        )
