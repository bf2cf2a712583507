"""Files as the kernel reads them: a data set whose dicts nobody looks at never becomes dicts.

Only files without any oddity are taken this way; for all others the dicts are made at once, and what is odd is told
from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _kernel
from boxscore.compat.ids import Id
from boxscore.compat.params import Settings
from boxscore.compat.rows import Rows
from boxscore.pipeline.evaluate import thread_count

_PLAIN = frozenset(
    {
        "area-far",
        "corner-suspect",
        "degenerate",
        "ignore-without-crowd",
        "outside-image",
        "score-range",
        "scores-equal",
        "tied-scores",
        "unit-boxes",
    }
)
"""Findings that change no row. Evaluation notes them again, but for those that come of the images' sizes: these are not
looked at here, whichever way the rows come.
"""


@dataclass(frozen=True)
class Tabled:
    """The rows of one file, their image and label counting in `image_ids` and `category_ids`.

    `dataset` is the ground truth's, also of detections. Annotations have the `ids` of their file, detections those that
    `loadRes` gives.
    """

    dataset: _kernel.Dataset
    category_ids: list[Id]
    table: _kernel.Table
    ids: list[Any]
    scored: bool
    image_ids: list[Id] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "image_ids", self.dataset.image_ids)

    def rows(self, settings: Settings) -> Rows:
        """Rows of the evaluated images and categories."""
        image = _renumbered(self._column("image"), self.image_ids, settings.image_ids)
        label = _renumbered(self._column("label"), self.category_ids, settings.category_ids)
        kept = np.flatnonzero((image >= 0) & (label >= 0))
        boxes = np.stack([self._column(name)[kept] for name in ("x", "y", "w", "h")], axis=1)
        flags = {"iscrowd": "crowd", "ignore": "ignore"}
        return Rows(
            name="cocoDt" if self.scored else "cocoGt",
            image=image[kept].astype(np.uint32),
            label=label[kept].astype(np.uint32),
            boxes=boxes,
            area=boxes[:, 2] * boxes[:, 3] if self.scored else self._column("area")[kept],
            ids=self.ids if len(kept) == len(self.ids) else [self.ids[row] for row in kept],
            flags={} if self.scored else {name: self._flags(column)[kept] for name, column in flags.items()},
            score=self._column("score")[kept] if self.scored else np.empty(0),
        )

    def _column(self, name: str) -> npt.NDArray[Any]:
        return np.asarray(self.table.column(name))

    def _flags(self, name: str) -> npt.NDArray[np.uint8]:
        return np.array(self.table.column(name).to_list(), dtype=np.uint8)


def ground_truth(text: bytes) -> Tabled | None:
    """The annotations of a file's content; None where something about it is odd."""
    try:
        raw = _kernel.parse_ground_truth(text, thread_count(None))
    except _kernel.ParseError:
        return None
    categories = [category for category, _ in raw.categories]
    numbers = _numbers(categories, [category for category, _, _ in raw.category_uses])
    if numbers is None or not {"images", "annotations", "categories"} <= set(raw.sections):
        return None
    dataset, findings = _kernel.build_dataset(raw, numbers)
    ids = dataset.ground_truth.column("source_id")
    # A column can't hold integers and texts side by side as what they are.
    if not _are_plain(findings) or (ids.format != "Int64" and dataset.num_objects):
        return None
    return Tabled(dataset, categories, dataset.ground_truth, ids.to_list(), scored=False)


def results(text: bytes, truth: Tabled) -> Tabled | None:
    """The detections of a file's content; None where something about it is odd."""
    try:
        raw = _kernel.parse_results(text, thread_count(None))
    except _kernel.ParseError:
        return None
    by_name = any(use[0] for use in raw.label_uses)
    numbers = _numbers(truth.category_ids, [use[1] for use in raw.label_uses])
    if numbers is None or by_name:
        return None
    found, findings = _kernel.build_detections(raw, truth.dataset, numbers, threads=thread_count(None))
    if not _are_plain(findings):
        return None
    ids = (np.asarray(found.table.column("source_row")).astype(np.int64) + 1).tolist()
    return Tabled(truth.dataset, truth.category_ids, found.table, ids, scored=True)


def _numbers(categories: list[Id], used: list[Id]) -> list[int] | None:
    """Position of each used category; None where one is not declared, or is declared twice."""
    place = {category: position for position, category in enumerate(categories)}
    if len(place) < len(categories) or any(category not in place for category in used):
        return None
    return [place[category] for category in used]


def _are_plain(findings: Sequence[_kernel.Finding]) -> bool:
    return all(finding.code in _PLAIN for finding in findings)


def _renumbered(column: npt.NDArray[Any], own: list[Id], wanted: list[Id]) -> npt.NDArray[np.int64]:
    """Positions in `own` as positions in `wanted`; -1 where that has none."""
    place = {value: position for position, value in enumerate(wanted)}
    positions = np.array([place.get(value, -1) for value in own], dtype=np.int64)
    renumbered: npt.NDArray[np.int64] = positions[column]
    return renumbered
