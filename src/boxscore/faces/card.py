"""Cards of face embedders: one YAML file says what the weights are and how faces are prepared for them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.alignment import ARCFACE, SIDE
from boxscore.faces.embedder import ALIGNMENTS, FaceInput
from boxscore.io.yaml_fields import Field, Mistakes, attempt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.faces.onnx_embedder import OnnxEmbedder
    from boxscore.predict.card_parts import Model, Reproduction

FIELDS = ("name", "model", "input", "licence", "redistribute", "reproduction")
_INPUT = tuple(FaceInput.__dataclass_fields__)
_WIDEST = 2.0


@dataclass(frozen=True, slots=True)
class EmbedderCard:
    """A card that has been read and checked; docs/faces.md describes its fields."""

    name: str
    model: Model
    input: FaceInput
    licence: str
    redistribute: bool
    reproduction: Reproduction | None = None


def load_embedder(
    path: str | PathLike[str], *, providers: Sequence[str] | None = None, threads: int | None = None
) -> OnnxEmbedder:
    """The embedder of a card, ready to run. Raises InputError as `read_card` and ONNX Runtime's session do."""
    from boxscore.faces.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder.of(read_card(path), providers=providers, threads=threads)


def read_card(path: str | PathLike[str]) -> EmbedderCard:
    """The card in a YAML file.

    Raises InputError that names file, key path and remedy of every mistake: an unknown or missing field, a value of the
    wrong kind, a model that is not there or has another SHA-256.
    """
    from boxscore.io import yaml_files
    from boxscore.predict import card_read_about

    file = Path(path)
    refuse_weights(file)
    mistakes = Mistakes(str(file), gaps=True)
    top = Field(yaml_files.load(file), "", mistakes)
    for repeated, line in yaml_files.repeated_keys(file):
        mistakes.add(repeated, f"this key is given twice (again in line {line}); YAML would keep the last alone")
    fields = attempt(top, Field.fields, FIELDS, ("model", "input", "licence", "redistribute")) or {}
    name = attempt(fields.get("name"), Field.text) or file.stem
    model = attempt(fields.get("model"), card_read_about.model, file.parent)
    settings = attempt(fields.get("input"), _input)
    licence = attempt(fields.get("licence"), Field.text) or ""
    redistribute = attempt(fields.get("redistribute"), Field.flag)
    reproduction = attempt(fields.get("reproduction"), card_read_about.reproduction)
    if redistribute is False and "reproduction" not in fields:
        top.tell(
            "reproduction is missing: the weights may not be passed on (redistribute: false), so say where others get "
            "them (`source`) and what to do (`steps`)"
        )
    mistakes.stop_if_any()
    assert model is not None and settings is not None  # noqa: PT018, S101  a mistake was kept wherever reading stopped
    return EmbedderCard(name, model, settings, licence, bool(redistribute), reproduction)


def refuse_weights(path: str | PathLike[str]) -> None:
    """Raise InputError for weights where a card is wanted, which tells of them more than bytes do."""
    if Path(path).suffix.lower() == ".onnx":
        raise InputError(
            f"{path} is a model, and its card is wanted: a YAML file that names it and says how faces are prepared for "
            "it (docs/faces.md); write one beside it, and give that"
        )


def _input(given: Field) -> FaceInput:
    from boxscore.predict.card_parts import CHANNELS, Normalise
    from boxscore.predict.card_read_parts import read_normalise

    fields = given.fields(_INPUT, needed=("size", "alignment", "channels", "normalise"))
    size = attempt(fields.get("size"), _side)
    alignment = attempt(fields.get("alignment"), Field.choice, ALIGNMENTS) or "none"
    for name, needed in (("margin", "none"), ("points", "five-point")):
        if name in fields and alignment != needed:
            fields[name].tell(f"it means nothing with alignment {alignment}; take it away, or write {needed}")
    points = attempt(fields.get("points"), _points)
    if alignment == "five-point" and points is None and size is not None:
        points = tuple((x * size / SIDE, y * size / SIDE) for x, y in ARCFACE)
    return FaceInput(
        size=size or 1,
        alignment=alignment,
        margin=attempt(fields.get("margin"), Field.number, 0.0, _WIDEST) or 0.0,
        points=points or (),
        channels=attempt(fields.get("channels"), Field.choice, CHANNELS) or "rgb",
        normalise=attempt(fields.get("normalise"), read_normalise) or Normalise(),
    )


def _side(given: Field) -> int:
    from boxscore.predict.card_read_parts import read_size

    width, height = read_size(given)
    if width != height:
        given.wrong(f"it is {width} × {height}; an embedder's input must be a square: write one number")
    return width


def _points(given: Field) -> tuple[tuple[float, float], ...]:
    items = given.items()
    if len(items) != 5:
        given.wrong(f"it has {len(items)} points; write five [x, y]: two eyes, the nose, two corners of the mouth")
    found = []
    for item in items:
        pair = item.items()
        if len(pair) != 2:
            item.wrong(f"it has {len(pair)} numbers; a point is [x, y]")
        found.append((pair[0].number(), pair[1].number()))
    return tuple(found)
