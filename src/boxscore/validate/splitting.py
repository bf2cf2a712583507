"""Splits of a data set that keep sessions whole."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from itertools import pairwise

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.notes import counted, listed
from boxscore.validate.sessions import columns_of, pattern, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.model.tables import Dataset
    from boxscore.validate.asked import Path

SHARES = {"train": 0.7, "val": 0.15, "test": 0.15}


@dataclass(frozen=True, slots=True)
class Splits:
    """The split of each image.

    `of_session` names the split of each session; `of_image` that of each image id, in the data set's order, and
    `session_of` its session; `shares` are those asked for, `rule` is what names sessions.
    """

    dataset: Dataset
    shares: dict[str, float]
    seed: int
    rule: dict[str, str]
    session_of: list[str]
    of_session: dict[str, str]

    @property
    def of_image(self) -> list[str]:
        """The split of each image."""
        return [self.of_session[session] for session in self.session_of]

    def to_dict(self) -> dict[str, Any]:
        """What was asked for, and sessions, images and objects of each split, ready for JSON."""
        return {
            "seed": self.seed,
            "named_by": self.rule,
            "shares": self.shares,
            "splits": {name: self._about(name) for name in self.shares},
        }

    def _about(self, split: str) -> dict[str, Any]:
        of_image = self.of_image
        table, names = self.dataset.ground_truth, self.dataset.labels.names
        objects = dict.fromkeys(names, 0)
        for image, label in zip(table.column("image").to_list(), table.column("label").to_list(), strict=True):
            if of_image[int(image or 0)] == split:
                objects[names[int(label or 0)]] += 1
        images = of_image.count(split)
        return {
            "sessions": sorted(name for name, one in self.of_session.items() if one == split),
            "images": images,
            "share": images / len(of_image),
            "objects": objects,
        }

    def lacking(self) -> list[str]:
        """Splits without an object of a class, in sentences."""
        told = []
        for name, about in self.to_dict()["splits"].items():
            absent = [label for label, count in about["objects"].items() if not count]
            if absent:
                told.append(f"{name} has no object of {counted(len(absent), 'class', 'classes')}: {listed(absent, 20)}")
        return told


def split(
    dataset: Dataset,
    *,
    group_by: str | None = None,
    group_regex: str | None = None,
    metadata: Path | None = None,
    shares: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Splits:
    """Assign whole sessions to splits, so that these have the shares of images that are asked for as nearly as may be.

    Sessions are named by `group_by`, a field of the images (of a COCO file, or a column of the table `metadata`), or by
    what the one named group of `group_regex` catches in file names. They are taken in an order that the seed decides
    (by SHA-256 of seed and name, so that it is the same everywhere), each into the split that lacks the largest part
    of its share.

    Raises InputError for an image without a session, and for more splits than sessions.
    """
    wanted = _shares(SHARES if shares is None else shares)
    session_of, rule = _sessions(dataset, group_by, group_regex, metadata)
    sizes: dict[str, int] = {}
    for session in session_of:
        sizes[session] = sizes.get(session, 0) + 1
    if len(sizes) < len(wanted):
        raise InputError(
            f"there {'is' if len(sizes) == 1 else 'are'} {counted(len(sizes), 'session')} by {words(rule)}, too few "
            f"for {len(wanted)} splits that keep sessions whole; ask for fewer (--shares), or name sessions otherwise"
        )
    return Splits(dataset, wanted, seed, rule, session_of, _assigned(sizes, wanted, seed))


def _assigned(sizes: Mapping[str, int], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """The split of each session."""
    total = sum(sizes.values())
    held = dict.fromkeys(shares, 0)
    found: dict[str, str] = {}
    order = sorted(sizes, key=lambda name: hashlib.sha256(f"{seed}\0{name}".encode()).digest())
    for place, session in enumerate(order):
        empty = [name for name in shares if not held[name]]
        # As many sessions as empty splits are left: each of these gets one.
        open_to = empty if len(order) - place <= len(empty) else list(shares)
        most = max(open_to, key=lambda name: 1 - held[name] / (shares[name] * total))
        held[most] += sizes[session]
        found[session] = most
    return {name: found[name] for name in sorted(found)}


def _shares(given: Mapping[str, float]) -> dict[str, float]:
    total = sum(given.values())
    if len(given) < 2 or any(not 0 < share < float("inf") for share in given.values()):
        raise InputError(f"shares are {shown(dict(given))}; give two splits or more, each with a share above 0")
    return {name: share / total for name, share in given.items()}


def _sessions(
    dataset: Dataset, group_by: str | None, group_regex: str | None, metadata: Path | None
) -> tuple[list[str], dict[str, str]]:
    if (group_by is None) == (group_regex is None):
        raise InputError("say what names sessions: a column (--group-by) or an expression (--group-regex), one of them")
    names = _names(dataset)
    if group_regex is not None:
        expression = pattern(group_regex)
        caught = [expression.search(name) for name in names]
        values: Sequence[object] = [None if one is None else next(iter(one.groupdict().values())) for one in caught]
        rule = {"expression": group_regex}
    else:
        values, rule = _column(dataset, str(group_by), metadata), {"field": str(group_by)}
    lacking = [name for name, value in zip(names, values, strict=True) if value is None]
    if lacking:
        raise InputError(
            f"{counted(len(lacking), 'image has', 'images have')} no session by {words(rule)}: {listed(lacking)}; name "
            "one for each, so that none is divided"
        )
    return [str(value) for value in values], rule


def _names(dataset: Dataset) -> list[str]:
    stated = dataset.images.column("file_name").to_list()
    return [str(i) if name is None else str(name) for i, name in zip(dataset.image_ids, stated, strict=True)]


def _column(dataset: Dataset, field: str, metadata: Path | None) -> Sequence[object]:
    if metadata is None:
        from boxscore.io import image_fields

        return image_fields.by_image(dataset, [field])[field]
    columns = columns_of(metadata, _names(dataset), [str(i) for i in dataset.image_ids])
    if field not in columns:
        raise InputError(
            f"{os.fspath(metadata)}: there is no column {field!r} for sessions; it has {listed(list(columns), 20)}"
        )
    return columns[field]


def shares_of(text: str) -> dict[str, float]:
    """`train=0.8,val=0.2` as shares by name, or two or three numbers for train, val and test. Raises InputError."""
    parts = [part.strip() for part in text.split(",")]
    named = [part.partition("=") for part in parts]
    if not any(equals for _, equals, _ in named) and len(parts) in (2, 3):
        named = [(name, "=", part) for name, part in zip(SHARES, parts, strict=False)]
    try:
        found = {name.strip(): float(value) for name, equals, value in named if equals and _plain(name.strip())}
    except ValueError:
        found = {}
    if len(found) != len(parts) or any(a == b for a, b in pairwise(sorted(name for name, _, _ in named))):
        raise InputError(f"--shares {text!r}: give names and numbers, like train=0.8,val=0.1,test=0.1")
    return found


def _plain(name: str) -> bool:
    return name.isidentifier()
