"""Checks that engines agree, and prints what was measured."""

from collections.abc import Sequence
from statistics import median

from engines import ENGINES, REFERENCE
from measure import Sample


class DisagreementError(Exception):
    """An engine's figures differ from the reference; no ratio may be printed."""


def differences(samples: Sequence[Sample], reference: Sequence[float | None]) -> dict[str, float]:
    """Largest difference of each engine's 12 figures from the reference.

    Raises DisagreementError beyond an engine's tolerance.
    """
    allowed = {engine.name: engine.tolerance for engine in ENGINES}
    worst: dict[str, float] = {}
    for sample in samples:
        gap = _largest_gap(sample, reference)
        if not gap <= allowed[sample.engine]:
            raise DisagreementError(
                f"{sample.engine} differs from {REFERENCE} on {sample.workload} by {gap:g} "
                f"(allowed: {allowed[sample.engine]:g}).\n  {sample.engine}: {sample.figures}\n"
                f"  {REFERENCE}: {list(reference)}"
            )
        worst[sample.engine] = max(gap, worst.get(sample.engine, 0.0))
    return worst


def table(samples: Sequence[Sample], worst: dict[str, float]) -> str:
    """Medians of one workload, as multiples of boxscore's where it ran, in Markdown."""
    walls = {name: median(s.wall for s in samples if s.engine == name) for name in worst}
    peaks = {name: median(s.peak for s in samples if s.engine == name) for name in worst}
    own = "boxscore" if "boxscore" in worst else None
    lines = [
        "| engine | runs | wall, s | ÷ boxscore | CPU, s | peak, MB | ÷ boxscore | largest difference |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name in sorted(worst, key=lambda name: walls[name]):
        runs = sum(s.engine == name for s in samples)
        cpu = median(s.cpu for s in samples if s.engine == name)
        time_ratio = f"{walls[name] / walls[own]:.2f}" if own else "–"
        peak_ratio = f"{peaks[name] / peaks[own]:.2f}" if own else "–"
        exact = "none" if worst[name] == 0 else f"{worst[name]:.1e}"
        lines.append(
            f"| {name} | {runs} | {walls[name]:.3f} | {time_ratio} | {cpu:.3f} "
            f"| {peaks[name] / 1e6:.0f} | {peak_ratio} | {exact} |"
        )
    return "\n".join(lines)


def tenfold_line(large: Sequence[Sample], tenfold: Sequence[Sample]) -> str:
    """How boxscore's time grows with ten times the detections."""
    once, ten = (median(s.wall for s in samples if s.engine == "boxscore") for samples in (large, tenfold))
    peak = median(s.peak for s in tenfold)
    verdict = "at most 11, as wanted" if ten <= 11 * once else "MORE THAN 11"
    return f"ten times the detections: {ten:.3f} s, {ten / once:.2f} times the time ({verdict}), {peak / 1e6:.0f} MB"


def _largest_gap(sample: Sample, reference: Sequence[float | None]) -> float:
    if len(sample.figures) != len(reference):
        return float("inf")
    gaps = [0.0]
    for ours, theirs in zip(sample.figures, reference, strict=True):
        gaps.append(abs(_as_printed(ours) - _as_printed(theirs)))
    return max(gaps)


def _as_printed(figure: float | None) -> float:
    """pycocotools prints -1 where a figure is undefined; boxscore gives none."""
    return -1.0 if figure is None else figure
