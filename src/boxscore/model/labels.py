"""The labels of a data set: exact names in a fixed order."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import plain, shown
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
        _refuse_repeats("name", [id_text(name) for name in names], source)

    @staticmethod
    def from_names(names: Sequence[str] | Mapping[int, str] | Mapping[str, str] | LabelSet) -> LabelSet:
        """Labels numbered by position, or by the keys of a mapping from id to name. Raises InputError for all else."""
        if isinstance(names, LabelSet):
            return names
        keyed = getattr(names, "items", None)
        if isinstance(names, str | bytes) or not (callable(keyed) or hasattr(names, "__iter__")):
            raise InputError(f"labels is {shown(names)}; give a list of names, or a mapping from id to name")
        pairs = [(plain(i), name) for i, name in (keyed() if callable(keyed) else enumerate(names))]
        for i, name in pairs:
            if not isinstance(name, str):
                raise InputError(f"labels: name {shown(name)} (of label {shown(i)}) is not text; give names as texts")
            if isinstance(i, bool) or not isinstance(i, int | str):
                raise InputError(f"labels: id {shown(i)} (of {id_text(name)}) must be a whole number or a text")
        return LabelSet([i for i, _ in pairs if isinstance(i, int | str)], [str(name) for _, name in pairs])

    def index(self, name: str) -> int:
        """Number of a label. Raises InputError that names those there are."""
        try:
            return self._position[name]
        except KeyError:
            raise InputError(f"label {id_text(name)} does not exist{self.suggest(str(name))}") from None

    def find(self, name: str) -> int | None:
        """Number of a label, None where there is no such name."""
        return self._position.get(name)

    def select(self, names: Sequence[str]) -> LabelSet:
        """Only these labels, in this set's order. Raises InputError for a name that isn't here."""
        if isinstance(names, str):
            raise InputError(f"labels: {id_text(names)} is one text; give a list of names")
        kept = sorted({self.index(name) for name in names})
        return LabelSet([self.ids[i] for i in kept], [self.names[i] for i in kept])

    def drops(self, name: str) -> bool:  # noqa: ARG002  for label sets under a taxonomy
        """Whether a taxonomy leaves the label out; here there is none."""
        return False

    def suggest(self, name: str) -> str:
        """`; did you mean "Car"?`, or else the names there are: the end of an error message."""
        import difflib

        folded = {fold(known): known for known in self.names}
        close = difflib.get_close_matches(fold(name), folded, n=1)
        if close:
            return f"; did you mean {id_text(folded[close[0]])}?"
        return f"; available are {listed([id_text(known) for known in self.names], 10)}"

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
    """An id or a name as its file states it: text in quotes, on one line, with what can't be seen spelt out."""
    if not isinstance(value, str):
        return str(value)
    seen = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value)
    return f'"{seen}"'


def whole(text: str) -> int | None:
    """The number of an id's digits, where a number would be written so: not of `01`, ` 1` or a longer text."""
    most = 20  # digits of 64 bits, with a sign
    digits = text.removeprefix("-")
    return int(text) if len(digits) <= most and digits.isdecimal() and str(int(text)) == text else None


def found_id(text: str) -> str:
    """An id that the kernel gives as bare text, its kind forgotten: what can't be a number goes into quotes."""
    return id_text(text) if whole(text) is None else text


def _refuse_repeats(what: str, texts: list[str], source: str) -> None:
    if len(set(texts)) == len(texts):
        return
    repeated = next(text for text in texts if texts.count(text) > 1)
    places = [i for i, text in enumerate(texts) if text == repeated]
    raise InputError(
        f"{source}: category {what} {repeated} is declared {len(places)} times "
        f"(categories {' and '.join(map(str, places))}); give each category its own {what}"
    )
