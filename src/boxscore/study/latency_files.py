"""Files of latencies: CSV, or JSON, each value the milliseconds of one run.

CSV has a column `latency_ms` (or `ms`, `latency`, `milliseconds`) and, where the study doesn't name it, a column
`device`. JSON is `{"device": …, "latency_ms": [12.1, 12.4]}`, a list of such objects (a device each), or a bare list of
numbers.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown
from boxscore.study.latency import DEVICE, MILLISECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from boxscore.study.declared import Latency


def rows(latency: Latency) -> list[tuple[str, float]]:
    """Device and milliseconds of each run. Raises InputError that names file and row."""
    path = latency.file.path
    read = _of_json if path.suffix.lower() == ".json" else _of_csv
    found = []
    for where, device, value in read(latency):
        if latency.device and device and latency.device != device:
            raise InputError(
                f"{path} {where}: the device is {device!r}, and the study says {latency.device!r}; keep the right one"
            )
        named = latency.device or device
        if not named:
            raise InputError(
                f"{path} names no device; give it a {DEVICE!r}, or write `latency: {{file: …, device: …}}` in the study"
            )
        milliseconds = number(value)
        if milliseconds is None or not 0 <= milliseconds < float("inf"):
            raise InputError(f"{path} {where}: {shown(value)} is no latency; give milliseconds, 0 or more")
        found.append((named, float(milliseconds)))
    if not found:
        raise InputError(f"{path} holds no latencies; give one a row")
    return found


def _of_json(latency: Latency) -> Iterator[tuple[str, str | None, Any]]:
    from boxscore.io import json_files

    path, content = latency.file.path, json_files.load(latency.file.path)
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


def _of_csv(latency: Latency) -> Iterator[tuple[str, str | None, Any]]:
    import csv

    from boxscore.io.utf8 import decoded

    path = latency.file.path
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
