"""Failures drawn on the pictures: ground truth, detection, confidence and IoU, some of each mode."""

from __future__ import annotations

from boxscore.report.parts import Section
from boxscore.report.wording import figure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.report.contents import Contents, Picture

    Box = tuple[float, float, float, float]
    Shot = dict[str, Any]

_HOW = "No pictures: give their folder with `--images DIR`, in HTML, to see failures drawn on them."
_TITLE = "Gallery of failures"
MOST_BYTES = 3_000_000
"""All pictures of a report together, as they stand in the page."""
_AROUND = 0.8
"""How much of a failure's own size is shown around it."""
_LEAST_SIDE = 96.0


def gallery(contents: Contents) -> Section:
    """Pictures by mode; none without an album."""
    found, album = contents.view("gallery"), contents.album
    if album is None:
        return Section("gallery", _TITLE, missing=_HOW, drawn=True)
    if found is None:
        return Section(
            "gallery", _TITLE, missing=contents.why_missing("gallery", "No failures were derived."), drawn=True
        )
    left = MOST_BYTES
    modes, short = [], False
    for mode in found["modes"]:
        shots: list[Shot] = []
        for case in mode["cases"]:
            if len(shots) == contents.most_pictures:
                break
            shot = _shot(contents, case, left)
            if shot == "full":
                short = True
                break
            if isinstance(shot, dict):
                shots.append(shot)
                left -= len(shot["data"])
        modes.append({"of": mode["of"], "mode": mode["mode"], "count": mode["count"], "shots": shots})
    if not any(mode["shots"] for mode in modes):
        return Section(
            "gallery", _TITLE, missing="None of the failures is on a picture of the folder given.", drawn=True
        )
    said = (
        "Solid lines: ground truth. Dashed lines: the detection, with its confidence. False detections by descending "
        "confidence, missed objects by descending area, as far as their pictures are there."
    )
    lines = [said]
    if short:
        lines.append(f"Pictures end where all together reach {MOST_BYTES / 1e6:g} MB.")
    return Section("gallery", _TITLE, lines=lines, widget="gallery", extra=modes, drawn=True)


def _shot(contents: Contents, case: Mapping[str, Any], left: int) -> Shot | str | None:
    """What the template draws; None where there is no picture, `full` where it would be too much."""
    boxes = [one["box"] for one in (case["detection"], case["object"]) if one is not None]
    picture = contents.album.cut(case["image"], _around(boxes)) if contents.album is not None else None
    if picture is None:
        return None
    if len(picture.data) > left:
        return "full"
    return {
        "data": picture.data,
        "words": _words(case),
        "name": _name(contents, case["image"]),
        "ratio": f"{picture.w / picture.h:.4f}",
        "boxes": [
            {"kind": kind, "tag": _tag(kind, case), **_placed(case[kind]["box"], picture)}
            for kind in ("object", "detection")
            if case[kind] is not None
        ],
    }


def _around(boxes: Sequence[Sequence[float]]) -> Box:
    """The part to show: all boxes and their surroundings, not narrower than a few pixels nor too long."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    width, height = max((right - left) * (1 + _AROUND), _LEAST_SIDE), max((bottom - top) * (1 + _AROUND), _LEAST_SIDE)
    width, height = max(width, height * 0.9), max(height, width * 0.6)
    return (left + right - width) / 2, (top + bottom - height) / 2, width, height


def _placed(box: Sequence[float], picture: Picture) -> dict[str, str]:
    """A box inside the part, in percent."""
    x, y = (box[0] - picture.x) / picture.w, (box[1] - picture.y) / picture.h
    shares = {"x": x, "y": y, "w": box[2] / picture.w, "h": box[3] / picture.h}
    return {name: f"{100 * value:.2f}" for name, value in shares.items()}


def _tag(kind: str, case: Mapping[str, Any]) -> str:
    one = case[kind]
    return str(one["label"]) if kind == "object" else f"{one['label']} {one['score']:.2f}"


def _words(case: Mapping[str, Any]) -> str:
    """The same in words: the caption."""
    detection, object_ = case["detection"], case["object"]
    parts = []
    if object_ is not None:
        parts.append(f"ground truth {object_['label']}")
    if detection is not None:
        parts.append(f"detected {detection['label']}, confidence {figure(detection['score'])}")
    if detection is not None and object_ is not None:
        overlap = case["overlap"]
        parts.append("IoU below 0.1" if overlap is None else f"IoU {figure(overlap)}")
    return "; ".join(parts)


def _name(contents: Contents, image: int) -> str:
    images = contents.table("images")
    name = images["file_name"][image] if "file_name" in images.columns else None
    return str(contents.saved.image_ids[image]) if name is None else str(name)
