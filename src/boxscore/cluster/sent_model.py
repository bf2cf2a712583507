"""A card's model on its way to the nodes: weights travel with it, and what decides its boxes is held to be the same."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.predict.card import Card
    from boxscore.predict.detector import OnnxDetector

_PROVENANCE = ("python",)
"""Versions that may differ from node to node: Ray sees to Python's own."""


@dataclass(frozen=True, slots=True)
class SentModel:
    """A card, the bytes of its weights, and how each lane runs it: `providers` and `threads` a run.

    `packages` are the driver's versions of what pictures and models go through.
    """

    card: Card
    weights: bytes
    providers: tuple[str, ...] | None
    threads: int
    packages: dict[str, str]

    @classmethod
    def of(cls, card: Card, providers: Sequence[str] | None, threads: int) -> SentModel:
        """Read the weights. Raises InputError where they can't be read."""
        from boxscore.predict.run_machine import packages

        path = card.model.path
        try:
            with open(path, "rb") as file:  # noqa: PTH123  cards hold paths as text
                weights = file.read()
        except OSError as error:
            raise InputError(f"{path}: the model can't be read: {error.strerror or error}; check the card") from None
        return cls(card, weights, None if providers is None else tuple(providers), threads, packages())

    def on_gpu(self) -> bool:
        """Whether a lane takes a GPU for itself: where any provider but the CPU's comes first."""
        first = self.providers[0] if self.providers else "cpu"
        return not first.strip().lower().startswith("cpu")

    def detector(self) -> OnnxDetector:
        """The model, loaded on this node. Raises InputError: other versions than the driver's, or as `Session` does."""
        import tempfile

        from boxscore.predict.run_machine import packages

        _hold_equal(self.packages, packages())
        if _digest(self.card.model.path) == self.card.model.sha256:
            # A model that keeps its tensors in files beside it is whole on nodes that share its folder.
            return self._loaded(self.card.model.path)
        with tempfile.TemporaryDirectory(prefix="boxscore-") as folder:
            path = os.path.join(folder, os.path.basename(self.card.model.path))  # noqa: PTH118, PTH119  a text
            with open(path, "wb") as file:  # noqa: PTH123  as above
                file.write(self.weights)
            return self._loaded(path)

    def _loaded(self, path: str) -> OnnxDetector:
        from boxscore.predict.detector import OnnxDetector

        card = replace(self.card, model=replace(self.card.model, path=path))
        try:
            return OnnxDetector.of(card, providers=self.providers, threads=self.threads, lanes=1)
        except InputError as error:
            raise InputError(str(error).replace(path, self.card.model.path)) from None


def same_everywhere(described: dict[str, Any], expected: dict[str, Any]) -> None:
    """Hold what boxes depend on, on this node, to what the first node said. Raises InputError that names both."""
    differing = [name for name in expected if described.get(name) != expected[name]]
    if differing:
        name = differing[0]
        raise InputError(
            f"{_here()} runs the model with {name} {described.get(name)}, and another node with {expected[name]}; "
            "boxes would depend on the node: install the same versions on all nodes"
        )


def _hold_equal(expected: dict[str, str], here: dict[str, str]) -> None:
    for name, version in expected.items():
        if name not in _PROVENANCE and here.get(name) != version:
            raise InputError(
                f"{_here()} has {name} {here.get(name, '(not installed)')}, and this process {version}; boxes would "
                "depend on the node: install the same versions on all nodes"
            )


def _here() -> str:
    import platform

    return f"node {platform.node()} of the cluster"


def _digest(path: str) -> str | None:
    """SHA-256 of a file, None where there is none."""
    import hashlib

    try:
        with open(path, "rb") as file:  # noqa: PTH123  as above
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
