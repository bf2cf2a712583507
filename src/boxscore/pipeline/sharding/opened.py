"""Sharded inputs of an evaluation, by path; and the engine that takes them where none is given."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.pipeline.sharding.engines import ThreadEngine
from boxscore.pipeline.sharding.store import PartStore, TemporaryFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from boxscore.io.shards.layout import Shards

ROLES = {"ground_truth": "ground truth", "predictions": "predictions"}


def shards_of(given: object, role: str) -> Shards:
    """Sharded ground truth or predictions. Raises InputError for what is neither, or the other of the two."""
    from boxscore.io import shard_paths
    from boxscore.io.shards import opened

    if isinstance(given, str | os.PathLike) and shard_paths.is_missing(given):
        raise InputError(f"{given}: there is no such file or folder; check the path of the {ROLES[role]}")
    if not isinstance(given, str | os.PathLike) or not shard_paths.looks_sharded(given):
        raise InputError(
            f"{given}: this is no sharded {ROLES[role]}, which is what parts are made of; write it so: "
            f"boxscore convert {given} FOLDER --to shards"
        )
    shards = opened.open_shards(os.fspath(given), role)
    if shards.role != role:
        raise InputError(f"{given}: this is {ROLES[shards.role]}, not {ROLES[role]}; give them in the other order")
    return shards


def thread_engine(
    parts: str | os.PathLike[str] | None,
    threads: int,
    *,
    keep: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> ThreadEngine:
    """Threads of this process, parts in a folder (None: a temporary one, which goes when the engine does)."""
    if parts is not None:
        return ThreadEngine(PartStore(parts), threads=threads, remove=not keep, progress=progress)
    held = TemporaryFolder("boxscore-parts-")
    return ThreadEngine(PartStore(held.name), threads=threads, remove=False, progress=progress, held=held)
