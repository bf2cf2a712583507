"""How long a server asks to be left alone: the Retry-After header."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, 0 or more; None where the server doesn't say so, or not so that it can be understood.

    The header is a number of seconds or a date. A date is held against the server's own clock (its Date header) where
    it tells the time, else against `now` (with a zone). Keys are in lower case.
    """
    stated = headers.get("retry-after", "").strip()
    if stated.isascii() and stated.isdigit():
        return float(stated[:12])
    until = _date(stated)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("date", "")) or now)).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
