"""The ledger of looks at held-out pictures: one line a look, each holding the digest of the one before."""

from __future__ import annotations

import json
import os

from boxscore.errors import InputError
from boxscore.validate import digests, ledger_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.validate.asked import Path
    from boxscore.validate.cases import Cases

FIRST = "0" * 64
"""What the first line has for the digest of the one before."""
_SHORT = 16
"""Hexadecimal digits of a picture's SHA-256 that a line keeps: enough that two pictures don't share them by chance."""
_REMEDY = "restore the file from a copy; a ledger is appended to and never edited"


class Ledger:
    """The looks that a ledger holds, in order, each a dict with the fields of `entry`."""

    __slots__ = ("looks", "path")

    def __init__(self, path: str, looks: Sequence[dict[str, Any]]) -> None:
        self.path = path
        self.looks = list(looks)

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """The ledger in a file; an empty one where there is none yet. Raises InputError that names the bad line."""
        shown = os.fspath(path)
        return cls(shown, parse(ledger_file.content(shown), shown))

    def earlier(self, cases: Cases) -> list[dict[str, Any]]:
        """The looks at any of these pictures, whatever their names and labels were then."""
        own = {_short(case.picture_sha256.hex()) for case in cases}
        sets = self._sets()
        return [look for look in self.looks if own & sets[look["pictures_sha256"]]]

    def fitted_on(self, cases: Cases, fitted_on: str | None) -> bool:
        """Whether data of this digest, on which thresholds were fitted, are known to hold any of these pictures."""
        return fitted_on is not None and any(look["data"] == fitted_on for look in self.earlier(cases))

    def _sets(self) -> dict[str, set[str]]:
        return {
            look["pictures_sha256"]: set(look["pictures"]) for look in self.looks if look.get("pictures") is not None
        }


def append(path: Path, cases: Cases, about: dict[str, Any], time: str) -> Ledger:
    """Add a look, and give the ledger as it was before.

    The file is replaced by a whole new one that holds the line, under a lock, so that it never holds half a line and
    two looks at a time both stay. `about` has the fields `data`, `manifest`, `model`, `card`, `thresholds` and
    `thresholds_fitted_on`; `time` is UTC.

    Raises InputError for a ledger that is torn or was edited, and where it can't be written.
    """
    shown = os.fspath(path)
    with ledger_file.locked(shown):
        before = Ledger.read(shown)
        ledger_file.replace(shown, ledger_file.content(shown) + _line(entry(before, cases, about, time)))
    return before


def entry(ledger: Ledger, cases: Cases, about: dict[str, Any], time: str) -> dict[str, Any]:
    """The next look. Pictures are listed where no earlier look lists the same ones."""
    same = digests.pictures(cases)
    known = any(look["pictures_sha256"] == same for look in ledger.looks)
    short = None if known else sorted({_short(case.picture_sha256.hex()) for case in cases})
    before = ledger.looks[-1]["digest"] if ledger.looks else FIRST
    look = {"number": len(ledger.looks) + 1, "time": time, "previous": before, **about}
    look |= {"pictures_sha256": same, "num_pictures": len(cases), "pictures": short}
    return look | {"digest": digests.of_content(look)}


def parse(data: bytes, shown: str) -> list[dict[str, Any]]:
    """The looks of a ledger's bytes, every line held to the chain. Raises InputError that names the first bad line."""
    if not data:
        return []
    if not data.endswith(b"\n"):
        number = data.count(b"\n") + 1
        raise InputError(f"{shown} line {number} is torn: it does not end; {_REMEDY}")
    found: list[dict[str, Any]] = []
    listed_sets: set[str] = set()
    for number, line in enumerate(data[:-1].split(b"\n"), start=1):
        look = _parsed(line, f"{shown} line {number}")
        _check(look, line, number, found[-1]["digest"] if found else FIRST, f"{shown} line {number}")
        if look["pictures"] is not None:
            listed_sets.add(look["pictures_sha256"])
        elif look["pictures_sha256"] not in listed_sets:
            raise InputError(f"{shown} line {number}: no line before it lists its pictures; {_REMEDY}")
        found.append(look)
    return found


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    try:
        look = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{where} is torn: it is no JSON; {_REMEDY}") from None
    needed = {"number", "time", "previous", "digest", "pictures", "pictures_sha256", "data"}
    if not isinstance(look, dict) or not needed <= look.keys():
        raise InputError(f"{where} is no look at pictures; {_REMEDY}")
    return look


def _check(look: dict[str, Any], line: bytes, number: int, before: str, where: str) -> None:
    stated = look["digest"]
    rest = {name: value for name, value in look.items() if name != "digest"}
    if digests.of_content(rest) != stated or digests.canonical(look) != line:
        raise InputError(f"{where} was edited: its content has not the digest that it states; {_REMEDY}")
    if look["previous"] != before or look["number"] != number:
        raise InputError(f"{where} does not follow the line before it: a line was removed, added or moved; {_REMEDY}")


def _line(look: dict[str, Any]) -> bytes:
    return digests.canonical(look) + b"\n"


def _short(digest: str) -> str:
    return digest[:_SHORT]
