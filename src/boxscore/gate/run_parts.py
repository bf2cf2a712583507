"""A run and its slices; each slice of images is a run of its own, so that its figures are had as those of the whole."""

from __future__ import annotations

from boxscore.errors import InputError, MeasureError
from boxscore.model.labels import id_text
from boxscore.pipeline import operating
from boxscore.slices.slice import IMAGE, OBJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Point
    from boxscore.measures.operating_point import OperatingPoint
    from boxscore.model.measure import Measure
    from boxscore.pipeline.run import Run
    from boxscore.slices.slice import Slice


class Parts:
    """Slices of a run by name; None names the whole. Each is cut when it is first asked for."""

    __slots__ = ("_made", "_points", "run", "slices")

    def __init__(self, run: Run, slices: Sequence[Slice]) -> None:
        self.run = run
        self.slices = {one.name: one for one in slices}
        self._made: dict[str | None, Run] = {None: run}
        self._points: dict[str | None, OperatingPoint] = {}

    def part(self, name: str | None) -> Run:
        """The run over a slice of images."""
        if name not in self._made and name is not None:
            from boxscore.pipeline.sliced_part import part

            self._made[name] = part(self.run, self.slices[name].mask)
        return self._made[name]

    def images(self, name: str | None) -> NDArray[np.bool_] | None:
        """Which images of the whole a slice has; None: all."""
        return None if name is None else self.slices[name].mask

    def of_objects(self, name: str | None) -> bool:
        """Whether a slice is one of objects."""
        return name is not None and self.slices[name].kind == OBJECT

    def point(self, measure: Measure, label: str | None, name: str | None) -> Point:
        """A figure, or why it does not exist. Raises MeasureError for one that a slice of objects can't have."""
        if not self.of_objects(name) or name is None:
            return self._explained(measure, label, name)
        from boxscore.pipeline import sliced_objects

        rows = sliced_objects.rows(self.run, [self.slices[name]], [measure], per_label=label is not None)
        row = next((row for row in rows if (row["label"], row["slice"]) == (label, name)), None)
        if row is None:
            raise MeasureError(
                f"slice {name!r} is one of objects, which have no {measure.kind}; rules on it take recall, TP, FN or AR"
            )
        return row["value"], row["reason"]

    def _explained(self, measure: Measure, label: str | None, name: str | None) -> Point:
        run = self.part(name)
        if not measure.at_point:
            return run.explain(measure, label)
        # One for all figures of a part, so that it counts once.
        if name not in self._points:
            self._points[name] = operating.point(run)
        return self._points[name].figure(
            measure, range(len(run.labels)) if label is None else [run.labels.index(label)]
        )


def refuse_other_slices(baseline: Parts, current: Parts) -> None:
    """Raises InputError for a slice that holds other images (or objects) of the baseline than of the current run."""
    import numpy as np

    for name, ours in current.slices.items():
        its = baseline.slices.get(name)
        if its is None or (ours.kind == its.kind and np.array_equal(ours.mask, its.mask)):
            continue
        where = "what it holds"
        if ours.kind == its.kind:
            at = int(np.flatnonzero(ours.mask != its.mask)[0])
            what = f"image {id_text(current.run.image_ids[at])}" if ours.kind == IMAGE else f"object {at}"
            where = f"{what}, which {'the current run' if ours.mask[at] else 'the baseline'} alone has in it"
        raise InputError(
            f"slice {name!r} is not the same part of both runs: they differ in {where}; give both the same metadata"
        )
