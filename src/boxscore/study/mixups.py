"""A missed anchor looked for among the other variants: a variant mixed up has been taken for drift of the scorer."""

from __future__ import annotations

from boxscore.study import found
from boxscore.study.anchors import within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from boxscore.study.declared import Anchor

    Point = Callable[[str], float | None]

_POINTS = ("point", "difference")


def who_meets(anchor: Anchor, variants: Sequence[str], point: Point, bounds: Callable[[], Mapping[str, Any]]) -> str:
    """The end of a missed anchor's message: which other variants meet it; empty where none does.

    `point` gives a variant's figure. `bounds` compares all variants, and is called only for an anchor of a variant that
    states no point.
    """
    stated = next((anchor.values[name] for name in _POINTS if name in anchor.values), None)
    if stated is not None:
        met = [refs for refs in _others(anchor, variants) if within(_value(refs, point), *stated)]
    elif anchor.values and not anchor.is_pair:
        section = bounds()
        met = [(ref,) for ref in variants if ref != anchor.refs[0] and _in_bounds(anchor, section, ref)]
    else:
        return ""
    return _told(anchor, met)


def whose(digest: str, hashes: Mapping[str, str]) -> str:
    """The end of a message about predictions that an anchor does not belong to: which variants' file it means."""
    owners = [ref for ref, found_hash in hashes.items() if found_hash == digest]
    return f"; that is the file of {' and '.join(owners)}: a variant mixed up?" if owners else ""


def _others(anchor: Anchor, variants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Other variants, or other pairs: those first in which one of the two stays."""
    if not anchor.is_pair:
        yield from ((ref,) for ref in variants if ref != anchor.refs[0])
        return
    a, b = anchor.refs
    yield from ((ref, b) for ref in variants if ref not in (a, b))
    yield from ((a, ref) for ref in variants if ref not in (a, b))
    for first in variants:
        yield from ((first, second) for second in variants if first not in (a, second) and second != b)


def _value(refs: tuple[str, ...], point: Point) -> float | None:
    values = [point(ref) for ref in refs]
    if any(value is None for value in values):
        return None
    first, *rest = (value for value in values if value is not None)
    return first - sum(rest)


def _in_bounds(anchor: Anchor, section: Mapping[str, Any], ref: str) -> bool:
    figure = found.figure(section, ref, anchor.measure, anchor.label)
    return figure is not None and all(within(figure[name], *stated) for name, stated in anchor.values.items())


def _told(anchor: Anchor, met: Sequence[tuple[str, ...]]) -> str:
    if not met:
        return "; no other declared variant meets it"
    near = [refs for refs in met if anchor.is_pair and set(refs) & set(anchor.refs)] or list(met)
    names = " and by ".join(" vs ".join(refs) for refs in near[:3])
    return f"; the anchor of {' vs '.join(anchor.refs)} is met by {names}: a variant mixed up?"
