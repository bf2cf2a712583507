"""A prediction against one ground truth or several, side by side, with what each of them can and can't tell."""

from __future__ import annotations

from boxscore.presence.fates import fates
from boxscore.presence.identity import match_people
from boxscore.presence.scoring import score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.presence.scoring import Asked, Scored
    from boxscore.presence.timeline import Presence

XRAY, MOVIENET, TABLE = "xray", "movienet", "table"
ORDER = (MOVIENET, XRAY, TABLE)
"""In which sources are told: the recognition figure first."""

TITLES = {MOVIENET: "MovieNet: the recognition figure", XRAY: "X-Ray: the ceiling", TABLE: "table"}
CAVEATS = {
    MOVIENET: (
        "MovieNet shows bodies, not faces, of the ten first-credited people, on one key frame of three: others on "
        "screen count for nobody, and a person turned away counts as there."
    ),
    XRAY: (
        "X-Ray lists who takes part in a scene, off camera too: a camera shows no such person at every moment, so that "
        "its recall is a ceiling for a face pipeline, not a fair target."
    ),
    TABLE: None,
}


def score_all(truths: Sequence[Presence], prediction: Presence, asked: Asked) -> list[Scored]:
    """Each ground truth's result, in ORDER; misses of X-Ray with their fates. Raises InputError as `score` does."""
    found = [score(truth, prediction, asked) for truth in sorted(truths, key=lambda one: ORDER.index(one.source))]
    movienet = next((one.truth for one in found if one.truth.source == MOVIENET), None)
    for one in found:
        source = one.truth.source
        misses = _fates(one, movienet) if source == XRAY else None
        one.content.update({"title": TITLES[source], "caveat": CAVEATS[source], "fates": misses})
    return found


def content_of(prediction: Presence, found: Sequence[Scored]) -> dict[str, Any]:
    """Everything, ready for JSON: `prediction`, `notes`, and `sources` in order."""
    stated: Mapping[str, object] = {
        "path": prediction.path,
        "people": len(prediction.people),
        "windows": len(prediction.windows),
    }
    return {"prediction": stated, "notes": list(prediction.notes), "sources": [one.content for one in found]}


def _fates(one: Scored, movienet: Presence | None) -> dict[str, Any]:
    pairs = () if movienet is None else match_people(one.truth, movienet).pairs
    return fates(one.outcomes, one.actors, one.moments, one.mask.inside, one.detected, movienet, pairs)
