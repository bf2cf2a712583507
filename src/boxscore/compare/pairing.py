"""Which pairs of models are compared, and which models the data cannot separate."""

from __future__ import annotations

import itertools

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    Pair = tuple[int, int]

ADJACENT = "adjacent"
ALL = "all"


def check_pairs(pairs: object, names: Sequence[str]) -> str:
    """The choice, checked: `adjacent`, `all`, or the name of a model. Raises InputError."""
    if isinstance(pairs, str) and (pairs in (ADJACENT, ALL) or pairs in names):
        return pairs
    stated = id_text(pairs) if isinstance(pairs, str) else repr(pairs)
    models = listed([id_text(name) for name in names], 20)
    raise InputError(f"pairs is {stated}; it must be adjacent, all, or the name of a model: {models}")


def pairs_of(order: Sequence[int], pairs: str, names: Sequence[str]) -> list[Pair]:
    """Pairs of positions of models, from a leaderboard (`order`: positions, best first).

    `adjacent`: each with the next one below; `all`: each with each below; a model's name (which goes before either
    word): each other model with that one, the difference being how far it is ahead of it.
    """
    if pairs in names:
        reference = list(names).index(pairs)
        return [(model, reference) for model in order if model != reference]
    if pairs == ADJACENT:
        return list(itertools.pairwise(order))
    return [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]


def groups_of(order: Sequence[int], pairs: Sequence[Pair], together: Collection[Pair]) -> list[list[int]]:
    """Largest sets of models, two at least, of which the pairs that were compared were all left unseparated.

    `together` are the pairs that were not separated. With all pairs compared, no two of a set are separated. With
    neighbours alone compared, a set is a chain of them, whose ends were not compared. With one model compared, a set is
    that model and those that could not be separated from it.
    """
    linked = {frozenset(pair) for pair in together}
    every = len(pairs) == len(order) * (len(order) - 1) // 2
    if every:
        return _cliques(order, linked)
    found: list[list[int]] = []
    for a, b in pairs:
        if frozenset((a, b)) not in linked:
            continue
        held = next((group for group in found if a in group or b in group), None)
        if held is None:
            found.append([a, b])
        else:
            held += [model for model in (a, b) if model not in held]
    place = {model: position for position, model in enumerate(order)}
    return [sorted(group, key=place.__getitem__) for group in found]


def _cliques(order: Sequence[int], linked: set[frozenset[int]]) -> list[list[int]]:
    """Maximal cliques of two or more. C. Bron and J. Kerbosch, Algorithm 457, CACM 16 (9), 1973."""
    found: list[list[int]] = []

    def near(model: int) -> set[int]:
        return {other for other in order if frozenset((model, other)) in linked}

    def extend(chosen: list[int], open_: list[int], done: set[int]) -> None:
        if not open_ and not done:
            found.append(chosen)
        for position, model in enumerate(open_):
            close = near(model)
            rest = [other for other in open_[position + 1 :] if other in close]
            before = (done | set(open_[:position])) & close
            extend([*chosen, model], rest, before)

    extend([], list(order), set())
    return [group for group in found if len(group) > 1]
