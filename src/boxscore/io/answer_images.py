"""Which image of the ground truth each answer is of, and which images have none, or several."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import image_names, stems
from boxscore.model.labels import id_text, whole
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.io.answer_records import Record, Records
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset


class AnswerImages:
    """The answers that count, each with its image (`pairs`), and `notes` of what has no partner or several.

    Images that the ground truth lacks are dealt with as `reading` says. Raises InputError.
    """

    __slots__ = ("notes", "pairs")

    def __init__(self, answers: Records, dataset: Dataset, reading: Reading) -> None:
        self.notes: list[Note] = []
        found = self._of_stems(answers, dataset) if answers.of_folder else self._of_fields(answers, dataset)
        self.pairs = list(zip(answers.records, found, strict=True))
        self._settle_unknown(dataset, reading)
        self._settle_repeated(answers.name)
        self._tell_missing(answers.name, dataset)

    def _of_stems(self, answers: Records, dataset: Dataset) -> list[Id]:
        names = [str(record.images["file_name"]) for record in answers.records]
        return [
            name if hit is None else hit
            for name, hit in zip(names, stems.ImageLookup(dataset).find(names), strict=True)
        ]

    def _of_fields(self, answers: Records, dataset: Dataset) -> list[Id]:
        """By the field, of those that all records have, whose values are known best."""
        known = set(dataset.image_ids)
        shared = set.intersection(*(set(record.images) for record in answers.records))
        if not shared:
            return self._resolved([next(iter(record.images.values())) for record in answers.records], dataset, answers)
        tried = [field for field in answers.records[0].images if field in shared]
        each = [[record.images[field] for record in answers.records] for field in tried]
        quiet = [image_names.resolve(values, dataset, answers.name)[0] for values in each]
        best = max(range(len(each)), key=lambda i: sum(value in known for value in quiet[i]))
        return self._resolved(each[best], dataset, answers)

    def _resolved(self, stated: list[Id], dataset: Dataset, answers: Records) -> list[Id]:
        known = set(dataset.image_ids)
        found, notes = image_names.resolve(stated, dataset, answers.name)
        self.notes += notes
        return [value if value in known else _by_digits(value, known) for value in found]

    def _settle_unknown(self, dataset: Dataset, reading: Reading) -> None:
        known = set(dataset.image_ids)
        unknown = [(record, image) for record, image in self.pairs if image not in known]
        if not unknown or reading.unknown_images == "background":
            return  # tables are built with them, and tell
        record, image = unknown[0]
        fact = (
            f"{record.place}: there is no image {id_text(image)} in {dataset.source or 'the ground truth'} "
            f"({counted(len(unknown), 'answer')} of {len(self.pairs)})"
        )
        if reading.unknown_images == "error":
            ids = listed([id_text(i) for i in dataset.image_ids], 3)
            raise InputError(
                f"{fact}; its images are {ids}. Use the ground truth that these answers were given for, leave them out "
                f"with {reading.option('unknown_images', 'drop')}, or count their images as empty with "
                f"{reading.option('unknown_images', 'background')}."
            )
        self.pairs = [(record, image) for record, image in self.pairs if image in known]
        self.notes.append(Note("unknown-image", f"{fact}; left out, as asked for", len(unknown)))

    def _settle_repeated(self, name: str) -> None:
        """Answers to several questions about one image are joined; the same answer again counts once."""
        first: dict[Id, Record] = {}
        seen: set[tuple[Id, str]] = set()
        again: list[Record] = []
        joined: list[Record] = []
        kept: list[tuple[Record, Id]] = []
        for record, image in self.pairs:
            key = (image, repr(record.answer))
            if key in seen:
                again.append(record)
                continue
            seen.add(key)
            kept.append((record, image))
            if first.setdefault(image, record) is not record:
                joined.append(record)
        self.pairs = kept
        self._tell(again, "answers-repeated", "word for word the same as another of its image: counted once", name)
        self._tell(joined, "answers-joined", "not the first of its image: boxes of all of them are joined", name)

    def _tell(self, records: Sequence[Record], code: str, what: str, name: str) -> None:
        if records:
            is_one = "1 answer is" if len(records) == 1 else f"{len(records)} answers are each"
            self.notes.append(Note(code, f"{name}: {is_one} {what} (first {records[0].place})", len(records)))

    def _tell_missing(self, name: str, dataset: Dataset) -> None:
        present = {image for _, image in self.pairs}
        missing = [id_text(i) for i in dataset.image_ids if i not in present]
        if missing:
            message = (
                f"{name}: {counted(len(missing), 'image')} without an answer, taken to be without detections: "
                f"{listed(missing)}"
            )
            self.notes.append(Note("images-without-answer", message, len(missing)))


def _by_digits(value: Id, known: set[Id]) -> Id:
    """The image whose id looks alike: the number 7 for the text "7", or the reverse."""
    other = str(value) if isinstance(value, int) else whole(value)
    return value if other is None or other not in known else other
