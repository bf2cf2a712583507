"""The steps of a card in words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.predict.card import Card
    from boxscore.predict.card_parts import Input, Normalise, Output

_FILTERS = {
    "opencv-linear": "OpenCV linear",
    "opencv-area": "OpenCV area",
    "opencv-cubic": "OpenCV cubic",
    "opencv-nearest": "OpenCV nearest",
    "opencv-linear-float": "OpenCV linear, not rounded to whole levels",
    "pillow-bilinear": "Pillow bilinear, antialiased",
    "pillow-bicubic": "Pillow bicubic, antialiased",
    "pillow-nearest": "Pillow nearest",
    "pillow-bilinear-float": "Pillow bilinear, antialiased, not rounded to whole levels",
}
_ROUNDED = {"truncate": "truncated", "round": "rounded", "half-up": "rounded half up", "up": "rounded up"}
_INVERSES = {
    "sides": "by the ratio of the sides, new to old, of each axis",
    "ratio": "by the one ratio, before its sides were rounded",
    "height": "by the ratio of the heights, on both axes",
}


def steps(card: Card) -> list[str]:
    """What is done with a picture and with the outputs, one sentence a step."""
    name = card.variant_name if not card.preset else f"{card.variant_name}, preset {card.preset}"
    return [
        f"Model: {card.model.stated} ({name}), SHA-256 {card.model.sha256[:12]}…, {len(card.classes)} classes.",
        *input_steps(card.input),
        *output_steps(card.output),
        _floors(card),
    ]


def input_steps(settings: Input) -> list[str]:
    """From the picture to the tensor."""
    found = [_resize(settings), *_padding(settings)]
    found.append(f"Channels in the order {settings.channels.upper()}; {_normalise(settings.normalise)}.")
    second = settings.second_input
    if second is not None:
        order = "width, height" if second.order == "wh" else "height, width"
        found.append(f"Second input {second.name}: {order} of the model's input, {second.type}.")
    return found


def output_steps(output: Output) -> list[str]:
    """From the tensors to detections."""
    score = "" if output.score == "as-is" else f", scores through {output.score}"
    found = [f"Outputs by the decoder {output.decoder}{score}; scores from {output.least_score:g} on are kept."]
    if output.nms is None:
        found.append("No non-maximum suppression.")
    else:
        where = "within each label" if output.nms.per_label else "over all labels"
        when = "before" if output.nms.before_floor else "after"
        found.append(f"Non-maximum suppression at IoU {output.nms.iou:g} {where}, {when} the floors.")
    if output.top_k is not None:
        found.append(f"At most {output.top_k} detections a picture, by score over all labels.")
    clip = "clipped at the picture's edges" if output.clip else "not clipped"
    return [*found, f"Boxes back in pixels of the picture, {clip}."]


def _resize(settings: Input) -> str:
    wide, high = settings.size
    by = _FILTERS[settings.interpolation]
    if settings.resize == "none":
        return "The picture keeps its size."
    if settings.resize == "stretch":
        return f"The whole picture is stretched to {wide} × {high}, its ratio not kept ({by})."
    up = "scaled up where it is smaller" if settings.scale_up else "never scaled up"
    return (
        f"The picture is resized within {wide} × {high}, its ratio kept, {up}; the new size is "
        f"{_ROUNDED[settings.rounding]} ({by}); boxes go back {_INVERSES[settings.inverse]}."
    )


def _padding(settings: Input) -> list[str]:
    if settings.resize == "stretch":
        return [] if settings.stride == 1 else [f"Padded to sides that are multiples of {settings.stride}."]
    pad = f"{settings.pad[0]:g}" if len(set(settings.pad)) == 1 else ", ".join(f"{one:g}" for one in settings.pad)
    where = "in the top left corner" if settings.align == "top-left" else "in the centre (odd pixels right and below)"
    if settings.resize == "letterbox":
        return [f"It lies {where} of {settings.size[0]} × {settings.size[1]}; the rest is {pad}."]
    if settings.stride == 1:
        return []
    extra = f" (after {settings.stride_extra:g} more are added)" if settings.stride_extra else ""
    return [f"It lies {where} of the smallest sides that are multiples of {settings.stride}{extra}; the rest is {pad}."]


def _normalise(normalise: Normalise) -> str:
    if normalise.is_nothing():
        return "levels 0 to 255 as they are"
    found = "levels" if normalise.divide == 1.0 else f"levels divided by {normalise.divide:g}"
    if any(normalise.mean):
        found += f", less {' '.join(f'{one:g}' for one in normalise.mean)}"
    if set(normalise.std) != {1.0}:
        found += f", divided by {' '.join(f'{one:g}' for one in normalise.std)}"
    return found


def _floors(card: Card) -> str:
    own = ", ".join(f"{name} {floor:g}" for name, floor in card.floors.by_label.items())
    behind = f" ({own})" if own else ""
    return f"Floors, applied when scoring and not when predicting: {card.floors.default:g}{behind}."
