"""What finds boxes in pictures: a protocol of one method, and the models of cards that follow it.

Every later step (writing predictions, validation) asks a detector in this one way, so that any other model, be it torch
or a remote service, takes the place of a card by a class with one method.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.predict.card import Card
    from boxscore.predict.decode import Found
    from boxscore.predict.placement import Placement
    from boxscore.predict.read_picture import Picture
    from boxscore.predict.session import Session

    Tensor = NDArray[np.float32]


class Detector(Protocol):
    """Finds boxes in pictures."""

    def detect(self, pictures: list[Picture]) -> list[Found]:
        """What is found in each picture: boxes xyxy [n, 4] in its own pixels, scores [n], labels [n] from 0."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds that one picture took; None where the detector doesn't tell its steps apart.

    `inference` is the model alone, without waiting for its turn; of a batch each picture bears an equal share.
    """

    preprocess: float | None
    inference: float
    decode: float | None

    @property
    def to_boxes(self) -> float:
        """From the decoded picture to its boxes."""
        return (self.preprocess or 0.0) + self.inference + (self.decode or 0.0)


class OnnxDetector:
    """The model of a card in ONNX Runtime, by the card's own steps: prepare, run, decode.

    `session` may be handed in, so that several detectors share one. Several threads may call it at a time.
    """

    def __init__(self, card: Card, session: Session) -> None:
        self.card = card
        self.session = session

    @classmethod
    def of(
        cls,
        card: Card,
        *,
        providers: Sequence[str] | None = None,
        threads: int | None = None,
        lanes: int | None = None,
    ) -> OnnxDetector:
        """Load the model. Raises InputError as `Session` does."""
        from boxscore.predict.session import Session

        return cls(card, Session(card, providers, threads, lanes=lanes))

    def detect(self, pictures: list[Picture]) -> list[Found]:
        """What is found in each picture, as `Detector.detect`."""
        return [found for found, _ in self.timed(pictures)]

    def timed(self, pictures: Sequence[Picture]) -> list[tuple[Found, Times]]:
        """What is found in each picture, and how long it took."""
        from boxscore.predict.prepare import prepare

        tensors: list[Tensor] = []
        placements: list[Placement] = []
        preparing: list[float] = []
        for picture in pictures:
            start = time.perf_counter()
            tensor, placement = prepare(self.card, picture.rgb)
            preparing.append(_since(start))
            tensors.append(tensor)
            placements.append(placement)
        found: list[tuple[Found, Times] | None] = [None] * len(pictures)
        for rows in _alike(tensors):
            results = self._found([tensors[row] for row in rows], [placements[row] for row in rows])
            for row, (one, inference, decode) in zip(rows, results, strict=True):
                found[row] = one, Times(preparing[row], inference, decode)
        return [one for one in found if one is not None]

    def _found(self, tensors: list[Tensor], placements: list[Placement]) -> list[tuple[Found, float, float]]:
        """One batch of tensors of one shape: what is found, and milliseconds a picture of inference and decoding."""
        import numpy as np

        from boxscore.predict.decode import decode
        from boxscore.predict.prepare import second_input

        batch = tensors[0][None] if len(tensors) == 1 else np.stack(tensors)
        outputs, inference = self.session.timed_run(batch, second_input(self.card, batch))
        start = time.perf_counter()
        found = decode(self.card, outputs, placements)
        shares = inference / len(tensors), _since(start) / len(tensors)
        return [(one, *shares) for one in found]

    def describe(self) -> dict[str, Any]:
        """What boxes depend on besides the pictures, for the record: card, model, providers, threads a run."""
        return {
            "card": self.card.to_dict(),
            "providers": self.session.providers,
            "threads_a_run": self.session.threads_a_lane,
            "onnxruntime": self.session.runtime_version,
        }


def _alike(tensors: Sequence[Tensor]) -> list[list[int]]:
    """Positions of the tensors of each shape: cards that keep the ratio give several."""
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for position, tensor in enumerate(tensors):
        by_shape.setdefault(tensor.shape, []).append(position)
    return list(by_shape.values())


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
