"""A taxonomy: a YAML file that merges, renames and drops labels, of ground truth and predictions alike.

    aliases:
      player: [person, human]   # both become player
      ball:                     # stays as it is
      car: vehicle              # from one name to another: car becomes vehicle
    drop: [dog, cat]            # or "*": whatever else there is

Every label must be covered: as a name given here, an alias of one, or by `drop`.
"""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import LabelSet, id_text
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from boxscore.model.labels import Id

_FIELDS = ("aliases", "drop")


class Taxonomy:
    """What each label becomes. `targets` are the resulting names in file order; `source` names the file.

    `name_of` maps each covered name to its target, those in `dropped` to none; `drop_rest` drops all other names.
    """

    __slots__ = ("drop_rest", "dropped", "name_of", "source", "targets")

    def __init__(
        self, name_of: Mapping[str, str], dropped: Sequence[str] = (), *, drop_rest: bool = False, source: str = ""
    ) -> None:
        self.name_of = dict(name_of)
        self.dropped = frozenset(dropped)
        self.drop_rest = drop_rest
        self.source = source or "taxonomy"
        self.targets = tuple(dict.fromkeys(name_of.values()))
        _check(self)

    @staticmethod
    def of(given: str | PathLike[str] | Mapping[str, object] | Taxonomy) -> Taxonomy:
        """From a YAML file, or its content. Raises InputError that names file, field and value."""
        if isinstance(given, Taxonomy):
            return given
        import os

        if isinstance(given, str | os.PathLike):
            from boxscore.io import yaml_files

            return _from_content(yaml_files.load(given), os.path.basename(os.fspath(given)))  # noqa: PTH119  text kept
        return _from_content(given, "taxonomy")

    def covers(self, name: str) -> bool:
        """Whether a name is a target, an alias, or dropped."""
        return self.drop_rest or name in self.name_of or name in self.dropped

    def target(self, name: str) -> str | None:
        """What a covered name becomes; None where it is dropped. Raises InputError for a name that isn't covered."""
        if name in self.name_of:
            return self.name_of[name]
        if not self.covers(name):
            raise InputError(_uncovered([name], self, "labels"))
        return None

    def label_sets(self, ids: Sequence[Id], names: Sequence[str], source: str) -> tuple[LabelSet, LabelSet]:
        """The labels of a file as it declares them, repeated names allowed, and what they become.

        A resulting label has the least id of those that become it and stands in that order; targets that the file
        doesn't declare follow. Raises InputError that lists the names that the taxonomy doesn't cover.
        """
        uncovered = list(dict.fromkeys(name for name in names if not self.covers(name)))
        if uncovered:
            raise InputError(_uncovered(uncovered, self, source))
        declared = DeclaredLabels(ids, names, self, source)
        first: dict[str, Id] = {}
        for i, name in zip(declared.ids, declared.names, strict=True):
            target = self.target(name)
            if target is not None:
                first.setdefault(target, i)
        for target in self.targets:
            first.setdefault(target, _free_id(first.values(), declared.ids, target))
        return declared, MergedLabels(list(first.values()), list(first), self, source)

    def notes(self, declared: LabelSet, source: str) -> list[Note]:
        """Which labels of the file were merged or renamed, in words."""
        becomes: dict[str, list[str]] = {}
        for name in declared.names:
            target = self.target(name)
            if target is not None:
                becomes.setdefault(target, []).append(name)
        changed = {target: names for target, names in becomes.items() if names != [target]}
        if not changed:
            return []
        told = [f"{' + '.join(map(id_text, names))} -> {id_text(target)}" for target, names in changed.items()]
        count = sum(map(len, changed.values()))
        message = f"{source}: {counted(count, 'label')} merged or renamed by {self.source}: {listed(told, 10)}"
        return [Note("taxonomy", message, count)]


class MergedLabels(LabelSet):
    """The labels that a taxonomy makes: found by their own names and by all that become them."""

    __slots__ = ("_taxonomy",)

    def __init__(self, ids: Sequence[Id], names: Sequence[str], taxonomy: Taxonomy, source: str) -> None:
        super().__init__(ids, names, source)
        self._taxonomy = taxonomy

    def find(self, name: str) -> int | None:
        """Number of the label that a name becomes, None where it is dropped or unknown."""
        return super().find(self._taxonomy.name_of.get(name, name))

    def select(self, names: Sequence[str]) -> LabelSet:
        """Only these labels, which are named as they become."""
        kept = super().select(names)
        return MergedLabels(kept.ids, kept.names, self._taxonomy, self._taxonomy.source)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None


