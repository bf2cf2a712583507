"""One prediction against one ground truth: everything that is told of the two."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from boxscore.errors import InputError
from boxscore.presence import beyond, picture
from boxscore.presence.actors import actors_of, detected_of, mask_of
from boxscore.presence.annealing import swept
from boxscore.presence.figures import figures_of, outside_of
from boxscore.presence.identity import match_people
from boxscore.presence.matched import outcomes_of, roles_of, run_of
from boxscore.presence.moments import Sampling, moments_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.presence.actors import Actor, Mask
    from boxscore.presence.identity import Matching
    from boxscore.presence.matched import Outcomes
    from boxscore.presence.moments import Moments
    from boxscore.presence.person import Person
    from boxscore.presence.timeline import Presence


@dataclass(frozen=True, slots=True)
class Asked:
    """How presence is scored.

    Attributes:
        sampling: Which moments are looked at.
        gallery: People whom the pipeline can recognise; None: not known.
        masked: Whether actors outside the mask are left out of the figures.
        resampling: How intervals are made; None: without any.
        anneal: Seconds up to which gaps of the prediction are closed, for the sweep.
        others: People of predictions that are to be compared with this one, who get labels too.
        inputs: Paths by role, for the run folder.
        threads: Number of threads.
    """

    sampling: Sampling = field(default_factory=Sampling)
    gallery: tuple[Person, ...] | None = None
    masked: bool = True
    resampling: Resampling | None = None
    anneal: tuple[float, ...] = ()
    others: tuple[Person, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    threads: int = 1

    def __post_init__(self) -> None:
        """Raises InputError for gaps that are no length of time."""
        for seconds in self.anneal:
            if not (math.isfinite(seconds) and seconds >= 0.0):
                raise InputError(f"--anneal has {seconds:g}; give seconds from 0 on, such as 0,1,2,5")


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What came of it: the run (its matches know no mask), what was read off it, and `content`, ready for JSON."""

    truth: Presence
    prediction: Presence
    actors: tuple[Actor, ...]
    mask: Mask
    moments: Moments
    run: Run
    outcomes: Outcomes
    detected: NDArray[np.bool_]
    content: dict[str, Any]


def score(truth: Presence, prediction: Presence, asked: Asked) -> Scored:
    """Score a prediction. Raises InputError where there are no moments to score (see `moments_of`)."""
    moments = moments_of(truth, prediction, asked.sampling)
    matching = match_people(truth, prediction)
    actors = actors_of(truth, prediction, matching.pairs, gallery=asked.gallery, others=asked.others)
    if not actors:
        raise InputError(f"{truth.path} and {prediction.path}: neither names anybody, so that there is nobody to score")
    detected = detected_of(actors, prediction)
    mask = mask_of(actors, detected, gallery=asked.gallery is not None, masked=asked.masked)
    run = run_of(truth, prediction, actors, moments, mask, inputs=asked.inputs, threads=asked.threads)
    outcomes = outcomes_of(run)
    roles = roles_of(outcomes.true, actors, moments)
    content = {
        "source": truth.source,
        "path": truth.path,
        "moments": _moments(moments),
        "people": _people(truth, prediction, matching),
        "mask": {"kind": mask.kind, "actors": int(mask.inside.sum()), "words": mask.words},
        **figures_of(outcomes, actors, roles, mask, moments, run, asked.resampling),
        "outside_mask": outside_of(outcomes, actors, mask),
        "windows": beyond.fits(truth, prediction, actors, mask.inside, moments.duration),
        "anneal": swept(prediction, outcomes, [one.predicted for one in actors], mask.inside, moments, asked.anneal),
        "picture": picture.picture(truth, prediction, actors, mask.inside, moments.duration),
        "notes": [*truth.notes, *moments.notes, *_behind(prediction, moments, asked.sampling)],
    }
    return Scored(truth, prediction, tuple(actors), mask, moments, run, outcomes, detected, content)


def _moments(moments: Moments) -> dict[str, Any]:
    return {
        "count": len(moments),
        "how": moments.words,
        "duration": moments.duration,
        "grouped_by": moments.grouped_by,
        "groups": len(set(moments.group)),
    }


def _people(truth: Presence, prediction: Presence, matching: Matching) -> dict[str, Any]:
    return {
        "true": len(truth.people),
        "predicted": len(prediction.people),
        "matched": len(matching.pairs),
        "conflicts": [one.words for one in matching.conflicts],
    }


def _behind(prediction: Presence, moments: Moments, how: Sampling) -> list[str]:
    """That the prediction goes on where no moments are."""
    windows = prediction.windows
    seconds = float((windows.end - windows.start.clip(moments.duration)).clip(0.0).sum())
    if not seconds:
        return []
    stated = how.duration is not None
    end = f"--duration {moments.duration:g} s" if stated else f"{moments.duration:g} s, where the ground truth ends"
    told = f"{prediction.path}: {seconds:g} s of predicted presence lie behind {end}, and count nowhere"
    return [told if stated else f"{told}; state the film's duration to count them"]
