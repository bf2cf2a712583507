"""What goes together on its way from parts to labels."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PER_PROCESSOR = 4
"""Groups of labels: some more than processors, since labels differ in size."""

_FEWEST, _MOST = 8, 64
"""Each chunk of parts leaves an object a group: more of them would be the driver's work, not the workers'."""

_CHUNK_PARTS, _CHUNK_BYTES = 32, 64 << 20
"""As many parts go through one task on their way to the groups."""


def groups_of(sizes: Sequence[int], processors: int) -> list[list[int]]:
    """Labels in groups of about the same number of rows (`sizes`, by label), each group ascending."""
    count = max(1, min(len(sizes), max(_PER_PROCESSOR * processors, _FEWEST), _MOST))
    groups: list[list[int]] = [[] for _ in range(count)]
    totals = [0] * count
    for label in sorted(range(len(sizes)), key=lambda label: (-sizes[label], label)):
        least = min(range(count), key=lambda at: (totals[at], len(groups[at]), at))
        groups[least].append(label)
        totals[least] += sizes[label]
    return [sorted(group) for group in groups]


def chunks(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Ranges of parts, whose blocks have these lengths in bytes: few enough of them to be held by one task."""
    ranges = []
    start = held = 0
    for at, length in enumerate(lengths):
        if at > start and (at - start == _CHUNK_PARTS or held + length > _CHUNK_BYTES):
            ranges.append((start, at))
            start, held = at, 0
        held += length
    return [*ranges, (start, len(lengths))] if lengths else []
