"""Where failures gather: the search over a view, with the AP at stake, and weights from it."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.triage.findings import Outcome, Searched
from boxscore.triage.oracles import Mended
from boxscore.triage.search import search
from boxscore.triage.suggest import Sampling, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice
    from boxscore.triage.findings import Finding
    from boxscore.triage.modes import FalseDetections, MissedObjects
    from boxscore.triage.options import Options
    from boxscore.triage.oracles import Oracles
    from boxscore.triage.view import View

MISSES, FALSE = "missed objects", "false detections"
_MOST = 40
"""Findings whose AP at stake is computed: those that stand out most."""


@dataclass
class Parts:
    """All that a triage is made of: the view, the modes, AP, label names, slices (asked for, and of metadata)."""

    view: View
    false: FalseDetections
    missed: MissedObjects
    oracles: Oracles
    labels: Sequence[str]
    slices: Sequence[Slice]


def find_where(parts: Parts, units: NDArray[np.uint32], kind: str, options: Options) -> Searched | None:
    """Conditions under which misses (of the objects to find) or false detections (an image) are more frequent.

    The most AP at stake comes first: what comes back where the condition's images had none of them.
    """
    if not options.search:
        return None
    found = search(
        outcomes_of(parts),
        [one for one in parts.slices if one.kind == "image"],
        units,
        kind=kind,
        permutations=options.permutations,
        level=options.level,
        seed=options.seed,
    )
    found.findings = found.findings[:_MOST]
    for finding, cost in zip(found.findings, parts.oracles.gains(_at_stake(parts, found.findings)), strict=True):
        finding.cost = cost
    found.findings.sort(key=lambda one: -(one.cost or 0.0))
    return found


def outcomes_of(parts: Parts) -> list[Outcome]:
    """Misses of objects, and false detections of images, by image."""
    import numpy as np

    view, images = parts.view, parts.oracles.num_images

    def by_image(image: NDArray[Any], rows: NDArray[np.bool_]) -> NDArray[Any]:
        return np.bincount(image[rows], minlength=images)

    return [
        Outcome(
            MISSES,
            by_image(view.object_image, view.counts & ~view.found),
            by_image(view.object_image, view.counts),
        ),
        Outcome(FALSE, by_image(view.image, view.false), np.ones(images)),
    ]


def weights_of(parts: Parts, searched: Searched | None, source: str) -> Sampling:
    """Weights for sampling, see `suggest`."""
    import numpy as np

    view, number = parts.view, len(parts.labels)
    return suggest(
        [] if searched is None else searched.findings,
        parts.labels,
        np.bincount(view.object_label[view.counts], minlength=number),
        np.bincount(view.object_label[view.counts & ~view.found], minlength=number),
        source=source,
    )


def _at_stake(parts: Parts, findings: Sequence[Finding]) -> list[Mended]:
    """The images of each condition without its failures."""
    view = parts.view
    lost = view.counts & ~view.found
    return [
        Mended(forgive=lost & one.mask[view.object_image])
        if one.outcome == MISSES
        else Mended(drop=view.false & one.mask[view.image])
        for one in findings
    ]
