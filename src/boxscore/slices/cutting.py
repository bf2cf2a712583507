"""From values to masks: a mask for each value, bin, or combination of them, and for conditions in SQL."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import Note, counted
from boxscore.slices.slice import Slice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from boxscore.slices.spec import Condition, Cross, Part

    Codes = NDArray[np.int64]

MOST_VALUES = 200
"""More slices of one column, or cross, are refused: nobody reads them, and numbers want bins."""

OUTSIDE = -1
"""Code of what is in no slice."""


def cut(cross: Cross, columns: Sequence[pl.Series], kind: str, *, least: int = 0) -> tuple[list[Slice], list[Note]]:
    """Slices of a cross over columns of one length; notes say how many rows are in none of them, and why.

    All values and bins of a single column come, bins that are empty too; of crosses, the combinations that occur. The
    order is that of values (numbers ascending, texts by code point) and bins. Raises InputError for more slices than
    MOST_VALUES, and for bins of what are no numbers.
    """
    import numpy as np

    coded = [_codes(part, column, kind) for part, column in zip(cross.parts, columns, strict=True)]
    notes = [note for _, _, notes in coded for note in notes]
    names = [names for _, names, _ in coded]
    together = np.zeros(len(columns[0]), dtype=np.int64)
    inside = np.ones(len(columns[0]), dtype=bool)
    for codes, values, _ in coded:
        together = together * max(len(values), 1) + codes
        inside &= codes != OUTSIDE
    together[~inside] = OUTSIDE
    single = len(cross.parts) == 1
    wanted = range(len(names[0])) if single else np.unique(together[inside]).tolist()
    if len(wanted) > MOST_VALUES:
        raise InputError(
            f"slice-by {cross.text!r} makes {len(wanted)} slices, and {MOST_VALUES} is the most; give bins, such as "
            f"{cross.parts[0].column}:0,10,100,inf, or a column of fewer values"
        )
    found = []
    for code in wanted:
        values = _values(int(code), names)
        condition = tuple(zip(cross.columns, values, strict=True))
        name = " & ".join(f"{column}={value}" for column, value in condition)
        found.append(Slice(name, cross.text, kind, together == code, least=least, condition=condition))
    return found, notes


def select(condition: Condition, frame: pl.DataFrame, kind: str, *, least: int = 0) -> tuple[Slice, list[Note]]:
    """The slice of a condition over a frame's columns; rows for which it is null are not in it, and noted.

    Raises InputError where it can't be evaluated, or is no condition.
    """
    import polars as pl

    try:
        found = frame.select(expression(condition).alias("found"))["found"]
    except pl.exceptions.PolarsError as error:
        raise _unusable(condition, str(error)) from None
    if found.dtype != pl.Boolean or len(found) != frame.height:
        what = f"gives {found.dtype}" if found.dtype != pl.Boolean else "gives one value for all rows"
        raise _unusable(condition, f"it {what} where true or false of each {kind} is needed")
    unknown = int(found.null_count())
    notes = [] if not unknown else [_left_out(condition.name, unknown, kind, "its condition has no value for them")]
    return Slice(condition.name, condition.text, kind, found.fill_null(value=False).to_numpy(), least=least), notes


def expression(condition: Condition) -> pl.Expr:
    """The condition as polars has it. Raises InputError where SQL can't be read."""
    import polars as pl

    try:
        return pl.sql_expr(condition.sql)
    except (pl.exceptions.PolarsError, TypeError) as error:
        raise _unusable(condition, str(error)) from None


def columns_in(condition: Condition) -> list[str]:
    """The columns that a condition names, each once."""
    return list(dict.fromkeys(expression(condition).meta.root_names()))


def _unusable(condition: Condition, problem: str) -> InputError:
    first = problem.strip().splitlines()[0] if problem.strip() else "it is no condition"
    return InputError(
        f"slice {condition.text!r}: the condition can't be used: {first}; write SQL over columns, with texts in single "
        "quotes, such as rain = weather = 'rain'"
    )


def _codes(part: Part, column: pl.Series, kind: str) -> tuple[Codes, list[str], list[Note]]:
    """A number for each row, OUTSIDE for those in no slice, and a name for each number."""
    if part.bins is not None:
        return _binned(part, column, kind)
    import numpy as np

    values = column.drop_nulls().unique().sort()
    if column.dtype.is_float():
        values = values.filter(values.is_not_nan())
    codes = {value: number for number, value in enumerate(values.to_list())}
    found = np.array([codes.get(value, OUTSIDE) for value in column.to_list()], dtype=np.int64)
    missing = int((found == OUTSIDE).sum())
    notes = [_left_out(part.column, missing, kind, "they have no value")] if missing else []
    return found, [text_of(value) for value in values.to_list()], notes


def _binned(part: Part, column: pl.Series, kind: str) -> tuple[Codes, list[str], list[Note]]:
    import numpy as np
    import polars as pl

    bins = part.bins
    if bins is None or not (column.dtype.is_numeric() or column.dtype == pl.Null):
        first = next((value for value in column.to_list() if value is not None), None)
        raise InputError(
            f"slice-by {part.column} has bins, and its values are no numbers (such as {first!r}); leave the bins out"
        )
    values = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    # side="left": a value that equals an edge belongs to the bin that ends there.
    found = np.searchsorted(np.array(bins.edges), values, side="left").astype(np.int64) - 1
    # What equals the first edge is in no bin; what is above the last would get its number.
    found[np.isnan(values) | (found < 0) | (found >= len(bins.names))] = OUTSIDE
    missing, outside = int(np.isnan(values).sum()), int((found == OUTSIDE).sum())
    notes = [_left_out(part.column, missing, kind, "they have no value")] if missing else []
    if outside > missing:
        notes.append(_left_out(part.column, outside - missing, kind, "their values lie outside all bins"))
    return found, bins.names, notes


def _values(code: int, names: Sequence[Sequence[str]]) -> list[str]:
    found = []
    for values in reversed(names):
        code, place = divmod(code, max(len(values), 1))
        found.append(values[place])
    return found[::-1]


def text_of(value: object) -> str:
    """A value as names of slices have it: `rain`, `3`, `2.5`, `true`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        short = f"{value:.9g}"
        return short if float(short) == value else repr(value)
    return str(value)


def _left_out(name: str, count: int, kind: str, why: str) -> Note:
    return Note("slice-left-out", f"{name}: {counted(count, kind)} in no slice: {why}", count)
