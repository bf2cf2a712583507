"""Files that belong together by their stem: the path below their folder, with `/`, without the suffix.

`images/cam1/001.png` and `labels/cam1/001.txt` share the stem `cam1/001`.
"""

# ruff: noqa: PTH100, PTH118, PTH206  pathlib costs a fifth of the start-up, and far more over ten thousand files

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

NOT_LABELS = frozenset(
    ("classes", "predefined_classes", "train", "val", "valid", "test", "readme", "requirements", "license", "source")
)
"""Stems of text files, at the top of a folder, that go with labels without being any: names, lists of pictures, words.

Where a picture has one of them for its stem, the file is a label file after all."""


def walk(folder: str) -> list[str]:
    """Paths of all files below a folder, relative to it, with `/`, in order; hidden ones are passed over.

    Raises InputError where there is no such folder, or it can't be read.
    """
    return sorted(_walk(folder))


def _walk(folder: str) -> Iterator[str]:
    pending = [(folder, "")]
    seen: set[str] = set()
    while pending:
        inner, prefix = pending.pop()
        try:
            entries = os.scandir(inner or ".")
        except OSError as error:
            raise InputError(f"{inner}: {_no_folder(error)}") from None
        with entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                if not entry.is_dir():
                    yield prefix + name
                elif not entry.is_symlink() or _is_new(entry.path, seen):
                    pending.append((entry.path, f"{prefix}{name}/"))


def _is_new(path: str, seen: set[str]) -> bool:
    """Whether a linked folder is met for the first time: links may form a ring."""
    real = os.path.realpath(path)
    new = real not in seen
    seen.add(real)
    return new


def _no_folder(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such folder; check the path"
    if isinstance(error, NotADirectoryError):
        return "it is a file where a folder is expected"
    return f"the folder can't be read ({error.strerror or error})"


def of_kind(files: Iterable[str], suffixes: frozenset[str]) -> dict[str, str]:
    """Files with one of these suffixes (lower case) by their stem; what isn't UTF-8 in a stem is spelt out.

    Raises InputError where two files share a stem: nobody can know which one is meant.
    """
    found: dict[str, str] = {}
    for file in files:
        stem, dot, suffix = file.rpartition(".")
        if not dot or f".{suffix.lower()}" not in suffixes:
            continue
        stem = stem if stem.isascii() else printable(stem)
        if stem in found:
            raise InputError(
                f"{printable(found[stem])} and {printable(file)} share the stem {stem}, so that nobody can tell which "
                "one its boxes belong to; rename or remove one of them"
            )
        found[stem] = file
    return found


def labels_among(files: Iterable[str], pictures: Iterable[str] = ()) -> dict[str, str]:
    """The text files by stem, without those that hold no labels (see `NOT_LABELS`)."""
    texts = of_kind(files, frozenset((".txt",)))
    known = set(pictures)
    others = [stem for stem in texts if "/" not in stem and stem.lower() in NOT_LABELS and stem not in known]
    for stem in others:
        del texts[stem]
    return texts


def printable(name: str) -> str:
    r"""A file name as text; bytes that aren't UTF-8 are spelt out: `b\xff.txt`."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    return name


def mirrored(folder: str, part: str, other: str) -> str | None:
    """The folder whose path has `other` for the last `part`: `data/images/val` for `data/labels/val`.

    None where the path has no such part.
    """
    whole = os.path.abspath(folder)
    parts = whole.split(os.sep)
    if part not in parts:
        return None
    last = len(parts) - 1 - parts[::-1].index(part)
    # Kept as it was given where the part is in what was given, so that messages name what the user knows.
    given = folder.rstrip("/\\").replace("\\", "/").split("/") if os.sep == "\\" else folder.rstrip("/").split("/")
    from_end = len(parts) - last
    if from_end <= len(given) and given[-from_end] == part:
        given[-from_end] = other
        return "/".join(given)
    parts[last] = other
    return os.sep.join(parts)


class ImageLookup:
    """Finds a data set's images by the stems of other files.

    An image goes by its id where that is text, and by its file name without the suffix. Where none of the stems fits
    as it stands, they are compared by their last part alone (Ultralytics writes all results into one folder), provided
    that no two images share it.
    """

    __slots__ = ("_by_name", "_by_stem", "by_name")

    def __init__(self, dataset: Dataset) -> None:
        self._by_stem: dict[str, Id] = {}
        ids = dataset.image_ids
        names = dataset.images.column("file_name").to_list()
        shared: set[str] = set()
        for i, name in zip(ids, names, strict=True):
            if isinstance(name, str) and self._by_stem.setdefault(_stem(name), i) != i:
                shared.add(_stem(name))
        for stem in shared:  # of two images, and so of none
            del self._by_stem[stem]
        for i in ids:
            # The id says more than a file name that two images may share.
            self._by_stem[i if isinstance(i, str) else str(i)] = i if isinstance(i, str) else self._number(i)
        self._by_name: dict[str, Id] | None = None
        self.by_name = False

    def _number(self, value: int) -> Id:
        """The image of the stem that is a number's digits: that with the file name, else that with the number."""
        return self._by_stem.get(str(value), value)

    def find(self, stems: Iterable[str]) -> list[Id | None]:
        """The image of each stem, None where there is none; sets `by_name` where last parts were compared."""
        asked = list(stems)
        found = [self._by_stem.get(stem) for stem in asked]
        if any(image is not None for image in found) or not asked:
            return [self._normal(stem) if image is None else image for stem, image in zip(asked, found, strict=True)]
        last_parts = [stem.rpartition("/")[2] for stem in asked]
        ours = _unambiguous(self._by_stem)
        if ours is None or len(set(last_parts)) < len(last_parts):
            return [self._normal(stem) for stem in asked]
        by_last = [ours.get(part) for part in last_parts]
        self.by_name = any(image is not None for image in by_last)
        return by_last if self.by_name else [self._normal(stem) for stem in asked]

    def _normal(self, stem: str) -> Id | None:
        """Some systems write an accent as a letter of its own: the same name in other bytes."""
        if stem.isascii():
            return None
        import unicodedata

        if self._by_name is None:
            self._by_name = {unicodedata.normalize("NFC", known): i for known, i in self._by_stem.items()}
        return self._by_name.get(unicodedata.normalize("NFC", stem))


def _unambiguous(by_stem: dict[str, Id]) -> dict[str, Id] | None:
    """Images by the last part of their stems; None where two images share it."""
    found: dict[str, Id] = {}
    for stem, i in by_stem.items():
        if found.setdefault(stem.rpartition("/")[2], i) != i:
            return None
    return found


def _stem(name: str) -> str:
    stem, dot, suffix = name.replace("\\", "/").rpartition(".")
    return stem if dot and "/" not in suffix else name


def named(stems: Iterable[str], suffix: str = "") -> str:
    """The first few, for messages: `a.txt, b.txt (+3 more)`."""
    return listed([f"{stem}{suffix}" for stem in stems])
