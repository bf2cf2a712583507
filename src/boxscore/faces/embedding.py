"""Faces found in pictures, and their embeddings at any size: each computed once, and then taken from the cache."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TextIO

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.cache import Cache
    from boxscore.faces.degrade import Recipe
    from boxscore.faces.detector import FaceDetector
    from boxscore.faces.embedder import Embedder
    from boxscore.faces.face import Square
    from boxscore.faces.pictures import FacePicture

    Vectors = NDArray[np.float64]

BATCH = 32
"""Pictures that are looked at, and faces that are embedded, before they are kept."""
_KEYS = 1
"""Raised whenever the same key would stand for other pixels."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A face to embed: where it is, degraded to which size (None: native)."""

    picture: FacePicture
    square: Square
    size: int | None = None


class Workshop:
    """Finds and embeds faces by one detector (None: pictures show a face and nothing else), recipe, seed and cache."""

    def __init__(
        self,
        cache: Cache,
        recipe: Recipe,
        *,
        detector: FaceDetector | None = None,
        seed: int = 0,
        progress: TextIO | None = None,
    ) -> None:
        self._cache = cache
        self._recipe = recipe
        self._detector = detector
        self._seed = seed
        self._progress = progress
        self._finding = None if detector is None else detector.describe()

    def find(self, pictures: Sequence[FacePicture]) -> tuple[dict[str, Square], dict[str, str], list[str]]:
        """Squares by the pictures' names, why others have none, and names of pictures that show several faces."""
        from boxscore.predict.run_progress import Progress

        keys = {picture.name: self._key("found", picture.sha256) for picture in pictures}
        known = self._cache.get(keys.values())
        squares: dict[str, Square] = {}
        without: dict[str, str] = {}
        crowded = []
        unread: dict[str, str] = {}
        progress = Progress(self._progress, len(pictures))
        for start in range(0, len(pictures), BATCH):
            new = {keys[one.name]: one for one in pictures[start : start + BATCH] if keys[one.name] not in known}
            looked_at = {}
            for key, one in new.items():
                try:
                    looked_at[key] = json.dumps(self._found(one)).encode()
                except InputError as error:
                    # Whether a picture is decoded depends on rights and on what is installed, too: asked anew each run.
                    unread[key] = str(error).removeprefix(f"{one.path}: ")
            self._cache.put(looked_at)
            known |= looked_at
            progress.tell(min(start + BATCH, len(pictures)))
        progress.end()
        for picture in pictures:
            key = keys[picture.name]
            content = unread[key] if key in unread else json.loads(known[key])
            if isinstance(content, str):
                without[picture.name] = content
            else:
                squares[picture.name] = _square(content)
                crowded += [picture.name] * bool(content["others"])
        return squares, without, crowded

    def _found(self, picture: FacePicture) -> dict[str, Any] | str:
        """The square of a picture as JSON has it, or why there is none. Raises InputError where it can't be read."""
        from boxscore.faces.face import whole_picture
        from boxscore.predict.read_picture import read

        seen = read(picture.path)
        if self._detector is None:
            square, others = whole_picture(seen.width, seen.height), 0
        else:
            found, others = self._detector.find(seen.rgb)
            if found is None:
                return f"no face of score {self._detector.least_score:g} or more is found"
            square = found
        points = None if square.points is None else square.points.tolist()
        return {"x": square.x, "y": square.y, "side": square.side, "points": points, "others": others}

    def embed(self, embedder: Embedder, wanted: Sequence[Wanted]) -> Vectors:
        """Embeddings of unit length [n, d], one row each; none is computed twice, in this run or another."""
        import numpy as np

        keys = [self._key_of(embedder, one) for one in wanted]
        known = self._cache.get(keys)
        missing = {key: one for key, one in zip(keys, wanted, strict=True) if key not in known}
        for part in self._computed(embedder, missing):
            self._cache.put(part)
            known |= part
        rows = [np.frombuffer(known[key], dtype="<f8") for key in keys]
        return np.stack(rows) if rows else np.zeros((0, 1))

    def _computed(self, embedder: Embedder, missing: dict[str, Wanted]) -> Iterator[dict[str, bytes]]:
        import numpy as np

        from boxscore.faces.embedder import embed
        from boxscore.predict.run_progress import Progress

        progress = Progress(self._progress, len(missing))
        keys = list(missing)
        faces = self._prepared(embedder, [missing[key] for key in keys])
        for start in range(0, len(keys), BATCH):
            part = keys[start : start + BATCH]
            vectors = embed(embedder, np.stack([next(faces) for _ in part]))
            yield {key: vector.astype("<f8").tobytes() for key, vector in zip(part, vectors, strict=True)}
            progress.tell(start + len(part))
        progress.end()

    def _prepared(self, embedder: Embedder, wanted: Sequence[Wanted]) -> Iterator[NDArray[np.uint8]]:
        """The embedder's inputs. A picture wanted at several sizes in a row is decoded once."""
        from boxscore.faces.face import cut, prepared
        from boxscore.predict.read_picture import read

        for path, alike in itertools.groupby(wanted, key=lambda one: one.picture.path):
            decoded = read(path).rgb
            for one in alike:
                face = cut(decoded, one.square, embedder.input, found=self._detector is not None)
                noise = f"{self._seed}:{one.picture.sha256}:{one.size}"
                yield prepared(face, embedder.input, one.size, self._recipe, noise)

    def _key_of(self, embedder: Embedder, one: Wanted) -> str:
        native = one.size is None or one.size >= one.square.side
        noisy = any(name == "noise" for name, _ in self._recipe.steps)
        degradation = None if native else [str(self._recipe), one.size, self._seed if noisy else None]
        return self._key("embedding", one.picture.sha256, embedder.sha256, embedder.input.to_dict(), degradation)

    def _key(self, *parts: object) -> str:
        return json.dumps([_KEYS, self._finding, *parts], sort_keys=True)


def _square(content: dict[str, Any]) -> Square:
    import numpy as np

    from boxscore.faces.face import Square

    points = None if content["points"] is None else np.array(content["points"])
    return Square(content["x"], content["y"], content["side"], points)
