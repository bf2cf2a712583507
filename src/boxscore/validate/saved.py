"""Saved detections held to the record that `boxscore predict` writes beside them."""

from __future__ import annotations

import os
from pathlib import Path as FilePath

from boxscore.errors import InputError
from boxscore.model.notes import Note, counted, listed
from boxscore.validate import digests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.predict.card import Card
    from boxscore.validate.asked import Path
    from boxscore.validate.cases import Cases

_BESIDE = ".run.json"


def check(path: Path, cases: Cases, card: Card) -> list[Note]:
    """Refuse detections that are known not to be this model's on these pictures; a note where nothing is known.

    Raises InputError where the record is of another file or model, and where a picture was not run or not readable: it
    would count as one in which nothing was found.
    """
    name = os.fspath(path)
    beside = FilePath(f"{name}{_BESIDE}")
    if not beside.is_file():
        message = (
            f"{name}: nothing beside it says which model made it, and on which pictures; those without a detection "
            "count as pictures in which nothing was found"
        )
        return [Note("predictions-unknown", message)]
    from boxscore.io import json_files

    stated = json_files.load(beside)
    if not isinstance(stated, dict) or stated.get("sha256") != digests.of_file(path):
        raise InputError(f"{beside} is not of {name} as it is: one of them was changed; predict again")
    _check_model(stated, card, name)
    _check_pictures(stated, cases, name)
    return []


def _check_model(stated: dict[str, Any], card: Card, name: str) -> None:
    made_by = (stated.get("detector") or {}).get("card")
    if made_by is None:
        return
    model = (made_by.get("model") or {}).get("sha256")
    if model != card.model.sha256:
        raise InputError(
            f"{name} was made by a model of SHA-256 {model}, not by the card's, of {card.model.sha256}; give "
            "that card, or predict again"
        )
    ours = card.to_dict()
    differing = [part for part in ("input", "output") if made_by.get(part) != ours[part]]
    if differing:
        raise InputError(f"{name} was made with another {' and '.join(differing)} than the card's; predict again")


def _check_pictures(stated: dict[str, Any], cases: Cases, name: str) -> None:
    run = {entry.get("file_name"): entry for entry in stated.get("by_picture") or ()}
    lacking = [case.picture for case in cases if case.picture not in run or "unreadable" in run[case.picture]]
    if lacking:
        raise InputError(
            f"{name}: {counted(len(lacking), 'picture was', 'pictures were')} not run, or could not be read: "
            f"{listed(lacking)}; mend and predict again, as nothing is known of them"
        )
