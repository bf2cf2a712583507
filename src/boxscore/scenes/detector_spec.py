"""What a detector gets right and wrong."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from boxscore.scenes.boxes import Floats
from boxscore.scenes.calibration import Calibration, calibration_of
from boxscore.scenes.checks import check_at_least, check_between, check_finite, refuse

Confusions = tuple[tuple[str, str, float], ...]

REFERENCE_SIZE = 96.0
"""Size (square root of the box area, pixels) of an object that is found with probability `recall`."""


@dataclass(frozen=True)
class DetectorSpec:
    """A detector to simulate. Every field is checked; a value that can't be used is refused with its name.

    An object is found with log odds

        logit(recall) + size_effect * log2(size / 96) - occlusion_effect * (1 - visible)
                      - difficulty_effect * difficulty - hardness_effect * hardness

    where difficulty belongs to the image and hardness to the object: standard normal, the same for every detector.

    Attributes:
        recall: chance of finding a wholly visible object of 96 x 96 pixels of average difficulty; inside 0..1.
        size_effect: log odds per doubling of the object's side.
        occlusion_effect: log odds lost from wholly visible to wholly hidden.
        difficulty_effect, hardness_effect: log odds lost per standard deviation.
        shift: standard deviation of a box centre's error, as a share of the side.
        stretch: standard deviation of the log of a side's error.
        pixel_noise: pixels, added (in quadrature) to the errors of centre and side: small objects suffer more.
        confusions: pairs of labels that are taken for each other: {(true, predicted): probability}; see also
            `confusions_from_matrix`.
        confusion_rate: further chance of taking an object for any other label, all equally likely.
        duplicate_rate: mean number of further boxes on an object that was found (Poisson).
        duplicate_noise: how much larger the errors of those boxes are, as a factor.
        background_rate: mean number of detections per image where no object is (Poisson). Those that would overlap an
            object of their label by half or more are left out, so slightly fewer remain in crowded images.
        crowd_detections: mean number of detections inside a crowd region (Poisson), of its label.
        separation: how well scores tell right from wrong: d', in standard deviations; 0: not at all.
        calibration: how scores relate to the probability of being right: a Calibration, or `calibrated`,
            `over-confident`, `under-confident`.
        min_score: detections below are not reported.
    """

    recall: float = 0.9
    size_effect: float = 0.7
    occlusion_effect: float = 3.0
    difficulty_effect: float = 0.4
    hardness_effect: float = 0.6
    shift: float = 0.04
    stretch: float = 0.07
    pixel_noise: float = 0.7
    confusions: Mapping[tuple[str, str], float] | Confusions = ()
    confusion_rate: float = 0.02
    duplicate_rate: float = 0.15
    duplicate_noise: float = 2.0
    background_rate: float = 2.0
    crowd_detections: float = 4.0
    separation: float = 2.5
    calibration: Calibration | str = "calibrated"
    min_score: float = 0.0

    def __post_init__(self) -> None:
        owner = "DetectorSpec"
        check_between(owner, {name: getattr(self, name) for name in ("confusion_rate", "min_score", "recall")}, 0, 1)
        if not 0 < self.recall < 1:
            raise refuse("DetectorSpec.recall", self.recall, "give a number above 0 and below 1")
        effects = ("size_effect", "occlusion_effect", "difficulty_effect", "hardness_effect")
        check_finite(owner, {name: getattr(self, name) for name in effects})
        rates = ("shift", "stretch", "pixel_noise", "duplicate_rate", "duplicate_noise", "background_rate")
        check_at_least(owner, {name: getattr(self, name) for name in (*rates, "crowd_detections", "separation")}, 0)
        check_between(owner, {"separation": self.separation}, 0, 20)
        object.__setattr__(self, "calibration", calibration_of(self.calibration))
        object.__setattr__(self, "confusions", _as_rows(self.confusions))

    def log_odds_found(self, size: Floats, visible: Floats, difficulty: Floats, hardness: Floats) -> Floats:
        """Log odds of finding objects: size in pixels (square root of the area), visible share, latents, (n,) each."""
        base = math.log(self.recall / (1.0 - self.recall))
        by_size = self.size_effect * np.log2(size / REFERENCE_SIZE)
        return (
            base
            + by_size
            - self.occlusion_effect * (1.0 - visible)
            - self.difficulty_effect * difficulty
            - self.hardness_effect * hardness
        )

    def confusion_matrix(self, labels: Sequence[str]) -> Floats:
        """Probability of each predicted label (column) for each true one (row), (labels, labels); rows sum to 1.

        Raises InputError for labels the scenes don't have, and for rows whose confusions exceed 1.
        """
        number = {name: row for row, name in enumerate(labels)}
        matrix = np.zeros((len(labels), len(labels)))
        if len(labels) > 1:
            matrix += self.confusion_rate / (len(labels) - 1)
        for true, predicted, probability in _as_rows(self.confusions):
            for name in (true, predicted):
                if name not in number:
                    known = ", ".join(labels)
                    raise refuse("DetectorSpec.confusions", name, f"name labels of the scenes, which are {known}")
            matrix[number[true], number[predicted]] += probability
        np.fill_diagonal(matrix, 0.0)
        confused = matrix.sum(axis=1)
        if np.any(confused > 1.0 + 1e-9):
            row = int(np.argmax(confused))
            raise refuse(
                f"DetectorSpec.confusions of {labels[row]!r}, with confusion_rate,",
                float(confused[row]),
                "let the probabilities of one true label sum to at most 1",
            )
        np.fill_diagonal(matrix, np.maximum(1.0 - confused, 0.0))
        return matrix


def confusions_from_matrix(labels: Sequence[str], matrix: Floats) -> dict[tuple[str, str], float]:
    """Confusions from a matrix of counts or probabilities, rows true, columns predicted, (labels, labels).

    Rows are scaled to sum to 1; a row of zeros confuses nothing. Raises InputError for another shape, or for entries
    that are negative or not finite.
    """
    counts = np.asarray(matrix, dtype=np.float64)
    if counts.shape != (len(labels), len(labels)):
        raise refuse("confusion matrix's shape", counts.shape, f"give {len(labels)} rows and columns, one a label")
    if not np.all(np.isfinite(counts)) or np.any(counts < 0):
        worst = counts[~np.isfinite(counts) | (counts < 0)][0]
        raise refuse("confusion matrix's entry", float(worst), "give finite numbers of at least 0")
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    rows, columns = np.nonzero(shares)
    return {
        (labels[i], labels[j]): float(shares[i, j])
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        if i != j
    }


def _as_rows(confusions: Mapping[tuple[str, str], float] | Confusions) -> Confusions:
    """Confusions as a tuple, sorted: specifications must be hashable, and equal ones equal."""
    rows = (
        [(true, predicted, share) for (true, predicted), share in confusions.items()]
        if isinstance(confusions, Mapping)
        else list(confusions)
    )
    for true, predicted, share in rows:
        check_between("DetectorSpec", {f"confusions[{true!r}, {predicted!r}]": share}, 0, 1)
        if true == predicted:
            raise refuse("DetectorSpec.confusions", (true, predicted), "name two different labels")
    return tuple(sorted(rows))
