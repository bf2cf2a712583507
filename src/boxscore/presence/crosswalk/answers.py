"""The crosswalk file: TMDB ids and the IMDb ids that TMDB gave for them, a line a person.

    {
     "kind": "boxscore-crosswalk",
     "version": 1,
     "people": {
      "31": {"imdb": "nm0000158"},
      "4711": {"imdb": null, "reason": "TMDB has no IMDb id for this person"}
     }
    }

It holds answers alone, by ascending TMDB id: an id that could not be resolved is not in it, and is asked again.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io.json_files import load
from boxscore.model.given import shown
from boxscore.model.json_text import to_json
from boxscore.model.whole_files import write_text
from boxscore.presence import keys

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

KIND = "boxscore-crosswalk"
VERSION = 1

_REMEDY = "mend the line, or take it out and the id is asked again"


@dataclass(frozen=True)
class Answer:
    """What TMDB said of a person: the IMDb id, or None with the reason."""

    imdb: str | None
    reason: str | None = None


def read(path: str | PathLike[str]) -> dict[int, Answer]:
    """The answers of a crosswalk file by TMDB id.

    Raises InputError where the file can't be read, is no crosswalk, or an entry is wrong; the entry is named.
    """
    return of_content(load(path), path)


def of_content(content: object, path: str | PathLike[str]) -> dict[int, Answer]:
    """Likewise, of what was loaded from the file."""
    kind = content.get("kind") if isinstance(content, dict) else None
    if not isinstance(content, dict) or kind != KIND:
        raise InputError(
            f"{path} is no crosswalk (its `kind` is {shown(kind)}, not {KIND!r}); give the file that "
            "`boxscore presence crosswalk` wrote, or a name that isn't taken"
        )
    if content.get("version") != VERSION:
        raise InputError(
            f"{path}: its version is {shown(content.get('version'))}, and this boxscore reads {VERSION}; "
            "use the boxscore that wrote it, or make it anew"
        )
    people = content.get("people")
    if not isinstance(people, dict):
        raise InputError(f"{path}: people is {shown(people)}; it must be an object of TMDB ids; make the file anew")
    return {_person(path, name): _answer(path, name, entry) for name, entry in people.items()}


def read_if_there(path: str | PathLike[str]) -> dict[int, Answer]:
    """Likewise; nothing where there is no such file yet."""
    return read(path) if os.path.lexists(path) else {}


def write(path: str | PathLike[str], answers: Mapping[int, Answer]) -> None:
    """Write the file whole; its bytes depend on the answers alone. Raises InputError where it can't be written."""
    people = {str(person): _entry(answers[person]) for person in sorted(answers)}
    write_text(path, to_json({"kind": KIND, "version": VERSION, "people": people}) + "\n")


def _entry(answer: Answer) -> dict[str, str | None]:
    return {"imdb": answer.imdb} if answer.imdb is not None else {"imdb": None, "reason": answer.reason}


def _person(path: str | PathLike[str], name: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,17}", name):
        raise InputError(f"{path}: people has the key {shown(name)}, which is no TMDB id; {_REMEDY}")
    return int(name)


def _answer(path: str | PathLike[str], name: str, entry: object) -> Answer:
    where = f"{path}: people.{name}"
    if not isinstance(entry, dict) or "imdb" not in entry:
        raise InputError(f'{where} is {shown(entry)}; it must be {{"imdb": …}}; {_REMEDY}')
    imdb, reason = entry["imdb"], entry.get("reason")
    if imdb is not None and keys.imdb(imdb) is None:
        raise InputError(f"{where}.imdb is {shown(imdb)}; it must be null or an IMDb id such as nm0000158; {_REMEDY}")
    if reason is not None and not isinstance(reason, str):
        raise InputError(f"{where}.reason is {shown(reason)}; it must be text; {_REMEDY}")
    return Answer(imdb, reason)
