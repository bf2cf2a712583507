"""Presets: the `input` and `output` of the recipes that people use, as YAML files beside this one."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io.yaml_fields import Field, Mistakes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.predict.card_parts import Input, Output

_HOME = os.path.join(os.path.dirname(__file__), "presets")  # noqa: PTH118, PTH120  pathlib costs a fifth of the start-up


def shipped() -> list[str]:
    """Names of the presets."""
    return sorted(name.removesuffix(".yaml") for name in os.listdir(_HOME) if name.endswith(".yaml"))  # noqa: PTH208


def content(name: str) -> dict[str, Any]:
    """The fields of a preset, `input` and `output`. Raises InputError for a name that there is not."""
    from boxscore.io import yaml_files
    from boxscore.io.yaml_fields import nearest

    if name not in shipped():
        raise InputError(f"there is no preset {name!r}; {nearest(name, shipped(), 'there are')}")
    found: dict[str, Any] = yaml_files.load(os.path.join(_HOME, f"{name}.yaml"))  # noqa: PTH118  as above
    return found


def settings(name: str, own: dict[str, Any] | None = None) -> tuple[Input, Output]:
    """A preset without a model: how pictures and outputs are handled; `own` fields (`{"input": {…}}`) change it.

    Raises InputError as `content` does, and where a field is wrong or missing.
    """
    from boxscore.predict.card_read_parts import read_input, read_output

    stated = merged(content(name), own or {})
    mistakes = Mistakes(f"preset {name}", gaps=True)
    found = (
        read_input(Field(stated.get("input"), "input", mistakes)),
        read_output(Field(stated.get("output"), "output", mistakes)),
    )
    mistakes.stop_if_any()
    return found


def merged(preset: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A preset's fields with the card's own in their place, mapping by mapping; lists are replaced whole."""
    found = dict(preset)
    for key, value in own.items():
        below = found.get(key)
        found[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return found
