"""The fields of a protocol file, checked for their types one by one; unknown ones are refused by name."""

from __future__ import annotations

from boxscore.errors import MeasureError, ProtocolError
from boxscore.model.protocol import Protocol, evenly_spaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

FORMAT = 1
"""The layout of protocol files that this version reads."""

TEXTS = ("name", "version", "rule", "pixels", "interpolation", "ignore_flag", "object_area")
TABLES = ("iou_thresholds", "area_ranges", "max_detections", "headline")
OPTIONAL = ("description", "confidence", "least_support")
KNOWN = ("format", *OPTIONAL, *TEXTS, *TABLES)


def protocol_of(table: dict[str, Any], shown: str) -> Protocol:
    """A protocol from a parsed file; `shown` names the file in errors. Raises ProtocolError that names the field."""
    _check_keys(table, shown)
    texts = {field: _text(table[field], field, shown) for field in TEXTS}
    try:
        return Protocol(
            **texts,
            description=_text(table.get("description", ""), "description", shown),
            iou_thresholds=_thresholds(table["iou_thresholds"], shown),
            area_ranges=_areas(table["area_ranges"], shown),
            max_detections=[_integer(n, "max_detections", shown) for n in _list(table, "max_detections", shown)],
            headline=[_text(text, "headline", shown) for text in _list(table, "headline", shown)],
            confidence=_number(table["confidence"], "confidence", shown) if "confidence" in table else None,
            least_support=_integer(table["least_support"], "least_support", shown)
            if "least_support" in table
            else None,
        )
    except MeasureError as error:
        raise ProtocolError(f"{shown}: headline: {error}") from None


def _check_keys(table: dict[str, Any], shown: str) -> None:
    unknown = [key for key in table if key not in KNOWN]
    if unknown:
        _refuse(shown, unknown[0], f"is not a field of protocols; fields are {', '.join(KNOWN)}")
    missing = [key for key in KNOWN if key not in table and key not in OPTIONAL]
    if missing:
        _refuse(shown, missing[0], "is missing")
    if table["format"] != FORMAT:
        _refuse(shown, "format", f"is {table['format']!r}; this version of boxscore reads format {FORMAT}")


def _refuse(shown: str, field: str, problem: str) -> NoReturn:
    raise ProtocolError(f"{shown}: {field} {problem}")


def _text(value: object, field: str, shown: str) -> str:
    if not isinstance(value, str):
        _refuse(shown, field, f"is {value!r}; it must be text")
    return value


def _number(value: object, field: str, shown: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(shown, field, f"holds {value!r}, which is not a number")
    return float(value)


def _integer(value: object, field: str, shown: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        _refuse(shown, field, f"holds {value!r}, which is not a whole number")
    return value


def _list(table: dict[str, Any], field: str, shown: str) -> list[Any]:
    value = table[field]
    if not isinstance(value, list):
        _refuse(shown, field, f"is {value!r}; it must be a list")
    return value


def _thresholds(value: object, shown: str) -> list[float]:
    if isinstance(value, list):
        return [_number(threshold, "iou_thresholds", shown) for threshold in value]
    if not isinstance(value, dict):
        _refuse(shown, "iou_thresholds", f"is {value!r}; give a list, or a table with from, to and count")
    if set(value) != {"from", "to", "count"}:
        _refuse(shown, "iou_thresholds", f"has the keys {', '.join(value)}; it takes from, to and count")
    count = _integer(value["count"], "iou_thresholds.count", shown)
    if not 1 <= count <= 1000:
        _refuse(shown, "iou_thresholds.count", f"is {count}; it must be from 1 to 1000")
    start = _number(value["from"], "iou_thresholds.from", shown)
    return evenly_spaced(start, _number(value["to"], "iou_thresholds.to", shown), count)


def _areas(value: object, shown: str) -> list[tuple[str, float, float]]:
    if not isinstance(value, dict):
        _refuse(shown, "area_ranges", f"is {value!r}; it must be a table of name = [least, most]")
    areas = []
    for name, ends in value.items():
        if not isinstance(ends, list) or len(ends) != 2:
            _refuse(shown, f"area_ranges.{name}", f"is {ends!r}; it must be [least, most]")
        least, most = (_number(end, f"area_ranges.{name}", shown) for end in ends)
        areas.append((name, least, most))
    return areas
