"""Latencies as they were measured, as a band: two percentiles for each device."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.io.latencies import percentile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.study.declared import Study, Variant


@dataclass(frozen=True, slots=True)
class Band:
    """The band of one variant on one device, in milliseconds; `cross_check`: the device isn't the study's main one."""

    device: str
    low: float
    high: float
    count: int
    cross_check: bool

    def to_dict(self, band: tuple[float, float]) -> dict[str, Any]:
        """Ready for JSON; percentiles by name, such as `p50`."""
        low, high = (f"p{percent:g}" for percent in band)
        return {
            "device": self.device,
            low: self.low,
            high: self.high,
            "measured": self.count,
            "cross_check": self.cross_check,
        }


def bands(study: Study) -> dict[str, list[Band]]:
    """The bands of all variants that have latencies, the main device's first.

    The main device is the one that the study names, else the first device of the first variant that has any. Raises
    InputError for files that can't be read, and where no file speaks of the device that the study names.
    """
    measured = {ref: _measured(variant) for ref, variant in study.variants.items() if variant.latencies}
    devices = list(dict.fromkeys(device for of_variant in measured.values() for device in of_variant))
    if study.device is not None and study.device not in devices:
        raise InputError(
            f"{study.shown}: latency.device is {study.device!r}, and no latency file speaks of it; "
            f"they speak of: {', '.join(devices) or 'nothing'}"
        )
    main = study.device or (devices[0] if devices else "")
    found: dict[str, list[Band]] = {}
    for ref, by_device in measured.items():
        ordered = sorted(by_device, key=lambda device: (device != main, devices.index(device)))
        found[ref] = [_band(device, by_device[device], study.band, cross_check=device != main) for device in ordered]
    return found


def _band(device: str, values: Sequence[float], percents: tuple[float, float], *, cross_check: bool) -> Band:
    low, high = (percentile(values, percent) for percent in percents)
    return Band(device, low, high, len(values), cross_check)


def _measured(variant: Variant) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for latency in variant.latencies:
        from boxscore.study.latency_files import rows

        for device, value in rows(latency):
            found.setdefault(device, []).append(value)
    return found
