"""What `parity` prints."""

from __future__ import annotations

import math

from boxscore.cli.tables import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.cli.parity_figures import Figures
    from boxscore.predict.parity_result import Extreme, Parity

_NONE = "n/a"


def lines(parity: Parity, figures: Figures | None) -> list[str]:
    """The sides, counts, largest differences, figures and the verdict."""
    told = [_side(side) for side in parity.sides]
    above = f"detections from score {parity.limits.above:g} on"
    told += ["", f"{len(parity.pictures)} pictures, {above}", "", *_counts(parity), ""]
    told += _differences(parity)
    if figures is not None:
        told += ["", *_figures(figures)]
    return [*told, "", verdict(parity)]


def verdict(parity: Parity) -> str:
    """One sentence."""
    limits = parity.limits
    share = f"{100 * limits.share:.6g} %"
    asked = f"IoU {limits.iou:g} or more and scores within {limits.score:g} for {share} of them is asked for"
    if parity.share is None:
        return "The same: neither side finds anything." if parity.passes else "Not the same: pictures can't be read."
    word = "The same" if parity.passes else "Not the same"
    unread = f"; {len(parity.unreadable)} pictures can't be read" if parity.unreadable else ""
    return f"{word}: {_percent(parity.share)} of the detections agree ({asked}){unread}."


def _percent(share: float) -> str:
    """Two decimals, cut off: what falls short of a limit by a little doesn't read as if it met it."""
    return f"{math.floor(share * 1e4) / 100:.2f} %"


def _side(side: dict[str, Any]) -> str:
    provider = side["providers"][0].removesuffix("ExecutionProvider")
    packages = side.get("packages") or {}
    runtime = (
        ", ".join(f"{name} {version}" for name, version in packages.items()) or f"ONNX Runtime {side['onnxruntime']}"
    )
    threads = "" if side["threads"] is None else f", threads {side['threads']}"
    where = "" if side["python"] is None else f", in {side['python']}"
    model = f"{side['model']['path']} {side['model']['sha256'][:12]}"
    return f"{side['name']}  {side['card']}: {model}, {provider}, {runtime}{threads}{where}"


def _counts(parity: Parity) -> list[str]:
    rows = [
        ["detections", *parity.detections],
        ["with a partner (same label, IoU 0.5 or more)", *parity.paired],
        ["that agree", *parity.agreeing],
    ]
    body: list[list[str]] = [[str(cell) for cell in row] for row in rows]
    times = parity.to_dict()["median_milliseconds"]
    body.append(
        ["milliseconds a picture (median, model alone)", *("-" if one is None else f"{one:.1f}" for one in times)]
    )
    return aligned(["", "A", "B"], body)


def _differences(parity: Parity) -> list[str]:
    told = [f"pictures with the same bits: {parity.same_bits} of {len(parity.pictures)}"]
    told.append(_largest("largest difference of a side of a box", f"{parity.pixels.value:.4g} px", parity.pixels))
    told.append(_largest("least IoU of a pair", f"{parity.iou.value:.6f}", parity.iou))
    told.append(_largest("largest difference of scores", f"{parity.score.value:.3g}", parity.score))
    for side, missed in zip("AB", parity.missed, strict=True):
        if missed.picture is not None:
            told.append(f"best of {side} without a partner: {missed.value:.4f} ({missed.label}, {missed.picture})")
    return told


def _largest(what: str, value: str, extreme: Extreme) -> str:
    if extreme.picture is None or extreme.scores is None:
        return f"{what}: {value}"
    first, second = extreme.scores
    return f"{what}: {value} ({extreme.label} {first:.4f} and {second:.4f}, {extreme.picture})"


def _figures(figures: Figures) -> list[str]:
    def shown(values: Sequence[float | None]) -> list[str]:
        return [_NONE if value is None else f"{value:.6f}" for value in values]

    def apart(values: Sequence[float | None]) -> str:
        first, second = values
        return "-" if first is None or second is None else f"{second - first:+.6f}"

    return aligned(["figure", "A", "B", "B - A"], [[name, *shown(of), apart(of)] for name, of in figures.items()])
