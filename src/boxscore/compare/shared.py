"""The labels that two data sets share: those that both have objects of. All else is left out, with its reason."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from boxscore.model.measure import Measure
    from boxscore.pipeline.run import Run


def shared_labels(runs: Mapping[str, Run]) -> tuple[list[str], dict[str, str]]:
    """Names of the shared labels in the first data set's order; of every other label, why it is left out.

    Raises InputError where there is none.
    """
    (first, one), (second, other) = runs.items()
    left_out: dict[str, str] = {}
    shared = []
    for label in dict.fromkeys([*one.labels, *other.labels]):
        lacking = [name for name, run in runs.items() if label not in run.labels]
        empty = [name for name, run in runs.items() if not lacking and not run.value("objects", label)]
        if not lacking and not empty:
            shared.append(label)
        else:
            told = [f"{name} has no such label" for name in lacking] or [
                f"{name} has no object of it" for name in empty
            ]
            left_out[label] = ", ".join(told)
    if not shared:
        raise InputError(
            f"{first} and {second} share no label that both have objects of: {first} has {_held(one)}, {second} has "
            f"{_held(other)}; name labels alike, or join them with --taxonomy"
        )
    return shared, left_out


def refuse_other_floors(runs: Mapping[str, Run], shared: list[str]) -> None:
    """Raises InputError for a shared label whose confidence floor is another on each side."""
    (first, one), (second, other) = runs.items()
    if one.floors is None or other.floors is None:
        return  # both are, as their protocols are alike
    of_one = dict(zip(one.labels, one.floors.of(one.labels), strict=True))
    of_other = dict(zip(other.labels, other.floors.of(other.labels), strict=True))
    for label in shared:
        ours, theirs = of_one[label], of_other[label]
        if ours != theirs:
            raise InputError(
                f"{first} and {second} can't be compared: the confidence floor of {id_text(label)} is {ours:g} of "
                f"{first} and {theirs:g} of {second}; evaluate both at the same floors, or say that each has its own "
                "with --own-floors"
            )


def with_figure(runs: Mapping[str, Run], measure: Measure, shared: list[str]) -> tuple[list[str], list[str]]:
    """Shared labels that a measure over labels is of, and those that it isn't of.

    A mean of labels takes those alone that have a figure on both sides: else both would be means of different labels.
    """
    if measure.at_point and measure.average != "macro":
        return shared, []
    single = measure.replaced(average=None) if measure.at_point else measure
    lacking = [label for label in shared if any(run.explain(single, label)[0] is None for run in runs.values())]
    return [label for label in shared if label not in lacking], lacking


def _held(run: Run) -> str:
    held = [id_text(label) for label in run.labels if run.value("objects", label)]
    return f"{counted(len(held), 'label')} with objects ({listed(held)})" if held else "no object"
