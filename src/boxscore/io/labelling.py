"""From the labels that rows state to label numbers, by exact name or id, and what to say where that fails."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import LabelSet, fold, id_text, whole
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.io.places import Places
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading

    Use = tuple[bool, Id, int, int]
    """Whether by name, the id or name, the first row that states it, the number of rows."""


def label_sets(
    categories: Sequence[tuple[Id, str | None]], source: str, taxonomy: Taxonomy | None = None
) -> tuple[LabelSet, LabelSet, list[Note]]:
    """The label set of a file's categories, what a taxonomy makes of it (the same without one), and notes.

    A category without a name takes its id for one.
    """
    names = [str(i) if name is None else name for i, name in categories]
    nameless = [id_text(i) for i, name in categories if name is None]
    ids = [i for i, _ in categories]
    if taxonomy is None:
        declared = every = LabelSet(ids, names, source)
        notes: list[Note] = []
    else:
        declared, every = taxonomy.label_sets(ids, names, source)
        notes = taxonomy.notes(declared, source)
    if not nameless:
        return declared, every, notes
    message = (
        f"{source}: {counted(len(nameless), 'category has', 'categories have')} no name and "
        f"{'takes its id' if len(nameless) == 1 else 'take their ids'} for one: {listed(nameless)}; add `name`"
    )
    return declared, every, [Note("category-without-name", message, len(nameless)), *notes]


class Labelling:
    """Finds label numbers among `declared` labels; those outside `kept` become -1, left out without a word.

    Raises InputError, unless `reading` drops unknown labels, for a label that isn't declared.
    """

    __slots__ = ("_by_id", "_by_text", "_declared", "_folded", "_kept", "_reading", "notes")

    def __init__(self, declared: LabelSet, kept: LabelSet, reading: Reading) -> None:
        self._declared = declared
        self._kept = kept
        self._reading = reading
        self._by_id = dict(zip(declared.ids, declared.names, strict=True))
        self._by_text: dict[str, list[str]] = {}
        for i, name in self._by_id.items():
            self._by_text.setdefault(str(i), []).append(name)
        self._folded: dict[str, list[str]] = {}
        for name in declared.names:
            self._folded.setdefault(fold(name), []).append(name)
        self.notes: list[Note] = []

    def numbers(self, uses: Sequence[Use], places: Places) -> list[int]:
        """A label number for each use; what was done goes to `notes`."""
        stated = {(by_name, value) for by_name, value, _, _ in uses}
        found: list[str | None] = []
        coerced: list[Use] = []
        unknown: list[Use] = []
        for use in uses:
            by_name, value, _, _ = use
            name = self._name(str(value), use, places) if by_name else self._by_id.get(value)
            if name is None and not by_name and (by_text := self._look_alike(value, stated)) is not None:
                name = by_text
                coerced.append(use)
            if name is None:
                unknown.append(use)
            found.append(name)
        self._tell_coerced(coerced, places)
        self._settle(unknown, places)
        numbers = [None if name is None else self._kept.find(name) for name in found]
        rows: dict[str, int] = {}
        for name, use in zip(found, uses, strict=True):
            if name is not None:
                rows[name] = rows.get(name, 0) + use[3]
        self.notes += dropped_note(self._declared, rows, places.name, places.noun)
        return [-1 if number is None else number for number in numbers]

    def _name(self, stated: str, use: Use, places: Places) -> str | None:
        """A declared name equal to the stated one, or, where asked for, the only one that folds to the same."""
        if stated in self._declared:
            return stated
        alike = self._alike(stated)
        if self._reading.label_match != "fold" or len(alike) != 1:
            return None
        message = (
            f"{places.name}: category_name {id_text(stated)} is read as {id_text(alike[0])}, case and blanks "
            f"disregarded ({counted(use[3], places.noun)}, {places.first(use[2])})"
        )
        self.notes.append(Note("label-folded", message, use[3]))
        return alike[0]

    def _alike(self, stated: str) -> list[str]:
        """Declared names that are the stated one without case and blanks."""
        return self._folded.get(fold(stated), [])

    def _look_alike(self, value: Id, stated: set[tuple[bool, Id]]) -> str | None:
        """The label of id 1 for "1", or the reverse, where only one is declared and only one is stated."""
        alike = self._by_text.get(str(value), [])
        if len(alike) != 1:
            return None
        both = sum((False, other) in stated for other in (str(value), _number(value)) if other is not None)
        return alike[0] if both == 1 else None

    def _tell_coerced(self, coerced: list[Use], places: Places) -> None:
        if not coerced:
            return
        rows = sum(use[3] for use in coerced)
        first = coerced[0]
        form, other = ("text", "numbers") if isinstance(first[1], str) else ("a number", "texts")
        message = (
            f"{places.row(first[2])}: category_id {id_text(first[1])} is {form} where the categories have {other}; "
            f"{counted(rows, places.noun)} matched by the same digits; write category ids alike in both files"
        )
        self.notes.append(Note("category-id-coerced", message, rows))

    def _settle(self, unknown: list[Use], places: Places) -> None:
        """Refuse labels that weren't found, or leave them out; first those that could be several."""
        ambiguous = [use for use in unknown if self._could_be(use)]
        absent = [use for use in unknown if not self._could_be(use)]
        for uses, fact, remedy in (
            (ambiguous, self._ambiguous, self._remedy_of_ambiguous),
            (absent, self._absent, self._remedy_of_absent),
        ):
            if not uses:
                continue
            rows = sum(use[3] for use in uses)
            kinds = "" if len(uses) == 1 else f", {len(uses)} different ones"
            place = places.row(uses[0][2])
            found = f"{place}: {fact(uses[0])} ({counted(rows, places.noun)}{kinds})"
            if self._reading.unknown_labels != "drop":
                raise InputError(found + remedy(uses[0]))
            self.notes.append(Note("unknown-label", f"{found}; left out", rows))

    def _could_be(self, use: Use) -> list[str]:
        """The declared names that a name could mean, where it could mean several: only if names are folded."""
        alike = self._alike(str(use[1])) if use[0] and self._reading.label_match == "fold" else []
        return alike if len(alike) > 1 else []

    def _ambiguous(self, use: Use) -> str:
        names = " or ".join(map(id_text, self._could_be(use)))
        return f"category_name {id_text(use[1])} is ambiguous: without case and blanks it could be {names}"

    def _absent(self, use: Use) -> str:
        field = "category_name" if use[0] else "category_id"
        return f"{field} {id_text(use[1])} is not among the categories of the ground truth"

    def _remedy_of_ambiguous(self, _: Use) -> str:
        exactly = "Write the one that is meant exactly as the ground truth does"
        return f". {exactly}, or leave such rows out with {self._reading.option('unknown_labels', 'drop')}."

    def _remedy_of_absent(self, use: Use) -> str:
        by_name, value, _, _ = use
        hint = self._hint(by_name=by_name, value=value)
        stop = "" if hint.endswith("?") else "."
        fold_option = ""
        if by_name and len(self._alike(str(value))) == 1:
            fold_option = f", compare names without case and blanks with {self._reading.option('label_match', 'fold')}"
        drop = self._reading.option("unknown_labels", "drop")
        names = "" if by_name else ", say which names the ids have with --pred-classes FILE"
        return f"{hint}{stop} Correct the label{fold_option}{names}, or leave such rows out with {drop}."

    def _hint(self, *, by_name: bool, value: Id) -> str:
        if by_name:
            return self._declared.suggest(str(value))
        if isinstance(value, str) and value in self._declared:
            return f"; {id_text(value)} is a name: write it as category_name"
        ids = [f"{id_text(i)} ({name})" for i, name in self._by_id.items()]
        return f"; available are {listed(ids, 10)}"


def dropped_note(declared: LabelSet, rows: Mapping[str, int], source: str, noun: str) -> list[Note]:
    """Labels that a taxonomy drops, counted by name; `rows` are those of each name."""
    dropped = {name: count for name, count in rows.items() if declared.drops(name)}
    if not dropped:
        return []
    total = sum(dropped.values())
    told = [f"{id_text(name)} ({count})" for name, count in sorted(dropped.items(), key=lambda item: -item[1])]
    message = f"{source}: {counted(total, noun)} of labels that the taxonomy drops left out: {listed(told, 20)}"
    return [Note("taxonomy-dropped", message, total)]


def _number(value: Id) -> int | None:
    return whole(value) if isinstance(value, str) else value
