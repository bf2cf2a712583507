"""Simulated detections: a detector looks at simulated scenes."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boxscore.scenes.boxes import Bools, Floats
from boxscore.scenes.calibration import Outcomes, ScoreScale, below, calibration_of, score_scale
from boxscore.scenes.candidates import Candidates, Frame, Kind, Model, draw_candidates
from boxscore.scenes.checks import check_seed
from boxscore.scenes.detector_spec import DetectorSpec
from boxscore.scenes.ground_truth import GroundTruth, label_shares, simulate_ground_truth
from boxscore.scenes.objects import Integers, Objects, View
from boxscore.scenes.scene_spec import SceneSpec
from boxscore.scenes.streams import Purpose, stream

PILOT_IMAGES = 400
PILOT_SEED = 20_000_003
"""The long run is measured on this many scenes of the same kind, drawn apart from the data: so a score depends on the
two specifications and on nothing that other images happen to hold."""


@dataclass(frozen=True)
class Detections:
    """Simulated detections, image by image, by descending score, with all that the files do not tell.

    `image` and `label` are row numbers, `box` is x, y, w, h in pixels, (n, 4), `score` inside 0..1. `kind` (a `Kind`)
    says where each came from, `object` the row of the object it was made from (-1: none). `right` marks the detection
    of an object that an evaluation at IoU 0.5 counts as true positive, apart from the rare box that lands on a
    neighbour of its label; detections in crowd regions are neither right nor wrong.
    """

    truth: GroundTruth
    detector: DetectorSpec
    seed: int
    image: Integers
    label: Integers
    box: Floats
    score: Floats
    kind: NDArray[np.uint8]
    object: Integers
    right: Bools


def simulate_detections(truth: GroundTruth, detector: DetectorSpec, seed: int) -> Detections:
    """Let a detector look at scenes. The same arguments give the same bytes (see `streams` for NumPy's part in that).

    The detections of an image depend on the seed, the image and the two specifications, not on other images. Two
    detectors on one ground truth share each image's difficulty and each object's hardness; give them different seeds,
    as their chance errors should be their own. Raises InputError for a seed that is not a whole number of at least 0
    and for confusions that name labels the scenes don't have.
    """
    check_seed(seed)
    parts = _joined(list(_candidates(truth, detector, seed)))
    scores = _scale(truth.spec, detector).scores(_evidence(parts, detector.separation))
    kept = np.flatnonzero(scores >= detector.min_score)
    order = kept[np.lexsort((-scores[kept], parts.image[kept]))]
    return Detections(
        truth=truth,
        detector=detector,
        seed=seed,
        image=parts.image[order],
        label=parts.label[order],
        box=parts.box[order],
        score=scores[order],
        kind=parts.kind[order],
        object=parts.object[order],
        right=parts.right[order],
    )


@lru_cache(maxsize=64)
def _scale(spec: SceneSpec, detector: DetectorSpec) -> ScoreScale:
    # Clips of one image: a pilot of few long clips would see few difficulties, and an image alone looks the same.
    pilot = simulate_ground_truth(replace(spec, images=PILOT_IMAGES, clip_length=1), PILOT_SEED)
    parts = _joined(list(_candidates(pilot, detector, PILOT_SEED)))
    counted = parts.kind != Kind.CROWD
    right, rivals = int(parts.right.sum()), int(parts.rival.sum())
    outcomes = Outcomes(right=right, wrong=int(counted.sum()) - right, rivals=rivals)
    return score_scale(outcomes, detector.separation, calibration_of(detector.calibration))


def _candidates(truth: GroundTruth, detector: DetectorSpec, seed: int) -> Iterator[Candidates]:
    spec = truth.spec
    confusion = np.cumsum(detector.confusion_matrix(spec.labels), axis=1)
    model = Model(spec, detector, confusion, label_shares(spec))
    offsets = truth.offsets().tolist()
    for number in range(spec.images):
        frame = _frame(truth, number, offsets[number], offsets[number + 1])
        yield draw_candidates(model, frame, stream(seed, Purpose.DETECTOR, number))


def _frame(truth: GroundTruth, number: int, first: int, end: int) -> Frame:
    images = truth.images
    size = int(images.width[number]), int(images.height[number])
    objects = Objects(**{name: column[first:end] for name, column in vars(truth.objects).items()})
    return Frame(View(number, *size, float(images.difficulty[number])), objects, first)


def _evidence(parts: Candidates, separation: float) -> Floats:
    """Evidence behind each score: right ones about `separation`, rivals below their object's right one, others about 0.

    Detections inside crowd regions are of real objects, so they look like right ones.
    """
    evidence: Floats = parts.normal + separation * (parts.right | (parts.kind == Kind.CROWD))
    winner = np.zeros(int(parts.object.max(initial=-1)) + 1)
    winner[parts.object[parts.right]] = evidence[parts.right]
    rivals = np.flatnonzero(parts.rival)
    evidence[rivals] = below(winner[parts.object[rivals]], parts.uniform[rivals])
    return evidence


def _joined(parts: list[Candidates]) -> Candidates:
    return Candidates(**{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Candidates)})
