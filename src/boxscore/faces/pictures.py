"""Whose pictures there are: a folder an actor, or the files that a gallery lists."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.notes import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from boxscore.faces.gallery import Gallery


@dataclass(frozen=True, slots=True)
class FacePicture:
    """A picture file of an actor; `name` is its path below the folder, with slashes."""

    actor: str
    name: str
    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures by actor, both in order of their names."""

    by_actor: dict[str, tuple[FacePicture, ...]]
    notes: tuple[str, ...] = ()


def pictures_of(folder: str | PathLike[str], gallery: Gallery | None = None, *, reembed: bool = False) -> Pictures:
    """The pictures below a folder: those of one folder an actor, or, with `reembed` or where there are no such folders,
    those that the gallery lists.

    A folder is an actor's whose name it bears, or, with a gallery, one of whose ids. A picture that is there twice
    counts once. Raises InputError where there is no folder or no picture, and where one picture is of two actors.
    """
    home = Path(folder)
    if not home.is_dir():
        raise InputError(f"--images {folder}: there is no such folder; give the folder of the actors' pictures")
    named = [] if reembed else _folders(home, gallery)
    missing: list[str] = []
    hint = "it must hold a folder an actor, with pictures in it"
    if not named and gallery is not None and gallery.lists_files:
        named, missing = _listed_by(gallery, home)
        hint = "the gallery lists none that is there"
    pictures, repeated = _hashed(named)
    if not pictures:
        raise InputError(f"--images {folder} holds no pictures: {hint}; check the path")
    notes = []
    if missing:
        notes.append(f"{counted(len(missing), 'picture')} that the gallery lists are not there: {listed(missing)}")
    if repeated:
        notes.append(f"{counted(len(repeated), 'picture')} left out as copies of others: {listed(repeated)}")
    return Pictures(pictures, tuple(notes))


def _listed_by(gallery: Gallery, home: Path) -> tuple[list[tuple[str, str, Path]], list[str]]:
    named = [
        (actor.actor, picture.file, home / picture.file)
        for actor in gallery.actors
        for picture in actor.pictures
        if picture.file is not None
    ]
    return [one for one in named if one[2].is_file()], [name for _, name, path in named if not path.is_file()]


def _folders(home: Path, gallery: Gallery | None) -> list[tuple[str, str, Path]]:
    from boxscore.io.pictures import SUFFIXES

    found = []
    for folder in sorted(path for path in home.iterdir() if path.is_dir()):
        actor = folder.name if gallery is None else gallery.actor_called(folder.name)
        found += [
            (actor, path.relative_to(home).as_posix(), path)
            for path in sorted(folder.rglob("*"))
            if path.suffix.lower() in SUFFIXES and path.is_file()
        ]
    return found


def _hashed(named: Iterable[tuple[str, str, Path]]) -> tuple[dict[str, tuple[FacePicture, ...]], list[str]]:
    """Pictures by actor, and the names of those that are copies of others."""
    first: dict[str, FacePicture] = {}
    repeated = []
    for actor, name, path in sorted(named, key=lambda one: one[:2]):
        picture = FacePicture(actor, name, path, _sha256(path))
        known = first.setdefault(picture.sha256, picture)
        if known is picture:
            continue
        if known.actor != actor:
            raise InputError(
                f"{known.path} of {known.actor} and {path} of {actor} are one and the same picture; it can be of one "
                "of them alone: take the other away"
            )
        repeated.append(name)
    by_actor: dict[str, list[FacePicture]] = {}
    for picture in first.values():
        by_actor.setdefault(picture.actor, []).append(picture)
    return {actor: tuple(by_actor[actor]) for actor in sorted(by_actor)}, repeated


def _sha256(path: Path) -> str:
    import hashlib

    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}; check its rights") from None
