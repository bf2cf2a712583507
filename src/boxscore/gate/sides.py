"""What a gate asks of the two things it compares, whatever they are: run folders, tables of figures or of samples."""

from __future__ import annotations

from abc import ABC, abstractmethod

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.gate.checks import Key, Point
    from boxscore.gate.rules import Rule
    from boxscore.model.notes import Note
    from boxscore.pipeline.resampling import Resampling

    Values = NDArray[np.float64]

BASELINE, CURRENT = 0, 1


class Drawn:
    """Replicates of figures of both sides under the same draws.

    `values`: [replicates, 2, keys], baseline and current, NaN where a figure does not exist; `exact`: whether the
    replicates (of swaps) are all there are.
    """

    __slots__ = ("exact", "values")

    def __init__(self, values: Values, *, exact: bool = False) -> None:
        self.values = values
        self.exact = exact


def described(unit: str, num_units: int, how: Resampling) -> dict[str, Any]:
    """What is drawn, and how often, ready for JSON."""
    return {"unit": unit, "units": num_units, "replicates": how.replicates, "seed": how.seed}


class Sides(ABC):
    """The baseline and the current side. `folder`: the current run's, None where it is none."""

    folder: str | None = None

    @property
    @abstractmethod
    def labels(self) -> tuple[Sequence[str], Sequence[str]]:
        """Labels of both."""

    @property
    @abstractmethod
    def slices(self) -> tuple[Sequence[str], Sequence[str]]:
        """Slices of both."""

    @abstractmethod
    def check(self, rule: Rule) -> None:
        """Raises InputError, MeasureError or ProtocolError for a rule that these can't be held to."""

    @abstractmethod
    def point(self, side: int, key: Key) -> Point:
        """The figure of a side (BASELINE or CURRENT), or why it does not exist."""

    def missing(self, key: Key) -> str | None:
        """Why a check can't be made at all, which fails it; None where it can."""
        del key
        return None

    @property
    def unpaired(self) -> str | None:
        """Why the two can't be held against each other unit by unit; None where they can."""
        return None

    @property
    def lacking(self) -> Sequence[tuple[str, str, int | None, int | None]]:
        """What the current side lacks as a whole: (`images`, in words, how many the baseline has, how many it has).

        Counts are None of what is no number, such as the protocol.
        """
        return []

    @property
    def notes(self) -> Sequence[Note]:
        """What is worth knowing."""
        return []

    @property
    def unit(self) -> str:
        """What is drawn."""
        return "unit"

    @property
    def drawn(self) -> dict[str, Any] | None:
        """What is drawn, and how often, ready for JSON; None where nothing can be."""
        return None

    def drawable(self, key: Key) -> bool:
        """Whether a figure has replicates."""
        del key
        return False

    def swappable(self, key: Key) -> bool:
        """Whether a figure has replicates under swaps, too."""
        return self.drawable(key)

    def basis(self, key: Key) -> int:
        """Number of units that a figure rests on."""
        raise InputError(f"{key[0]}: there are no units behind it")

    def resampled(self, keys: Sequence[Key]) -> Drawn:
        """Under bootstrap resamples of units."""
        raise InputError(f"{keys[0][0]}: there are no units to resample")

    def swapped(self, keys: Sequence[Key]) -> Drawn:
        """Under swaps of the two sides in units."""
        raise InputError(f"{keys[0][0]}: there are no units to swap")
