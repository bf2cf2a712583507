"""How small may a face be: probes degraded to each size, looked for in a gallery at native resolution."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.options import Options
from boxscore.model.notes import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any, TextIO

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.detector import FaceDetector
    from boxscore.faces.embedder import Embedder
    from boxscore.faces.embedding import Workshop
    from boxscore.faces.face import Square
    from boxscore.faces.gallery import Gallery
    from boxscore.faces.measured import Measured
    from boxscore.faces.pictures import FacePicture, Pictures
    from boxscore.faces.smallest import Comparison

    Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MinSize:
    """What was found. `sides` are the probes' own sizes in pixels; docs/faces.md describes the rest."""

    options: Options
    embedders: tuple[Measured, ...]
    comparison: Comparison | None
    probes: tuple[FacePicture, ...]
    sides: tuple[int, ...]
    detector: dict[str, Any] | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the outcome of each probe, ready for JSON."""
        from boxscore.faces.written import to_dict

        return to_dict(self)

    def write(self, folder: str | PathLike[str]) -> list[Path]:
        """Write min_size.json, min_size.csv, gallery_size.csv and probes.csv. Raises InputError where it can't."""
        from boxscore.faces.written import write

        return write(self, folder)


def min_size(
    images: str | PathLike[str],
    embedders: Sequence[Embedder],
    options: Options | None = None,
    *,
    galleries: Sequence[Gallery] = (),
    detector: FaceDetector | None = None,
    cache: str | PathLike[str] | None = None,
    progress: TextIO | None = None,
) -> MinSize:
    """Probe an embedder, or several on the same pictures.

    `images` is a folder with a folder an actor, or, to embed it anew, the image cache that the first gallery lists.
    Without `galleries` the other pictures of all actors are the gallery. `detector` None: each picture is a face and
    nothing else. `cache` is the file of embeddings (None: none is kept). Raises InputError: too few pictures or actors,
    a gallery of another model or with a probe in it, an embedder that needs a detector, and as the readers do.
    """
    from boxscore.faces.cache import Cache
    from boxscore.faces.embedding import Workshop
    from boxscore.faces.pictures import pictures_of

    asked = options or Options()
    _check(embedders, detector, galleries, asked)
    pictures = pictures_of(images, galleries[0] if galleries else None, reembed=asked.reembed)
    kept = Cache(None if cache is None else Path(cache))
    try:
        shop = Workshop(kept, asked.recipe, detector=detector, seed=asked.seed, progress=progress)
        return _found(shop, pictures, embedders, asked, galleries, detector)
    finally:
        kept.close()


def _found(
    shop: Workshop,
    pictures: Pictures,
    embedders: Sequence[Embedder],
    options: Options,
    galleries: Sequence[Gallery],
    detector: FaceDetector | None,
) -> MinSize:
    from boxscore.faces.probing import Probing
    from boxscore.faces.smallest import compare

    usable, squares, notes = _with_faces(shop, pictures, found=detector is not None)
    probing = Probing(shop, usable, squares, options, galleries)
    found = [probing.embedder(embedder) for embedder in embedders]
    cautions = [(one.name, one.threshold.caution()) for one in found]
    notes += [f"{name}: {caution}" for name, caution in cautions if caution is not None]
    return MinSize(
        options,
        tuple(found),
        compare({one.name: (one.smallest, one.losses) for one in found}, options.margin),
        probing.split.probes,
        tuple(probing.sides.tolist()),
        None if detector is None else detector.describe(),
        tuple(notes),
    )


def _with_faces(
    shop: Workshop, pictures: Pictures, *, found: bool
) -> tuple[dict[str, tuple[FacePicture, ...]], dict[str, Square], list[str]]:
    """Pictures that show a face, by actor, where it is, and what was left out."""
    every = [picture for own in pictures.by_actor.values() for picture in own]
    squares, without, crowded = shop.find(every)
    usable = {
        actor: tuple(picture for picture in own if picture.name in squares) for actor, own in pictures.by_actor.items()
    }
    notes = list(pictures.notes)
    if without:
        told = listed([f"{name}: {why}" for name, why in without.items()], 3)
        notes.append(f"{counted(len(without), 'picture')} left out ({told})")
    if crowded:
        notes.append(
            f"{counted(len(crowded), 'picture')} show several faces, and the surest is taken: {listed(crowded)}"
        )
    if not squares:
        remedy = "give a lower floor in the detector's card" if found else "check the files"
        raise InputError(f"none of {counted(len(every), 'picture')} can be used ({notes[-1]}); {remedy}")
    return {actor: own for actor, own in usable.items() if own}, squares, notes


def _check(
    embedders: Sequence[Embedder], detector: FaceDetector | None, galleries: Sequence[Gallery], options: Options
) -> None:
    from boxscore.faces.enrolled import check_models

    names = [embedder.name for embedder in embedders]
    if not names:
        raise InputError("there is no embedder; give one or more with --embedder CARD")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two embedders are called {name!r}; give each card a `name` of its own")
    for embedder in embedders:
        if embedder.input.alignment == "five-point" and detector is None:
            raise InputError(
                f"embedder {embedder.name!r} aligns faces by five points, which nobody has found yet; give YuNet's "
                "card with --detector"
            )
    # Whose picture each file is, is read off the first gallery alone.
    if options.reembed and not (galleries and galleries[0].lists_files):
        several = any(gallery.lists_files for gallery in galleries)
        lacking = f"{galleries[0].source}, the first, lists none" if several else "no gallery lists any"
        raise InputError(
            f"--reembed makes a gallery's embeddings anew from the files that it lists, and {lacking}; state "
            "`pictures` there, or leave out --gallery and give a folder an actor"
        )
    if galleries and not options.reembed:
        check_models(embedders, galleries)
