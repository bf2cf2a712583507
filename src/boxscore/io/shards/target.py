"""Where shards are written: a folder that appears whole, or an address whose manifest is written last."""

from __future__ import annotations

import json
import os
import shutil
import socket
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import stores
from boxscore.io.shards import layout, manifest, parquet
from boxscore.io.shards.write import ShardWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FOLDERS = (layout.IMAGES, layout.OBJECTS, layout.DETECTIONS)


class Writing:
    """A place that is being written: `writer` makes the ShardWriter for it; `complete` is called once all is there."""

    def __init__(self, root: str) -> None:
        self.writer: Callable[..., ShardWriter] = partial(ShardWriter, root)
        self.is_complete = False

    def complete(self) -> None:
        """The data set is whole."""
        self.is_complete = True


@contextmanager
def writing(place: str, *, overwrite: bool) -> Iterator[Writing]:
    """A place to write shards to; what is there stays until they are complete.

    Raises InputError where something is there and `overwrite` isn't given, and where what is there are no shards.
    """
    parquet.require(place)
    with (
        _at_address(place, overwrite=overwrite)
        if stores.is_address(place)
        else _in_folder(Path(place), overwrite=overwrite) as made
    ):
        yield made


@contextmanager
def _in_folder(place: Path, *, overwrite: bool) -> Iterator[Writing]:
    """Written beside the place, which then takes its name; what a process that was killed left there is removed."""
    _check_folder(place, overwrite=overwrite)
    owner = f"{socket.gethostname()}-{os.getpid()}"
    beside = place.with_name(f".{place.name}.{owner}.unfinished")
    made = Writing(str(beside))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(place)
        yield made
        if made.is_complete:
            _check_folder(place, overwrite=overwrite)  # it may have appeared while we wrote
            old = place.with_name(f".{place.name}.{owner}.old")
            if place.exists():
                place.replace(old)
            beside.replace(place)
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(f"{place} can't be written: {error.strerror or error}; check space and rights") from None
    except InputError as error:
        raise InputError(str(error).replace(beside.name, place.name)) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _check_folder(place: Path, *, overwrite: bool) -> None:
    if not os.path.lexists(place):
        return
    if place.is_dir() and not any(place.iterdir()):
        return
    if not overwrite:
        raise InputError(f"{place} exists; give a new name, or replace it with --overwrite")
    if not place.is_dir():
        raise InputError(f"{place} is a file, and shards are a folder; give another name")
    own = {place / layout.MANIFEST, *(place / folder for folder in _FOLDERS)}
    foreign = next((path for path in sorted(place.iterdir()) if path not in own), None)
    if foreign is None and manifest.read(str(place)) is None:
        foreign = next(iter(sorted(place.iterdir())))
    if foreign is not None:
        raise InputError(
            f"{place} holds {foreign.name}, which is no part of shards, and replacing the folder would delete it; give "
            "a new name"
        )


def _remove_stale(place: Path) -> None:
    """Folders of processes of this host that are gone."""
    host = socket.gethostname()
    for path in place.parent.glob(f".{place.name}.{host}-*.unfinished"):
        number = path.name.removeprefix(f".{place.name}.{host}-").removesuffix(".unfinished")
        if number.isdecimal() and int(number) != os.getpid() and not _runs(int(number)):
            shutil.rmtree(path, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def _at_address(place: str, *, overwrite: bool) -> Iterator[Writing]:
    """A mark lies at the address until the manifest does, so that nobody takes some of the parts for all."""
    root = place.rstrip("/")
    files = stores.filesystem(root)
    inner = str(files._strip_protocol(root))  # noqa: SLF001  there is no public way
    mark, told = f"{inner}/{layout.UNFINISHED}", f"{inner}/{layout.MANIFEST}"
    try:
        with stores.store_errors(root):
            there = {str(path).removeprefix(f"{inner}/") for path in files.find(root)}
            _check_address(root, there, overwrite=overwrite)
            files.pipe_file(mark, json.dumps({"kind": layout.KIND, "unfinished": True}).encode())
            if layout.MANIFEST in there:
                files.rm_file(told)
            made = Writing(root)
            yield made
            if made.is_complete:
                written = manifest.read(root)
                assert written is not None  # noqa: S101  just written
                kept = {file.path for part in written.parts for file in part.files}
                for path in sorted(there - kept - {layout.MANIFEST, layout.UNFINISHED}):
                    files.rm_file(f"{inner}/{path}")
                files.rm_file(mark)
    except OSError as error:
        raise stores.unanswered(root, error) from None


def _check_address(root: str, there: set[str], *, overwrite: bool) -> None:
    foreign = sorted(
        path
        for path in there
        if path not in (layout.MANIFEST, layout.UNFINISHED)
        and not (path.startswith(tuple(f"{folder}/part-" for folder in _FOLDERS)) and path.endswith(".parquet"))
    )
    if foreign:
        raise InputError(f"{root} holds {foreign[0]}, which is no part of shards; give a new name")
    if layout.MANIFEST in there and layout.UNFINISHED not in there and not overwrite:
        raise InputError(f"{root} exists; give a new name, or replace it with --overwrite")
    if there and not there & {layout.MANIFEST, layout.UNFINISHED}:
        raise InputError(f"{root} holds {min(there)} without a manifest of shards; give a new name")
