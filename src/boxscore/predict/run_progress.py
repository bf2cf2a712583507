"""How far a run is: pictures (or what else it goes through) done, the rate, the time left; on a terminal alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

_INTERVAL = 0.1
"""Seconds between two drawings: drawing costs more than a small model."""


class Progress:
    """Draws one line that is drawn over; nothing where the stream is no terminal (None: no stream at all)."""

    def __init__(self, stream: TextIO | None, total: int, what: str = "pictures") -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._total = total
        self._what = what
        self._start = time.perf_counter()
        self._drawn = 0.0
        self._before: int | None = None

    def tell(self, done: int) -> None:
        """So many pictures are done; what was done before this process counts for no rate."""
        if self._stream is None:
            return
        if self._before is None:
            self._before = done
        now = time.perf_counter()
        if now - self._drawn < _INTERVAL and done < self._total:
            return
        self._drawn = now
        self._stream.write(f"\r{line(done, self._total, done - self._before, now - self._start, self._what)}\033[K")
        self._stream.flush()

    def end(self) -> None:
        """Leave the line free for what comes next."""
        if self._stream is not None and self._before is not None:
            self._stream.write("\r\033[K")
            self._stream.flush()


def line(done: int, total: int, here: int, seconds: float, what: str = "pictures") -> str:
    """`120 of 4952 pictures, 34.1 a second, 2 min 22 s left`: `here` were done in so many seconds."""
    text = f"{done} of {total} {what}"
    if not here or seconds <= 0:
        return text
    rate = here / seconds
    return f"{text}, {rate:.1f} a second, {_span((total - done) / rate)} left"


def _span(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
