"""Which pictures are probes, which make the gallery, and on which the threshold is fitted: by seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from boxscore.errors import InputError
from boxscore.model.notes import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from boxscore.faces.pictures import FacePicture

    T = TypeVar("T")
    ByActor = Mapping[str, Sequence[FacePicture]]

_PROBED = 0.75
"""Share of the actors that are probed where the others are needed to fit a threshold."""


@dataclass(frozen=True, slots=True)
class Split:
    """Probes by actor, pictures of the gallery by actor (empty with a gallery file), and pictures of other actors."""

    probes: tuple[FacePicture, ...]
    gallery: dict[str, tuple[FacePicture, ...]]
    others: tuple[FacePicture, ...]

    @property
    def actors(self) -> list[str]:
        """The probed actors."""
        return list(dict.fromkeys(picture.actor for picture in self.probes))


def split(
    pictures: ByActor,
    *,
    actors: int | None,
    probes: int,
    seed: int,
    fits: bool,
    enrolled: frozenset[str] | None = None,
    most: int | None = None,
) -> Split:
    """Draw actors, `probes` pictures of each, and with them the rest.

    `enrolled`: the actors of a gallery file; without one, a probed actor keeps a picture or more for the gallery, and
    the actors that are not probed are in it with all of theirs (`most`: at most so many an actor). `actors` None: all
    that can be probed, or three quarters of them where `fits` says that others are needed. Raises InputError where
    there are not so many.
    """
    least = probes + (enrolled is None)
    able = [
        actor
        for actor, own in sorted(pictures.items())
        if len(own) >= least and (enrolled is None or actor in enrolled)
    ]
    among = "" if enrolled is None else " in the gallery"
    if not able:
        raise InputError(_none_able(pictures, probes, least, enrolled))
    count = actors if actors is not None else _share(len(able), len(pictures), fits=fits)
    if not 1 <= count <= len(able):
        raise InputError(
            f"--actors {count}: {counted(len(able), 'actor')}{among} of {len(pictures)} have the "
            f"{counted(least, 'picture')} that it takes; give a number from 1 to {len(able)}, or bring more pictures"
        )
    if fits and count == len(pictures):
        raise InputError(
            f"--actors {count} leaves no actor to fit the threshold on, which is never done on the probes; give fewer, "
            "or state --threshold"
        )
    chosen = sorted(_drawn(able, seed)[:count])
    drawn = {actor: _drawn(pictures[actor], seed ^ crc32(actor.encode())) for actor in pictures}
    gallery = {
        actor: tuple(drawn[actor][probes if actor in chosen else 0 :][:most])
        for actor in sorted(pictures)
        if enrolled is None
    }
    return Split(
        tuple(picture for actor in chosen for picture in drawn[actor][:probes]),
        gallery,
        tuple(picture for actor in sorted(pictures) if actor not in chosen for picture in pictures[actor]),
    )


def _none_able(pictures: ByActor, probes: int, least: int, enrolled: frozenset[str] | None) -> str:
    """Why no actor can be probed."""
    known = [actor for actor in pictures if enrolled is None or actor in enrolled]
    if not known:
        return (
            f"none of {counted(len(pictures), 'actor')} with pictures is in the gallery, such as {min(pictures)!r}; "
            "name the folders as the gallery's actors, or after their ids"
        )
    return (
        f"--probes {probes} takes {counted(least, 'picture')} of an actor, and no actor has more than "
        f"{max(len(pictures[actor]) for actor in known)}; give fewer probes, or bring more pictures"
    )


def _share(able: int, there: int, *, fits: bool) -> int:
    return min(able, max(1, int(there * _PROBED))) if fits else able


def _drawn(items: Sequence[T], seed: int) -> list[T]:
    from boxscore.stats.plans import shuffled

    return [items[place] for place in shuffled(len(items), seed)]
