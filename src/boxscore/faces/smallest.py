"""The smallest size that serves as well as the native one, by embedder, and whether one constant will do for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.faces.rates import Rate

YES, NO, UNKNOWN = "yes", "no", "can't be told"


@dataclass(frozen=True, slots=True)
class Smallest:
    """Sizes in pixels, None with a reason where there is none.

    A size takes part where at least half of the probes are larger, so that a few large ones don't decide.

    `size` is the smallest tested from which on TPI is within the margin of native at every size; `sure` the same by the
    intervals: no loss beyond the margin is likely either.
    """

    size: int | None
    sure: int | None
    reason: str | None = None
    sure_reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self)


def smallest(losses: Mapping[int, Rate], margin: float) -> Smallest:
    """From the loss of TPI at each size at which at least half of the probes were degraded."""
    if not losses:
        why = "at no size at least half of the probes were degraded: give smaller --sizes"
        return Smallest(None, None, why, why)
    largest = max(losses)
    size = _down_to(losses, margin, sure=False)
    sure = _down_to(losses, margin, sure=True)
    lost = losses[largest]
    return Smallest(
        size,
        sure,
        None
        if size is not None
        else f"at {largest} px, the largest that decides, TPI falls by {lost.value:.3f} already",
        None
        if sure is not None
        else f"at {largest} px, the largest that decides, a loss of {_bound(lost):.3f} isn't excluded",
    )


def _down_to(losses: Mapping[int, Rate], margin: float, *, sure: bool) -> int | None:
    found = None
    for size in sorted(losses, reverse=True):
        loss = losses[size]
        reached = _bound(loss) if sure else loss.value
        # Shares of few probes are coarse: 0.85 - 0.80 is to be 0.05.
        if reached is None or reached > margin + 1e-9:
            break
        found = size
    return found


def _bound(loss: Rate) -> float:
    return float("inf") if loss.high is None else loss.high


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether one size will do for several embedders: YES, NO or UNKNOWN, the size that serves all, and why."""

    verdict: str
    size: int | None
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        import dataclasses

        return dataclasses.asdict(self)


def compare(found: Mapping[str, tuple[Smallest, Mapping[int, Rate]]], margin: float) -> Comparison | None:
    """From each embedder's smallest size and losses; None for a single embedder."""
    if len(found) < 2:
        return None
    sizes = {name: one.size for name, (one, _) in found.items()}
    stated = {name: size for name, size in sizes.items() if size is not None}
    if len(stated) < len(sizes):
        without = [name for name in sizes if name not in stated]
        return Comparison(
            NO,
            None,
            f"No constant of those tested will do: {_and(without)} {_verb(without, 'has', 'have')} none within "
            f"{margin:g} of native.",
        )
    most, least = max(stated.values()), min(stated.values())
    each = ", ".join(f"{name} {size} px" for name, size in stated.items())
    if most == least:
        return Comparison(YES, most, f"One constant will do, {most} px: it is the smallest of each ({each}).")
    strict = [name for name, size in stated.items() if size > least and _fails(found[name][1], least, margin)]
    serves = f"{most} px serves all, and takes faces from {least} to {most} px from {_at(stated, least)}"
    if strict:
        return Comparison(
            NO,
            most,
            f"One constant won't do ({each}): at {least} px {_and(strict)} surely {_verb(strict, 'loses', 'lose')} "
            f"more than {margin:g}. {serves}; set a size for each.",
        )
    return Comparison(
        UNKNOWN,
        most,
        f"Whether one constant will do can't be told ({each}): the probes are too few to say that they "
        f"differ. {serves}.",
    )


def _fails(losses: Mapping[int, Rate], size: int, margin: float) -> bool:
    """Whether a size surely loses more than the margin."""
    low = losses[size].low if size in losses else None
    return low is not None and low > margin


def _at(stated: Mapping[str, int], size: int) -> str:
    return _and([name for name, own in stated.items() if own == size])


def _verb(names: Sequence[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
