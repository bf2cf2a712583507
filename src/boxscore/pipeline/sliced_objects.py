"""What is found of slices of objects; false positives, which have no object, count once beside them."""

from __future__ import annotations

from boxscore.errors import MeasureError
from boxscore.measures import rates
from boxscore.model.measure import BEST, MEANS, Measure
from boxscore.pipeline import operating
from boxscore.pipeline.localisation import partners
from boxscore.pipeline.sliced_images import Asked, average_of
from boxscore.slices.slice import NO_OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.slices.slice import Slice

    Row = dict[str, Any]
    Shares = NDArray[np.float64]

_KINDS = ("recall", "TP", "FN", "AR", "objects")


def rows(
    run: Run,
    slices: Sequence[Slice],
    measures: Sequence[Measure] | None = None,
    *,
    per_label: bool = True,
    resampling: Resampling | None = None,
) -> list[Row]:
    """Rows of the tidy table: slice by slice, then those of `no object`. Of `measures` those that objects can have."""
    if not slices:
        return []
    labels: list[str | None] = [None, *(run.labels if per_label and not run.label_agnostic else ())]
    own = default_measures(run) if measures is None else [one for one in measures if _is_of_objects(one)]
    asked = [Asked(run, one, label, average_of(run, one, label)) for label in labels for one in own]
    found = Found(run)
    made = [_row(found, one, figure) for one in slices for figure in asked]
    if resampling is not None:
        from boxscore.pipeline import sliced_object_intervals

        sliced_object_intervals.fill(run, found, slices, made, resampling)
    return made + (_false_positives(run, labels) if measures is None or _wants_false(measures) else [])


def default_measures(run: Run) -> list[Measure]:
    """Recall, TP and FN at the first threshold (at an operating point: at each), AR where there is no floor."""
    thresholds = run.protocol.iou_thresholds if run.floors is not None else run.protocol.iou_thresholds[:1]
    plain = run.floors is not None and len(thresholds) == 1
    own = [Measure(kind, iou=None if plain else iou) for iou in thresholds for kind in ("recall", "TP", "FN")]
    return [*([] if run.floors is not None else [Measure("AR")]), *own, Measure("objects")]


class Found:
    """Which objects are found, by threshold, area range and confidence.

    Matching is that of the whole run: an object of a slice may be taken by a detection that others of its image want.
    """

    __slots__ = ("_cells", "label", "run")

    def __init__(self, run: Run) -> None:
        import numpy as np

        self.run = run
        self.label = np.array(memoryview(run.matches.ground_truth.column("label")), dtype=np.int64)
        self._cells: dict[tuple[int, object], Shares] = {}

    def share(self, measure: Measure) -> tuple[Shares, NDArray[np.bool_]]:
        """Of each object in what share of the measure's thresholds it is found, and which objects count.

        Raises MeasureError, ProtocolError.
        """
        import numpy as np

        run = self.run
        if measure.kind in MEANS or measure.kind == "objects":
            thresholds = list(run.protocol.iou_thresholds) if measure.iou is None else [measure.iou]
            floors = None
        else:
            operating.point(run).place(measure)  # refuses a threshold that is left open
            thresholds = [run.protocol.iou_thresholds[0] if measure.iou is None else measure.iou]
            floors = operating.floors_of(run) if measure.conf is None else [float(measure.conf)] * len(run.labels)
        cells = [run.matches.cell(iou, measure.area) for iou in thresholds]
        shares = np.mean([self._found(cell, floors) for cell in cells], axis=0)
        return shares, ~self._bit("ignored", cells[0])

    def _bit(self, name: str, cell: int) -> NDArray[np.bool_]:
        import numpy as np

        bits = np.array(memoryview(self.run.matches.ground_truth.column(name)), dtype=np.uint64)
        return ((bits >> np.uint64(cell)) & np.uint64(1)).astype(bool)

    def _found(self, cell: int, floors: Sequence[float] | None) -> Shares:
        import numpy as np

        key = (cell, None if floors is None else tuple(floors))
        if key not in self._cells:
            taken = self._bit("matched", cell)
            if floors is not None:
                taken &= self._above(cell, floors)
            self._cells[key] = taken.astype(np.float64)
        return self._cells[key]

    def _above(self, cell: int, floors: Sequence[float]) -> NDArray[np.bool_]:
        """Objects that a detection at or above its label's floor took."""
        import numpy as np

        detections = self.run.matches.detections
        score = np.array(memoryview(detections.column("score")))
        label = np.array(memoryview(detections.column("label")), dtype=np.int64)
        objects = partners(self.run, cell)
        above = np.zeros(len(self.label), dtype=bool)
        above[objects[(objects >= 0) & (score >= np.array(floors)[label])]] = True
        return above


def _is_of_objects(measure: Measure) -> bool:
    """Whether objects alone can have it: no figure in which false positives take part."""
    if measure.kind not in _KINDS or measure.max_detections is not None:
        return False
    if measure.conf == BEST:
        raise MeasureError(f"{measure} weighs false positives, which slices of objects don't have; give a confidence")
    return True


def _wants_false(measures: Sequence[Measure]) -> bool:
    return any(measure.kind in ("FP", "precision") or measure.beta is not None for measure in measures)


def _row(found: Found, one: Slice, asked: Asked) -> Row:
    import numpy as np

    from boxscore.measures.table import row_of

    shares, counting = found.share(asked.measure)
    inside = one.mask & counting
    of_labels = []
    for position in asked.positions if asked.label is not None or asked.average == "macro" else [None]:
        chosen = inside if position is None else inside & (found.label == position)
        of_labels.append((float(shares[chosen].sum()), int(chosen.sum())))
    objects = sum(count for _, count in of_labels)
    value, reason = _figure(asked, of_labels, objects)
    images = np.array(memoryview(found.run.matches.ground_truth.column("image")), dtype=np.int64)
    row = row_of(
        str(asked.measure), asked.label, asked.average, value, reason, len(np.unique(images[one.mask])), objects
    )
    return row | {"slice": one.name}


def _figure(asked: Asked, of_labels: Sequence[tuple[float, int]], objects: int) -> rates.Figure:
    kind = asked.measure.kind
    taken = sum(share for share, _ in of_labels)
    if kind in ("TP", "FN", "objects"):
        return {"TP": int(taken), "FN": objects - int(taken), "objects": objects}[kind], None
    figures = [(share / count, None) if count else (None, rates.NO_OBJECTS) for share, count in of_labels]
    return rates.mean(figure for figure in figures if figure[0] is not None)


def _false_positives(run: Run, labels: Sequence[str | None]) -> list[Row]:
    """False positives have no object, so that they belong to no slice of objects: here they stand once."""
    from boxscore.measures.table import row_of

    thresholds = run.protocol.iou_thresholds if run.floors is not None else run.protocol.iou_thresholds[:1]
    plain = run.floors is not None and len(thresholds) == 1
    found = []
    for label in labels:
        for iou in thresholds:
            measure = Measure("FP", iou=None if plain else iou)
            value, reason = run.explain(measure, label)
            average = "sum" if label is None else None
            row = row_of(str(measure), label, average, value, reason, run.num_images, 0)
            found.append(row | {"slice": NO_OBJECT})
    return found