class DeclaredLabels(LabelSet):
    """A file's labels under a taxonomy: names may repeat, and every name that the taxonomy covers is one of them."""

    __slots__ = ("_taxonomy",)

    def __init__(self, ids: Sequence[Id], names: Sequence[str], taxonomy: Taxonomy, source: str) -> None:
        # Names that are told apart for the base's check alone: only a taxonomy may join those that repeat.
        super().__init__(ids, [f"{name}\0{i}" for i, name in enumerate(names)], source)
        self.names = tuple(name.rpartition("\0")[0] for name in self.names)
        self._position = {name: i for i, name in reversed(list(enumerate(self.names)))}
        self._taxonomy = taxonomy

    def drops(self, name: str) -> bool:
        """Whether the taxonomy leaves the label out."""
        return self._taxonomy.covers(name) and name not in self._taxonomy.name_of

    def suggest(self, name: str) -> str:
        """The end of an error about a name that the taxonomy doesn't cover."""
        missing = f"; {self._taxonomy.source} does not cover {id_text(name)}"
        return f'{missing}: add it under `aliases` or `drop`, or write `drop: "*"`'

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._taxonomy.covers(name)


def _from_content(content: object, source: str) -> Taxonomy:
    if not isinstance(content, dict) or not content or set(content) - set(_FIELDS):
        found = ", ".join(map(str, content)) if isinstance(content, dict) else type(content).__name__
        raise InputError(f"{source}: a taxonomy is a mapping with `aliases` and `drop`; found: {found or 'nothing'}")
    name_of = _aliases(content.get("aliases"), source)
    drop = content.get("drop")
    if drop == "*":
        return Taxonomy(name_of, drop_rest=True, source=source)
    return Taxonomy(name_of, _names(drop, f"{source}: drop"), source=source)


def _aliases(given: object, source: str) -> dict[str, str]:
    """Each name with what it becomes: a list holds what becomes the key, a text is what the key becomes."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InputError(f"{source}: aliases must be a mapping from a name to the names that become it")
    pairs: list[tuple[str, str]] = []
    for key, value in given.items():
        name = _text(key, f"{source}: aliases")
        if isinstance(value, str):
            pairs += [(name, value), (value, value)]
        else:
            pairs += [(alias, name) for alias in (name, *_names(value, f"{source}: aliases of {id_text(name)}"))]
    found: dict[str, str] = {}
    for alias, target in pairs:
        if found.setdefault(alias, target) != target:
            raise InputError(
                f"{source}: {id_text(alias)} becomes both {id_text(found[alias])} and {id_text(target)}; "
                "let it become one label"
            )
    return found


def _names(given: object, where: str) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, list):
        raise InputError(f'{where} is {given!r}; it must be a list of names (or, for drop, "*")')
    return [_text(name, where) for name in given]


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: {value!r} is no text; put names that YAML takes for something else in quotes")
    return value


def _check(taxonomy: Taxonomy) -> None:
    both = sorted(taxonomy.dropped & taxonomy.name_of.keys())
    if both:
        raise InputError(f"{taxonomy.source}: {listed(both)} is both kept and dropped; name it once")
    if not taxonomy.targets:
        raise InputError(f"{taxonomy.source}: no label is left; name at least one under `aliases`")


def _uncovered(names: list[str], taxonomy: Taxonomy, source: str) -> str:
    return (
        f"{source}: {taxonomy.source} does not cover {listed([id_text(name) for name in names], 10)}; "
        'add each under `aliases` or `drop`, or write `drop: "*"` to leave out all that is not named'
    )


def _free_id(taken: object, declared: Sequence[Id], name: str) -> Id:
    """An id for a label that no file declares: the next number where all ids are numbers, else its name."""
    ids = [*declared, *(taken if hasattr(taken, "__iter__") else ())]
    numbers = [i for i in ids if isinstance(i, int)]
    return max(numbers, default=-1) + 1 if len(numbers) == len(ids) else name
