"""The people whom a pipeline can recognise: names and ids of a gallery, whatever else it holds passed over."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import json_files
from boxscore.model.given import shown
from boxscore.presence import keys
from boxscore.presence.cast import Mention, gathered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from boxscore.presence.person import Person

_FORM = '{"actors": [{"actor": "Ann Lee", "ids": {"tmdb": 31}}, …]}'


def read_gallery(path: str | PathLike[str]) -> tuple[Person, ...]:
    """The people of a gallery's JSON. Raises InputError that names the file, the entry, and the value that is wrong."""
    content = json_files.load(path)
    listed = content.get("actors") if isinstance(content, dict) else content
    if not isinstance(listed, list):
        raise InputError(f"{path}: there is no list of actors; a gallery is {_FORM}, or that list alone")
    stated = []
    for row, entry in enumerate(listed):
        where = f"actors[{row}]"
        if not isinstance(entry, dict):
            raise InputError(f"{path}: {where} is {shown(entry)}; a gallery is {_FORM}")
        name, ids = entry.get("actor"), entry.get("ids") or {}
        if not isinstance(name, str) or not isinstance(ids, dict):
            field, value = ("ids", ids) if isinstance(name, str) else ("actor", name)
            raise InputError(f"{path}: {where}.{field} is {shown(value)}; a gallery is {_FORM}")
        stated.append((where, name, ids))
    return people_of(path, stated)


def people_of(path: str | PathLike[str], stated: Iterable[tuple[str, str, Mapping[str, object]]]) -> tuple[Person, ...]:
    """The people of a gallery that was read otherwise: where each stands in it, the name, and the ids.

    Entries that share an id are one person. Raises InputError for an id that is none, an entry without name and ids,
    and a gallery without people.
    """
    mentions, places = [], []
    for where, name, ids in stated:
        given = {
            kind: _bare(kind, value) for kind, value in ids.items() if kind in keys.IDS and value not in (None, "")
        }
        wrong = next((kind for kind, value in given.items() if keys.of_id(kind, value) is None), None)
        if wrong is not None:
            raise InputError(f"{path}: {where}.ids.{wrong} is {shown(ids[wrong])}; it must be {keys.EXPECTED[wrong]}")
        found = keys.of_ids(given, name)
        if not found:
            raise InputError(f"{path}: {where} has neither a name nor an id to be recognised by; give it one")
        mentions.append(Mention(found, name))
        places.append(where)
    if not mentions:
        raise InputError(f"{path} has no actors, so that nobody can be recognised; leave the gallery out, or fill it")
    cast = gathered(mentions)
    for row, problem in cast.mistakes:
        raise InputError(f"{path}: {places[row]}: {problem}")
    return cast.people


def _bare(kind: str, value: object) -> object:
    """`tmdb:31` as `31`."""
    return value.strip().removeprefix(f"{kind}:") if isinstance(value, str) else value
