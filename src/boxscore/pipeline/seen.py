"""What was noticed in batches, image by image, and told as one: the same notes whatever the batches were."""

from __future__ import annotations

from boxscore.io.places import Places
from boxscore.io.wording import Speaker
from boxscore.model.labels import id_order, id_text
from boxscore.model.notes import Note, counted
from boxscore.pipeline.run_notes import out_of_range_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from boxscore import _kernel
    from boxscore.model.labels import Id
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading

    Noticed = Mapping[Id, Sequence["Seen"]]

TARGETS, PREDICTIONS = "targets", "predictions"
OUT_OF_RANGE = "objects-out-of-range"
_NOUNS = {TARGETS: "object", PREDICTIONS: "detection"}
_ORDER = (
    "unknown-label",
    "non-finite",
    "degenerate",
    "area-far",
    OUT_OF_RANGE,
    "outside-image",
    "score-range",
    "tied-scores",
)
"""Codes in the order they are told; corner-suspect needs image sizes, which arrays don't bring."""


class Seen:
    """A finding about one image: how often, first at which place of the image's list, which value."""

    __slots__ = ("code", "count", "extra", "field", "place", "side", "value")

    def __init__(
        self, side: str, code: str, count: int, place: int, value: str | None, field: str | None, extra: float | None
    ) -> None:
        self.side = side
        self.code = code
        self.count = count
        self.place = place
        self.value = value
        self.field = field
        self.extra = extra


class ImagePlaces(Places):
    """Names of rows by image id and place in the image's list: `image 17, detection 2`."""

    __slots__ = ("_find",)

    def __init__(self, side: str, find: Callable[[int], tuple[Id, int]]) -> None:
        super().__init__(side, _NOUNS[side])
        self._find = find

    def row(self, row: int) -> str:
        """The row by its image and place."""
        image_id, place = self._find(row)
        return f"image {id_text(image_id)}, {self.noun} {place}"

    def first(self, row: int) -> str:
        """The row inside a sentence."""
        return f"first {self.row(row)}"


def notes(noticed: Noticed, reading: Reading, protocol: Protocol, matches: _kernel.Matches) -> Iterator[Note]:
    """Notes about all images, each with the first image in canonical order that shows it."""
    lowest, highest, kept = _score_range(matches)
    equal = kept > 1 and lowest == highest
    for side in (TARGETS, PREDICTIONS):
        for code in _ORDER:
            total = _Total(side, code)
            for image_id in sorted(noticed, key=id_order):
                for seen in noticed[image_id]:
                    if (seen.side, seen.code) == (side, code):
                        total.add(image_id, seen)
            if total.first is None or (code == "tied-scores" and equal):
                continue
            if code == "score-range":
                total.value, total.extra = f"{lowest!r}", highest
            yield total.out_of_range(protocol) if code == OUT_OF_RANGE else total.note(reading)
    if equal:
        total = _Total(PREDICTIONS, "scores-equal")
        total.count, total.value = kept, f"{lowest!r}"
        yield total.note(reading)


class _Total:
    """Findings of one code, added up; speaks as the kernel's findings do."""

    def __init__(self, side: str, code: str) -> None:
        self.side = side
        self.code = code
        self.count = 0
        self.row = 0
        self.other: int | None = None
        self.field: str | None = None
        self.value: str | None = None
        self.extra: float | None = None
        self.first: tuple[Id, int] | None = None

    def add(self, image_id: Id, seen: Seen) -> None:
        if self.first is None:
            self.first = (image_id, seen.place)
            self.field, self.value, self.extra = seen.field, seen.value, seen.extra
        self.count += seen.count

    def places(self) -> ImagePlaces:
        first = self.first or (0, 0)
        return ImagePlaces(self.side, lambda _: first)

    def out_of_range(self, protocol: Protocol) -> Note:
        return out_of_range_note(protocol, self.count, self.side, self.places().row(0))

    def note(self, reading: Reading) -> Note:
        places = self.places()
        if self.code == "unknown-label":
            many = counted(self.count, places.noun)
            fact = f"{places.row(0)}: label {self.value} is not among the labels ({many})"
            return Note(self.code, f"{fact}; left out, as asked for", self.count)
        finding: Any = self
        speaker = Speaker(places, reading, TARGETS)
        return Note(self.code, f"{speaker.fact(finding)}; {speaker.done(finding)}", self.count)


def _score_range(matches: _kernel.Matches) -> tuple[float, float, int]:
    import numpy as np

    scores = np.asarray(matches.detections.column("score"))
    return (float(scores.min()), float(scores.max()), len(scores)) if len(scores) else (0.0, 0.0, 0)
