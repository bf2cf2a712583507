"""A person, apart from the timeline: ids alone (a gallery, a crosswalk) need no arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Person:
    """One identity of one source.

    Attributes:
        keys: What the person can be recognised by: `imdb:nm…`, `tmdb:…`, `jf:…`, `name:<normalised>`. Never empty.
        name: What to show.
        extra: What else the source says of the person: `character`, `role`.
    """

    keys: frozenset[str]
    name: str
    extra: Mapping[str, object] = field(default_factory=dict)
