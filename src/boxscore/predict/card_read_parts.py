"""The `input` and `output` of a card, read field by field."""

from __future__ import annotations

from boxscore.io.yaml_fields import Field, attempt
from boxscore.predict import card_parts as parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_INPUT = tuple(parts.Input.__dataclass_fields__)
_OUTPUT = tuple(parts.Output.__dataclass_fields__)
_WITH_RATIO = ("letterbox", "keep-ratio")
_RATIO_NEEDS = ("size", "align", "pad", "scale_up", "rounding")
_LARGEST = 16384
_NO_LIMIT = float("inf")


def read_input(given: Field) -> parts.Input:
    """The settings of the input; mistakes are kept, and what they stand for is left at its default."""
    fields = given.fields(_INPUT, needed=("resize", "interpolation", "channels", "normalise"))
    resize = attempt(fields.get("resize"), Field.choice, parts.RESIZES)
    _tell_missing(given, fields, resize)
    read: dict[str, Any] = {
        "resize": resize,
        "size": attempt(fields.get("size"), read_size),
        "align": attempt(fields.get("align"), Field.choice, parts.ALIGNS),
        "pad": attempt(fields.get("pad"), _three, 0.0, 255.0),
        "scale_up": attempt(fields.get("scale_up"), Field.flag),
        "stride": attempt(fields.get("stride"), Field.whole, 1, 1024),
        "stride_extra": attempt(fields.get("stride_extra"), Field.number, 0.0, 16.0),
        "rounding": attempt(fields.get("rounding"), Field.choice, parts.ROUNDINGS),
        "inverse": attempt(fields.get("inverse"), Field.choice, parts.INVERSES),
        "interpolation": attempt(fields.get("interpolation"), Field.choice, parts.INTERPOLATIONS),
        "channels": attempt(fields.get("channels"), Field.choice, parts.CHANNELS),
        "normalise": attempt(fields.get("normalise"), read_normalise),
        "second_input": attempt(fields.get("second_input"), _second_input),
    }
    stated = {name: value for name, value in read.items() if value is not None}
    _tell_uneven(fields, stated)
    return parts.Input(**{"resize": "none", "interpolation": "opencv-linear", "channels": "rgb"} | stated)


def _tell_missing(given: Field, fields: dict[str, Field], resize: str | None) -> None:
    needed = _RATIO_NEEDS if resize in _WITH_RATIO else ("size",) if resize == "stretch" else ()
    missing = [name for name in needed if name not in fields]
    if resize == "keep-ratio" and "stride" not in fields:
        missing.append("stride")
    if missing:
        given.tell(f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; {resize} needs it")


def _tell_uneven(fields: dict[str, Field], stated: dict[str, Any]) -> None:
    """A picture that just fills a size that is no multiple of the stride would be padded beyond that size."""
    size, stride = stated.get("size"), stated.get("stride", 1)
    if stated.get("resize") in _WITH_RATIO and size and any(side % stride for side in size):
        up = [-(-side // stride) * stride for side in size]
        fields["size"].tell(f"{size[0]} × {size[1]} are no multiples of the stride {stride}; write {up}")


def _decoder(given: Field) -> str:
    """The name of a decoder there is, or `module:function`, which is looked for when it is needed."""
    from boxscore.predict.decoders import HOMES

    name = given.text()
    if ":" not in name and name not in HOMES:
        given.wrong(
            f"there is no decoder {name!r}; there are {', '.join(HOMES)}, or give a function of your own as "
            "module:function"
        )
    return name


def read_output(given: Field) -> parts.Output:
    """The settings of the output; mistakes are kept."""
    fields = given.fields(_OUTPUT, needed=("decoder",))
    read: dict[str, Any] = {
        "decoder": attempt(fields.get("decoder"), _decoder),
        "score": attempt(fields.get("score"), Field.choice, parts.SCORES),
        "options": attempt(fields.get("options"), _options),
        "nms": attempt(fields.get("nms"), _nms),
        "top_k": attempt(fields.get("top_k"), Field.whole, 1, 1_000_000),
        "clip": attempt(fields.get("clip"), Field.flag),
        "least_score": attempt(fields.get("least_score"), Field.number, 0.0, 1.0),
    }
    return parts.Output(**{"decoder": ""} | {name: value for name, value in read.items() if value is not None})


def read_size(given: Field) -> tuple[int, int]:
    """Width and height; one number stands for both."""
    if not isinstance(given.value, list):
        side = given.whole(1, _LARGEST)
        return side, side
    items = given.items()
    if len(items) != 2:
        given.wrong(f"it has {len(items)} numbers; write `[width, height]`, or one number for a square")
    width, height = (item.whole(1, _LARGEST) for item in items)
    return width, height


def _three(given: Field, least: float, most: float) -> tuple[float, float, float]:
    if not isinstance(given.value, list):
        one = given.number(least, most)
        return one, one, one
    items = given.items()
    if len(items) != 3:
        given.wrong(f"it has {len(items)} numbers; write one for each of the three channels, or one for all")
    first, second, third = (item.number(least, most) for item in items)
    return first, second, third


def read_normalise(given: Field) -> parts.Normalise:
    """`none`, or `divide`, `mean` and `std`, each of which may be left out."""
    if given.value == "none":
        return parts.Normalise()
    fields = given.fields(("divide", "mean", "std"))
    divide = attempt(fields.get("divide"), Field.number, 1e-6, _NO_LIMIT)
    mean = attempt(fields.get("mean"), _three, -_NO_LIMIT, _NO_LIMIT)
    std = attempt(fields.get("std"), _three, 1e-9, _NO_LIMIT)
    return parts.Normalise(divide or 1.0, mean or (0.0, 0.0, 0.0), std or (1.0, 1.0, 1.0))


def _second_input(given: Field) -> parts.SecondInput:
    if isinstance(given.value, str):
        return parts.SecondInput(given.text())
    fields = given.fields(("name", "order", "type"), needed=("name",))
    return parts.SecondInput(
        attempt(fields.get("name"), Field.text) or "",
        attempt(fields.get("order"), Field.choice, ("wh", "hw")) or "wh",
        attempt(fields.get("type"), Field.choice, ("int64", "int32", "float32")) or "int64",
    )


def _options(given: Field) -> dict[str, Any]:
    return {name: field.value for name, field in given.named()}


def _nms(given: Field) -> parts.Nms | None:
    if given.value == "none":
        return None
    fields = given.fields(("iou", "per_label", "before_floor"), needed=("iou",))
    iou = attempt(fields.get("iou"), Field.number, 0.0, 1.0)
    per_label = attempt(fields.get("per_label"), Field.flag)
    before_floor = attempt(fields.get("before_floor"), Field.flag)
    return parts.Nms(
        1.0 if iou is None else iou, True if per_label is None else per_label, before_floor is None or before_floor
    )
