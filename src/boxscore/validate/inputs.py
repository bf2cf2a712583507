"""What a validation reads before it runs anything: card, cases, floors, and the digests of all of them."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.notes import Note
from boxscore.validate import digests
from boxscore.validate.cases import find_cases
from boxscore.validate.scoring import check_classes, ground_truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.model.floors import Floors
    from boxscore.model.tables import Dataset
    from boxscore.predict.card import Card
    from boxscore.validate.asked import Asked, Path
    from boxscore.validate.cases import Cases


class Inputs:
    """`card` and the `cases` of the data set, checked against each other; `truth`, their objects; `floors` in effect.

    `notes` say what was seen. Raises InputError for whatever is wrong in any of them.
    """

    __slots__ = ("asked", "card", "cases", "dataset", "floors", "notes", "truth")

    def __init__(self, card: Card | Path, dataset: Path, asked: Asked, threads: int = 1) -> None:
        self.asked = asked
        self.dataset = os.fspath(dataset)
        self.card = _card(card, runs=asked.predictions is None)
        self.cases = find_cases(dataset, select=asked.select, classes=asked.classes)
        check_classes(self.card.classes, self.cases, self.card.source or self.card.name)
        self.truth: Dataset = ground_truth(self.cases, threads)
        self.floors, self.notes = self._floors()
        self.notes += [*_unchecked(self.card), *self.cases.notes]

    def _floors(self) -> tuple[Floors, list[Note]]:
        if self.asked.thresholds is None:
            return self.card.floors, _no_floor(self.card)
        from boxscore.model.reading import Reading
        from boxscore.pipeline.thresholds import floors_for
        from boxscore.protocols import load
        from boxscore.validate.scoring import PROTOCOL

        return floors_for(os.fspath(self.asked.thresholds), load(PROTOCOL), self.truth, Reading())

    def sha256(self) -> dict[str, str | None]:
        """Digests by name; None for what has no part in this validation."""
        card, asked = self.card, self.asked
        source = asked.thresholds if asked.thresholds is not None else card.source or None
        return {
            "model": card.model.sha256,
            "card": digests.of_file(card.source) if card.source else None,
            "card_settings": card.digest(),
            "class_list": digests.class_list(self.cases.classes),
            "dataset_manifest": digests.manifest(self.cases),
            "thresholds": digests.of_content(thresholds(self.floors)),
            "threshold_source": None if source is None else digests.of_file(source),
            "predictions": None if asked.predictions is None else _file_or_none(asked.predictions),
        }

    def about(self, sha256: dict[str, str | None], data: str | None) -> dict[str, Any]:
        """What the ledger keeps of a look."""
        fitted = self.floors.fitted
        return {
            "data": data,
            "manifest": sha256["dataset_manifest"],
            "model": sha256["model"],
            "card": sha256["card_settings"],
            "predictions": sha256["predictions"],
            "thresholds": sha256["thresholds"],
            "thresholds_fitted_on": None if fitted is None else fitted.get("fitted_on"),
        }


def files_of(cases: Cases) -> dict[str, str]:
    """SHA-256 of each picture and label file, by its name in the manifest."""
    found: dict[str, str] = {}
    for case in cases:
        found |= {case.picture: case.picture_sha256.hex(), case.label: case.label_sha256.hex()}
    return found


def thresholds(floors: Floors) -> dict[str, Any]:
    """Floors as the record has them: `default`, and `class` by name."""
    return {"default": floors.default, "class": dict(sorted(floors.by_label.items()))}


def _card(given: Card | Path, *, runs: bool) -> Card:
    """The card; its model's file may be missing where no model `runs`."""
    if not isinstance(given, str | os.PathLike):
        return given
    from boxscore.predict.card_read import read

    return read(given, {}, with_model=runs)


def _unchecked(card: Card) -> list[Note]:
    if card.model.checked:
        return []
    message = (
        f"the model's bytes were not checked: {card.model.stated} is not there, and nothing was run; its SHA-256 is "
        f"what {card.source or card.name} states"
    )
    return [Note("model-not-checked", message)]


def _no_floor(card: Card) -> list[Note]:
    if card.floors.default > 0 or card.floors.by_label:
        return []
    message = f"{card.source or card.name} states no floors: every detection counts, which is hardly how it is used"
    return [Note("no-floors", message)]


def _file_or_none(path: Path) -> str | None:
    """A folder of text files has no digest of its own."""
    if os.path.isdir(path):  # noqa: PTH112  paths are kept as text
        raise InputError(
            f"{os.fspath(path)} is a folder; the record names detections by the SHA-256 of one file: convert them "
            "(`boxscore convert`) first"
        )
    return digests.of_file(path)
