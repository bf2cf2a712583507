"""Two runs as the sides of a gate: figures from their matches, paired image by image."""

from __future__ import annotations

from boxscore.errors import BoxscoreError, MeasureError
from boxscore.gate.lacking import held_together
from boxscore.gate.rules import FIXED
from boxscore.gate.run_draws import RunDraws, wanted_of
from boxscore.gate.run_parts import Parts, refuse_other_slices
from boxscore.gate.sides import BASELINE, CURRENT, Sides, described
from boxscore.gate.timings import Timings
from boxscore.model.measure import COUNTS, MEAN_IOU, Measure
from boxscore.pipeline.resampling import Resampling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.gate.checks import Key, Point
    from boxscore.gate.rules import Rule
    from boxscore.gate.sides import Drawn
    from boxscore.model.notes import Note
    from boxscore.pipeline.run import Run
    from boxscore.runs import SavedRun
    from boxscore.slices.slice import Slice


class RunSides(Sides):
    """Baseline and current run, the slices of each, and their timings (measures such as `latency[p95]`).

    `saved` are the folders of runs that came from any, by the names of `lacking.NAMES`; `own_floors`: both may have
    confidence floors of their own; `own_protocols`: another protocol fails every check of figures, instead of being
    refused. Raises InputError for runs of other protocols or other data, and for slices that
    hold other images, naming what differs.
    """

    def __init__(
        self,
        runs: tuple[Run, Run],
        slices: tuple[Sequence[Slice], Sequence[Slice]] = ((), ()),
        resampling: Resampling | None = None,
        timings: Timings | None = None,
        *,
        saved: Mapping[str, SavedRun] | None = None,
        own_floors: bool = False,
        own_protocols: bool = False,
        notes: Sequence[Note] = (),
        folder: str | None = None,
        threads: int = 1,
    ) -> None:
        self._runs = runs
        self._lacking = held_together(runs, saved, own_floors=own_floors, own_protocols=own_protocols)
        self._parts = Parts(runs[BASELINE], slices[BASELINE]), Parts(runs[CURRENT], slices[CURRENT])
        self._resampling = Resampling.of(resampling)
        self._draws = RunDraws(self._parts, self._resampling, threads=threads)
        self._timings = timings or Timings()
        self._notes = list(notes)
        self.folder = folder
        if not self._lacking:
            refuse_other_slices(*self._parts)

    @property
    def labels(self) -> tuple[Sequence[str], Sequence[str]]:
        """Labels of both runs."""
        return list(self._runs[BASELINE].labels), list(self._runs[CURRENT].labels)

    @property
    def slices(self) -> tuple[Sequence[str], Sequence[str]]:
        """Slices of both runs, and the devices that were timed."""
        devices = self._timings.slices
        baseline, current = ([*parts.slices] for parts in self._parts)
        return baseline + devices[BASELINE], current + devices[CURRENT]

    @property
    def unpaired(self) -> str | None:
        """Images or labels that the current run lacks."""
        return self._lacking.words

    @property
    def lacking(self) -> Sequence[tuple[str, str, int | None, int | None]]:
        """The same, one by one."""
        return self._lacking.rows

    @property
    def notes(self) -> list[Note]:
        """About slices, then about units, where any were drawn."""
        return [*self._notes, *(self._draws.units.notes if self._draws.begun else [])]

    @property
    def unit(self) -> str:
        """What is drawn: `image` or `group`."""
        return self._draws.units.kind

    @property
    def drawn(self) -> dict[str, Any]:
        """What is drawn, and how often."""
        return described(self.unit, self._draws.units.count, self._resampling)

    def check(self, rule: Rule) -> None:
        """Raises MeasureError or ProtocolError for a measure that the runs can't give, naming the rule."""
        if self._timings.check(rule):
            return
        try:
            measure = Measure.parse(rule.measure)
            # A measure that another protocol can't give has nothing to do with the rule, and is told as missing.
            for run in self._runs[:CURRENT] if self._lacking.other_protocol else self._runs:
                run.explain(measure)
            if rule.judge != FIXED:
                wanted_of(self._runs[BASELINE], measure, None)
        except BoxscoreError as error:
            raise type(error)(f"{rule.place}: {error}") from None
        if measure.kind in COUNTS and rule.judge != FIXED:
            raise MeasureError(f"{rule.place}: {measure} counts what was given, and has no noise; judge it as fixed")

    def missing(self, key: Key) -> str | None:
        """Latencies that aren't there; figures of another protocol, which are none to hold to the baseline's."""
        if self._timings.has(key[0]):
            return self._timings.missing(key)
        return "not held to the baseline, whose protocol is another" if self._lacking.other_protocol else None

    def point(self, side: int, key: Key) -> Point:
        """A figure."""
        measure, label, part = key
        if self._timings.has(measure):
            return self._timings.point(side, key)
        return self._parts[side].point(Measure.parse(measure), label, part)

    def drawable(self, key: Key) -> bool:
        """All but counts of what was given, and latencies."""
        return not self._timings.has(key[0]) and Measure.parse(key[0]).kind not in COUNTS

    def swappable(self, key: Key) -> bool:
        """All of these but the mean IoU, which is of pairs."""
        return self.drawable(key) and Measure.parse(key[0]).kind != MEAN_IOU

    def basis(self, key: Key) -> int:
        """Number of units that a figure rests on."""
        return self._draws.basis(key)

    def resampled(self, keys: Sequence[Key]) -> Drawn:
        """Under bootstrap resamples of units."""
        return self._draws.resampled(keys)

    def swapped(self, keys: Sequence[Key]) -> Drawn:
        """Under swaps of detections in units."""
        return self._draws.swapped(keys)
