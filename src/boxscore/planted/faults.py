"""Faults as they happen: each changes what a team's pipeline hands to the gate, and says which check must name it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.planted.letterbox import pad_of, shifted_overlap
from boxscore.planted.rules import AT_POINT, CONFIDENCE, MEAN_IOU, RECALL
from boxscore.planted.scenes import DARK
from boxscore.triage.modes import MISS_MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from boxscore.gate.checks import Key
    from boxscore.pipeline.run import Run
    from boxscore.planted.detectors import Detector
    from boxscore.planted.scenes import Scenes

    Row = dict[str, Any]
    Plant = Callable[["Ground"], "Planted"]

EVERY = 10
"""Every tenth picture is lost."""

MISSED, LOCALISATION, WRONG_LABEL = MISS_MODES
"""Kinds of missed objects, as triage calls them."""


class NothingToLose(Exception):  # noqa: N818  it is no error: what it says is told in the story
    """A fault that could not show: what it would spoil is not there. The message says what, in words."""


@dataclass(frozen=True)
class Ground:
    """What faults are planted in: scenes, their detector and detections, the run without fault, a folder to write to.

    `iou` is the threshold of the fault that matches at another.
    """

    scenes: Scenes
    detector: Detector
    rows: Sequence[Row]
    run: Run
    folder: Path
    iou: float


@dataclass(frozen=True)
class Planted:
    """A fault as planted.

    - `told`: what was done, in words.
    - `rows`: the detections then; `iou`: the threshold that they are matched at (None: the protocol's).
    - `must`: checks (measure, label, slice) that it touches, all of which must fail; `spared`: checks that it does not
      touch, none of which may.
    - `kind`: what triage must say of the objects missed more than before.
    """

    told: str
    rows: Sequence[Row]
    must: tuple[Key, ...]
    kind: str
    spared: tuple[Key, ...] = ()
    iou: float | None = None


def matching_iou(ground: Ground) -> Planted:
    """Somebody evaluates at another IoU threshold."""
    return Planted(
        told=f"detections are matched at IoU {ground.iou:g} instead of the protocol's 0.5 to 0.95",
        rows=ground.rows,
        iou=ground.iou,
        must=(("protocol", None, None),),
        kind=LOCALISATION,
    )


def raised_floor(ground: Ground) -> Planted:
    """The detector reports what it is sure of alone: half of what it reported."""
    counting = [row["score"] for row in ground.rows if row["score"] >= CONFIDENCE]
    floor = round(median(counting), 2)
    if min(counting) >= floor:
        raise NothingToLose(
            f"none of the {len(counting)} detections that count is below confidence {floor:g}, which half of them reach"
        )
    return Planted(
        told=f"detections below confidence {floor:g} are no longer reported",
        rows=[row for row in ground.rows if row["score"] >= floor],
        must=((RECALL, None, None),),
        kind=MISSED,
    )


def swapped_labels(ground: Ground) -> Planted:
    """Two names stand in each other's place in the list of classes: the two of which most objects are found."""
    one, other = _most_found(ground.run)
    names = {one: other, other: one}
    others = [name for name in ground.run.labels if name not in names]
    return Planted(
        told=f"the labels {one!r} and {other!r} are swapped",
        rows=[row | {"category_name": names.get(row["category_name"], row["category_name"])} for row in ground.rows],
        must=(("AP", one, None), ("AP", other, None)),
        spared=tuple(("AP", name, None) for name in others),
        kind=WRONG_LABEL,
    )


def shifted_boxes(ground: Ground) -> Planted:
    """Boxes are scaled back to the picture, and the letterbox's pad is forgotten."""
    sample = ground.scenes.images[0]
    width, height = ground.detector.input_size()
    pad = pad_of((sample["width"], sample["height"]), (width, height))
    there = {row["image_id"] for row in ground.rows}
    kept = [shifted_overlap(row["bbox"], pad) for row in ground.scenes.content["annotations"]]
    # An object that still overlaps its own box is told as badly placed, one that doesn't as missed.
    near = sum(overlap >= 0.1 for overlap in kept) * 2 >= len(kept)
    return Planted(
        told=f"boxes lie {pad[0]:g} pixels right and {pad[1]:g} down: the pad of a {width} x {height} letterbox was "
        "forgotten",
        rows=[
            row | {"bbox": [row["bbox"][0] + pad[0], row["bbox"][1] + pad[1], *row["bbox"][2:]]} for row in ground.rows
        ],
        must=((MEAN_IOU, None, None),),
        spared=_detections_of([row["file_name"] for row in ground.scenes.images if row["file_name"] in there]),
        kind=LOCALISATION if near else MISSED,
    )


def lost_pictures(ground: Ground) -> Planted:
    """Every tenth picture never reaches the detector, and nobody says so."""
    names = [row["file_name"] for row in ground.scenes.images]
    lost, at_stake = _tenths(ground, names)
    if not at_stake:
        raise NothingToLose(f"in every tenth picture, however counted, no object is found at confidence {CONFIDENCE:g}")
    there = {row["image_id"] for row in ground.rows}
    return Planted(
        told=f"every tenth picture is lost on the way to the detector: {', '.join(lost)}",
        rows=[row for row in ground.rows if row["image_id"] not in lost],
        must=_detections_of([name for name in lost if name in there]),
        spared=_detections_of([name for name in names if name not in lost]),
        kind=MISSED,
    )


def degraded_dark(ground: Ground) -> Planted:
    """The camera's exposure is off: what was dark is darker."""
    dark = frozenset(ground.scenes.names_of(DARK))
    folder = ground.folder / "degraded"
    folder.mkdir()
    worse = ground.detector.detect(ground.scenes, folder, dark)
    # Of the other pictures nothing changed; neither may their detections, in their last bits.
    rows = [row for row in ground.rows if row["image_id"] not in dark]
    others = [profile for profile in ground.scenes.profiles if profile != DARK]
    return Planted(
        told=f"the {len(dark)} dark scenes are worse: "
        + ("their objects are much harder to find" if ground.detector.simulated else "a tenth of their light is left"),
        rows=rows + [row for row in worse if row["image_id"] in dark],
        must=((RECALL, None, f"profile={DARK}"),),
        spared=tuple((RECALL, None, f"profile={profile}") for profile in others),
        kind=MISSED,
    )


FAULTS: Mapping[str, Plant] = {
    "iou": matching_iou,
    "floor": raised_floor,
    "labels-swapped": swapped_labels,
    "boxes-shifted": shifted_boxes,
    "pictures-lost": lost_pictures,
    "dark-degraded": degraded_dark,
}


def known(names: Sequence[str]) -> list[str]:
    """Faults that are asked for, each once; all where none is. Raises InputError for one that does not exist."""
    for name in names:
        if name not in FAULTS:
            raise InputError(f"--fault {name!r}: there is no such fault; choose from {', '.join(FAULTS)}")
    return list(dict.fromkeys(names)) or list(FAULTS)


def _detections_of(names: Sequence[str]) -> tuple[Key, ...]:
    """Checks of how many detections pictures gave."""
    return tuple(("detections", None, f"file_name={name}") for name in names)


def _tenths(ground: Ground, names: Sequence[str]) -> tuple[Sequence[str], int]:
    """Every tenth picture, counted from the one by which most is lost; and how many objects can have been found there.

    Where pictures without objects, or in which nothing is found, are lost, nothing can show it.
    """
    ids = {row["id"]: row["file_name"] for row in ground.scenes.images}
    objects = Counter(ids[row["image_id"]] for row in ground.scenes.content["annotations"] if not row.get("ignore"))
    found = Counter(row["image_id"] for row in ground.rows if row["score"] >= CONFIDENCE)

    def at_stake(lost: Sequence[str]) -> int:
        return sum(min(objects[name], found[name]) for name in lost)

    lost = max((names[first::EVERY] for first in range(EVERY)), key=at_stake)
    return lost, at_stake(lost)


def _most_found(run: Run) -> tuple[str, str]:
    """The two labels of which most objects are found, the first of equal ones in the labels' order."""
    counts = {name: run.value(f"TP{AT_POINT}", name) or 0.0 for name in run.labels}
    one, other = sorted(counts, key=lambda name: -counts[name])[:2]
    if not counts[other]:
        raise NothingToLose(f"objects of one label alone, {one!r}, are found at confidence {CONFIDENCE:g}")
    return one, other
