"""`ious`: overlaps of each image's and category's detections with its ground truth."""

from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.compat.evaluation import Evaluation
from boxscore.compat.groups import Groups

Floats = npt.NDArray[np.float64]


def overlaps(evaluation: Evaluation) -> dict[tuple[Any, Any], Any]:
    """By image and category id, an array [D, G], or an empty list where it would have no entries.

    Detections are best first, up to the largest limit; ground truth is in file order.
    """
    settings = evaluation.settings
    found: dict[tuple[Any, Any], Any] = {(i, c): [] for i in settings.image_ids for c in settings.labels}
    groups = Groups(evaluation)
    truths, boxes = evaluation.objects.boxes[groups.objects], evaluation.detections.boxes[groups.detections]
    crowd = evaluation.objects.flags["iscrowd"][groups.objects] != 0
    for image, label, objects, detections in groups:
        if objects.start < objects.stop and detections.start < detections.stop:
            key = (settings.image_ids[image], settings.labels[label])
            found[key] = box_overlaps(boxes[detections], truths[objects], crowd[objects])
    return found


def box_overlaps(detections: Floats, truths: Floats, crowd: npt.NDArray[np.bool_]) -> Floats:
    """Intersection over union, for crowds over the detection's area, of boxes x, y, w, h: [D, 4] and [G, 4] to [D, G].

    In pycocotools' order of operations, so that the bits are its own.
    """
    d, g = detections[:, None], truths[None]
    w, h = (
        np.minimum(d[..., axis + 2] + d[..., axis], g[..., axis + 2] + g[..., axis])
        - np.maximum(d[..., axis], g[..., axis])
        for axis in (0, 1)
    )
    apart = (w <= 0) | (h <= 0)
    shared = np.where(apart, 0.0, w * h)
    own = d[..., 2] * d[..., 3]
    union = np.where(crowd, own, own + g[..., 2] * g[..., 3] - shared)
    return np.divide(shared, union, out=np.zeros_like(shared), where=~apart)
