"""What the kernel noticed while tables were made: either a counted note, or an error where the reading says so."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import wording
from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore._kernel import Finding
    from boxscore.io.places import Places
    from boxscore.model.reading import Reading

_MOST_ERRORS = 3
"""Facts told in one error; the first few are enough to find the fault."""


def notes_of(
    findings: Sequence[Finding], places: Places, reading: Reading, images_in: str, *, background: bool = True
) -> list[Note]:
    """Notes for the findings about one file, in the kernel's order.

    `images_in` names where the images are declared; `background`: unknown images could be counted as empty ones.
    Raises InputError that tells the first few refused findings.
    """
    speaker = wording.Speaker(places, reading, images_in, background=background)
    refused = [finding for finding in findings if _is_refused(finding.code, reading)]
    if refused:
        facts = [speaker.fact(finding) for finding in refused[:_MOST_ERRORS]]
        remedies = dict.fromkeys(speaker.remedy(finding) for finding in refused[:_MOST_ERRORS])
        more = len(refused) - len(facts)
        rest = f" (and {more} more kinds of fault)" if more > 0 else ""
        raise InputError(f"{'; '.join(facts)}{rest}. {' '.join(remedies)}")
    # Boxes that are suspected to be corners reach beyond their images for that reason: one note tells both.
    suspected = any(finding.code == "corner-suspect" for finding in findings)
    told = [finding for finding in findings if not (suspected and finding.code == "outside-image")]
    return [_note(finding, speaker) for finding in told]


def _is_refused(code: str, reading: Reading) -> bool:
    if code in ("image-conflict", "image-id-ambiguous"):
        return True
    if code == "non-finite":
        return reading.non_finite == "error"
    if code == "unknown-image":
        return reading.unknown_images == "error"
    # To take it as background would lose the object that the row states, so that only dropping it is an answer.
    return code == "annotation-unknown-image" and reading.unknown_images != "drop"


def _note(finding: Finding, speaker: wording.Speaker) -> Note:
    return Note(finding.code, f"{speaker.fact(finding)}; {speaker.done(finding)}", finding.count)
