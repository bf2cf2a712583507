"""The gallery that probes are looked for in: a file's, or made of pictures; and what may not be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.scores import Enrolled

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.embedder import Embedder
    from boxscore.faces.gallery import Gallery
    from boxscore.faces.pictures import FacePicture

    Vectors = NDArray[np.float64]

_SAME = 1 - 1e-5
"""Two embeddings of this cosine are of one picture, written down with fewer digits perhaps."""
_REMEDY = (
    "the probe would find itself, and every figure would be too good: make the gallery without that picture, or let "
    "boxscore make it of the pictures that are no probes (--reembed, or no --gallery)"
)


def gallery_for(embedder: Embedder, galleries: Sequence[Gallery]) -> Gallery:
    """The gallery made with an embedder's model. Raises InputError that names both hashes where there is none."""
    for gallery in galleries:
        if gallery.sha256 == embedder.sha256:
            return gallery
    raise InputError(_another_model(galleries[0], embedder))


def check_models(embedders: Sequence[Embedder], galleries: Sequence[Gallery]) -> None:
    """Raise InputError for a gallery of a model that isn't asked for, and for an embedder without a gallery."""
    for embedder in embedders:
        gallery_for(embedder, galleries)
    known = {embedder.sha256 for embedder in embedders}
    for gallery in galleries:
        if gallery.sha256 not in known:
            raise InputError(_another_model(gallery, embedders[0]))


def _another_model(gallery: Gallery, embedder: Embedder) -> str:
    return (
        f"{gallery.source}: its embeddings are of model {gallery.model!r} with SHA-256 {gallery.sha256}, and embedder "
        f"{embedder.name!r} is {embedder.sha256}; embeddings of two models can't be compared: make the gallery with "
        "this one, or give the other's card"
    )


def enrol(gallery: Gallery, embedder: Embedder, probes: Sequence[FacePicture], vectors: Vectors) -> Enrolled:
    """A gallery file's embeddings, ready to be compared with the probes' native ones, `vectors` [n, d].

    Raises InputError where it holds a probe's own picture (by SHA-256) or embedding, and where its embeddings have
    another length.
    """
    from boxscore.faces.embedder import unit

    by_hash = {picture.sha256: picture for picture in probes}
    for actor in gallery.actors:
        for picture in actor.pictures:
            if picture.sha256 in by_hash:
                raise InputError(
                    f"{gallery.source} holds the embedding of {by_hash[picture.sha256].name}, a probe of "
                    f"{actor.actor}; {_REMEDY}"
                )
    full = [(actor.actor, actor.embeddings) for actor in gallery.actors if len(actor.embeddings)]
    if not full:
        raise InputError(f"{gallery.source} holds no embeddings; make the gallery anew")
    if full[0][1].shape[1] != vectors.shape[1]:
        raise InputError(
            f"{gallery.source}: its embeddings have {full[0][1].shape[1]} numbers, and embedder {embedder.name!r} "
            f"gives {vectors.shape[1]}; make the gallery with this embedder"
        )
    enrolled = Enrolled.of([(name, unit(rows, f"{gallery.source}: actor {name!r}")) for name, rows in full])
    _refuse_probes(gallery, probes, vectors, enrolled)
    return enrolled


def _refuse_probes(gallery: Gallery, probes: Sequence[FacePicture], vectors: Vectors, enrolled: Enrolled) -> None:
    import numpy as np

    likeness = enrolled.likeness(vectors)
    same = np.argwhere(likeness >= _SAME)
    if len(same):
        probe, actor = (int(one) for one in same[0])
        raise InputError(
            f"{gallery.source} holds the embedding of {probes[probe].name}, a probe of {probes[probe].actor}, under "
            f"{enrolled.actors[actor]} (cosine {likeness[probe, actor]:.7f}); {_REMEDY}"
        )
