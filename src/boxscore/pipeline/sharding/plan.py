"""Which parts of the predictions speak of which part of the ground truth, and the digest of what decides a part."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate

from boxscore.errors import InputError
from boxscore.model.labels import id_order
from boxscore.pipeline.sharding.jobs import PartJob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boxscore.io.shards.layout import Part, PartFile
    from boxscore.pipeline.sharding.jobs import Settings

    Order = tuple[bool, int, str]

_MOST_READS = 4.0
"""So often, on average, may a part of the predictions be read: more, and sorting them by image first is cheaper."""

_VERSION = 1
"""Of what a part leaves; raised when the same files would leave something else."""


def jobs_of(settings: Settings) -> list[PartJob]:
    """A job for each part of the ground truth. Raises InputError where the predictions aren't sorted by image."""
    base = _digest_of_settings(settings)
    ranges = _Ranges(settings.found.parts)
    reads = sum(ranges.count(part) for part in settings.truth.parts)
    parts = max(len(settings.found.parts), len(settings.truth.parts))
    if settings.found.parts and len(settings.truth.parts) > _MOST_READS and reads > _MOST_READS * parts:
        raise InputError(
            f"{settings.found.source}: its parts are not sorted by image: each would be read about "
            f"{reads / len(settings.found.parts):.0f} times; sort them first: boxscore convert "
            f"{settings.found.source} FOLDER --to shards"
        )
    contents = cache(_content)  # a part of the predictions may meet several of the ground truth
    jobs = []
    for part in settings.truth.parts:
        found = ranges.meeting(part)
        jobs.append(PartJob(part.number, _key(base, settings, part, found, contents), part, found))
    return jobs


class _Ranges:
    """Parts by the images they hold, so that those that meet a range are found without a look at all of them."""

    def __init__(self, parts: Sequence[Part]) -> None:
        held = [(*ends, number) for number, part in enumerate(parts) if (ends := _ends(part)) is not None]
        held.sort()
        self._parts = parts
        self._numbers = [number for _, _, number in held]
        self._firsts = [first for first, _, _ in held]
        self._lasts = [last for _, last, _ in held]
        self._sorted_lasts = sorted(self._lasts)
        self._highest = list(accumulate(self._lasts, max))

    def count(self, part: Part) -> int:
        """How many parts meet the images of this one."""
        ends = _ends(part)
        if ends is None:
            return 0
        # What ends before it begins before it, too.
        return bisect_right(self._firsts, ends[1]) - bisect_left(self._sorted_lasts, ends[0])

    def meeting(self, part: Part) -> tuple[Part, ...]:
        """Those parts, in their own order."""
        ends = _ends(part)
        if ends is None:
            return ()
        start, stop = bisect_left(self._highest, ends[0]), bisect_right(self._firsts, ends[1])
        found = [self._numbers[at] for at in range(start, stop) if self._lasts[at] >= ends[0]]
        return tuple(self._parts[number] for number in sorted(found))


def _ends(part: Part) -> tuple[Order, Order] | None:
    return None if part.first is None or part.last is None else (id_order(part.first), id_order(part.last))


def _digest_of_settings(settings: Settings) -> bytes:
    import hashlib

    from boxscore.model.labels import LabelSet
    from boxscore.model.versions import versions
    from boxscore.runs.digests import compatibility

    labels = LabelSet.from_names(list(settings.label_names))
    stated = (
        _VERSION,
        versions()["boxscore"],
        compatibility(settings.protocol, labels, label_agnostic=settings.label_agnostic),
        sorted(settings.reading.to_dict().items()),
        sorted(settings.labels.items()),
        sorted(settings.folded.items()),
        settings.nms,
        settings.keep,
        settings.identity,
        (settings.truth.corner_convention, settings.truth.boxes, settings.truth.columns),
        (settings.found.boxes, settings.found.columns),
    )
    return hashlib.sha256(repr(stated).encode()).digest()


def _key(
    base: bytes,
    settings: Settings,
    part: Part,
    found: tuple[Part, ...],
    contents: Callable[[str, PartFile], str],
) -> str:
    import hashlib

    digest = hashlib.sha256(base)
    for shards, one in ((settings.truth, part), *((settings.found, other) for other in found)):
        for file in one.files:
            digest.update(repr((shards.root, file.path, file.rows, contents(shards.root, file))).encode())
    return digest.hexdigest()[:40]


def _content(root: str, file: PartFile) -> str:
    """What tells a file's content: the manifest's digest, else an object store's mark, else the digest of its bytes."""
    import hashlib

    from boxscore.io import stores
    from boxscore.io.shards import parquet

    if file.sha256 is not None:
        return file.sha256
    place = stores.joined(root, file.path)
    digest = hashlib.sha256()
    try:
        if (mark := stores.mark_of(place)) is not None:
            return mark
        with stores.open_file(place) as opened:
            for piece in _pieces(opened):
                digest.update(piece)
    except OSError as error:
        raise parquet.unreadable(place, error) from None
    return digest.hexdigest()


def _pieces(opened: object) -> Iterator[bytes]:
    read = opened.read  # type: ignore[attr-defined]  # any file object
    while piece := read(1 << 22):
        yield piece
