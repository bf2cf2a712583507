"""A card as plain values for JSON."""

from __future__ import annotations

from dataclasses import asdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.predict.card import Card


def to_dict(card: Card) -> dict[str, Any]:
    """Fields as a card writes them; the model by its stated name and hash, not by where it lies."""
    floors = {"default": card.floors.default, "labels": dict(card.floors.by_label)}
    return {
        "name": card.name,
        "preset": card.preset,
        "variant": _plain(card.variant),
        "model": {"path": card.model.stated, "sha256": card.model.sha256},
        "input": _plain(asdict(card.input)),
        "output": _plain(asdict(card.output)),
        "classes": list(card.classes),
        "floors": floors,
        "licence": card.licence,
        "redistribute": card.redistribute,
        "reproduction": None if card.reproduction is None else _plain(asdict(card.reproduction)),
    }


def _plain(value: Any) -> Any:  # noqa: ANN401  as nested as it is
    """Tuples as lists, so that what is written and what is read back are equal."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
