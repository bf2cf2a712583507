"""Simulated ground truth: images in clips, and the objects in them."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.boxes import Floats
from boxscore.scenes.checks import check_seed
from boxscore.scenes.objects import Content, Objects, View, draw_objects
from boxscore.scenes.scene_spec import MAX_LABEL_DRAWS, SceneSpec
from boxscore.scenes.streams import Purpose, stream

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Images:
    """One entry an image.

    `image_id` counts from 1 and `clip` from 0; sizes in pixels; `difficulty` is a standard normal latent (light,
    weather, blur) that any detector may respond to, so that two of them fail on the same images.
    """

    image_id: Integers
    clip: Integers
    width: Integers
    height: Integers
    difficulty: Floats


@dataclass(frozen=True)
class GroundTruth:
    """Simulated ground truth, with all that the files do not tell. `objects` run image by image."""

    spec: SceneSpec
    seed: int
    images: Images
    objects: Objects

    def offsets(self) -> Integers:
        """Objects of image i are the rows offsets[i] to offsets[i + 1], (images + 1,)."""
        return np.searchsorted(self.objects.image, np.arange(self.spec.images + 1)).astype(np.int64)


@dataclass(frozen=True)
class _Clip:
    """What the images of a clip may share."""

    size: tuple[int, int]
    density: float
    difficulty: float
    labels: Integers


def simulate_ground_truth(spec: SceneSpec, seed: int) -> GroundTruth:
    """Draw scenes. The same specification and seed give the same bytes (see `streams` for NumPy's part in that).

    An image depends on the seed, its number and the specification apart from `images`: the first images of a longer
    run are those of a shorter one. Raises InputError for a seed that is not a whole number of at least 0.
    """
    check_seed(seed)
    shares = label_shares(spec)
    clips = [_draw_clip(spec, shares, stream(seed, Purpose.CLIP, number)) for number in range(spec.clips)]
    drawn: list[Objects] = []
    difficulty = np.empty(spec.images)
    for number in range(spec.images):
        rng = stream(seed, Purpose.IMAGE, number)
        view, content = _draw_image(spec, shares, clips[number // spec.clip_length], number, rng)
        difficulty[number] = view.difficulty
        drawn.append(draw_objects(spec, view, content, rng))
    return GroundTruth(spec, seed, _image_columns(spec, clips, difficulty), _joined(drawn))


def label_shares(spec: SceneSpec) -> Floats:
    """Frequency of each label by Zipf's law, (labels,), summing to 1."""
    weights: Floats = np.arange(1, len(spec.labels) + 1, dtype=np.float64) ** -spec.label_skew
    shares: Floats = weights / weights.sum()
    return shares


def _draw_clip(spec: SceneSpec, shares: Floats, rng: np.random.Generator) -> _Clip:
    density, difficulty = rng.standard_normal(2)
    size = spec.image_sizes[rng.integers(len(spec.image_sizes))]
    return _Clip(size, density, difficulty, rng.choice(len(shares), MAX_LABEL_DRAWS, p=shares))


def _draw_image(
    spec: SceneSpec, shares: Floats, clip: _Clip, number: int, rng: np.random.Generator
) -> tuple[View, Content]:
    """The image's latents: a part of the clip's and a part of its own, mixed so that each stays standard normal."""
    shared, own = np.sqrt(spec.clip_correlation), np.sqrt(1.0 - spec.clip_correlation)
    density, difficulty = own * rng.standard_normal(2) + shared * np.array([clip.density, clip.difficulty])
    draws = min(1 + rng.poisson(spec.labels_per_image - 1.0), MAX_LABEL_DRAWS)
    fresh = rng.choice(len(shares), draws, p=shares)
    labels = np.where(rng.random(draws) < spec.clip_correlation, clip.labels[:draws], fresh)
    spread = spec.density_spread
    mean_objects = spec.objects_per_image * float(np.exp(spread * density - spread**2 / 2))
    return View(number, *clip.size, float(difficulty)), Content(mean_objects, labels)


def _image_columns(spec: SceneSpec, clips: list[_Clip], difficulty: Floats) -> Images:
    clip = np.arange(spec.images, dtype=np.int64) // spec.clip_length
    sizes = np.array([entry.size for entry in clips], dtype=np.int64)[clip]
    return Images(np.arange(1, spec.images + 1, dtype=np.int64), clip, sizes[:, 0], sizes[:, 1], difficulty)


def _joined(parts: list[Objects]) -> Objects:
    return Objects(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Objects)})
