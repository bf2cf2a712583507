"""Findings from the notes that reading and matching leave: these are counted and placed already."""

from __future__ import annotations

from boxscore.audit.found import Found, touches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from boxscore.model.notes import Note

SAID = frozenset({"read-as", "taxonomy", "taxonomy-dropped", "images-by-name", "whole-pixels", "decimal-comma"})
"""Notes that say how the input was read: no finding."""

ELSEWHERE = frozenset(
    {
        "images-without-detections-file",
        "images-without-answer",
        "ap-degenerate",
        "labels-without-detections",
        "over-limit",
        "labels-without-ground-truth",
        "classes-without-ground-truth",
        "other-reading-fits",
        "protocol-modified",
    }
)
"""Notes about what the audit looks at by itself."""

LEFT_OUT = frozenset({"unknown-image", "annotation-unknown-image", "unknown-label", "non-finite"})
"""Notes of rows that `boxscore eval` refuses: the audit leaves them out to see the rest."""

STOPS = LEFT_OUT | {"labels-by-number"}
"""Notes of what `boxscore eval` refuses."""

HARMLESS = {
    "score-range": "moves no AP or AR; a confidence threshold would mean nothing",
    "area-missing": "moves the figures by object size alone",
    "image-id-coerced": "moves no figure",
    "category-id-coerced": "moves no figure",
    "category-without-name": "moves no figure",
    "duplicate-annotation-id": "moves no figure here; pycocotools keeps one annotation of an id alone",
    "image-repeated": "moves no figure",
    "answers-repeated": "moves no figure",
}
"""Notes of what changes no figure of boxscore, or few, and what they do."""

REMEDIES = {
    "duplicate-annotation-id": "give annotations ids of their own",
    "image-repeated": "list each image once",
    "annotation-unknown-image": "add the images, or eval with --unknown-images drop",
    "unknown-image": "take the ground truth that the detections were made for, or eval with --unknown-images drop or "
    "background",
    "unknown-label": "correct the labels, give the right names with --pred-classes, or eval with --unknown-labels drop",
    "labels-by-number": "say which names the numbers have, in the detector's own order, with --pred-classes FILE, or "
    "eval with --assume fit",
    "non-finite": "mend the model's output, or eval with --non-finite drop",
    "degenerate": "correct these boxes, or eval with --degenerate drop",
    "area-missing": "write the area field, or go by width x height",
    "area-far": "correct the area field, or eval with --area box",
    "ignore-without-crowd": "say with --ignore-flag honour if these are to be ignored",
    "outside-image": "clip boxes to the image where the model is run, and check that both files mean one image size",
    "corner-suspect": "write width and height instead of corners, or eval with --boxes xyxy",
    "unit-boxes": "multiply by width and height, or eval with --coords rel",
    "score-range": "write scores from 0 to 1 if you mean to set thresholds",
    "scores-equal": "write the scores that the model gave",
    "tied-scores": "write scores with more digits",
    "answers-unreadable": "look at these answers; a prompt that asks for JSON alone, or a longer limit, may mend them",
    "answers-empty": "check that the model was asked about these images",
    "answer-boxes-unreadable": "look at these answers; a longer limit mends those that are cut off",
    "answers-repeated": "give each answer once",
    "answers-joined": "check that these answers are to different questions",
    "answers-other-reading": "eval with the options that are named",
    "no-detections": "check that the right file is given",
    "no-ground-truth": "check that the right file is given",
    "objects-out-of-range": "correct the area field, or eval with --area box",
}
_REMEDY = "check the place that is named"


def findings(notes: Iterable[Note], total: int, what: str) -> Iterator[Found]:
    """A finding for each note about one side, of which `total` rows (`what`: object, detection) were read."""
    for note in notes:
        if note.code in SAID or note.code in ELSEWHERE:
            continue
        remedy = REMEDIES.get(note.code, _REMEDY)
        stops = note.code in STOPS
        moves, bound = _bound(note, total + (note.count if note.code in LEFT_OUT else 0), what)
        message = note.message.replace("left out, as asked for", "left out of this audit")
        yield Found(note.code, message, remedy, count=note.count, moves=moves, bound=bound, stops=stops)


def _bound(note: Note, total: int, what: str) -> tuple[float, str]:
    if note.code in HARMLESS:
        return 0.0, HARMLESS[note.code]
    if note.code in ("scores-equal", "no-detections", "no-ground-truth"):
        return 1.0, "can move every figure"
    return touches(min(note.count, total), total, what)
