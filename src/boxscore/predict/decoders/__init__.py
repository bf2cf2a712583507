"""Decoders: from a model's outputs to candidates, boxes in pixels of its input, by the names that cards use.

A decoder of one's own is named `module:function` and called with the outputs (a list of arrays, batch axis first) and
the card; for each picture it gives boxes [n, 4] (corners in pixels of the model's input), scores [n] and labels [n]
(numbers from 0, in the order of the card's classes). Everything after that (the way back to the picture's own pixels,
suppression, the best k) is done as the card says.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from boxscore.predict.card import Card
    from boxscore.predict.decoders.asked import Decoder

HOMES = {
    "yolox": ("yolox", "decode"),
    "yolov5": ("yolo", "decode_v5"),
    "yolov8": ("yolo", "decode_v8"),
    "end-to-end": ("yolo", "decode_end_to_end"),
    "nanodet": ("nanodet", "decode"),
    "nanodet-plus": ("nanodet", "decode_plus"),
    "fastestdet": ("fastestdet", "decode"),
    "detr": ("detr", "decode"),
    "rtmdet": ("rtmdet", "decode"),
    "damo-yolo": ("damo", "decode"),
    "yunet": ("yunet", "decode"),
}
"""Module and function of each decoder."""


def built_in(name: str) -> Decoder:
    """The decoder of this name. Raises InputError that lists those there are."""
    if name not in HOMES:
        raise InputError(
            f"output.decoder: there is no decoder {name!r}; there are {', '.join(HOMES)}, or give a function of your "
            "own as module:function"
        )
    module, function = HOMES[name]
    decoder: Decoder = getattr(importlib.import_module(f"boxscore.predict.decoders.{module}"), function)
    return decoder


def own(card: Card) -> Callable[..., Any]:
    """The function that a card names as `module:function`; a module beside the card comes first.

    Raises InputError where it can't be imported or is no function.
    """
    name = card.output.decoder
    module_name, _, function_name = name.partition(":")
    try:
        module = _beside(Path(card.source).parent, module_name) or importlib.import_module(module_name)
    except Exception as error:  # noqa: BLE001  importing runs the user's code, which may stop in any way
        raise InputError(
            f"output.decoder: {name} can't be imported ({type(error).__name__}: {error}); put {module_name}.py beside "
            "the card, or install it"
        ) from None
    found = getattr(module, function_name, None)
    if not callable(found):
        raise InputError(f"output.decoder: {module_name} has no function {function_name!r}; correct {name}")
    function: Callable[..., Any] = found
    return function


def _beside(folder: Path, module_name: str) -> Any:  # noqa: ANN401  a module, or None
    """The module of a file beside the card, kept under a name of its own; None where there is no such file."""
    file = folder / f"{module_name}.py"
    if not module_name.isidentifier() or not file.is_file():
        return None
    name = f"_boxscore_decoder_{abs(hash(str(file.absolute())))}_{module_name}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
