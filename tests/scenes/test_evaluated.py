"""What the simulator says is right, an evaluation counts as right."""

from dataclasses import replace

import numpy as np
import pytest

import boxscore
from boxscore.scenes import (
    DetectorSpec,
    SceneSpec,
    as_coco_ground_truth,
    as_coco_results,
    simulate_detections,
    simulate_ground_truth,
)

SCENES = SceneSpec(images=400, labels=("thing",), crowding=0.0, crowd_rate=0.05)
DETECTOR = DetectorSpec(confusion_rate=0.0, duplicate_rate=0.5, duplicate_noise=1.0)


def evaluated(scenes: SceneSpec, detector: DetectorSpec, seed: int) -> tuple[float, float]:
    """Recall at IoU 0.5 as evaluated, and as the simulator says."""
    truth = simulate_ground_truth(scenes, seed)
    found = simulate_detections(truth, detector, seed + 1)
    run = boxscore.evaluate(as_coco_ground_truth(truth), as_coco_results(found))
    recall = run.value("AR@0.5")
    assert recall is not None
    return recall, found.right.sum() / (~truth.objects.crowd).sum()


def test_one_object_an_image_agrees_exactly() -> None:
    # No neighbours: nothing can be matched but what the detection was made from.
    scenes = replace(SCENES, objects_per_image=0.4, density_spread=0.0, crowd_rate=0.0)
    truth = simulate_ground_truth(scenes, 1)
    assert np.bincount(truth.objects.image).max() <= 4
    recall, expected = evaluated(scenes, DETECTOR, 1)
    assert recall == pytest.approx(expected, abs=0.01)


def test_crowded_scenes_agree_but_for_neighbours() -> None:
    recall, expected = evaluated(replace(SCENES, crowding=0.5), DETECTOR, 2)
    assert recall == pytest.approx(expected, abs=0.02)


def test_a_better_detector_gets_a_better_figure() -> None:
    truth = simulate_ground_truth(SCENES, 3)
    ground_truth = as_coco_ground_truth(truth)

    def average_precision(**change: float) -> float:
        found = simulate_detections(truth, replace(DETECTOR, **change), 4)  # type: ignore[arg-type]
        value = boxscore.evaluate(ground_truth, as_coco_results(found)).summary["AP"]
        assert value is not None
        return value

    plain = average_precision()
    assert average_precision(recall=0.98) > plain
    assert average_precision(separation=4.0) > plain
    assert average_precision(shift=0.01, stretch=0.01) > plain
    assert average_precision(background_rate=20.0) < plain
    assert average_precision(duplicate_rate=3.0) < plain


def test_calibration_changes_no_ranking_and_no_figure() -> None:
    truth = simulate_ground_truth(SCENES, 5)
    values = [
        boxscore.evaluate(
            as_coco_ground_truth(truth),
            as_coco_results(simulate_detections(truth, replace(DETECTOR, calibration=name), 6)),
        ).summary["AP"]
        for name in ("calibrated", "over-confident", "under-confident")
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-3)
    assert values[0] == pytest.approx(values[2], abs=1e-3)
