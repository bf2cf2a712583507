"""The labels of a data set: exact names in a fixed order."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Id = int | str


class LabelSet:
    """Labels in order: a label's number everywhere is its position here.

    Identity is by exact name. `ids` are the category ids of the file that declared them (or the positions, where names
    alone were given). Order is by id, integers ascending, then text by code point.
    Raises InputError for a repeated name or id, or none at all.
    """

    __slots__ = ("_position", "ids", "names")

    def __init__(self, ids: Sequence[Id], names: Sequence[str], source: str = "labels") -> None:
        order = sorted(range(len(ids)), key=lambda i: id_order(ids[i]))
        self.ids: tuple[Id, ...] = tuple(ids[i] for i in order)
        self.names: tuple[str, ...] = tuple(names[i] for i in order)
        self._position = {name: i for i, name in enumerate(self.names)}
        if not self.names:
            raise InputError(f"{source}: no label is declared; at least one category is needed")
        _refuse_repeats("id", [id_text(i) for i in ids], source)
        _refuse_repeats("name", [repr(name) for name in names], source)

    @staticmethod
    def from_names(names: Sequence[str] | Mapping[int, str] | Mapping[str, str] | LabelSet) -> LabelSet:
        """Labels numbered by position, or by the keys of a mapping from id to name."""
        if isinstance(names, LabelSet):
            return names
        if isinstance(names, str):
            raise InputError(f"labels: {names!r} is one text; give a list of names, or a mapping from id to name")
        keyed = getattr(names, "items", None)
        pairs = list(keyed()) if keyed else list(enumerate(names))
        for _, name in pairs:
            if not isinstance(name, str):
                raise InputError(f"labels: name {name!r} is not text")
        return LabelSet([i for i, _ in pairs], [str(name) for _, name in pairs])

    def index(self, name: str) -> int:
        """Number of a label. Raises InputError that names those there are."""
        try:
            return self._position[name]
        except KeyError:
            raise InputError(f"label {name!r} does not exist{self.suggest(name)}") from None

    def find(self, name: str) -> int | None:
        """Number of a label, None where there is no such name."""
        return self._position.get(name)

    def select(self, names: Sequence[str]) -> LabelSet:
        """Only these labels, in this set's order. Raises InputError for a name that isn't here."""
        if isinstance(names, str):
            raise InputError(f"labels: {names!r} is one text; give a list of names")
        kept = sorted({self.index(name) for name in names})
        return LabelSet([self.ids[i] for i in kept], [self.names[i] for i in kept])

    def suggest(self, name: str) -> str:
        """`; did you mean "Car"?`, or else the names there are: the end of an error message."""
        import difflib

        folded = {fold(known): known for known in self.names}
        close = difflib.get_close_matches(fold(name), folded, n=1)
        if close:
            return f'; did you mean "{folded[close[0]]}"?'
        return f"; available are {listed(list(self.names), 10)}"

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._position

    def __repr__(self) -> str:
        return f"<LabelSet of {len(self)}: {listed(list(self.names))}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelSet) and (self.names, self.ids) == (other.names, other.ids)

    def __hash__(self) -> int:
        return hash(self.names)


def fold(name: str) -> str:
    """A name without outer blanks, case and the width of inner blanks."""
    return " ".join(name.casefold().split())


def id_order(value: Id) -> tuple[bool, int, str]:
    """Sort key of ids: integers ascending, then text by code point."""
    return (True, 0, value) if isinstance(value, str) else (False, value, "")


def id_text(value: Id) -> str:
    """An id as its file states it: text in quotes."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def _refuse_repeats(what: str, texts: list[str], source: str) -> None:
    if len(set(texts)) == len(texts):
        return
    repeated = next(text for text in texts if texts.count(text) > 1)
    places = [i for i, text in enumerate(texts) if text == repeated]
    raise InputError(
        f"{source}: category {what} {repeated} is declared {len(places)} times "
        f"(categories {' and '.join(map(str, places))}); give each category its own {what}"
    )
