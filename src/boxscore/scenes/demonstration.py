"""The scenes and the two detectors that `boxscore demo` shows, and the folder it writes."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from boxscore.errors import InputError
from boxscore.scenes.detections import simulate_detections
from boxscore.scenes.detector_spec import DetectorSpec
from boxscore.scenes.files import write_coco_ground_truth, write_coco_results
from boxscore.scenes.ground_truth import GroundTruth, simulate_ground_truth
from boxscore.scenes.scene_spec import SceneSpec

MARK = "boxscore-demo.json"
"""A folder that holds this file was written by the demonstration, which may write there again."""

TRUTH = "ground_truth.json"

_CONFUSIONS = {("bus", "truck"): 0.08, ("truck", "bus"): 0.08, ("car", "truck"): 0.03, ("dog", "person"): 0.02}

MODELS = {
    "baseline": DetectorSpec(
        recall=0.87,
        size_effect=0.8,
        confusions=_CONFUSIONS,
        background_rate=2.0,
        separation=2.4,
    ),
    "candidate": DetectorSpec(
        recall=0.93,
        size_effect=0.45,
        shift=0.056,
        stretch=0.1,
        pixel_noise=0.85,
        confusions=_CONFUSIONS,
        background_rate=3.0,
        separation=2.4,
        calibration="over-confident",
    ),
}
"""The candidate finds more objects, small ones above all; its boxes are looser and its scores promise too much."""


@dataclass(frozen=True)
class Demonstration:
    """What was written: the folder, its ground truth, and each model's file with its number of detections."""

    folder: Path
    truth: GroundTruth
    ground_truth: Path
    models: dict[str, Path]
    detections: dict[str, int]


def write_demonstration(folder: Path, seed: int, images: int) -> Demonstration:
    """Simulate scenes and both models into `folder`; the same seed and number of images give the same files.

    Files are made beside the folder and moved in once all are there. A folder that an earlier demonstration wrote gets
    new files in place of its own, and keeps what else is in it. Raises InputError for any other that is not empty.
    """
    _check_free(folder)
    truth = simulate_ground_truth(SceneSpec(images=images, clip_length=10, clip_correlation=0.3), seed)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as made:
        detections = _write_files(truth, seed, Path(made))
        _move_into(Path(made), folder)
    models = {name: folder / f"{name}.json" for name in MODELS}
    return Demonstration(folder, truth, folder / TRUTH, models, detections)


def _write_files(truth: GroundTruth, seed: int, folder: Path) -> dict[str, int]:
    write_coco_ground_truth(truth, folder / TRUTH)
    counts: dict[str, int] = {}
    for number, (name, detector) in enumerate(MODELS.items()):
        # Two seeds: the models share the scenes' difficulty, and their chance errors are their own.
        detections = simulate_detections(truth, detector, 2 * seed + number)
        write_coco_results(detections, folder / f"{name}.json")
        counts[name] = len(detections.score)
    about = {"made_by": "boxscore demo", "seed": seed, "images": truth.spec.images, "models": list(MODELS)}
    (folder / MARK).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return counts


def _check_free(folder: Path) -> None:
    if not folder.exists() or (folder / MARK).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise InputError(
            f"{folder} exists and was not written by a demonstration (it holds no {MARK}); nothing was changed. "
            "Give another folder with --out, or remove this one."
        )


def _move_into(made: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    # The mark goes last: a folder that bears it is complete.
    for file in sorted(made.iterdir(), key=lambda file: file.name == MARK):
        file.replace(folder / file.name)
