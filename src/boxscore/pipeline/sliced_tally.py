"""Rows counted by slice of images and label."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.model.measure import Measure
    from boxscore.pipeline.run import Run


class Tally:
    """Objects and detections by slice (`masks` [slices, images]) and label."""

    __slots__ = ("_detections", "_masks", "_objects", "_run")

    def __init__(self, run: Run, masks: NDArray[np.bool_]) -> None:
        self._run = run
        self._masks = masks
        self._objects: dict[int, list[list[int]]] = {}
        self._detections: list[list[int]] | None = None

    def objects(self, number: int, measure: Measure, positions: Sequence[int]) -> int:
        """Objects to be found of some labels, in the measure's area range."""
        area = self._run.protocol.area_index(measure.area)
        if area not in self._objects:
            self._objects[area] = self._counted_objects(area)
        return _sum(self._objects[area][number], positions)

    def count(self, number: int, kind: str, positions: Sequence[int]) -> int:
        """Images, objects or detections (those beyond the limit included) of a slice."""
        if kind == "images":
            return int(self._masks[number].sum())
        if kind == "objects":
            if 0 not in self._objects:
                self._objects[0] = self._counted_objects(0)
            return _sum(self._objects[0][number], positions)
        if self._detections is None:
            self._detections = self._counted(self._run.matches.detections)
        return _sum(self._detections[number], positions)

    def _counted_objects(self, area: int) -> list[list[int]]:
        import numpy as np

        table = self._run.matches.ground_truth
        cell = area * len(self._run.protocol.iou_thresholds)
        ignored = np.array(memoryview(table.column("ignored")), dtype=np.uint64)
        return self._counted(table, (ignored >> np.uint64(cell)) & np.uint64(1) == 0)

    def _counted(self, table: object, keep: NDArray[np.bool_] | None = None) -> list[list[int]]:
        """[slices][labels]. Rows of one image and label are joined first: there are far fewer such pairs than rows."""
        import numpy as np

        labels = len(self._run.labels)
        image, label = (np.array(memoryview(table.column(name)), dtype=np.int64) for name in ("image", "label"))  # type: ignore[attr-defined]  # a kernel table
        keys = image * labels + label
        pairs, counts = np.unique(keys if keep is None else keys[keep], return_counts=True)
        of_image, of_label = np.divmod(pairs, max(labels, 1))
        found = []
        for mask in self._masks:
            inside = mask[of_image]
            found.append(np.bincount(of_label[inside], weights=counts[inside], minlength=labels).astype(int).tolist())
        return found


def _sum(counts: Sequence[int], positions: Sequence[int]) -> int:
    return counts[positions[0]] if len(positions) == 1 else sum(counts[position] for position in positions)
