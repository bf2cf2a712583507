"""Whether a path names sharded data: a cheap look, before anything heavy is imported."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

_MANIFEST = "manifest.json"
_RUN = "run.json"
_PARQUET = ".parquet"


def looks_sharded(given: object) -> bool:
    """An address such as `s3://bucket/name`, a pattern (`parts/*.parquet`) that is no file's name, a folder with a
    manifest of shards, or one with Parquet files in it, or in partitions (`split=val`), that is no run folder.
    """
    if not isinstance(given, str | os.PathLike):
        return False
    path = os.fspath(given)
    if not isinstance(path, str):
        return False
    if "://" in path:
        return True
    if os.path.isdir(path):  # noqa: PTH112  pathlib costs start-up time
        return _holds_shards(path)
    return any(letter in path for letter in "*?[") and path.endswith(_PARQUET) and not os.path.exists(path)  # noqa: PTH110  likewise


def is_missing(given: str | PathLike[str]) -> bool:
    """Whether a path that is neither an address nor a pattern leads nowhere."""
    return not looks_sharded(given) and not os.path.exists(given)  # noqa: PTH110  likewise


def _holds_shards(folder: str | PathLike[str]) -> bool:
    names = os.listdir(folder)  # noqa: PTH208  likewise
    if _RUN in names:
        return False
    if _is_manifest(folder, names) or any(name.endswith(_PARQUET) for name in names):
        return True
    # `split=val`, `date=2024-05-01`: partitions, by the convention of those who write such folders.
    partitions = [name for name in names if "=" in name.strip("=")]
    return any(_holds_parquet(os.path.join(folder, name)) for name in partitions)  # noqa: PTH118  likewise


def _holds_parquet(folder: str) -> bool:
    return any(name.endswith(_PARQUET) for _, _, names in os.walk(folder) for name in names)


def _is_manifest(folder: str | PathLike[str], names: list[str]) -> bool:
    if _MANIFEST not in names:
        return False
    if not {"ground_truth", "detections"}.isdisjoint(names):
        return True  # also where the manifest was cut off, which its reader tells
    with open(os.path.join(folder, _MANIFEST), "rb") as file:  # noqa: PTH118, PTH123  likewise
        return b'"boxscore shards"' in file.read(200)
