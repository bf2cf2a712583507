"""Figures of two runs under draws of units: images, or groups of them."""

from __future__ import annotations

from boxscore.gate import draws, object_draws
from boxscore.gate.sides import BASELINE, CURRENT, Drawn
from boxscore.model.measure import Measure
from boxscore.pipeline import operating
from boxscore.pipeline.identity import refuse_other_groups
from boxscore.pipeline.units import units_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Key
    from boxscore.gate.run_parts import Parts
    from boxscore.measures.resampled import Model, Wanted
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.stats.plans import Plan

    Values = NDArray[np.float64]
    Draw = Callable[[Sequence[Model], Sequence[Wanted], Plan], Values]

_WITHOUT_OBJECTS = ("precision", "TP", "FP", "ignored", "FPPI")
"""Measures that exist, or move, without objects."""


class RunDraws:
    """Draws over the units of two runs (baseline, current) and their slices, each made when it is first asked for."""

    def __init__(self, parts: tuple[Parts, Parts], resampling: Resampling, *, threads: int = 1) -> None:
        self._parts = parts
        self._resampling = resampling
        self._threads = threads
        self._units: Units | None = None
        self._resampled: dict[Key, Values] = {}

    @property
    def begun(self) -> bool:
        """Whether units were asked for."""
        return self._units is not None

    @property
    def units(self) -> Units:
        """Images, or groups. Raises InputError where the runs have other groups."""
        if self._units is None:
            baseline, current = (parts.run for parts in self._parts)
            self._units = units_of(current, self._resampling)
            refuse_other_groups({"the current run": current, "the baseline": baseline}, self._units)
        return self._units

    def basis(self, key: Key) -> int:
        """Units with objects of the label in the slice; for measures that need no objects, those with images in it."""
        import numpy as np

        name, label, part = key
        parts, measure = self._parts[CURRENT], Measure.parse(name)
        if parts.of_objects(part):
            return object_draws.basis(key, parts, self.units.of_image)
        units = self._units_in(part)
        if measure.kind in _WITHOUT_OBJECTS:
            return len(np.unique(units))
        run = parts.part(part)
        cell = np.uint64(run.matches.cell(run.protocol.iou_thresholds[0], measure.area))
        objects = run.matches.ground_truth
        counts = (np.asarray(objects.column("ignored")) >> cell) & np.uint64(1) == 0
        if label is not None:
            counts &= np.asarray(objects.column("label")) == run.labels.index(label)
        return len(np.unique(units[np.asarray(objects.column("image"))[counts]]))

    def resampled(self, keys: Sequence[Key]) -> Drawn:
        """Figures of both under the same resamples of units, the same for all slices; each is drawn once."""
        import numpy as np

        from boxscore.measures.resampled import resample

        def drawn(models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
            return resample(models, wanted, plan, threads=self._threads)

        new = [key for key in dict.fromkeys(keys) if key not in self._resampled]
        if new:
            values = self._by_slice(new, drawn, swaps=False).values
            self._resampled |= {key: values[:, :, at] for at, key in enumerate(new)}
        return Drawn(np.stack([self._resampled[key] for key in keys], axis=-1))

    def swapped(self, keys: Sequence[Key]) -> Drawn:
        """Figures of both when they swap their detections in the units drawn."""
        from boxscore.measures.resampled import swap

        def drawn(models: Sequence[Model], wanted: Sequence[Wanted], plan: Plan) -> Values:
            return swap(models, [(BASELINE, CURRENT)], wanted, plan, threads=self._threads)[:, 0]

        return self._by_slice(keys, drawn, swaps=True)

    def _by_slice(self, keys: Sequence[Key], draw: Draw, *, swaps: bool) -> Drawn:
        import numpy as np

        plan = draws.plan_of(self.units.of_image, self.units.count, self._resampling, swaps=swaps)
        values = np.empty((plan.replicates, 2, len(keys)))
        for name, places in _grouped(keys).items():
            asked = [keys[at] for at in places]
            if self._parts[CURRENT].of_objects(name):
                values[:, :, places] = object_draws.replicates(asked, self._parts, plan, swaps=swaps)
                continue
            runs = [parts.part(name) for parts in self._parts]
            wanted = [wanted_of(runs[CURRENT], Measure.parse(measure), label) for measure, label, _ in asked]
            values[:, :, places] = draw(list(map(_model, runs)), wanted, draws.of_part(plan, self._units_in(name)))
        return Drawn(values, exact=plan.exact)

    def _units_in(self, name: str | None) -> NDArray[np.uint32]:
        """The unit of each image of a slice."""
        of_image, images = self.units.of_image, self._parts[CURRENT].images(name)
        return of_image if images is None else of_image[images]


def wanted_of(run: Run, measure: Measure, label: str | None) -> Wanted:
    """What is resampled. Raises MeasureError for what has no noise, such as counts of what was given."""
    from boxscore.measures.resampled import Wanted

    return Wanted(measure, range(len(run.labels)) if label is None else [run.labels.index(label)])


def _grouped(keys: Sequence[Key]) -> dict[str | None, list[int]]:
    """Positions of keys by slice."""
    found: dict[str | None, list[int]] = {}
    for at, key in enumerate(keys):
        found.setdefault(key[2], []).append(at)
    return found


def _model(run: Run) -> Model:
    from boxscore.measures.resampled import Model

    return Model(run.matches, run.labels.names, operating.floors_of(run), overlaps=run.overlaps)
