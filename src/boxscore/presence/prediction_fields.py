"""An actor in a prediction's JSON: name, ids, and what else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.io.yaml_fields import Field, WrongFieldError, attempt
from boxscore.model.given import shown
from boxscore.model.labels import id_text
from boxscore.presence import keys
from boxscore.presence.cast import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

LATE = 1e-3
"""Seconds that a time may lie behind the film's end: durations are often rounded to milliseconds."""

_ACTOR = ("name", "ids", "character", "role", "extra")
_SAID = ("character", "role")


def actor_fields(item: Field, more: Sequence[str] = (), needed: Sequence[str] = ()) -> dict[str, Field]:
    """An actor's fields by name, `more` of them than those that say who it is."""
    return item.fields((*_ACTOR, *more), needed)


def actor(item: Field, fields: dict[str, Field]) -> Mention:
    """Who the item with these fields is."""
    if "name" not in fields and "ids" not in fields:
        item.wrong("it has neither a name nor ids; give one of them, or both")
    name, ids = attempt(fields.get("name"), Field.text), attempt(fields.get("ids"), _ids)
    said = {what: attempt(fields.get(what), Field.text) for what in _SAID}
    extra: dict[str, object] = {what: text for what, text in said.items() if text is not None}
    extra |= attempt(fields.get("extra"), free) or {}
    if ("name" in fields and name is None) or ("ids" in fields and ids is None):
        raise WrongFieldError
    found = keys.of_ids(ids or {}, name)
    if not found:
        item.wrong("nothing tells who it is; give a name with letters in it, or an id")
    return Mention(found, name, extra)


def actor_or_text(item: Field) -> Mention:
    """Likewise where one text is enough: `imdb:…`, `tmdb:…`, `jf:…`, or a name."""
    if not isinstance(item.value, str):
        return actor(item, actor_fields(item))
    found = keys.of_text(item.value)
    if not found:
        item.wrong(f"{id_text(item.value)} is neither a name nor an id (imdb:nm…, tmdb:…, jf:…)")
    return Mention(found, None if keys.exact(found) else item.value.strip())


def free(field: Field) -> dict[str, object]:
    """A mapping of whatever its writer wants to keep."""
    return {name: one.value for name, one in field.named()}


def told_ids(mention: Mention) -> str:
    """A person in a message: the first key, with the name where that isn't it."""
    key = keys.first(mention.keys)
    return id_text(mention.name) if mention.name and key.startswith("name:") else key


def _ids(field: Field) -> dict[str, object]:
    """Ids by kind; null is one that a pipeline looked for and did not find."""
    fields = field.fields(keys.IDS)
    given = {kind: one for kind, one in fields.items() if kind in keys.IDS and one.value is not None}
    wrong = {kind: one for kind, one in given.items() if keys.of_id(kind, one.value) is None}
    for kind, one in wrong.items():
        one.tell(f"it is {shown(one.value)}; it must be {keys.EXPECTED[kind]}")
    if wrong or len(fields) > len([kind for kind in fields if kind in keys.IDS]):
        raise WrongFieldError
    return {kind: one.value for kind, one in given.items()}


def no_length(count: int) -> str:
    """The note on windows that start where they end."""
    return f"windows that end where they start, and hold no moment since an end is not part of its window: {count}"
