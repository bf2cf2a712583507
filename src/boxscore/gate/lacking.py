"""What the current run lacks of the baseline: images, labels, the protocol. Other differences are refused by name."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.labels import id_text
from boxscore.model.notes import counted, listed
from boxscore.pipeline.identity import protocol_difference, refuse_different, refuse_other_protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from boxscore.model.labels import Id
    from boxscore.pipeline.run import Run
    from boxscore.runs import SavedRun

NAMES = ("the baseline", "the current run")
_REMEDY = "where the change is meant, promote a run on the new data to be the baseline (`boxscore gate --promote`)"


class Lacking:
    """Images and labels that the baseline has and the current run has not; where asked, its protocol, too.

    `rows`: each as (`images`, in words, how many the baseline has, how many the current run has); counts are None of
    the protocol, which is no number.
    """

    __slots__ = ("images", "labels", "other_protocol", "rows")

    def __init__(self, runs: tuple[Run, Run], *, protocols: bool = False, own_floors: bool = False) -> None:
        baseline, current = runs
        differs = protocol_difference(baseline.protocol, current.protocol, own_floors=own_floors) if protocols else None
        self.other_protocol = differs is not None
        has_images, has_labels = set(current.image_ids), set(current.labels)
        self.images: list[Id] = [one for one in baseline.image_ids if one not in has_images]
        self.labels = [one for one in baseline.labels if one not in has_labels]
        sizes = {
            "images": ([id_text(one) for one in self.images], baseline.num_images, current.num_images),
            "labels": (self.labels, len(baseline.labels), len(current.labels)),
        }
        self.rows: list[tuple[str, str, int | None, int | None]] = [
            (what, f"the current run lacks {what} {listed(names)}", before, now)
            for what, (names, before, now) in sizes.items()
            if names
        ]
        if differs is not None:
            field, before, now = differs
            told = (
                f"the current run was evaluated by another protocol: {field} is {shown(now)}, and was {shown(before)}"
            )
            self.rows.insert(0, ("protocol", told, None, None))

    def __bool__(self) -> bool:
        return bool(self.rows)

    @property
    def words(self) -> str | None:
        """Why the runs can't be paired; None where nothing is missing."""
        if not self.rows:
            return None
        missing = ["the baseline's protocol"] if self.other_protocol else []
        missing += [
            counted(len(names), what) for names, what in ((self.images, "image"), (self.labels, "label")) if names
        ]
        return f"the runs can't be paired: the current run lacks {' and '.join(missing)}"


def held_together(
    runs: tuple[Run, Run],
    saved: Mapping[str, SavedRun] | None = None,
    *,
    own_floors: bool = False,
    own_protocols: bool = False,
) -> Lacking:
    """What is missing from the current run; with `own_protocols` another protocol is no error, but missing likewise.

    Raises InputError that names the first field in which protocols, labels, ground truth or floors differ otherwise.
    """
    baseline, current = runs
    lacking = Lacking(runs, protocols=own_protocols, own_floors=own_floors)
    # Floors are the protocol's: where that is told to be another, they are told with it.
    own_floors = own_floors or lacking.other_protocol
    named = dict(zip(NAMES, runs, strict=True))
    try:
        if not (lacking.images or lacking.labels) or _has_more(baseline, current):
            refuse_different(named, saved, own_floors=own_floors, own_protocols=own_protocols)
        else:
            refuse_other_protocol(named, saved, own_floors=own_floors, own_protocols=own_protocols)
    except InputError as error:
        raise InputError(f"{error}; {_REMEDY}") from None
    return lacking


def _has_more(baseline: Run, current: Run) -> bool:
    """Whether the current run has what the baseline has not: then it is of other data."""
    known_images, known_labels = set(baseline.image_ids), set(baseline.labels)
    return any(one not in known_images for one in current.image_ids) or any(
        one not in known_labels for one in current.labels
    )
