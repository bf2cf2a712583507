"""Latencies of both sides: files of milliseconds, one value a run of the model, by device."""

from __future__ import annotations

from boxscore.errors import InputError, MeasureError
from boxscore.gate.rules import FIXED, HIGHER
from boxscore.gate.statistic import Statistic
from boxscore.io import latencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from boxscore.gate.checks import Key, Point
    from boxscore.gate.rules import Rule

    ByDevice = Mapping[str | None, list[float]]

DERIVED = "latency"
"""Name under which a promoted baseline keeps its latencies."""

LATENCY = "latency"
_DEVICE = "device="


class Timings:
    """Milliseconds by device (None: not named), of the baseline and of the current run; None: there are none."""

    def __init__(self, baseline: ByDevice | None = None, current: ByDevice | None = None) -> None:
        self._sides = baseline, current

    @property
    def slices(self) -> tuple[list[str], list[str]]:
        """Devices as slices, such as `device=Orin`."""
        baseline, current = ([f"{_DEVICE}{one}" for one in side or {} if one is not None] for side in self._sides)
        return baseline, current

    def has(self, measure: str) -> bool:
        """Whether a measure is one of latencies."""
        return measure.partition("[")[0] == LATENCY

    def check(self, rule: Rule) -> bool:
        """Whether a rule is about latencies. Raises InputError for one that latencies can't be held to."""
        if not self.has(rule.measure):
            return False
        try:
            Statistic.parse(rule.measure)
        except MeasureError as error:
            raise MeasureError(f"{rule.place}: {error}") from None
        if rule.judge != FIXED or rule.labels is not None:
            what = "label" if rule.labels is not None else f"judge {rule.judge}"
            raise InputError(
                f"{rule.place}: {rule.measure} takes no {what}: latencies are of no images; judge it fixed"
            )
        if rule.better == HIGHER:
            raise InputError(f"{rule.place}: a higher latency is not better; leave `better` out")
        return True

    def missing(self, key: Key) -> str | None:
        """Why a check can't be made at all; None where it can."""
        for name, side, option in zip(
            ("the baseline", "the current run"), self._sides, ("--baseline-latency", "--latency"), strict=True
        ):
            if side is None:
                return f"{name} has no latencies; give them with {option} FILE"
            if key[2] is None and len(side) > 1:
                return f"{name} has latencies of several devices; name one in the rule: slice: {_DEVICE}NAME"
        return None

    def point(self, side: int, key: Key) -> Point:
        """The figure of a side."""
        return _point(self._sides[side] or {}, key)


def read(path: str | PathLike[str]) -> ByDevice:
    """Milliseconds by device. Raises InputError that names file and row."""
    found: dict[str | None, list[float]] = {}
    for _, device, milliseconds in latencies.rows(path):
        found.setdefault(device, []).append(milliseconds)
    return found


def kept(folder: str | PathLike[str]) -> ByDevice | None:
    """Those that a run folder keeps; None where it keeps none. Raises InputError for a damaged file."""
    from boxscore.runs.derived import read_derived

    content = read_derived(folder, DERIVED)
    if content is None:
        return None
    return {one["device"]: [float(value) for value in one["latency_ms"]] for one in content["latencies"]}


def keep(folder: str | PathLike[str], by_device: ByDevice) -> None:
    """Let a run folder keep them. Raises InputError where it can't be written."""
    from boxscore.runs.derived import write_derived

    listed = [{"device": device, "latency_ms": list(values)} for device, values in by_device.items()]
    write_derived(folder, DERIVED, {"latencies": listed})


def _point(by_device: ByDevice, key: Key) -> Point:
    import numpy as np

    measure, _, part = key
    if part is None:
        values = next(iter(by_device.values())) if len(by_device) == 1 else []
    else:
        values = by_device.get(part.removeprefix(_DEVICE), [])
    found = Statistic.parse(measure).of(np.array(values, dtype=np.float64))
    return found, None if found is not None else "no latency was measured"
