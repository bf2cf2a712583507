"""The images an Evaluator holds: ids, and what tells equal content from other content."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import id_order, id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from boxscore.model.labels import Id

_OBJECTS = slice(0, 16)
_DETECTIONS = slice(16, 32)
_COUNT_BYTES = 4


class HeldImages:
    """By id, 40 bytes an image: digest of its objects, digest of its detections, how many there are of either."""

    __slots__ = ("_records", "_repeated", "_repeats")

    def __init__(self) -> None:
        self._records: dict[Id, bytes] = {}
        self._repeats = 0
        self._repeated: Id | None = None

    def __len__(self) -> int:
        return len(self._records)

    def in_order(self) -> list[Id]:
        """Ids in canonical order: integers ascending, then text by code point."""
        return sorted(self._records, key=id_order)

    def object_digests(self, ids: Iterable[Id]) -> list[bytes]:
        """Digests of these images' objects."""
        return [self._records[image_id][_OBJECTS] for image_id in ids]

    def new_among(self, records: Iterable[tuple[Id, bytes]]) -> list[int]:
        """Positions of the images that are neither held nor given earlier in the same list.

        Raises InputError, having changed nothing, for an image whose content isn't what it was before.
        """
        new = []
        own: dict[Id, bytes] = {}
        for position, (image_id, record) in enumerate(records):
            before = self._records.get(image_id) or own.get(image_id)
            if before is None:
                own[image_id] = record
                new.append(position)
            elif before != record:
                raise InputError(_difference(image_id, before, record))
        return new

    def take(self, records: Iterable[tuple[Id, bytes]]) -> list[Id]:
        """Hold the images that are new and count the others as repeats; `new_among` has checked them. The repeats."""
        repeats = []
        for image_id, record in records:
            if image_id in self._records:
                self._count_repeats(image_id, 1)
                repeats.append(image_id)
            else:
                self._records[image_id] = record
        return repeats

    def take_all(self, other: HeldImages, shift: int) -> list[Id]:
        """Hold another's images, numbered `shift` further on (0 for ids). Those that were held already."""
        if other._repeated is not None:
            self._count_repeats(other._repeated, other._repeats)
        return self.take(other.records(shift))

    def records(self, shift: int = 0) -> list[tuple[Id, bytes]]:
        """Ids with what is known of each."""
        if not shift:
            return list(self._records.items())
        return [(number + shift, record) for number, record in self._records.items() if isinstance(number, int)]

    def notes(self) -> list[Note]:
        """One note where images were given more than once."""
        if self._repeated is None:
            return []
        which = f"{counted(self._repeats, 'image was', 'images were')} given again with the same content"
        message = f"{which} (first: image {id_text(self._repeated)}); each image counts once"
        return [Note("images-repeated", message, self._repeats)]

    def _count_repeats(self, image_id: Id, count: int) -> None:
        self._repeats += count
        self._repeated = image_id if self._repeated is None else min(self._repeated, image_id, key=id_order)


def record_of(digest: bytes, counts: tuple[int, int]) -> bytes:
    """What is kept of an image: its 32 bytes of digests, and numbers of objects and detections."""
    return digest + b"".join(count.to_bytes(_COUNT_BYTES, "little") for count in counts)


def image_id_of(value: Any) -> Id:  # noqa: ANN401  a Python, NumPy or tensor scalar
    """An id as an integer or a text; whole floats are integers. Raises InputError for anything else."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    if isinstance(plain, str) or (isinstance(plain, int) and not isinstance(plain, bool)):
        if isinstance(plain, str) or -(2**63) <= plain < 2**64:
            return plain
        raise InputError(f"image_ids: {plain} does not fit in 64 bits; give smaller numbers, or texts")
    raise InputError(f"image_ids: {value!r} is no id; ids are whole numbers or texts")


def _difference(image_id: Id, before: bytes, now: bytes) -> str:
    counts = [_counts(record) for record in (before, now)]
    if counts[0] != counts[1]:
        then, again = (f"{counted(objects, 'object')} and {counted(found, 'detection')}" for objects, found in counts)
        fact = f"{then} then, {again} now"
    else:
        changed = [
            what for what, part in (("objects", _OBJECTS), ("detections", _DETECTIONS)) if before[part] != now[part]
        ]
        objects, found = counts[0]
        both = f"{counted(objects, 'object')} and {counted(found, 'detection')} both times"
        fact = f"{both}, but other {' and '.join(changed)}"
    return (
        f"image {id_text(image_id)} was given before with other content: {fact}; give each image once, "
        "or the same content each time, and start a new Evaluator for each pass over the data"
    )


def _counts(record: bytes) -> tuple[int, int]:
    numbers = record[_DETECTIONS.stop :]
    objects, found = numbers[:_COUNT_BYTES], numbers[_COUNT_BYTES:]
    return int.from_bytes(objects, "little"), int.from_bytes(found, "little")
