"""The objects of one image: how many, which, how large, where, and how much of each can be seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.boxes import Bools, Floats, place, visible_fractions
from boxscore.scenes.scene_spec import SceneSpec

Integers = NDArray[np.int64]

CLUSTER_SIZE_SPREAD = 0.25
"""Standard deviation of the log of a clustered object's size around that of its cluster's first."""

MAX_OCCLUDED = 0.8
"""Largest share of an object that something without annotation hides."""

CROWD_SIDES = (0.2, 0.6)
"""Lowest and highest side of a crowd region, as a share of the image's."""


@dataclass(frozen=True)
class View:
    """An image without its objects: number from 0, size in pixels, latent difficulty."""

    image: int
    width: int
    height: int
    difficulty: float


@dataclass(frozen=True)
class Content:
    """What an image is to hold: mean number of objects, and labels to choose from (repeats weigh more)."""

    mean_objects: float
    labels: Integers


@dataclass(frozen=True)
class Objects:
    """One entry an object.

    `image` and `label` are row numbers; `box` is x, y, w, h in pixels, (n, 4), all of the object inside the frame,
    hidden or not; `area` in square pixels; `visible` is the share that nothing hides; `hardness` is a standard normal
    latent of the object that any detector may respond to.
    """

    image: Integers
    label: Integers
    box: Floats
    area: Floats
    crowd: Bools
    visible: Floats
    hardness: Floats


def draw_sizes(spec: SceneSpec, count: int, rng: np.random.Generator) -> Floats:
    """Sizes (square root of the area, pixels) from the mixture, (count,)."""
    shares = np.array([part.share for part in spec.sizes])
    part = rng.choice(len(spec.sizes), count, p=shares / shares.sum())
    medians = np.array([part.median for part in spec.sizes])
    spreads = np.array([part.spread for part in spec.sizes])
    sizes: Floats = medians[part] * np.exp(spreads[part] * rng.standard_normal(count))
    return sizes


def draw_sides(spec: SceneSpec, sizes: Floats, rng: np.random.Generator) -> Floats:
    """Widths and heights for sizes, (n, 2)."""
    stretch = np.exp(0.5 * spec.aspect_spread * rng.standard_normal(len(sizes)))
    return np.stack([sizes * stretch, sizes / stretch], axis=1)


def draw_centres(view: View, count: int, rng: np.random.Generator) -> Floats:
    """Places anywhere in the image, (count, 2)."""
    centres: Floats = rng.random((count, 2)) * np.array([view.width, view.height])
    return centres


def draw_objects(spec: SceneSpec, view: View, content: Content, rng: np.random.Generator) -> Objects:
    """The objects of one image, the crowd region (if any) last."""
    seen = _annotated(spec, _draw_countable(spec, view, content, rng))
    if rng.random() >= spec.crowd_rate:
        return seen
    crowd = _draw_crowd_region(spec, view, content, rng)
    return Objects(**{name: np.concatenate([column, getattr(crowd, name)]) for name, column in vars(seen).items()})


def _draw_countable(spec: SceneSpec, view: View, content: Content, rng: np.random.Generator) -> Objects:
    count = int(rng.poisson(content.mean_objects))
    first = _cluster_firsts(spec, count, rng)
    label = rng.choice(content.labels, count)[first]
    sizes = draw_sizes(spec, count, rng)
    member = first != np.arange(count)
    sizes = np.where(member, sizes[first] * np.exp(CLUSTER_SIZE_SPREAD * rng.standard_normal(count)), sizes)
    centres = draw_centres(view, count, rng)
    beside = centres[first] + spec.cluster_spread * sizes[first, None] * rng.standard_normal((count, 2))
    centres = np.where(member[:, None], np.clip(beside, 0, [view.width, view.height]), centres)
    box = place(centres, draw_sides(spec, sizes, rng), view.width, view.height)
    return _as_objects(spec, view, label, box, _visible(spec, box, rng), rng)


def _cluster_firsts(spec: SceneSpec, count: int, rng: np.random.Generator) -> Integers:
    """For each object the row of its cluster's first (itself when it begins one), (count,)."""
    begins = rng.random(count) >= spec.crowding
    begins[:1] = True
    rows = np.flatnonzero(begins)
    chosen = rows[rng.integers(len(rows), size=count)] if count else rows
    return np.where(begins, np.arange(count), chosen).astype(np.int64)


def _visible(spec: SceneSpec, box: Floats, rng: np.random.Generator) -> Floats:
    """Boxes that reach further down stand nearer, as they do on level ground; other things may hide some more."""
    hidden = np.where(rng.random(len(box)) < spec.occluder_rate, MAX_OCCLUDED * rng.random(len(box)), 0.0)
    return visible_fractions(box, box[:, 1] + box[:, 3]) * (1.0 - hidden)


def _as_objects(
    spec: SceneSpec,
    view: View,
    label: Integers,
    box: Floats,
    visible: Floats,
    rng: np.random.Generator,
) -> Objects:
    count = len(box)
    area = np.round(box[:, 2] * box[:, 3] * rng.uniform(*spec.fill, count), 2)
    return Objects(
        image=np.full(count, view.image, dtype=np.int64),
        label=label.astype(np.int64),
        box=box,
        area=np.maximum(area, 0.01),
        crowd=np.zeros(count, dtype=np.bool_),
        visible=visible,
        hardness=rng.standard_normal(count),
    )


def _annotated(spec: SceneSpec, objects: Objects) -> Objects:
    """Those of which enough is visible."""
    kept = objects.visible >= spec.min_visible
    return Objects(**{name: column[kept] for name, column in vars(objects).items()})


def _draw_crowd_region(spec: SceneSpec, view: View, content: Content, rng: np.random.Generator) -> Objects:
    """One region of many objects of one label that nobody annotated singly."""
    sides = rng.uniform(*CROWD_SIDES, (1, 2)) * np.array([view.width, view.height])
    box = place(draw_centres(view, 1, rng), sides, view.width, view.height)
    label = rng.choice(content.labels, 1)
    region = _as_objects(spec, view, label, box, np.ones(1), rng)
    return Objects(**{**vars(region), "crowd": np.ones(1, dtype=np.bool_)})
