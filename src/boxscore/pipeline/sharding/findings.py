"""What was noticed in the parts, settled over all of them: the same words as of one file, whatever the parts."""

from __future__ import annotations

from dataclasses import replace

from boxscore.io.findings import notes_of
from boxscore.io.labelling import Labelling
from boxscore.io.places import Places
from boxscore.model.labels import id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from boxscore.model.labels import LabelSet
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.pipeline.sharding.jobs import LabelUse, PlacedFinding, RowPlace

_ORDER = (
    "unknown-image",
    "non-finite",
    "degenerate",
    "outside-image",
    "corner-suspect",
    "unit-boxes",
    "score-range",
    "scores-equal",
    "tied-scores",
    "area-missing",
    "area-far",
    "ignore-without-crowd",
)
"""As the kernel has them."""


class Settled:
    """A finding over all parts, with a kernel finding's fields; `row` is its position among the places."""

    __slots__ = ("code", "count", "extra", "field", "other", "row", "value")

    def __init__(self, found: PlacedFinding, row: int) -> None:
        self.code = found.code
        self.count = found.count
        self.row = row
        self.other = None
        self.field = found.field
        self.value = found.value
        self.extra = found.extra


class GivenPlaces(Places):
    """Rows named by image and position, which no cutting into parts changes: `row(i)` is the i-th place."""

    __slots__ = ("_places",)

    def __init__(self, name: str, noun: str, places: Sequence[RowPlace]) -> None:
        super().__init__(name, noun)
        self._places = list(places)

    def row(self, row: int) -> str:
        """The row with its data set's name: `shards image 139 detection 0`."""
        return f"{self.name} {self._words(row)}"

    def first(self, row: int) -> str:
        """The row inside a sentence that has named the data set."""
        return f"first {self._words(row)}"

    def _words(self, row: int) -> str:
        place = self._places[row]
        return f"image {id_text(place.image_id)} {self.noun} {place.within}"


class FilePlaces(GivenPlaces):
    """The same by file and row, for errors."""

    __slots__ = ()

    def row(self, row: int) -> str:
        """The row with its file's name."""
        return self._places[row].words

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return f"first {self._places[row].words}"


def notes(
    parts: Iterable[Sequence[PlacedFinding]], source: str, noun: str, reading: Reading, images_in: str
) -> list[Note]:
    """Notes about the findings of all parts. Raises InputError for what `reading` doesn't let pass."""
    settled = _settled([finding for part in parts for finding in part])
    places = [finding.place for finding in settled]
    told: Any = [Settled(finding, row) for row, finding in enumerate(settled)]
    notes_of(told, FilePlaces(source, noun, places), reading, images_in, background=False)
    return notes_of(told, GivenPlaces(source, noun, places), reading, images_in)


def label_notes(
    declared: LabelSet, kept: LabelSet, reading: Reading, parts: Iterable[Sequence[LabelUse]], source: str, noun: str
) -> list[Note]:
    """What is to be said of the labels that occur. Raises InputError where they are unknown and may not be."""
    rows: dict[str, int] = {}
    first: dict[str, tuple[tuple[object, ...], RowPlace]] = {}
    for use in (use for part in parts for use in part):
        rows[use.name] = rows.get(use.name, 0) + use.rows
        order = use.place.order
        if use.name not in first or order < first[use.name][0]:
            first[use.name] = order, use.place
    names = sorted(first, key=lambda name: first[name][0])
    uses = [(True, name, row, rows[name]) for row, name in enumerate(names)]
    places = [first[name][1] for name in names]
    Labelling(declared, kept, reading).numbers(uses, FilePlaces(source, noun, places))
    labelling = Labelling(declared, kept, reading)
    labelling.numbers(uses, GivenPlaces(source, noun, places))
    return labelling.notes


def _settled(findings: Sequence[PlacedFinding]) -> list[PlacedFinding]:
    """One finding a code; the rules of what only a whole file shows are those of the kernel's tallies."""
    by_code: dict[str, list[PlacedFinding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    joined = {code: _joined(of_code) for code, of_code in by_code.items()}
    boxes = joined.get("unit-boxes")
    if "corner-suspect" in joined and boxes is not None and joined["corner-suspect"].count * 10 < boxes.count:
        del joined["corner-suspect"]
    if boxes is not None and not 0.0 < float(boxes.value or 0.0) <= 1.0:
        del joined["unit-boxes"]
    _settle_scores(joined)
    return [joined[code] for code in _ORDER if code in joined]


def _settle_scores(joined: dict[str, PlacedFinding]) -> None:
    scores = joined.get("scores-equal")
    if scores is None:
        return
    if "score-range" in joined:
        joined["score-range"] = replace(joined["score-range"], value=scores.value, extra=scores.extra)
    if scores.count > 1 and float(scores.value or 0.0) == scores.extra:
        joined.pop("tied-scores", None)
    else:
        del joined["scores-equal"]


def _joined(findings: Sequence[PlacedFinding]) -> PlacedFinding:
    """One kind of finding of all parts: counts added, the earliest row's details, the extremes of extremes."""
    first = min(findings, key=lambda finding: finding.place.order)
    made = replace(first, count=sum(finding.count for finding in findings))
    extras = [finding.extra for finding in findings if finding.extra is not None]
    if made.code == "unit-boxes":
        return replace(made, value=max((f.value or "0" for f in findings), key=float))
    if made.code == "scores-equal":
        return replace(made, value=min((f.value or "0" for f in findings), key=float), extra=max(extras))
    return made
