"""The embedder of a card in ONNX Runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.faces.card import EmbedderCard
    from boxscore.faces.embedder import FaceInput
    from boxscore.predict.session import Session


class OnnxEmbedder:
    """Runs the model of a card; its first output, flattened, is the embedding."""

    def __init__(self, card: EmbedderCard, session: Session) -> None:
        self.card = card
        self.session = session

    @classmethod
    def of(
        cls, card: EmbedderCard, *, providers: Sequence[str] | None = None, threads: int | None = None
    ) -> OnnxEmbedder:
        """Load the model. Raises InputError as `Session` does."""
        from boxscore.predict.session import Session

        return cls(card, Session(card, providers, threads, lanes=1))

    @property
    def name(self) -> str:
        """The card's name."""
        return self.card.name

    @property
    def sha256(self) -> str:
        """SHA-256 of the model's file."""
        return self.card.model.sha256

    @property
    def input(self) -> FaceInput:
        """The card's input."""
        return self.card.input

    def embed(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        """As `Embedder.embed`. Raises InputError where the faces don't fit the model, or it gives no embeddings."""
        import numpy as np

        outputs = self.session.run(np.stack([self._prepared(face) for face in faces]))
        if not outputs or outputs[0].ndim < 2 or len(outputs[0]) != len(faces):
            shape = list(outputs[0].shape) if outputs else []
            raise InputError(
                f"{self.card.model.stated}: {len(faces)} faces gave an output of shape {shape}; it must be "
                f"[{len(faces)}, d], one row a face: export the model with a batch axis"
            )
        found: NDArray[np.float32] = outputs[0].reshape(len(faces), -1).astype(np.float32)
        return found

    def _prepared(self, face: NDArray[np.uint8]) -> NDArray[np.float32]:
        from boxscore.predict.card_parts import Input
        from boxscore.predict.prepare import prepare_as

        settings = Input(
            resize="none",
            interpolation="opencv-linear",
            channels=self.input.channels,
            normalise=self.input.normalise,
        )
        return prepare_as(settings, face)[0]
