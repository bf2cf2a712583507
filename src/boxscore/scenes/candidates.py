"""The detections of one image before they get scores: what was found, what was made up, and which of them are right."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.boxes import Bools, Floats, overlaps, paired_overlaps, place
from boxscore.scenes.calibration import logistic
from boxscore.scenes.detector_spec import DetectorSpec
from boxscore.scenes.objects import Integers, Objects, View, draw_centres, draw_sides, draw_sizes
from boxscore.scenes.scene_spec import SceneSpec

RIGHT_OVERLAP = 0.5
"""Intersection over union from which a box counts as being on its object."""


class Kind(IntEnum):
    """Where a detection came from."""

    FOUND = 0
    DUPLICATE = 1
    BACKGROUND = 2
    CROWD = 3


@dataclass(frozen=True)
class Candidates:
    """One entry a detection. `label` is a row number; `box` x, y, w, h in pixels, (n, 4); `kind` a `Kind`; `object` the
    row of the object it was made from, -1 for background.

    `right`: the one detection that an object is given, the first with its label and an overlap of at least 0.5;
    `rival`: a further one like that. The evidence behind a score is `normal` shifted, or (rivals) made from `uniform`.
    """

    image: Integers
    label: Integers
    box: Floats
    kind: NDArray[np.uint8]
    object: Integers
    right: Bools
    rival: Bools
    normal: Floats
    uniform: Floats


@dataclass(frozen=True)
class Frame:
    """An image and its objects (whose first has the row `first` in the whole data set)."""

    view: View
    objects: Objects
    first: int


@dataclass(frozen=True)
class Model:
    """A detector among scenes: both specifications, cumulative rows of the confusion matrix, label frequencies."""

    scenes: SceneSpec
    detector: DetectorSpec
    confusion: Floats
    label_shares: Floats


@dataclass(frozen=True)
class _Boxes:
    label: Integers
    box: Floats
    kind: Kind
    object: Integers


def draw_candidates(model: Model, frame: Frame, rng: np.random.Generator) -> Candidates:
    """All detections of one image."""
    found = _draw_found(model, frame, rng)
    duplicates = _draw_duplicates(model, frame, found.object, rng)
    parts = (found, duplicates, _draw_background(model, frame, rng), _draw_in_crowds(model, frame, rng))
    label = np.concatenate([part.label for part in parts])
    box = np.concatenate([part.box for part in parts])
    row = np.concatenate([part.object for part in parts])
    kind = np.repeat(np.array([part.kind for part in parts], dtype=np.uint8), [len(part.label) for part in parts])
    right, rival = _outcomes(frame.objects, label, box, kind, row)
    return Candidates(
        image=np.full(len(label), frame.view.image, dtype=np.int64),
        label=label,
        box=box,
        kind=kind,
        object=np.where(row >= 0, row + frame.first, -1),
        right=right,
        rival=rival,
        normal=rng.standard_normal(len(label)),
        uniform=rng.random(len(label)),
    )


def _draw_found(model: Model, frame: Frame, rng: np.random.Generator) -> _Boxes:
    objects = frame.objects
    size = np.sqrt(objects.box[:, 2] * objects.box[:, 3])
    difficulty = np.full(len(size), frame.view.difficulty)
    chance = logistic(model.detector.log_odds_found(size, objects.visible, difficulty, objects.hardness))
    rows = np.flatnonzero((rng.random(len(size)) < chance) & ~objects.crowd)
    return _boxes_on(model, frame, rows, Kind.FOUND, 1.0, rng)


def _draw_duplicates(model: Model, frame: Frame, found: Integers, rng: np.random.Generator) -> _Boxes:
    rows = np.repeat(found, rng.poisson(model.detector.duplicate_rate, len(found)))
    return _boxes_on(model, frame, rows, Kind.DUPLICATE, model.detector.duplicate_noise, rng)


def _boxes_on(model: Model, frame: Frame, rows: Integers, kind: Kind, noise: float, rng: np.random.Generator) -> _Boxes:
    """Boxes on objects, with errors of place, size and label."""
    detector, objects = model.detector, frame.objects
    sides = objects.box[rows, 2:]
    middle = objects.box[rows, :2] + sides / 2
    off = noise * np.hypot(detector.shift * sides, detector.pixel_noise)
    scale = noise * np.hypot(detector.stretch, detector.pixel_noise / sides)
    middle = middle + off * rng.standard_normal((len(rows), 2))
    sides = sides * np.exp(scale * rng.standard_normal((len(rows), 2)))
    box = place(middle, sides, frame.view.width, frame.view.height)
    return _Boxes(_confused(model, objects.label[rows], rng), box, kind, rows)


def _confused(model: Model, label: Integers, rng: np.random.Generator) -> Integers:
    drawn = (model.confusion[label] <= rng.random(len(label))[:, None]).sum(axis=1)
    predicted: Integers = np.minimum(drawn, len(model.confusion) - 1).astype(np.int64)
    return predicted


def _draw_background(model: Model, frame: Frame, rng: np.random.Generator) -> _Boxes:
    """Detections of nothing, where and as large as objects may be."""
    view, objects = frame.view, frame.objects
    count = int(rng.poisson(model.detector.background_rate))
    label = rng.choice(len(model.label_shares), count, p=model.label_shares)
    sides = draw_sides(model.scenes, draw_sizes(model.scenes, count, rng), rng)
    box = place(draw_centres(view, count, rng), sides, view.width, view.height)
    on_object = (overlaps(box, objects.box, objects.crowd) >= RIGHT_OVERLAP) & (label[:, None] == objects.label)
    kept = ~on_object.any(axis=1)
    nothing = np.full(int(kept.sum()), -1, dtype=np.int64)
    return _Boxes(label[kept].astype(np.int64), box[kept], Kind.BACKGROUND, nothing)


def _draw_in_crowds(model: Model, frame: Frame, rng: np.random.Generator) -> _Boxes:
    """Detections of single members of crowd regions; an evaluation ignores them."""
    view, objects = frame.view, frame.objects
    regions = np.flatnonzero(objects.crowd)
    rows = np.repeat(regions, rng.poisson(model.detector.crowd_detections, len(regions)))
    region = objects.box[rows]
    sides = region[:, 2:] * rng.uniform(0.1, 0.4, (len(rows), 2))
    centres = region[:, :2] + sides / 2 + rng.random((len(rows), 2)) * (region[:, 2:] - sides)
    return _Boxes(objects.label[rows], place(centres, sides, view.width, view.height), Kind.CROWD, rows)


def _outcomes(
    objects: Objects, label: Integers, box: Floats, kind: NDArray[np.uint8], row: Integers
) -> tuple[Bools, Bools]:
    """Which detections are right, and which are rivals of those; rows run over one image's objects."""
    contends = (kind == Kind.FOUND) | (kind == Kind.DUPLICATE)
    made_from = np.flatnonzero(contends)
    at = row[made_from]
    good = (label[made_from] == objects.label[at]) & (paired_overlaps(box[made_from], objects.box[at]) >= RIGHT_OVERLAP)
    contends[made_from] = good
    right = np.zeros(len(label), dtype=np.bool_)
    _, first = np.unique(at[good], return_index=True)
    right[made_from[good][first]] = True
    return right, contends & ~right
