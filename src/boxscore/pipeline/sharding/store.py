"""Parts that were made, kept: one file each, named by the digest of what decides it, whole or not there."""

from __future__ import annotations

import json

from boxscore.errors import InputError
from boxscore.pipeline.sharding.jobs import LabelUse, PartOutcome, PlacedFinding, RowPlace, Summary
from boxscore.pipeline.sharding.places import place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

_MAGIC = b"boxscore part 1\n"
_SUFFIX = ".part"
_NUMBER = 8
_DIGEST = 32
_PIECE = 1 << 22
_FIRST = 1 << 16
"""Bytes that are read at first: heads of parts are seldom longer, and a store answers each request as slowly."""


class PartStore:
    """A folder of parts, or an address for them. A part that was cut off or changed counts as not there, and is made
    again.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self._place = place_of(folder)
        self._known: dict[str, tuple[dict[str, Any], int]] = {}

    def save(self, key: str, outcome: PartOutcome) -> None:
        """Write a part, whole or not at all. Raises InputError where it can't be written."""
        import hashlib

        payload = [*outcome.blocks, *outcome.tables.values()]
        digest = hashlib.sha256()
        for piece in payload:
            digest.update(piece)
        head = {
            "summary": _plain(outcome.summary),
            "blocks": [len(block) for block in outcome.blocks],
            "tables": {name: len(data) for name, data in outcome.tables.items()},
            "sha256": digest.hexdigest(),
        }
        text = json.dumps(head).encode()
        first = _MAGIC + len(text).to_bytes(_NUMBER, "little") + hashlib.sha256(text).digest() + text
        self._place.write(f"{key}{_SUFFIX}", [first, *payload])

    def summary(self, key: str) -> Summary | None:
        """The summary of a part that is there whole; None else."""
        import hashlib

        found = self._head(key)
        if found is None:
            return None
        head, start = found
        digest = hashlib.sha256()
        end = start + _length(head)
        for at in range(start, end, _PIECE):
            digest.update(self._bytes(key, at, min(_PIECE, end - at)))
        return _summary(head["summary"]) if digest.hexdigest() == head["sha256"] else None

    def outcome(self, key: str) -> PartOutcome | None:
        """All of a part that is there whole; None else."""
        import hashlib

        found = self._head(key)
        if found is None:
            return None
        head, start = found
        data = self._bytes(key, start, _length(head))
        if hashlib.sha256(data).hexdigest() != head["sha256"]:
            return None
        pieces = _cut(data, [*head["blocks"], *head["tables"].values()])
        blocks, tables = pieces[: len(head["blocks"])], pieces[len(head["blocks"]) :]
        return PartOutcome(_summary(head["summary"]), blocks, dict(zip(head["tables"], tables, strict=True)))

    def block(self, key: str, label: int) -> bytes:
        """The block of a label of a part that is there. Raises InputError where it is gone."""
        head, start = self._needed(key)
        lengths = head["blocks"]
        return self._bytes(key, start + sum(lengths[:label]), lengths[label])

    def blocks(self, key: str) -> list[bytes]:
        """The blocks of all labels. Raises InputError likewise."""
        head, start = self._needed(key)
        lengths = head["blocks"]
        return _cut(self._bytes(key, start, sum(lengths)), lengths)

    def table(self, key: str, name: str) -> bytes:
        """A table of a run folder, as Parquet. Raises InputError likewise."""
        head, start = self._needed(key)
        before = sum(head["blocks"])
        for other, length in head["tables"].items():
            if other == name:
                return self._bytes(key, start + before, length)
            before += length
        raise InputError(f"{self._named(key)}: it holds no table {name}: it was changed; remove the folder of parts")

    def remove(self) -> None:
        """Take away all parts, and the folder where nothing else is in it."""
        self._place.remove(_SUFFIX)

    def _named(self, key: str) -> str:
        return self._place.named(f"{key}{_SUFFIX}")

    def _needed(self, key: str) -> tuple[dict[str, Any], int]:
        """The lengths that a part's head states, kept: each label of it is asked for by itself."""
        if key not in self._known:
            found = self._head(key)
            if found is None:
                raise InputError(f"{self._named(key)}: this part is gone, or was changed; run the command again")
            head, start = found
            self._known[key] = {name: head[name] for name in ("blocks", "tables")}, start
        return self._known[key]

    def _head(self, key: str) -> tuple[dict[str, Any], int] | None:
        """What stands before the blocks, and where these begin; None where the file isn't whole."""
        import hashlib

        size = self._place.size(f"{key}{_SUFFIX}")
        if size is None:
            return None
        stated, begins = len(_MAGIC), len(_MAGIC) + _NUMBER + _DIGEST
        first = self._bytes(key, 0, min(_FIRST, size))
        if not first.startswith(_MAGIC) or len(first) < begins:
            return None
        length = int.from_bytes(first[stated : stated + _NUMBER], "little")
        if begins + length > size:
            return None
        if begins + length > len(first):
            first += self._bytes(key, len(first), begins + length - len(first))
        text = first[begins : begins + length]
        if hashlib.sha256(text).digest() != first[stated + _NUMBER : begins]:
            return None
        head: dict[str, Any] = json.loads(text)
        return (head, begins + length) if begins + length + _length(head) == size else None

    def _bytes(self, key: str, start: int, length: int) -> bytes:
        return self._place.read(f"{key}{_SUFFIX}", start, length) if length else b""


def _length(head: dict[str, Any]) -> int:
    """Bytes of all blocks and tables."""
    return int(sum(head["blocks"]) + sum(head["tables"].values()))


def _cut(data: bytes, lengths: list[int]) -> list[bytes]:
    pieces = []
    start = 0
    for length in lengths:
        pieces.append(data[start : start + length])
        start += length
    return pieces


def _plain(summary: Summary) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(summary)


def _summary(stated: dict[str, Any]) -> Summary:
    def placed(kind: type[Any], rows: list[dict[str, Any]]) -> list[Any]:
        return [kind(**(row | {"place": RowPlace(**row["place"])})) for row in rows]

    count, place = stated["out_of_range"]
    restored = {
        **{name: placed(LabelUse, stated[name]) for name in ("truth_uses", "found_uses")},
        **{name: placed(PlacedFinding, stated[name]) for name in ("truth_findings", "found_findings")},
        **{name: None if stated[name] is None else tuple(stated[name]) for name in ("scores", "suppressed")},
        "over_limit": tuple(stated["over_limit"]),
        "out_of_range": (count, None if place is None else RowPlace(**place)),
    }
    return Summary(**(stated | restored))


class TemporaryFolder:
    """A folder that goes with the object, without the warning that the library's own gives to those who never close."""

    def __init__(self, prefix: str) -> None:
        import shutil
        import tempfile
        import weakref

        self.name = tempfile.mkdtemp(prefix=prefix)
        self._remove = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)

    def cleanup(self) -> None:
        """Remove it now."""
        self._remove()
