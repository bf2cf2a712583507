"""Model cards: one YAML file says what a model's weights are and how pictures and outputs are handled."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from boxscore.model.floors import Floors
    from boxscore.predict.card_parts import Input, Model, Output, Reproduction


@dataclass(frozen=True, slots=True)
class Card:
    """A card that has been read and checked; docs/cards.md describes its fields.

    `variant` holds what was changed against the file, by the option's name; empty for the card as it stands.
    """

    name: str
    model: Model
    input: Input
    output: Output
    classes: tuple[str, ...]
    floors: Floors
    licence: str
    redistribute: bool
    reproduction: Reproduction | None = None
    preset: str | None = None
    variant: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def variant_name(self) -> str:
        """The card's name, and what a variant changes: `yolox-nano (input_size=640x640)`."""
        from boxscore.predict.card_variants import name_of

        return name_of(self.name, self.variant)

    def steps(self) -> list[str]:
        """What will be done with a picture and with the model's outputs, one sentence a step."""
        from boxscore.predict.card_words import steps

        return steps(self)

    def to_dict(self) -> dict[str, Any]:
        """All fields in effect, ready for JSON; the same whatever folder the card and the model lie in."""
        from boxscore.predict.card_dict import to_dict

        return to_dict(self)

    def digest(self) -> str:
        """SHA-256 of `to_dict` as JSON with sorted keys: the same for the same settings, however they are written."""
        import hashlib
        import json

        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def load_card(path: str | PathLike[str], **overrides: Any) -> Card:  # noqa: ANN401  each option has its own type
    """The card in a YAML file, its preset filled in; `overrides` (`input_size=640`) make a named variant of it.

    Raises InputError that names file, key path and remedy of every mistake: an unknown or missing field, a value of the
    wrong kind, a model that is not there or has another SHA-256, weights that may not be passed on without a
    reproduction, an option that does not exist.
    """
    from boxscore.predict.card_read import read

    return read(path, overrides)
