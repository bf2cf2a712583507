"""Tables in files (CSV, TSV, Parquet, Arrow IPC) as data frames; the only place of io that imports polars."""

from __future__ import annotations

import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.given import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_IPC = (".arrow", ".feather", ".ipc")
CHUNK = 8 << 20
"""Bytes of CSV that are read as one."""

_LONGEST = 64 << 20
"""Of a quoted field, in bytes."""

SUFFIXES = (*SEPARATORS, ".parquet", *_IPC)


def read(path: str | PathLike[str]) -> pl.DataFrame:
    """All columns of a file, by its suffix; those of CSV are all text. Raises InputError that names the file."""
    import polars as pl

    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: a table ends in {', '.join(SUFFIXES)}; rename the file")
    if not file.is_file():
        raise InputError(f"{path}: there is no such file; check the path of the table")
    try:
        if suffix in SEPARATORS:
            return pl.read_csv(file, separator=SEPARATORS[suffix], infer_schema=False)
        # Bytes, not the path: polars would map a file that a writer may replace.
        data = file.read_bytes()
        return pl.read_parquet(data) if suffix == ".parquet" else pl.read_ipc(data)
    except pl.exceptions.NoDataError:
        raise InputError(f"{path} is empty; a line with the columns' names is expected first") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} can't be read as a table: {str(error).splitlines()[0]}") from None


def head(path: str | PathLike[str]) -> list[str]:
    """Names of the columns; none where the file is no table."""
    import polars as pl

    file = Path(path)
    suffix = file.suffix.lower()
    if not file.is_file() or suffix not in SUFFIXES:
        return []
    try:
        if suffix in SEPARATORS:
            return pl.read_csv(file, separator=SEPARATORS[suffix], infer_schema=False, n_rows=0).columns
        return list(pl.read_parquet_schema(file) if suffix == ".parquet" else pl.read_ipc_schema(file))
    except (pl.exceptions.PolarsError, OSError):
        return []


def write(columns: Mapping[str, Sequence[object]], path: str | PathLike[str]) -> None:
    """Write columns of one length, by the file's suffix. Raises InputError for a suffix that no table has."""
    import polars as pl

    file = Path(path)
    suffix = file.suffix.lower()
    frame = pl.DataFrame({name: pl.Series(name, values, strict=False) for name, values in columns.items()})
    if suffix in SEPARATORS:
        frame.write_csv(file, separator=SEPARATORS[suffix])
    elif suffix == ".parquet":
        frame.write_parquet(file)
    elif suffix in _IPC:
        frame.write_ipc(file)
    else:
        raise InputError(f"{path}: a table must end in {', '.join(SUFFIXES)}; name the file so")


def batches(path: str | PathLike[str], rows: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
    """Some columns (None: all) of a file as `read` gives them, so many rows at a time. Raises InputError likewise.

    Memory is that of the rows: polars' own batches of CSV read ahead as far as they can.
    """
    import polars as pl

    file = Path(path)
    suffix = file.suffix.lower()
    chosen = None if columns is None else list(columns)
    try:
        if suffix in SEPARATORS:
            for text in _records(file, SEPARATORS[suffix]):
                frame = pl.read_csv(text, separator=SEPARATORS[suffix], infer_schema=False, columns=chosen)
                yield from frame.iter_slices(rows)
            return
        lazy = pl.scan_parquet(file) if suffix == ".parquet" else pl.scan_ipc(file)
        lazy = lazy if chosen is None else lazy.select(chosen)
        start = 0
        while (frame := lazy.slice(start, rows).collect()).height:
            yield frame
            start += frame.height
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} can't be read as a table: {str(error).splitlines()[0]}") from None


def _records(path: Path, separator: str) -> Iterator[bytes]:
    """Whole records of a CSV file, about `CHUNK` bytes at a time, each time below the line of names."""
    # A quote opens a field where it begins one; elsewhere it is a letter like others.
    quoted = re.compile(rb'(?:(?<=[\r\n%b])|^)"(?:[^"]|"")*+(?:"|\Z)' % re.escape(separator.encode()))
    head = b""
    rest = b""
    with path.open("rb") as file:
        while more := file.read(CHUNK):
            rest += more
            if not head:
                start = _end(rest, quoted, first=True)
                head, rest = rest[:start], rest[start:]
            end = _end(rest, quoted) if head else 0
            if end:
                yield head + rest[:end]
                rest = rest[end:]
            elif len(rest) > _LONGEST + CHUNK:
                raise InputError(f"{path}: a quoted field is longer than {_LONGEST >> 20} MB; close the quote")
    if rest.strip() or not head:
        yield head + rest


def _end(data: bytes, quoted: re.Pattern[bytes], *, first: bool = False) -> int:
    """Behind the first or the last line break outside quoted fields; 0 where there is none."""
    bounds = [0]
    if b'"' in data:
        for match in quoted.finditer(data):
            bounds += match.span()
    bounds.append(len(data))
    outside = list(zip(bounds[::2], bounds[1::2], strict=True))
    for start, end in outside if first else reversed(outside):
        at = data.find(b"\n", start, end) if first else data.rfind(b"\n", start, end)
        if at >= 0:
            return at + 1
    return 0


def numbers(
    frame: pl.DataFrame, column: str, path: str | PathLike[str], first: int = 0
) -> tuple[list[float | None], int]:
    """A column as numbers (None: empty), and how many had a decimal comma. Raises InputError that names the line, of
    a frame that begins with row `first` of the file.
    """
    import polars as pl

    values = frame.get_column(column)
    commas = 0
    if values.dtype == pl.String:
        texts = values.str.strip_chars()
        texts = texts.set(texts == "", None)
        decimal = texts.str.count_matches(",", literal=True) == 1
        commas = int(decimal.sum() or 0)
        texts = texts.str.replace(",", ".", literal=True) if commas else texts
        found = texts.cast(pl.Float64, strict=False)
        wrong = (found.is_null() & texts.is_not_null()).arg_true()
        if len(wrong):
            row = int(wrong[0])
            raise InputError(f"{path} line {first + row + 2}: {column} is {shown(values[row])}; it must be a number")
        return found.to_list(), commas
    if not (values.dtype.is_numeric() or values.dtype in (pl.Null, pl.Boolean)):
        raise InputError(f"{path}: column {column} holds {values.dtype}; it must hold numbers")
    return values.cast(pl.Float64).to_list(), 0


def decimals(frame: pl.DataFrame, column: str) -> int:
    """The most decimals that a number of a text column has; those of 64 bits where numbers are no texts."""
    import polars as pl

    values = frame.get_column(column)
    if values.dtype != pl.String:
        return 17
    return int(values.str.extract(r"[.,](\d+)").str.len_chars().max() or 0)  # type: ignore[arg-type]  # of integers


def texts(frame: pl.DataFrame, column: str) -> list[str | None]:
    """A column as texts, None where empty."""
    import polars as pl

    return [None if value is None or value == "" else value for value in frame.get_column(column).cast(pl.String)]
