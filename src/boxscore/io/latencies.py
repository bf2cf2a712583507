"""Files of latencies: CSV, or JSON, each value the milliseconds of one run.

CSV has a column `latency_ms` (or `ms`, `latency`, `milliseconds`) and, where it is known, a column `device`. JSON is
`{"device": …, "latency_ms": [12.1, 12.4]}`, a list of such objects (a device each), or a bare list of numbers.
"""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.model.given import number, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike
    from typing import Any

MILLISECONDS = ("latency_ms", "ms", "latency", "milliseconds")
DEVICE = "device"


def rows(given: str | PathLike[str]) -> Iterator[tuple[str, str | None, float]]:
    """Place in the file, device (None: not named) and milliseconds of each run.

    Raises InputError that names file and row, and for a file that holds none.
    """
    path = Path(given)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file of latencies; check its path")
    read = _of_json if path.suffix.lower() == ".json" else _of_csv
    empty = True
    for where, device, value in read(path):
        milliseconds = number(value)
        if milliseconds is None or not 0 <= milliseconds < float("inf"):
            raise InputError(f"{path} {where}: {shown(value)} is no latency; give milliseconds, 0 or more")
        empty = False
        yield where, device or None, float(milliseconds)
    if empty:
        raise InputError(f"{path} holds no latencies; give one a row")


def percentile(values: Sequence[float], percent: float) -> float:
    """Percentile by linear interpolation between order statistics (Hyndman and Fan's type 7, NumPy's default)."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _of_json(path: Path) -> Iterator[tuple[str, str | None, Any]]:
    from boxscore.io import json_files

    content = json_files.load(path)
    objects = content if isinstance(content, list) and content and isinstance(content[0], dict) else [content]
    for position, one in enumerate(objects):
        values: Any = one
        device = None
        where = f"[{position}]" if len(objects) > 1 else ""
        if isinstance(one, dict):
            column = next((name for name in MILLISECONDS if name in one), None)
            if column is None:
                raise InputError(f"{path} {where}: there is no field {MILLISECONDS[0]!r} with a list of milliseconds")
            values, device = one[column], one.get(DEVICE)
        if not isinstance(values, list):
            raise InputError(f"{path} {where}: {shown(values)} is no list of milliseconds")
        for row, value in enumerate(values):
            yield f"{where}[{row}]", None if device is None else str(device), value


def _of_csv(path: Path) -> Iterator[tuple[str, str | None, Any]]:
    import csv

    from boxscore.io.utf8 import decoded

    lines = csv.reader(decoded(path.read_bytes(), str(path)).splitlines())
    head = [name.strip().lower() for name in next(lines, [])]
    if len(head) == 1 and not isinstance(_number_or_text(head[0]), str):
        raise InputError(f"{path} line 1: a head is missing; write {MILLISECONDS[0]} above the numbers")
    column = next((head.index(name) for name in MILLISECONDS if name in head), None)
    if column is None:
        raise InputError(f"{path} has no column {MILLISECONDS[0]} (or {', '.join(MILLISECONDS[1:])}); it has: {head}")
    device = head.index(DEVICE) if DEVICE in head else None
    for row in lines:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(head):
            raise InputError(f"{path} line {lines.line_num}: it has {len(row)} cells, the head {len(head)}")
        named = None if device is None else row[device].strip()
        yield f"line {lines.line_num}", named, _number_or_text(row[column])


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
