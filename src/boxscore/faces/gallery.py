"""Galleries: who can be told, by which ids, and by which embeddings of which model; as JSON or HDF5 (docs/faces.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.notes import counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float64]

FORMAT, VERSION = "boxscore-gallery", 1
IDS = ("imdb", "tmdb", "jf")
_HDF5 = (".h5", ".hdf5")


@dataclass(frozen=True, slots=True)
class GalleryPicture:
    """What an embedding was made of: the file's path in the image cache, and its SHA-256; None where it isn't known."""

    file: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class GalleryActor:
    """An actor: name, ids by kind (`imdb`, `tmdb`, `jf`), embeddings float64 [n, d] and their pictures, n or none."""

    actor: str
    embeddings: Vectors
    ids: Mapping[str, str] = field(default_factory=dict)
    pictures: tuple[GalleryPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class Gallery:
    """A gallery and the model that its embeddings are of: its name and the SHA-256 of its weights."""

    model: str
    sha256: str
    actors: tuple[GalleryActor, ...]
    source: str = "the gallery"

    @property
    def lists_files(self) -> bool:
        """Whether it says which file any of its embeddings is of."""
        return any(picture.file is not None for actor in self.actors for picture in actor.pictures)

    def actor_called(self, name: str) -> str:
        """The actor of that name or with that id (`nm0451321`, `tmdb:31`, `31`); else the name itself.

        Raises InputError where several actors are called so.
        """
        names = {actor.actor for actor in self.actors}
        found = sorted(
            actor.actor
            for actor in self.actors
            if any(name in (value, f"{kind}:{value}") for kind, value in actor.ids.items())
        )
        if name in names or not found:
            return name
        if len(found) > 1:
            raise InputError(
                f"{self.source}: the folder {name!r} is an id of {listed(found)}; name it after one of them, or write "
                f"the kind of the id before it, as in tmdb:{name}"
            )
        return found[0]


def read_gallery(path: str | PathLike[str]) -> Gallery:
    """The gallery in a JSON or HDF5 file (told by its ending, .h5 or .hdf5).

    Raises InputError that names file, actor and field: what is missing or of a wrong kind, embeddings that are not
    finite or of uneven length, one actor twice.
    """
    if Path(path).suffix.lower() in _HDF5:
        from boxscore.faces import gallery_hdf5

        gallery = gallery_hdf5.read(path)
    else:
        from boxscore.faces import gallery_json

        gallery = gallery_json.read(path)
    _check(gallery)
    return gallery


def write_gallery(gallery: Gallery, path: str | PathLike[str]) -> None:
    """Write a gallery as JSON, or as HDF5 where the path ends so; whole or not at all. Raises InputError."""
    _check(gallery)
    if Path(path).suffix.lower() in _HDF5:
        from boxscore.faces import gallery_hdf5

        gallery_hdf5.write(gallery, path)
    else:
        from boxscore.faces import gallery_json

        gallery_json.write(gallery, path)


def _check(gallery: Gallery) -> None:
    import numpy as np

    seen: set[str] = set()
    lengths = {actor.embeddings.shape[1] for actor in gallery.actors if len(actor.embeddings)}
    if len(lengths) > 1:
        raise InputError(
            f"{gallery.source}: embeddings have {listed([str(one) for one in sorted(lengths)])} numbers; one model's "
            "have one length: make the gallery anew"
        )
    for actor in gallery.actors:
        if actor.actor in seen:
            raise InputError(f"{gallery.source}: actor {actor.actor!r} is there twice; join the two, or rename one")
        seen.add(actor.actor)
        if actor.pictures and len(actor.pictures) != len(actor.embeddings):
            raise InputError(
                f"{gallery.source}: actor {actor.actor!r} has {counted(len(actor.embeddings), 'embedding')} and "
                f"{counted(len(actor.pictures), 'picture')}; state one picture an embedding, or none"
            )
        lengths_of = np.linalg.norm(actor.embeddings, axis=1)
        wrong = np.flatnonzero(~np.isfinite(lengths_of) | (lengths_of == 0))
        if len(wrong):
            raise InputError(
                f"{gallery.source}: embedding {int(wrong[0])} of actor {actor.actor!r} is zero or not finite; make it "
                "anew, or take it away"
            )
