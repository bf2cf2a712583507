"""A simulator of scenes and detectors: ground truth and detections of which everything is known.

    truth = simulate_ground_truth(SceneSpec(images=200), seed=1)
    detections = simulate_detections(truth, DetectorSpec(recall=0.9), seed=2)
    write_coco_ground_truth(truth, "gt.json")
    write_coco_results(detections, "dt.json")

What is modelled, and what is not, is told in `docs/simulator.md`. This package imports NumPy; `import boxscore` does
not import this package.
"""

from boxscore.scenes.calibration import CALIBRATIONS, Calibration
from boxscore.scenes.candidates import Kind
from boxscore.scenes.detections import Detections, simulate_detections
from boxscore.scenes.detector_spec import DetectorSpec, confusions_from_matrix
from boxscore.scenes.files import (
    as_coco_ground_truth,
    as_coco_results,
    write_coco_ground_truth,
    write_coco_results,
)
from boxscore.scenes.ground_truth import GroundTruth, Images, simulate_ground_truth
from boxscore.scenes.objects import Objects
from boxscore.scenes.scene_spec import COCO_IMAGE_SIZES, COCO_SIZES, SceneSpec, SizeComponent

__all__ = [
    "CALIBRATIONS",
    "COCO_IMAGE_SIZES",
    "COCO_SIZES",
    "Calibration",
    "Detections",
    "DetectorSpec",
    "GroundTruth",
    "Images",
    "Kind",
    "Objects",
    "SceneSpec",
    "SizeComponent",
    "as_coco_ground_truth",
    "as_coco_results",
    "confusions_from_matrix",
    "simulate_detections",
    "simulate_ground_truth",
    "write_coco_ground_truth",
    "write_coco_results",
]
