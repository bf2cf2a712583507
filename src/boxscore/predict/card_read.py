"""A card's file read: every mistake in it is named with its key path."""

from __future__ import annotations

from pathlib import Path

from boxscore.errors import InputError
from boxscore.io.yaml_fields import Field, Mistakes, attempt
from boxscore.predict import card_presets, card_read_about, card_variants
from boxscore.predict.card import Card
from boxscore.predict.card_read_parts import read_input, read_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any

FIELDS = (
    "name",
    "preset",
    "model",
    "input",
    "output",
    "classes",
    "floors",
    "licence",
    "redistribute",
    "reproduction",
)
_NEEDED = ("model", "input", "output", "classes", "licence", "redistribute")


def read(path: str | PathLike[str], overrides: Mapping[str, Any], *, with_model: bool = True) -> Card:
    """The card in a file, with options that make a variant; the model's file may be missing unless `with_model`.

    Raises InputError as `load_card` says.
    """
    from boxscore.io import yaml_files

    file = Path(path)
    stated = yaml_files.load(file)
    mistakes = Mistakes(str(file), gaps=True)
    for repeated, line in yaml_files.repeated_keys(file):
        mistakes.add(repeated, f"this key is given twice (again in line {line}); YAML would keep the last alone")
    top = Field(stated, "", mistakes)
    preset = attempt(top, _preset)
    content = card_presets.merged({} if preset is None else card_presets.content(preset), _own(stated))
    content, variant = card_variants.changed(content, overrides)
    card = (
        attempt(Field(content, "", mistakes), _card, file, preset, variant, with_model=with_model)
        if isinstance(stated, dict)
        else None
    )
    mistakes.stop_if_any()
    assert card is not None  # noqa: S101  a mistake was kept wherever reading stopped
    return card


def _own(stated: object) -> dict[str, Any]:
    return stated if isinstance(stated, dict) else {}


def _preset(top: Field) -> str | None:
    fields = dict(top.named())
    if "preset" not in fields or fields["preset"].value is None:
        return None
    name = fields["preset"].text()
    try:
        card_presets.content(name)
    except InputError as error:
        fields["preset"].wrong(str(error))
    return name


def _card(top: Field, file: Path, preset: str | None, variant: dict[str, Any], *, with_model: bool) -> Card:
    fields = top.fields(FIELDS, needed=_NEEDED)
    name = attempt(fields.get("name"), Field.text) or file.stem
    model = attempt(fields.get("model"), card_read_about.model, file.parent, needed=with_model)
    settings = attempt(fields.get("input"), read_input)
    output = attempt(fields.get("output"), read_output)
    classes = attempt(fields.get("classes"), card_read_about.classes, file.parent)
    floors = card_read_about.floors(fields.get("floors"), classes)
    licence = attempt(fields.get("licence"), Field.text) or ""
    redistribute = attempt(fields.get("redistribute"), Field.flag)
    reproduction = attempt(fields.get("reproduction"), card_read_about.reproduction)
    if redistribute is False and "reproduction" not in fields:
        top.tell(
            "reproduction is missing: the weights may not be passed on (redistribute: false), so say where others get "
            "them (`source`) and what to do (`steps`)"
        )
    top.mistakes.stop_if_any()
    assert model is not None and settings is not None  # noqa: PT018, S101  as in `read`
    assert output is not None and classes is not None  # noqa: PT018, S101  likewise
    return Card(
        name=name,
        model=model,
        input=settings,
        output=output,
        classes=classes,
        floors=floors,
        licence=licence,
        redistribute=bool(redistribute),
        reproduction=reproduction,
        preset=preset,
        variant=variant,
        source=str(file),
    )
