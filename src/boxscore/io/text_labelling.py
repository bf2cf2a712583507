"""From the classes that lines of text state (numbers or names) to label numbers, and what to say where that fails."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io.labelling import dropped_note
from boxscore.model.labels import LabelSet, fold, id_text
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.io.places import Places
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading

    Use = tuple[Id, int, int]
    """What stands in the line, the first row that states it, the number of rows."""


class TextLabelling:
    """Finds label numbers among `declared` labels; those outside `kept` become -1, left out without a word.

    `numbered` gives the names of class numbers, as read from `numbered_by`; without it what stands in the line is the
    name. `labels_of` names where the labels are declared. What was done goes to `notes`.
    Raises InputError, unless `reading` drops unknown labels, for a class that isn't declared.
    """

    __slots__ = ("_declared", "_folded", "_kept", "_labels_of", "_numbered", "_numbered_by", "_reading", "notes")

    def __init__(
        self,
        declared: LabelSet,
        kept: LabelSet,
        reading: Reading,
        labels_of: str,
        *,
        numbered: Mapping[int, str] | None = None,
        numbered_by: str = "",
    ) -> None:
        self._declared = declared
        self._kept = kept
        self._reading = reading
        self._labels_of = labels_of
        self._numbered = numbered
        self._numbered_by = numbered_by
        self._folded: dict[str, list[str]] = {}
        for name in declared.names:
            self._folded.setdefault(fold(name), []).append(name)
        self.notes: list[Note] = []

    def numbers(self, uses: Sequence[Use], places: Places) -> list[int]:
        """A label number for each use, or -1."""
        found: list[int] = []
        named = [self._name(use, places) for use in uses]
        unknown = [use for use, name in zip(uses, named, strict=True) if name is None]
        for name in named:
            number = None if name is None else self._kept.find(name)
            found.append(-1 if number is None else number)
        self._settle(unknown, places)
        rows = {name: 0 for name in named if name is not None}
        for name, use in zip(named, uses, strict=True):
            if name is not None:
                rows[name] += use[2]
        self.notes += dropped_note(self._declared, rows, places.name, places.noun)
        return found

    def _stated(self, value: Id) -> str | None:
        """The name that a line means, None for a number without one."""
        if self._numbered is None:
            return str(value)
        return self._numbered.get(int(value)) if is_number(value) else None

    def _name(self, use: Use, places: Places) -> str | None:
        stated = self._stated(use[0])
        if stated is None or stated in self._declared:
            return stated
        alike = self._folded.get(fold(stated), [])
        if self._reading.label_match != "fold" or len(alike) != 1:
            return None
        message = (
            f"{places.name}: label {id_text(stated)} is read as {id_text(alike[0])}, case and blanks disregarded "
            f"({counted(use[2], places.noun)}, {places.first(use[1])})"
        )
        self.notes.append(Note("label-folded", message, use[2]))
        return alike[0]

    def _settle(self, unknown: list[Use], places: Places) -> None:
        if not unknown:
            return
        rows = sum(use[2] for use in unknown)
        kinds = "" if len(unknown) == 1 else f", {len(unknown)} different ones"
        fact, remedy = self._fact(unknown[0][0])
        found = f"{places.row(unknown[0][1])}: {fact} ({counted(rows, places.noun)}{kinds})"
        if self._reading.unknown_labels != "drop":
            raise InputError(f"{found}{remedy}")
        self.notes.append(Note("unknown-label", f"{found}; left out", rows))

    def _fact(self, value: Id) -> tuple[str, str]:
        """What is wrong with a class, and the remedy that follows the fact."""
        drop = f"or leave such rows out with {self._reading.option('unknown_labels', 'drop')}"
        stated = self._stated(value)
        if stated is None:
            return self._nameless(value), f". Correct the class or the names (--classes, --class-base), {drop}."
        number = "" if self._numbered is None else f"class {value} is "
        hint = self._declared.suggest(stated)
        stop = "" if hint.endswith("?") else "."
        names = ""
        if self._numbered is None and is_number(value):
            names = (
                " If it is a number, say which names the numbers have with --classes FILE (or let eval --assume fit "
                "find them from the boxes),"
            )
        elif len(self._folded.get(fold(stated), [])) == 1:
            names = f" Compare names without case and blanks with {self._reading.option('label_match', 'fold')},"
        correct = f"{names} correct the label," if names else " Correct the label,"
        return (
            f"{number}{id_text(stated)}, which is not among the labels of {self._labels_of}",
            f"{hint}{stop}{correct} {drop}.",
        )

    def _nameless(self, value: Id) -> str:
        numbers = sorted(self._numbered or {})
        if not is_number(value):
            return f"class {id_text(str(value))} is not a number, as {self._numbered_by} wants it"
        return (
            f"class {value} has no name: {self._numbered_by} names {counted(len(numbers), 'class', 'classes')}, "
            f"{numbers[0]} to {numbers[-1]}"
        )


def is_number(value: Id) -> bool:
    """Whether a class is a whole number, or its digits."""
    return isinstance(value, int) or value.removeprefix("-").isdecimal()


def are_numbers(uses: Sequence[Use]) -> bool:
    """Whether all classes are numbers, and there is one at all."""
    return bool(uses) and all(is_number(value) for value, _, _ in uses)


def nameless(uses: Sequence[Use]) -> dict[int, str]:
    """Class numbers as their own names, from 0 to the largest that occurs."""
    highest = max((int(value) for value, _, _ in uses), default=0)
    lowest = min((int(value) for value, _, _ in uses), default=0)
    if lowest < 0 or highest > _MOST_NAMELESS:
        raise InputError(
            f"classes run from {lowest} to {highest}, and no names are known; is the first field of each line the "
            "class? Give names with --classes FILE if so"
        )
    return {number: str(number) for number in range(highest + 1)}


_MOST_NAMELESS = 100_000
"""Tables grow with the largest class number; a larger one is no class."""


def by_position(labels: LabelSet, base: int | None) -> dict[int, str]:
    """Names by the numbers that lines use where only the ground truth names them.

    They are its ids where these run from 0 (as in YOLO's own files), else positions in its order, counted from `base`.
    """
    counted_from_0 = labels.ids == tuple(range(len(labels)))
    if base is None and counted_from_0:
        return dict(enumerate(labels.names))
    return dict(enumerate(labels.names, start=base or 0))


def guessed(
    labels: LabelSet, base: int | None, uses: Sequence[Use], source: str, truth: str
) -> tuple[dict[int, str], Note]:
    """Names of bare numbers as positions among the ground truth's labels, and a note that this is a guess.

    They count from 1 where 0 does not occur and the number of labels does, unless `base` says otherwise.
    """
    stated = {int(value) for value, _, _ in uses}
    if base is None and 0 not in stated and len(labels) in stated:
        base = 1
    by_number = by_position(labels, base)
    first, rows = next(iter(by_number)), sum(use[2] for use in uses)
    message = (
        f"{source}: labels are numbers where {truth} has names ({counted(rows, 'detection')}); taken as positions "
        f"among these names at first, {first} = {by_number[first]}"
    )
    return by_number, Note("labels-by-number", message, rows)
