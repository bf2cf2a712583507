"""Numbers of a study as its report and its documents print them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NONE = "n/a"
_PERCENT = 100


class Format:
    """How a figure of a measure is printed: places, in percent or not; counts are whole."""

    __slots__ = ("_factor", "_places")

    def __init__(self, measure: str, digits: int, *, percent: bool = False) -> None:
        from boxscore.model.measure import TALLIES, Measure

        count = Measure.parse(measure).kind in TALLIES
        self._factor = _PERCENT if percent and not count else 1
        self._places = 0 if count else max(digits - 2, 0) if percent else digits

    def figure(self, value: float | None) -> str:
        """`0.716`."""
        return NONE if value is None else _without_minus_zero(f"{value * self._factor:.{self._places}f}")

    def difference(self, value: float | None) -> str:
        """`+0.029`."""
        return NONE if value is None else _without_minus_zero(f"{value * self._factor:+.{self._places}f}")

    def interval(self, row: Mapping[str, Any], *, signed: bool = False) -> str:
        """`[0.704, 0.729]`."""
        if row["low"] is None or row["high"] is None:
            return NONE
        one = self.difference if signed else self.figure
        return f"[{one(row['low'])}, {one(row['high'])}]"

    def with_interval(self, row: Mapping[str, Any]) -> str:
        """`0.716 [0.704, 0.729]`, of a figure or a difference; the point alone where there is no interval."""
        signed = "difference" in row
        point = self.difference(row["difference"]) if signed else self.figure(row["point"])
        interval = self.interval(row, signed=signed)
        return point if interval == NONE else f"{point} {interval}"


def p_value(value: float | None) -> str:
    """Three places; below them, that it is."""
    if value is None:
        return NONE
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def band_text(band: Mapping[str, Any]) -> str:
    """`12.1–14.9 ms`."""
    low, high = (value for name, value in band.items() if name[:1] == "p" and name[1:2].isdecimal())
    return f"{low:.1f}–{high:.1f} ms"


def band_name(band: Mapping[str, Any]) -> str:
    """`p50–p95`."""
    return "–".join(name for name in band if name[:1] == "p" and name[1:2].isdecimal())


def caption(section: Mapping[str, Any]) -> str:
    """How the intervals of a section were made, in a sentence."""
    level = f"{section['confidence'] * 100:g} %"
    units = f"{section['units']:,} {section['unit']}{'' if section['units'] == 1 else 's'}"
    of_images = "" if section["unit"] == "image" else f" ({section['images']:,} images)"
    drawn = (
        f"all {section['replicates']:,} resamples of {units}{of_images}, weighted"
        if section["exact"]
        else f"{section['replicates']:,} resamples of {units}{of_images}, seed {section['seed']}"
    )
    return f"In brackets: {level} {section['interval']} intervals, not adjusted for the number of comparisons; {drawn}."


def cell(text: str) -> str:
    """Text that may stand in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _without_minus_zero(text: str) -> str:
    return text.replace("-", "").replace("+", "") if float(text) == 0 else text
