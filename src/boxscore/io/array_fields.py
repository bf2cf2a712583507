"""One field of one image, from whatever holds it (an array, a tensor of any framework, a list) to a checked array."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, plain, shown, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

_NUMBERS = "fiu"
_MOST_EXACT = 2**53
"""Floating-point numbers stop telling whole numbers apart here."""
_MOST_INTEGER = 2**63


def boxes(given: object, place: str) -> Array:
    """Boxes (n, 4), float64, of the image at `place` (`targets[3]`). Raises InputError that names box and value."""
    import numpy as np

    array = _array(given, "boxes", place, "(number of boxes, 4)")
    if array.size == 0:
        return np.empty((0, 4))
    if array.ndim != 2 or array.shape[1] != 4:
        raise InputError(f"{place}: boxes has shape {array.shape}; it must be (number of boxes, 4)")
    return _numbers(array, "boxes", place).astype(np.float64, copy=False)


def column(given: object, field: str, count: int, place: str) -> Array:
    """A field (count,): `scores` and `area` numbers, `labels` signed integers or texts, `iscrowd` booleans.

    Raises InputError that names box and value.
    """
    array = _array(given, field, place, f"({count},)")
    array = array.reshape(-1) if array.size == 0 or array.ndim == 0 else array
    if array.shape != (count,):
        raise InputError(f"{place}: {field} has shape {array.shape}; its {count} boxes need shape ({count},)")
    if field == "labels":
        # NumPy makes texts of numbers that stand beside texts: what a list holds is seen in the list alone.
        return _labels(array, list(given) if isinstance(given, list | tuple) else None, place)
    if field == "iscrowd":
        return _flags(array, place)
    numbers = _numbers(array, field, place)
    return _areas(numbers, place) if field == "area" else numbers


def _array(given: Any, field: str, place: str, shape: str) -> Array:  # noqa: ANN401  any framework's
    for method in ("detach", "cpu"):
        if hasattr(given, method):
            given = getattr(given, method)()
    try:
        array = _as_numpy(given)
    except (TypeError, ValueError, RuntimeError, AttributeError, OverflowError) as error:
        why = "has entries of different lengths" if isinstance(given, list | tuple) else f"is no array ({error})"
        raise InputError(f"{place}: {field} {why}; it must be an array of shape {shape}: {shown(given)}") from None
    if array.ndim == 0 and array.dtype.kind not in _NUMBERS + "b":
        raise InputError(f"{place}: {field} is {shown(given)}; it must be an array of shape {shape}")
    if isinstance(given, list | tuple) and field != "iscrowd":
        _refuse_booleans(given, field, place)
    return array


def _as_numpy(given: Any) -> Array:  # noqa: ANN401  likewise
    import numpy as np

    try:
        return np.asarray(given.numpy() if hasattr(given, "numpy") else given)
    except TypeError:
        # NumPy has no bfloat16; a tensor that does widens itself to 32 bits without loss.
        return np.asarray(given.float().numpy())


def _refuse_booleans(given: list[object] | tuple[object, ...], field: str, place: str) -> None:
    """NumPy makes a number of a boolean that stands beside numbers: it is seen in the list alone."""
    import numpy as np

    for box, value in enumerate(given):
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, bool | np.bool_):
                _refuse(place, box, field, one, "a number, not a boolean")


def _numbers(array: Array, field: str, place: str) -> Array:
    """The array, of numbers; objects that are all numbers become float64."""
    import numpy as np

    if array.dtype.kind in _NUMBERS:
        return array
    values = array.reshape(-1).tolist()
    for position, value in enumerate(values):
        if array.dtype.kind != "O" or number(value) is None:
            _refuse(place, position * len(array) // array.size, field, value, "a number")
    return np.array([number(value) for value in values], dtype=np.float64).reshape(array.shape)


def _areas(array: Array, place: str) -> Array:
    """The areas. NaN would stand for an area that is missing, and say nothing of what is wrong."""
    import numpy as np

    for box in np.flatnonzero(array != array)[:1].tolist():  # noqa: PLR0124  true of NaN alone, in any type
        raise InputError(
            f"{place} box {box}: area is NaN; correct the annotation, or give this image no area to have those of its "
            "boxes taken"
        )
    return array


def _flags(array: Array, place: str) -> Array:
    if array.dtype.kind == "b":
        return array
    wrong = (array != 0) & (array != 1) if array.dtype.kind in _NUMBERS else None
    for box, value in enumerate(array.tolist()):
        if wrong[box] if wrong is not None else not _is_flag(value):
            _refuse(place, box, "iscrowd", value, "0, 1, true or false")
    return array.astype(bool)


def _is_flag(value: object) -> bool:
    stated = plain(value)
    return isinstance(stated, int | float) and stated in (0, 1)


def _labels(array: Array, stated: list[object] | None, place: str) -> Array:
    import numpy as np

    kind = array.dtype.kind
    if kind == "i" or (kind == "U" and stated is None):
        return array
    if kind in _NUMBERS:
        for box in np.flatnonzero(~_whole(array))[:1].tolist():
            _refuse(place, box, "labels", array[box], _LABEL)
        return array.astype(np.int64)
    return _labels_of_objects(array.tolist() if stated is None else stated, place)


def _whole(numbers: Array) -> Array:
    """Which are whole numbers that 64 bits hold, without a doubt which."""
    import numpy as np

    if numbers.dtype.kind == "f":
        wide = numbers.astype(np.float64)
        return np.asarray((wide == np.floor(wide)) & (np.abs(wide) < _MOST_EXACT))
    return np.asarray(numbers <= np.iinfo(np.int64).max)


_LABEL = "a whole number or a text"


def _labels_of_objects(values: list[object], place: str) -> Array:
    import numpy as np

    labels = [plain(value) for value in values]
    for box, label in enumerate(labels):
        stated = whole_number(label)
        if not isinstance(label, str) and (stated is None or not -_MOST_INTEGER <= stated < _MOST_INTEGER):
            _refuse(place, box, "labels", label, _LABEL)
        if isinstance(label, str) != isinstance(labels[0], str):
            _refuse(place, box, "labels", label, f"of one kind with {shown(labels[0])} before it: all numbers or texts")
    return np.array(labels)


def _refuse(place: str, box: int, field: str, value: object, meant: str) -> NoReturn:
    verb = "holds" if field == "boxes" else "is"
    raise InputError(f"{place} box {box}: {field} {verb} {shown(value)}; it must be {meant}")
