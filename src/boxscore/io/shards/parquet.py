"""Parquet files of parts: the bytes that the manifest speaks of, the columns that are needed, nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import pyarrow as pa

    from boxscore.io.shards.layout import PartFile


_CLIENTS = ("botocore", "aiobotocore", "aiohttp", "s3fs", "urllib3")


def require(place: str) -> None:
    """Raise InputError where pyarrow, which reads and writes all parts, is missing."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            f"{place}: sharded data are Parquet files, which need pyarrow: pip install 'boxscore[shards]'"
        ) from None
    assert pa  # noqa: S101  it was only to be found


def is_address(root: str) -> bool:
    """Whether a root is an object store's address rather than a folder: `s3://bucket/name`."""
    return "://" in root


def joined(root: str, path: str) -> str:
    """A file below a root."""
    return f"{root.rstrip('/')}/{path}" if is_address(root) else str(Path(root) / path)


def read(root: str, file: PartFile, columns: Sequence[str], *, texts: Sequence[str] = ()) -> pa.Table:
    """The columns of a part that it has, in the order asked for; those of `texts` as dictionaries.

    A local file's bytes are held to the manifest's SHA-256; of a remote one only the columns are fetched, and their
    pages are held to the checksums that they carry. Raises InputError that names the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = joined(root, file.path)
    try:
        opened, source = _opened(place, file)
        with (
            opened,
            pq.ParquetFile(
                source, read_dictionary=list(texts), page_checksum_verification=True, pre_buffer=is_address(root)
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

    place = joined(root, file.path)
    try:
        with (
            open_file(place) as source,
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

    place = joined(root, path)
    try:
        with open_file(place) as source, pq.ParquetFile(source) as parquet:
            return list(parquet.schema_arrow.names), parquet.metadata.num_rows, parquet.metadata
    except (pa.ArrowException, OSError) as error:
        raise unreadable(place, error) from None


def open_file(place: str, mode: str = "rb") -> Any:  # noqa: ANN401  a file object of whichever file system
    """A file of the disk or of an object store. Raises OSError, and InputError where fsspec is missing."""
    if not is_address(place):
        return open(place, mode)  # noqa: PTH123  the caller closes it
    with store_errors(place):
        # No reading ahead: what is read are footers and columns, and what lies between them is not needed.
        return filesystem(place).open(place, mode, **({"cache_type": "none"} if mode == "rb" else {}))


def filesystem(place: str) -> Any:  # noqa: ANN401  fsspec has no types
    """The file system of an address, from fsspec. Raises InputError where there is none for it."""
    try:
        import fsspec
    except ImportError:
        raise InputError(f"{place}: object stores need fsspec: pip install 'boxscore[s3]'") from None
    try:
        with store_errors(place):
            return fsspec.core.url_to_fs(place)[0]
    except ImportError as error:
        raise InputError(f"{place}: {error}: pip install 'boxscore[s3]'") from None
    except ValueError as error:
        raise InputError(f"{place}: {error}; give a folder, or an address such as s3://bucket/name") from None


@contextmanager
def store_errors(place: str) -> Iterator[None]:
    """What an object store's client raises of its own (no credentials, no answer) as an InputError."""
    try:
        yield
    except (OSError, ImportError, ValueError, InputError):
        raise
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _CLIENTS:
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"{place}: the object store can't be asked ({reason.rstrip('.')}); check its address and your credentials "
            "(AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or a profile)"
        ) from None


def mark_of(place: str) -> str | None:
    """What an object store says of an object's content, by which a change is seen (its ETag); None: nothing."""
    if not is_address(place):
        return None
    with store_errors(place):
        told = filesystem(place).info(place)
    mark = next((told[name] for name in ("ETag", "etag", "md5Hash") if told.get(name)), None)
    return None if mark is None else f"{mark} {told.get('size')}"


def exists(place: str) -> bool:
    """Whether there is such a file. Raises InputError for a store that can't be asked."""
    if not is_address(place):
        return Path(place).is_file()
    with store_errors(place):
        return bool(filesystem(place).isfile(place))


def listed(given: str, suffix: str) -> tuple[str, list[str]]:
    """The root of an address that may be a pattern, and the objects below it with a suffix, sorted.

    Raises InputError where there are none, or the store can't be asked.
    """
    files = filesystem(given)
    scheme = given.partition("://")[0]
    try:
        with store_errors(given):
            fixed = next((at for at, letter in enumerate(given) if letter in "*?["), None)
            root = given.rstrip("/") if fixed is None else given[:fixed].rpartition("/")[0]
            inner = str(files._strip_protocol(root))  # noqa: SLF001  there is no public way
            found = files.find(root) if fixed is None else files.glob(given)
    except OSError as error:
        raise unanswered(given, error) from None
    below = [path.removeprefix(inner).lstrip("/") for path in map(str, found) if path.endswith(suffix)]
    kept = sorted(path for path in below if not any(part.startswith((".", "_")) for part in path.split("/")))
    if not kept:
        raise InputError(
            f"{given}: there is no Parquet file ({suffix}) at this {scheme} address; check bucket and name"
        )
    return root, kept


def unanswered(place: str, error: OSError) -> InputError:
    """An object store's refusal, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{place}: there is no such bucket or name; check the address")
    if isinstance(error, PermissionError):
        return InputError(f"{place}: the object store refuses it ({error}); check your credentials and their rights")
    return InputError(f"{place} can't be reached: {error.strerror or error}; check the address")


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

    if is_address(place):
        opened = open_file(place)
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
