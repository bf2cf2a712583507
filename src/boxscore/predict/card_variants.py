"""Variants: a card with a few settings changed by options, named after what was changed."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io.yaml_fields import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OPTIONS: dict[str, tuple[str, ...]] = {
    "input_size": ("input", "size"),
    "resize": ("input", "resize"),
    "align": ("input", "align"),
    "pad": ("input", "pad"),
    "scale_up": ("input", "scale_up"),
    "stride": ("input", "stride"),
    "interpolation": ("input", "interpolation"),
    "rounding": ("input", "rounding"),
    "channels": ("input", "channels"),
    "inverse": ("input", "inverse"),
    "nms_iou": ("output", "nms", "iou"),
    "top_k": ("output", "top_k"),
    "clip": ("output", "clip"),
    "least_score": ("output", "least_score"),
}
"""What an option changes, as a key path of the card."""


def changed(content: Mapping[str, Any], overrides: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The card's fields with the options in their place, and what of them differs from the card.

    An option that is None, or that says what the card says, changes nothing. Raises InputError for one that there is
    not.
    """
    found: dict[str, Any] = dict(content)
    variant: dict[str, Any] = {}
    for name, given in overrides.items():
        if name not in OPTIONS:
            raise InputError(f"there is no option {name!r} of a card; {nearest(name, list(OPTIONS), 'there are')}")
        value = list(given) if isinstance(given, tuple) else given
        if given is None or _comparable(name, _at(found, OPTIONS[name])) == _comparable(name, value):
            continue
        found = _put(found, OPTIONS[name], value)
        variant[name] = value
    return found, dict(sorted(variant.items()))


def name_of(card: str, variant: Mapping[str, Any]) -> str:
    """`card (input_size=640x640, nms_iou=0.5)`, or the card's name where nothing is changed."""
    if not variant:
        return card
    return f"{card} ({', '.join(f'{name}={_shown(name, value)}' for name, value in variant.items())})"


def _shown(name: str, value: object) -> str:
    stated = _comparable(name, value)
    joint = "x" if name == "input_size" else ","
    return joint.join(str(one) for one in stated) if isinstance(stated, list) else str(stated).lower()


def _comparable(name: str, value: object) -> object:
    """One number for a size or a padding stands for all of its sides or channels."""
    count = {"input_size": 2, "pad": 3}.get(name)
    return [value] * count if count and not isinstance(value, list) else value


def _at(content: Any, path: tuple[str, ...]) -> Any:  # noqa: ANN401  whatever stands there
    for key in path:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def _put(content: Any, path: tuple[str, ...], value: object) -> Any:  # noqa: ANN401  likewise
    if not path:
        return value
    below = content if isinstance(content, dict) else {}
    return {**below, path[0]: _put(below.get(path[0]), path[1:], value)}
