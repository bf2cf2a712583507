"""Which tables and comparisons hold a figure, and whether it is the same in all of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from boxscore.study.declared import Section

_TWO = 2


def holders(
    sections: Mapping[str, Section], refs: tuple[str, ...], measure: str, label: str | None
) -> dict[str, Section]:
    """The sections with all these variants under the measure, and the label where one is named."""
    return {
        name: section
        for name, section in sections.items()
        if measure in section.measures and set(refs) <= set(section.variants) and (label is None or section.per_label)
    }


def described(refs: tuple[str, ...], measure: str, label: str | None) -> str:
    """What was looked for, in words."""
    return f"{' and '.join(refs)} under {measure}" + ("" if label is None else f" of {label} (with `per_label: true`)")


def differ(held: Mapping[str, Section], refs: tuple[str, ...], *, exact: bool) -> bool:
    """Whether the sections may give different values.

    A point depends on the protocol alone; with `exact`, an interval is asked for too, which depends on how a section
    resamples; what is asked of a pair depends on the family, too, in which its p is adjusted.
    """
    first, *rest = held.values()
    for section in rest:
        if section.scoring != first.scoring:
            return True
        if exact and not section.draws_as(first):
            return True
        if len(refs) == _TWO and (section.variants, section.pairs) != (first.variants, first.pairs):
            return True
    return False
