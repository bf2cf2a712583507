"""Where parts are kept: a folder, or an address of an object store. Files there are whole or not there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


def place_of(given: str | os.PathLike[str]) -> Folder | Address:
    """A folder (made where it is missing, once there is something to write) or an address. Raises InputError."""
    text = os.fspath(given)
    return Address(text) if stores.is_address(text) else Folder(text)


class Folder:
    """A folder of the disk."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        held = next((one for one in (self._path, *self._path.parents) if os.path.exists(one)), None)  # noqa: PTH110  never raises
        if held is not None and not held.is_dir():
            raise self._no_folder(f"{held} is a file")

    def _no_folder(self, reason: str) -> InputError:
        return InputError(f"{self._path}: parts can't be written there: {reason}; give another folder with --parts")

    def named(self, name: str) -> str:
        """A file's path, for messages."""
        return str(self._path / name)

    def size(self, name: str) -> int | None:
        """Bytes of a file; None where there is none."""
        try:
            return (self._path / name).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, name: str, start: int, length: int) -> bytes:
        """Bytes of a file, fewer where it ends before. Raises InputError where it can't be read."""
        try:
            with (self._path / name).open("rb") as file:
                file.seek(start)
                return file.read(length)
        except OSError as error:
            raise _unreadable(self.named(name), error) from None

    def write(self, name: str, pieces: Sequence[bytes]) -> None:
        """Write a file, beside its place first. Raises InputError where it can't be written."""
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._no_folder(error.strerror or str(error)) from None
        path = self._path / name
        beside = path.with_name(f".{name}.{os.getpid()}-{os.urandom(4).hex()}.partial")
        try:
            with beside.open("wb") as file:
                file.writelines(pieces)
            beside.replace(path)
        except OSError as error:
            raise _unwritable(str(path), error) from None
        finally:
            beside.unlink(missing_ok=True)

    def remove(self, suffix: str) -> None:
        """Take away all files that end so, and the folder where nothing else is in it."""
        for path in (*self._path.glob(f"*{suffix}"), *self._path.glob(f".*{suffix}.*.partial")):
            path.unlink(missing_ok=True)
        try:
            self._path.rmdir()
        except OSError:
            return


class Address:
    """An object store's address, through fsspec."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._files = stores.filesystem(address)

    def named(self, name: str) -> str:
        """An object's address, for messages."""
        return stores.joined(self._address, name)

    def size(self, name: str) -> int | None:
        """Bytes of an object; None where there is none. Raises InputError where the store doesn't tell."""
        place = self.named(name)
        with _asking(place):
            try:
                return int(self._files.info(place, refresh=True)["size"])
            except FileNotFoundError:
                return None

    def read(self, name: str, start: int, length: int) -> bytes:
        """Bytes of an object, fewer where it ends before. Raises InputError where it can't be read."""
        place = self.named(name)
        with _asking(place):
            data: bytes = self._files.cat_file(place, start=start, end=start + length)
        return data

    def write(self, name: str, pieces: Sequence[bytes]) -> None:
        """Write an object, which appears when all of it has arrived. Raises InputError where it can't be written."""
        place = self.named(name)
        try:
            self._files.pipe_file(place, b"".join(pieces))
        except Exception as error:  # noqa: BLE001  each kind of store has errors of its own
            raise _unwritable(place, error) from None

    def remove(self, suffix: str) -> None:
        """Take away all objects that end so. Raises InputError where the store refuses."""
        with _asking(self._address):
            self._files.invalidate_cache()
            names: list[Any] = self._files.glob(f"{self._address.rstrip('/')}/*{suffix}")
            if names:
                self._files.rm(names)


@contextmanager
def _asking(place: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  likewise
        raise _unreadable(place, error) from None


def _unreadable(place: str, error: Exception) -> InputError:
    return InputError(f"{place}: this part can't be read: {_reason(error)}; check its rights")


def _unwritable(place: str, error: Exception) -> InputError:
    return InputError(f"{place}: the part can't be written: {_reason(error)}; check space and rights")


def _reason(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(reason).splitlines()[0]
