"""Latencies of one variant, each with its device."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import latencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.study.declared import Latency


def rows(latency: Latency) -> list[tuple[str, float]]:
    """Device and milliseconds of each run. Raises InputError that names file and row."""
    path = latency.file.path
    found = []
    for where, device, milliseconds in latencies.rows(path):
        if latency.device and device and latency.device != device:
            raise InputError(
                f"{path} {where}: the device is {device!r}, and the study says {latency.device!r}; keep the right one"
            )
        named = latency.device or device
        if not named:
            raise InputError(
                f"{path} names no device; give it a {latencies.DEVICE!r}, or write `latency: {{file: …, device: …}}` "
                "in the study"
            )
        found.append((named, milliseconds))
    return found
