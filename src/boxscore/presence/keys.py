"""Keys of identities: what a person can be recognised by in two sources.

    imdb:nm0000158    IMDb's id, filled to seven digits
    tmdb:31           TMDB's id
    jf:…              a Jellyfin item's id; one of 32 hexadecimal digits loses its hyphens and its case
    name:ann lee      the name, normalised (`names`)
    mvn:Train_app10/3 an identity of MovieNet-PS that carries no id: its split and its number there

A person's *first key* is the first that it has in this order; labels are first keys.
"""

import re
from collections.abc import Iterable, Mapping

from boxscore.model.given import whole_number
from boxscore.presence.names import normalised

KINDS = ("imdb", "tmdb", "jf", "name", "mvn")
IDS = ("imdb", "tmdb", "jf")
"""Kinds of ids that people write; `name` is derived, `mvn` is the reader's own."""

_IMDB = re.compile(r"nm([0-9]{1,12})", re.IGNORECASE)
_JELLYFIN = re.compile(r"[0-9a-f]{32}")
_DIGITS = re.compile(r"[0-9]{1,18}")
EXPECTED = {
    "imdb": "an IMDb id such as nm0000158",
    "tmdb": "a TMDB id, a whole number such as 31",
    "jf": "a Jellyfin id, a text without blanks",
}


def imdb(value: object) -> str | None:
    """`imdb:nm…`; None for what is no IMDb id."""
    found = _IMDB.fullmatch(value.strip()) if isinstance(value, str) else None
    return None if found is None else f"imdb:nm{int(found[1]):07d}"


def tmdb(value: object) -> str | None:
    """`tmdb:…`; None for what is no TMDB id: a whole number above 0, or its digits."""
    number = int(value) if isinstance(value, str) and _DIGITS.fullmatch(value.strip()) else whole_number(value)
    return None if number is None or number < 1 else f"tmdb:{number}"


def jellyfin(value: object) -> str | None:
    """`jf:…`; None for what is no Jellyfin id."""
    if not isinstance(value, str) or not value.strip() or len(value.split()) > 1:
        return None
    text = value.strip()
    bare = text.replace("-", "").lower()
    return f"jf:{bare if _JELLYFIN.fullmatch(bare) else text}"


_READERS = {"imdb": imdb, "tmdb": tmdb, "jf": jellyfin}


def of_id(kind: str, value: object) -> str | None:
    """The key of an id of a kind (`IDS`); None for what is no such id."""
    return _READERS[kind](value)


def of_name(name: str) -> str | None:
    """`name:…`; None for a name without a letter or a digit."""
    text = normalised(name)
    return f"name:{text}" if text else None


def of_text(text: str) -> frozenset[str]:
    """Keys of a person given as one text: `imdb:…`, `tmdb:…`, `jf:…`, `name:…`, a bare `nm…`, or else a name."""
    kind, colon, rest = text.strip().partition(":")
    if colon and kind.lower() in IDS:
        key = of_id(kind.lower(), rest)
    elif colon and kind.lower() == "name":
        key = of_name(rest)
    else:
        key = imdb(text) or of_name(text)
    return frozenset() if key is None else frozenset((key,))


def order(key: str) -> tuple[int, str]:
    """Sort key of keys: by kind in the documented order, then by code point."""
    return KINDS.index(kind_of(key)), key


def kind_of(key: str) -> str:
    """`imdb` of `imdb:nm0000158`."""
    return key.partition(":")[0]


def first(keys: Iterable[str]) -> str:
    """The first key in the documented order."""
    return min(keys, key=order)


def exact(keys: Iterable[str]) -> frozenset[str]:
    """Those that are no names: ids belong to one person, a name may be shared."""
    return frozenset(key for key in keys if kind_of(key) != "name")


def of_ids(ids: Mapping[str, object], name: str | None = None) -> frozenset[str]:
    """Keys of a person by ids (kinds of `IDS`) and name; ids that are none are left out."""
    found = [of_id(kind, value) for kind, value in ids.items() if kind in IDS]
    found.append(None if name is None else of_name(name))
    return frozenset(key for key in found if key is not None)
