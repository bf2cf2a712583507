"""The probes of one split, looked for by one embedder after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.embedder import Embedder
    from boxscore.faces.embedding import Workshop
    from boxscore.faces.face import Square
    from boxscore.faces.gallery import Gallery
    from boxscore.faces.measured import Measured
    from boxscore.faces.options import Options
    from boxscore.faces.pictures import FacePicture
    from boxscore.faces.scores import Enrolled, Likeness
    from boxscore.faces.threshold import Threshold

    Vectors = NDArray[np.float64]


class Probing:
    """Probes, gallery and other actors, drawn once, so that all embedders see the same.

    Attributes:
        split: which pictures are what.
        sides: the probes' own sizes in pixels, int64 [n].
    """

    def __init__(
        self,
        shop: Workshop,
        usable: Mapping[str, Sequence[FacePicture]],
        squares: Mapping[str, Square],
        options: Options,
        galleries: Sequence[Gallery],
    ) -> None:
        """Raises InputError where there are not enough actors or pictures."""
        import numpy as np

        from boxscore.faces.rates import Clusters
        from boxscore.faces.split import split

        self._shop = shop
        self._squares = squares
        self._options = options
        self._galleries = () if options.reembed else galleries
        self.split = split(
            usable,
            actors=options.actors,
            probes=options.probes,
            seed=options.seed,
            fits=options.threshold is None,
            enrolled=_enrolled_by_all(self._galleries),
            most=options.gallery_pictures,
        )
        probes = self.split.probes
        self.sides = np.array([squares[picture.name].side for picture in probes], dtype=np.int64)
        numbers = {actor: number for number, actor in enumerate(self.split.actors)}
        of_probe = np.array([numbers[picture.actor] for picture in probes], dtype=np.int64)
        self._clusters = Clusters(
            of_probe, options.replicates, options.seed, options.confidence, method=options.intervals
        )

    def embedder(self, embedder: Embedder) -> Measured:
        """One embedder's figures. Raises InputError as `min_size` does."""
        from boxscore.faces.measured import measured

        natives = self._embedded(embedder, self.split.probes)
        gallery = self._gallery(embedder, natives)
        if len(gallery.actors) < 2:
            raise InputError(f"the gallery holds {gallery.actors[0]} alone, and nobody competes; bring more actors")
        likeness = self._likeness(embedder, gallery, natives)
        threshold = self._threshold(embedder, gallery)
        who = embedder.name, embedder.sha256
        return measured(who, threshold, likeness, self.sides, self._clusters, self._options, gallery.actors)

    def _embedded(self, embedder: Embedder, pictures: Sequence[FacePicture]) -> Vectors:
        """Native embeddings [n, d]."""
        from boxscore.faces.embedding import Wanted

        return self._shop.embed(embedder, [Wanted(picture, self._squares[picture.name]) for picture in pictures])

    def _likeness(self, embedder: Embedder, gallery: Enrolled, natives: Vectors) -> dict[int | None, Likeness]:
        """Of all probes at each size, None for the native one."""
        from boxscore.faces.embedding import Wanted
        from boxscore.faces.scores import Likeness

        probes, sizes = self.split.probes, tuple(dict.fromkeys(self._options.sizes))
        # A picture at all sizes in a row, so that it is decoded once.
        wanted = [Wanted(picture, self._squares[picture.name], size) for picture in probes for size in sizes]
        vectors = self._shop.embed(embedder, wanted).reshape(len(probes), len(sizes), -1)
        rows = gallery.rows_of([picture.actor for picture in probes])
        degraded: dict[int | None, Likeness] = {
            size: Likeness.of(gallery.likeness(vectors[:, place]), rows) for place, size in enumerate(sizes)
        }
        return {None: Likeness.of(gallery.likeness(natives), rows), **degraded}

    def _gallery(self, embedder: Embedder, natives: Vectors) -> Enrolled:
        """The gallery file's embeddings, or those of the pictures that are no probes."""
        from boxscore.faces.enrolled import enrol, gallery_for
        from boxscore.faces.scores import Enrolled

        if self._galleries:
            return enrol(gallery_for(embedder, self._galleries), embedder, self.split.probes, natives)
        pictures = [picture for own in self.split.gallery.values() for picture in own]
        vectors = self._embedded(embedder, pictures)
        places = {picture.name: row for row, picture in enumerate(pictures)}
        return Enrolled.of(
            [(actor, vectors[[places[one.name] for one in own]]) for actor, own in self.split.gallery.items() if own]
        )

    def _threshold(self, embedder: Embedder, gallery: Enrolled) -> Threshold:
        from boxscore.faces.threshold import Threshold, fitted

        if self._options.threshold is not None:
            return Threshold(self._options.threshold)
        others = self.split.others
        vectors = self._embedded(embedder, others)
        return fitted(vectors, [picture.actor for picture in others], gallery, self._options.target_fpi)


def _enrolled_by_all(galleries: Sequence[Gallery]) -> frozenset[str] | None:
    """Actors that every gallery file has; None without one."""
    if not galleries:
        return None
    return frozenset.intersection(
        *(frozenset(one.actor for one in gallery.actors if len(one.embeddings)) for gallery in galleries)
    )
