"""What turns faces into embeddings: a protocol of one method, and what is asked of its answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from boxscore.errors import InputError
from boxscore.predict.card_parts import Normalise

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Faces = NDArray[np.uint8]
    Vectors = NDArray[np.float64]

ALIGNMENTS = ("none", "five-point")


@dataclass(frozen=True, slots=True)
class FaceInput:
    """How a face becomes an embedder's input, a square of `size` pixels.

    `alignment`: `none`, the square round the face, with `margin` times its side more on each side; or `five-point`,
    eyes, nose and corners of the mouth laid onto `points` (x, y in the input, the face's left-hand side in the picture
    first). `channels` and `normalise` are the embedder's own doing: `embed` is given whole levels in RGB.
    """

    size: int
    alignment: str = "none"
    margin: float = 0.0
    points: tuple[tuple[float, float], ...] = ()
    channels: str = "rgb"
    normalise: Normalise = field(default_factory=Normalise)

    def to_dict(self) -> dict[str, Any]:
        """The fields that apply, ready for JSON."""
        import dataclasses

        content = dataclasses.asdict(self)
        del content["points" if self.alignment == "none" else "margin"]
        return content


class Embedder(Protocol):
    """Embeds faces. `sha256` is that of the model's weights: embeddings of two models can't be compared."""

    @property
    def name(self) -> str:
        """What it is called in results; no two in one comparison alike."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the weights, 64 hexadecimal digits."""

    @property
    def input(self) -> FaceInput:
        """How faces are prepared for it."""

    def embed(self, faces: Faces) -> NDArray[np.float32]:
        """Embeddings [n, d] of faces, uint8 RGB [n, size, size, 3]. Their length plays no part, only their direction.

        A face's embedding may not depend on the faces beside it in a batch.
        """


def embed(embedder: Embedder, faces: Faces) -> Vectors:
    """Embeddings of unit length, float64 [n, d].

    Raises InputError where the embedder gives another shape, what is not finite, or a vector of zeros, which has no
    direction.
    """
    import numpy as np

    found = np.asarray(embedder.embed(faces), dtype=np.float64)
    if found.ndim != 2 or len(found) != len(faces) or found.shape[1] == 0:
        raise InputError(
            f"embedder {embedder.name}: {len(faces)} faces gave embeddings of shape {list(found.shape)}; it must be "
            f"[{len(faces)}, d], one row a face: check the model's output"
        )
    return unit(found, f"embedder {embedder.name}")


def unit(vectors: Vectors, where: str) -> Vectors:
    """Rows made of unit length. Raises InputError for rows that are not finite or zero; `where` says whose they are."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if len(wrong):
        raise InputError(
            f"{where}: embedding {int(wrong[0])} is {'zero' if lengths[wrong[0]] == 0 else 'not finite'} and has no "
            "direction; check the model and how faces are normalised for it"
        )
    found: Vectors = vectors / lengths[:, None]
    return found
