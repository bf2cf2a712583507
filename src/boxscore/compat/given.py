"""From `evalImgs` back to matches: for lists that were put together elsewhere, as distributed training loops do."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _kernel
from boxscore.compat.evaluation import Part, blocks, cell_bits
from boxscore.compat.params import Settings
from boxscore.errors import InputError

_NOT_KEPT = 4294967295
"""The kernel's "no ground truth": which one was taken plays no part in accumulation."""

Entry = dict[str, Any]
Truths = npt.NDArray[np.bool_]


def parts_of(entries: Any, settings: Settings) -> list[Part]:
    """Matches from `evalImgs`, a list (or an array of any shape) in the order category, area range, image.

    Each area range is a part of its own, so that nothing is asked of one that an entry of another says.
    Raises InputError where their number, or the thresholds of one, are not those of the evaluation.
    """
    listed = entries.ravel().tolist() if isinstance(entries, np.ndarray) else list(entries)
    labels, areas, images = len(settings.labels), len(settings.area_ranges), len(settings.image_ids)
    if len(listed) != labels * areas * images:
        raise InputError(
            f"evalImgs has {len(listed)} entries; {labels} categories, {areas} area ranges and {images} images need "
            f"{labels * areas * images}: set params (and _paramsEval, a copy) to what was evaluated"
        )
    parts = []
    for area in range(areas):
        chosen = _of_area(listed, area, (labels, areas, images))
        for _, thresholds in blocks(1, len(settings.thresholds)):
            matches = _matches(chosen, thresholds, len(settings.thresholds), images)
            parts.append(Part(slice(area, area + 1), thresholds, matches))
    return parts


def _of_area(listed: list[Entry | None], area: int, sizes: tuple[int, int, int]) -> list[tuple[int, int, Entry]]:
    """Image, label and entry of what there is, by image and label as the kernel orders its rows."""
    labels, areas, images = sizes
    chosen = []
    for image in range(images):
        for label in range(labels):
            entry = listed[(label * areas + area) * images + image]
            if entry is not None:
                chosen.append((image, label, entry))
    return chosen


def _matches(chosen: list[tuple[int, int, Entry]], part: slice, thresholds: int, images: int) -> _kernel.Matches:
    matched, ignored, unwanted, scores = [], [], [], []
    for _, _, entry in chosen:
        taken = np.asarray(entry["dtMatches"])
        if taken.ndim != 2 or len(taken) != thresholds:
            raise InputError(f"evalImgs: dtMatches has shape {taken.shape}; it must have {thresholds} rows")
        matched.append(taken[part] != 0)
        ignored.append(np.asarray(entry["dtIgnore"])[part].astype(bool))
        unwanted.append(np.asarray(entry["gtIgnore"]).astype(bool))
        scores.append(np.asarray(entry["dtScores"], dtype=np.float64))
    detections, objects = [len(own) for own in scores], [len(own) for own in unwanted]
    count = part.stop - part.start
    everything = np.uint64((1 << count) - 1)
    gt_ignored = _joined(unwanted, bool).astype(np.uint64) * everything
    columns = {
        **_places(chosen, detections, ""),
        "score": _joined(scores, np.float64),
        "rank": _joined([np.arange(own) for own in detections], np.uint32),
        "matched": cell_bits(_rows(matched, count)),
        "ignored": cell_bits(_rows(ignored, count)),
        "gt": np.full(sum(detections), _NOT_KEPT, dtype=np.uint32),
        **_places(chosen, objects, "object_"),
        "object_matched": np.zeros(sum(objects), dtype=np.uint64),
        "object_ignored": gt_ignored,
    }
    return _kernel.Matches.from_state(count, images, {name: values.tobytes() for name, values in columns.items()})


def _places(chosen: list[tuple[int, int, Entry]], counts: list[int], prefix: str) -> dict[str, npt.NDArray[Any]]:
    image, label = (np.array([entry[axis] for entry in chosen], dtype=np.uint32) for axis in (0, 1))
    return {f"{prefix}image": np.repeat(image, counts), f"{prefix}label": np.repeat(label, counts)}


def _joined(arrays: list[npt.NDArray[Any]], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, dtype=kind), *arrays]).astype(kind)


def _rows(arrays: Iterable[Truths], count: int) -> list[Truths]:
    return list(np.concatenate([np.empty((count, 0), dtype=bool), *arrays], axis=1))
