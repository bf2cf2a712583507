"""Sweeps: counts and rates of one label, or of all, at every confidence that occurs."""

from __future__ import annotations

from boxscore.measures import rates
from boxscore.measures.counts import ALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from boxscore import _kernel
    from boxscore.model.tables import Matches


class Sweep:
    """What is found at each floor, from the highest score down.

    Place i tells of the detections with a score of at least `score[i]`: `true_positives[i]`, `false_positives[i]`, out
    of `objects` to be found. `label` is None for all labels under one floor.
    """

    __slots__ = ("false_positives", "label", "objects", "score", "true_positives")

    def __init__(
        self,
        label: str | None,
        objects: int,
        score: Sequence[float],
        true_positives: Sequence[int],
        false_positives: Sequence[int],
    ) -> None:
        self.label = label
        self.objects = objects
        self.score = list(score)
        self.true_positives = list(true_positives)
        self.false_positives = list(false_positives)

    @property
    def precision(self) -> list[float | None]:
        """At each score."""
        return [rates.precision(*counts)[0] for counts in self._counts()]

    @property
    def recall(self) -> list[float | None]:
        """At each score; None all along without ground truth."""
        return [rates.recall(found, self.objects)[0] for found in self.true_positives]

    def f_beta(self, beta: float = 1.0) -> list[float | None]:
        """At each score; None all along without ground truth."""
        return [rates.f_beta(*counts, self.objects, beta)[0] for counts in self._counts()]

    def best(self, beta: float = 1.0) -> int | None:
        """The place with the largest F-beta, the highest score among equals; None where there is none."""
        values = [value for value in self.f_beta(beta) if value is not None]
        return max(range(len(values)), key=values.__getitem__) if values else None

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """All columns, ready for JSON."""
        return {
            "label": self.label,
            "objects": self.objects,
            "reason": None if self.objects else rates.NO_OBJECTS,
            "beta": beta,
            "score": self.score,
            "true_positives": self.true_positives,
            "false_positives": self.false_positives,
            "precision": self.precision,
            "recall": self.recall,
            "f_beta": self.f_beta(beta),
        }

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        return f"<Sweep of {self.label or 'all labels'} over {len(self)} scores>"

    def _counts(self) -> Iterable[tuple[int, int]]:
        return zip(self.true_positives, self.false_positives, strict=True)


def sweep(matches: Matches, position: int, label: str, objects: int, *, cell: int = 0, limit: int = ALL) -> Sweep:
    """The sweep of one label, whose objects were counted already."""
    from functools import partial

    from boxscore.model.parted import PartedMatches

    if isinstance(matches, PartedMatches):
        columns = matches.each_label(partial(_swept, cell=cell, limit=limit), [position])[0]
    else:
        columns = _swept(matches.kernel, position, cell=cell, limit=limit, place=position)
    return Sweep(label, objects, *columns)


def _swept(
    matches: _kernel.Matches,
    label: int,  # noqa: ARG001  given to all such functions
    *,
    cell: int,
    limit: int,
    place: int = 0,
) -> list[list[Any]]:
    """Scores and counts of the label at a place of the matches."""
    from boxscore import _kernel

    table = _kernel.sweep_scores(matches, label=place, cell=cell, limit=limit)
    return [table.column(name).to_list() for name in ("score", "true_positives", "false_positives")]


def joined(sweeps: Iterable[Sweep]) -> Sweep:
    """Several labels under one floor for all of them: their counts are added."""
    steps: dict[float, tuple[int, int]] = {}
    objects = 0
    for one in sweeps:
        objects += one.objects
        before = (0, 0)
        for score, *now in zip(one.score, one.true_positives, one.false_positives, strict=True):
            found, wrong = steps.get(score, (0, 0))
            steps[score] = (found + now[0] - before[0], wrong + now[1] - before[1])
            before = (now[0], now[1])
    whole = Sweep(None, objects, [], [], [])
    found = wrong = 0
    for score in sorted(steps, reverse=True):
        found += steps[score][0]
        wrong += steps[score][1]
        whole.score.append(score)
        whole.true_positives.append(found)
        whole.false_positives.append(wrong)
    return whole
