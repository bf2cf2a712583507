"""`evalImgs`: what became of each box, as a dict for each category, area range and image."""

from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _kernel
from boxscore.compat.evaluation import Evaluation, blocks, outside_range
from boxscore.compat.groups import Groups

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Entry = dict[str, Any]

_NONE_TAKEN = 4294967295
"""The kernel's mark of a detection that took no ground truth."""


def entries(evaluation: Evaluation, area_ranges: Any) -> list[Entry | None]:
    """All entries in the order category, area range, image; None where an image has no boxes of the category.

    `area_ranges` are the ranges as the caller wrote them, for `aRng`. Ids are as stated (None: there is none); where
    `dtMatches` and `gtMatches` can't show an id, being 0 or a text, infinity stands for it.
    """
    settings = evaluation.settings
    images, areas = len(settings.image_ids), len(settings.area_ranges)
    table: list[Entry | None] = [None] * (len(settings.labels) * areas * images)
    groups = Groups(evaluation)
    spans = list(groups)
    detection_ids = [evaluation.detections.ids[row] for row in groups.detections.tolist()]
    scores = evaluation.detections.score[groups.detections].tolist()
    for area in range(areas):
        outcome = _Outcome(evaluation, groups, area)
        for image, label, objects, detections in spans:
            table[(label * areas + area) * images + image] = {
                "image_id": settings.image_ids[image],
                "category_id": settings.labels[label],
                "aRng": area_ranges[area],
                "maxDet": settings.limits[-1],
                "dtIds": detection_ids[detections],
                "gtIds": outcome.object_ids[objects],
                "dtMatches": outcome.taken[:, detections].copy(),
                "gtMatches": outcome.takers[:, objects].copy(),
                "dtScores": scores[detections],
                "gtIgnore": outcome.object_ignored[objects].copy(),
                "dtIgnore": outcome.ignored[:, detections].copy(),
            }
    return table


def by_place(evaluation: Evaluation, area_ranges: Any) -> dict[tuple[Any, ...], Entry]:
    """The entries that are not None, by image id, category id, and both ends of the area range."""
    made = (entry for entry in entries(evaluation, area_ranges) if entry is not None)
    return {(entry["image_id"], entry["category_id"], *entry["aRng"]): entry for entry in made}


class _Outcome:
    """All boxes in one area range: `taken` and `ignored` [T, D], `takers` [T, G]; ignored ground truth stands last."""

    def __init__(self, evaluation: Evaluation, groups: Groups, area: int) -> None:
        settings = evaluation.settings
        matches = [evaluation.assign(area, part) for _, part in blocks(1, len(settings.thresholds))]
        took = np.concatenate([_assigned(found, groups) for found in matches])
        unwanted = (np.asarray(matches[0].ground_truth.column("ignored")) & np.uint64(1)).astype(np.int64)
        hit = took != _NONE_TAKEN
        took[~hit] = 0
        outside = outside_range(evaluation.areas[groups.kept], settings.area_ranges[area])
        self.taken = np.zeros(took.shape)
        self.ignored: Truths = ~hit & outside
        if len(unwanted):
            self.taken[hit] = groups.shown[0][took[hit]]
            self.ignored |= hit & (unwanted[took] != 0)
        # Stable: file order among those that count, then among the ignored.
        order = np.lexsort((unwanted, groups.object_keys))
        self.object_ignored = unwanted[order]
        self.object_ids = [evaluation.objects.ids[row] for row in groups.objects[order].tolist()]
        self.takers = _takers(groups.shown[1], took, hit, len(order))[:, order]


def _assigned(matches: _kernel.Matches, groups: Groups) -> npt.NDArray[np.int64]:
    """Row of the ground truth that each detection took, [T, D]."""
    rows: npt.NDArray[np.int64] = np.asarray(matches.assignments).reshape(-1, matches.num_cells).T.astype(np.int64)
    return rows[:, groups.kept]


def _takers(ids: Floats, took: npt.NDArray[np.int64], hit: Truths, objects: int) -> Floats:
    """The id of the detection that took each ground truth; of several that took a crowd the last."""
    takers = np.zeros((len(took), objects))
    for threshold, row in enumerate(takers):
        own = np.flatnonzero(hit[threshold])
        # Rows are best first, and of repeated places the last assignment stays.
        row[took[threshold, own]] = ids[own]
    return takers
