"""Whether the pictures are an independent test set: three conditions, each known to hold, or the answer is no."""

from __future__ import annotations

from boxscore.model.notes import counted, listed
from boxscore.validate.cases import find_cases
from boxscore.validate.scoring import ground_truth
from boxscore.validate.sessions import sessions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.model.floors import Floors
    from boxscore.validate.asked import Asked, Path
    from boxscore.validate.cases import Cases
    from boxscore.validate.sessions import Sessions
    from boxscore.validate.training import Training

NAMES = ("sessions_disjoint_from_training", "thresholds_fitted_elsewhere", "no_earlier_look")


class Condition:
    """`holds` is True, False, or None where it is not known; `reason` says why."""

    __slots__ = ("holds", "reason")

    def __init__(self, reason: str, *, holds: bool | None = None) -> None:
        self.holds = holds
        self.reason = reason

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"holds": self.holds, "reason": self.reason}


def disjoint_sessions(
    cases: Cases, sessions: Sessions | None, training: Training | None, twins: int | None
) -> Condition:
    """Whether no session, and no picture, of the validation was trained on; `twins` have a near-duplicate there."""
    if training is None:
        return Condition("the training pictures are not known; give their folder with --train")
    own = {case.picture_sha256.hex() for case in cases}
    identical = sum(digest in own for digest in training.sha256)
    if identical:
        return Condition(f"{counted(identical, 'training picture')} occur here byte for byte", holds=False)
    if sessions is None or training.sessions is None:
        return Condition("sessions are not named; name them with --group-by or --group-regex")
    return _named_apart(sessions, training.sessions, twins)


def _named_apart(sessions: Sessions, trained: Sessions, twins: int | None) -> Condition:
    shared = sorted({*sessions.names} & {*trained.names})
    if shared:
        which = counted(len(shared), "session")
        return Condition(f"{which} of the validation occur in training: {listed(shared)}", holds=False)
    if trained.unknown:
        unknown = counted(trained.unknown, "training picture has", "training pictures have")
        return Condition(f"{unknown} no session, and may be of these")
    if twins:
        which = counted(twins, "picture has", "pictures have")
        return Condition(f"sessions have other names, but {which} a near-duplicate in training: look at these")
    mine, theirs = len(sessions.names), len(trained.names)
    return Condition(f"none of {counted(mine, 'session')} is among the {theirs} of training", holds=True)


def fitted_elsewhere(
    floors: Floors, identity: str | None, cases: Cases, sessions: Sessions | None, asked: Asked
) -> Condition:
    """Whether the floors were fitted on a data set that is given, and shares no picture and no session with this one.

    Raises InputError where that data set can't be read.
    """
    fitted_on = None if floors.fitted is None else floors.fitted.get("fitted_on")
    if fitted_on is None:
        return Condition("nothing says what data the thresholds were fitted on; fit them with `boxscore thresholds`")
    if fitted_on == identity:
        return Condition("the thresholds were fitted on these very pictures and labels", holds=False)
    if asked.fitted_on is None:
        return Condition(
            "the thresholds were fitted on other labels, and which pictures these belong to is not known; give that "
            "data set with --fitted-on"
        )
    return _against(asked.fitted_on, fitted_on, cases, sessions, asked)


def _against(fitting: Path, fitted_on: str, cases: Cases, sessions: Sessions | None, asked: Asked) -> Condition:
    others = find_cases(fitting, classes=asked.classes or cases.classes)
    if identity_of(others) != fitted_on:
        return Condition("the data set of --fitted-on is not the one that the thresholds were fitted on")
    shared = {case.picture_sha256 for case in cases} & {case.picture_sha256 for case in others}
    if shared:
        return Condition(f"the thresholds were fitted on {counted(len(shared), 'of these picture')}", holds=False)
    names, stems = [case.picture for case in others], [case.stem for case in others]
    theirs = sessions_of(names, stems, asked, asked.metadata)
    both = [] if sessions is None or theirs is None else sorted({*sessions.names} & {*theirs.names})
    if both:
        return Condition(f"the thresholds were fitted on pictures of the same sessions: {listed(both)}", holds=False)
    return Condition(f"the thresholds were fitted on {counted(len(others), 'other picture')}", holds=True)


def identity_of(cases: Cases) -> str:
    """The digest of the ground truth, as files of thresholds state it under `fitted_on`."""
    from boxscore.runs import digests

    dataset = ground_truth(cases)
    per_image = digests.object_digests(dataset.ground_truth, dataset.num_images, dataset.labels.names.__getitem__)
    return digests.data_identity(dataset.image_ids, per_image, dataset.corner_convention)


def first_look(earlier: int | None) -> Condition:
    """Whether nobody looked at these pictures before; `earlier` is the ledger's number, None without a ledger."""
    if earlier is None:
        return Condition("no ledger says how often these pictures have been used; keep one with --ledger")
    if earlier:
        return Condition(f"the ledger holds {counted(earlier, 'earlier look')} at these pictures", holds=False)
    return Condition("the ledger holds no earlier look at these pictures", holds=True)
