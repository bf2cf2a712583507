"""Resampling: how the uncertainty of a figure is found, as a user asks for it."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.model.given import number, shown, whole_number
from boxscore.stats.intervals import DEFAULT, METHODS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHOICES: dict[str, tuple[str | None, ...]] = {
    "unit": (None, "image", "group"),
    "ungrouped": ("error", "single"),
    "interval": METHODS,
}

_MOST_REPLICATES = 1_000_000
_MOST_SEED = 2**64 - 1


class Resampling:
    """Resamples from which intervals, and the verdicts of comparisons, are made.

    - `replicates`: how many are drawn; `seed` decides which. Where all there are can be listed, they are.
    - `unit`: what is drawn: each `image` by itself, or all images of a `group` (clip, session, camera) together; None:
      groups where the data have them or `group_by` or `group_regex` make them, else images.
    - `group_by`: a field of the images (of a COCO file, such as `clip`; of a table, a column) that names their group.
    - `group_regex`: a regular expression with one named group, looked for in file names: what it catches is the group.
    - `ungrouped`: an image without a group is an `error`, or a group of its own (`single`).
    - `confidence`: how often, in the long run, an interval is to hold what it is an interval of.
    - `interval`: `percentile`, `midpoint`, `basic`, `bca` or `student` (docs/intervals.md).

    Raises InputError that names the field.
    """

    __slots__ = ("confidence", "group_by", "group_regex", "interval", "replicates", "seed", "ungrouped", "unit")

    def __init__(
        self,
        *,
        replicates: int = 1000,
        seed: int = 0,
        unit: str | None = None,
        group_by: str | None = None,
        group_regex: str | None = None,
        ungrouped: str = "error",
        confidence: float = 0.95,
        interval: str = DEFAULT,
    ) -> None:
        self.replicates = _whole(replicates, self.named("replicates"), 1, _MOST_REPLICATES)
        self.seed = _whole(seed, self.named("seed"), 0, _MOST_SEED)
        self.unit = unit
        self.group_by = group_by
        self.group_regex = group_regex
        self.ungrouped = ungrouped
        self.confidence = _share(confidence, self.named("confidence"))
        self.interval = interval
        for field, allowed in CHOICES.items():
            value = getattr(self, field)
            if not isinstance(value, str | None) or value not in allowed:
                named = ", ".join(choice for choice in allowed if choice is not None)
                raise InputError(f"{self.named(field)} is {shown(value)}; it must be one of {named}")
        self._check_grouping()

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """`group_regex`, compiled."""
        return None if self.group_regex is None else re.compile(self.group_regex)

    @staticmethod
    def of(given: object) -> Resampling:
        """What is given as `resampling=`; the default where nothing is. Raises InputError for anything else."""
        if given is None:
            return Resampling()
        if not isinstance(given, Resampling):
            raise InputError(f'resampling is {shown(given)}; give a Resampling, such as Resampling(group_by="clip")')
        return given

    def option(self, field: str, choice: str) -> str:
        """How a user asks for another choice: `Resampling(unit="image")`. Remedies name it so."""
        return f'Resampling({field}="{choice}")'

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, ready for JSON."""
        return {field: getattr(self, field) for field in Resampling.__slots__}

    def named(self, field: str) -> str:
        """How a field goes in messages."""
        return f"resampling: {field}"

    def _check_grouping(self) -> None:
        given = []
        for field in ("group_by", "group_regex"):
            value = getattr(self, field)
            if value is not None and (not isinstance(value, str) or not value):
                raise InputError(f"{self.named(field)} is {shown(value)}; it must be a text that is not empty")
            given += [] if value is None else [self.named(field)]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} are both given; one of them decides the groups")
        if given and self.unit == "image":
            raise InputError(
                f"{given[0]} makes groups, and {self.option('unit', 'image')} would not use them; leave one out"
            )
        if self.group_regex is not None:
            check_regex(self.group_regex, self.named("group_regex"))

    def __repr__(self) -> str:
        return f"Resampling({', '.join(f'{field}={value!r}' for field, value in self.to_dict().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resampling) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.to_dict().values()))


def check_regex(text: str, name: str) -> None:
    """Raise InputError unless it is an expression with one named group; `name` is how it goes in the message."""
    remedy = r"write one such as '(?P<clip>clip\d+)_' that catches the group in a file name"
    try:
        named = list(re.compile(text).groupindex)
    except re.error as error:
        raise InputError(f"{name} {shown(text)} is no regular expression: {error}; {remedy}") from None
    if len(named) != 1:
        has = "none" if not named else ", ".join(named)
        raise InputError(f"{name} {shown(text)} needs one named group, and has {has}; {remedy}")


def _whole(value: object, name: str, least: int, most: int) -> int:
    stated = whole_number(value)
    if stated is None or not least <= stated <= most:
        raise InputError(f"{name} is {shown(value)}; it must be a whole number from {least} to {most}")
    return stated


def _share(value: object, name: str) -> float:
    stated = number(value)
    if stated is None or not 0.0 < stated < 1.0:
        raise InputError(f"{name} is {shown(value)}; it must lie between 0 and 1, such as 0.95")
    return float(stated)
