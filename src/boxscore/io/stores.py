"""Files of the disk and objects of a store, by their path or address (`s3://bucket/name`), through fsspec."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_CLIENTS = ("botocore", "aiobotocore", "aiohttp", "s3fs", "urllib3")


class StoreError(InputError):
    """An object store that doesn't answer, which says nothing of its objects."""


def is_address(root: str) -> bool:
    """Whether a root is an object store's address rather than a folder: `s3://bucket/name`."""
    return "://" in root


def joined(root: str, path: str) -> str:
    """A file below a root."""
    return f"{root.rstrip('/')}/{path}" if is_address(root) else str(Path(root) / path)


def open_file(place: str, mode: str = "rb") -> Any:  # noqa: ANN401  a file object of whichever file system
    """A file of the disk or of an object store. Raises OSError, and InputError where fsspec is missing."""
    if not is_address(place):
        return open(place, mode)  # noqa: PTH123  the caller closes it
    with store_errors(place):
        # No reading ahead: what is read are footers and columns, and what lies between them is not needed.
        return filesystem(place).open(place, mode, **({"cache_type": "none"} if mode == "rb" else {}))


def filesystem(place: str) -> Any:  # noqa: ANN401  fsspec has no types
    """The file system of an address, from fsspec. Raises InputError where there is none for it."""
    try:
        import fsspec
    except ImportError:
        raise InputError(f"{place}: object stores need fsspec: pip install 'boxscore[s3]'") from None
    try:
        with store_errors(place):
            return fsspec.core.url_to_fs(place)[0]
    except ImportError as error:
        raise InputError(f"{place}: {error}: pip install 'boxscore[s3]'") from None
    except ValueError as error:
        raise InputError(f"{place}: {error}; give a folder, or an address such as s3://bucket/name") from None


@contextmanager
def store_errors(place: str) -> Iterator[None]:
    """What an object store's client raises of its own (no credentials, no answer) as a StoreError."""
    try:
        yield
    except (OSError, ImportError, ValueError, InputError):
        raise
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _CLIENTS:
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise StoreError(
            f"{place}: the object store can't be asked ({reason.rstrip('.')}); check its address and your credentials "
            "(AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or a profile)"
        ) from None


def mark_of(place: str) -> str | None:
    """What an object store says of an object's content, by which a change is seen (its ETag); None: nothing."""
    if not is_address(place):
        return None
    with store_errors(place):
        return _mark(filesystem(place).info(place))


def _mark(told: Mapping[str, Any]) -> str | None:
    mark = next((told[name] for name in ("ETag", "etag", "md5Hash") if told.get(name)), None)
    return None if mark is None else f"{mark} {told.get('size')}"


def read(place: str) -> bytes:
    """All bytes of an object. Raises OSError, and StoreError where the store doesn't answer."""
    with store_errors(place):
        data: bytes = filesystem(place).cat_file(place)
    return data


def exists(place: str) -> bool:
    """Whether there is such a file. Raises InputError for a store that can't be asked."""
    if not is_address(place):
        return Path(place).is_file()
    with store_errors(place):
        return bool(filesystem(place).isfile(place))


def below(given: str) -> tuple[str, dict[str, str | None]]:
    """The root of an address that may be a pattern, or one object's, and the objects below it by their path from there,
    sorted, each with the mark of its content. Hidden ones are passed over.

    Raises InputError where the store can't be asked.
    """
    files = filesystem(given)
    fixed = next((at for at, letter in enumerate(given) if letter in "*?["), None)
    root = given.rstrip("/") if fixed is None else given[:fixed].rpartition("/")[0]
    try:
        with store_errors(given):
            files.invalidate_cache()  # what an earlier look saw may be gone
            found = files.find(root, detail=True) if fixed is None else files.glob(given, detail=True)
            inner = str(files._strip_protocol(root))  # noqa: SLF001  there is no public way
    except OSError as error:
        raise unanswered(given, error) from None
    if list(found) == [inner]:
        root, inner = root.rpartition("/")[0], inner.rpartition("/")[0]
    relative = {str(path).removeprefix(inner).lstrip("/"): _mark(told) for path, told in found.items()}
    return root, {path: relative[path] for path in sorted(relative) if "/." not in f"/{path}"}


def listed(given: str, suffix: str) -> tuple[str, list[str]]:
    """The same, of objects with a suffix alone; those whose path has a part that begins with `_` are passed over, too.

    Raises InputError where there are none, or the store can't be asked.
    """
    root, found = below(given)
    kept = [path for path in found if path.endswith(suffix) and "/_" not in f"/{path}"]
    if not kept:
        scheme = given.partition("://")[0]
        raise InputError(
            f"{given}: there is no Parquet file ({suffix}) at this {scheme} address; check bucket and name"
        )
    return root, kept


def unanswered(place: str, error: OSError) -> InputError:
    """An object store's refusal, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{place}: there is no such bucket or name; check the address")
    if isinstance(error, PermissionError):
        return InputError(f"{place}: the object store refuses it ({error}); check your credentials and their rights")
    return InputError(f"{place} can't be reached: {error.strerror or error}; check the address")
