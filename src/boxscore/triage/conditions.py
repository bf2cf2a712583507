"""Conditions on images, made of their metadata: each value of a category, quarters and halves of numbers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.slices.slice import Slice

MOST_VALUES = 20
"""A column of more categories than this is not searched: few images share one."""
QUARTERS = (0.25, 0.5, 0.75)


def conditions_of(metadata: Mapping[str, Sequence[Any]]) -> list[Slice]:
    """Slices of images, one for each value of a category, and below and above the quartiles of numbers.

    Numbers with up to five different values count as categories. Images without a value are in none. Conditions that
    hold nowhere, everywhere, or for the very images of an earlier one are left out.
    """
    found: list[Slice] = []
    seen: set[bytes] = set()
    for column, values in metadata.items():
        for made in _of_column(column, values):
            key = made.mask.tobytes()
            if 0 < made.support < len(values) and key not in seen:
                seen.add(key)
                found.append(made)
    return found


def is_number(values: Sequence[Any]) -> bool:
    """Whether a column is numbers with more than five different values; others are categories."""
    stated = {value for value in set(values) if not _missing(value)}
    return len(stated) > 5 and all(isinstance(value, int | float) and not isinstance(value, bool) for value in stated)


def _of_column(column: str, values: Sequence[Any]) -> list[Slice]:
    return _quartiles(column, values) if is_number(values) else _categories(column, values)


def _categories(column: str, values: Sequence[Any]) -> list[Slice]:
    import numpy as np

    from boxscore.slices.slice import Slice

    text_by_value = {value: str(value) for value in set(values) if not _missing(value)}
    names = sorted(set(text_by_value.values()))
    if len(names) > MOST_VALUES:
        return []
    numbers = {name: number for number, name in enumerate(names)}
    code_by_value = {value: numbers[text] for value, text in text_by_value.items()}
    codes = np.array([code_by_value.get(value, -1) for value in values])
    return [
        Slice(f"{column}={name}", column, "image", codes == number, condition=((column, name),))
        for name, number in numbers.items()
    ]


def _quartiles(column: str, values: Sequence[Any]) -> list[Slice]:
    import numpy as np

    from boxscore.slices.cutting import text_of
    from boxscore.slices.slice import Slice

    numbers = np.array([np.nan if _missing(value) else float(value) for value in values])
    found = []
    for edge in np.quantile(numbers[~np.isnan(numbers)], QUARTERS, method="lower").tolist():
        with np.errstate(invalid="ignore"):
            below, above = numbers <= edge, numbers > edge
        for sign, mask in (("<=", below), (">", above)):
            part = f"{sign}{text_of(edge)}"
            found.append(Slice(f"{column}{part}", column, "image", mask, condition=((column, part),)))
    # Halves are conditions below and above the median; the middle quarters by themselves are none.
    return found


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124  NaN
