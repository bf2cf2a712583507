"""Images by name: stems of files, and which image of a data set a stated name or id means."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

    K = TypeVar("K", int, str)

_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".gif", ".txt", ".xml", ".json")


def stem(name: str) -> str:
    """A file's path without its suffix, `/` between folders; what is no suffix of a picture or a label file stays."""
    path = name.replace("\\", "/").removeprefix("./")
    for suffix in _SUFFIXES:
        if path.lower().endswith(suffix):
            return path[: -len(suffix)]
    return path


def stems_of(dataset: Dataset) -> list[str]:
    """A name for each image's own file, by row: its id where that is a text, else its file name's stem, else the id.

    Raises InputError where two images would share a file, or a name would lead out of the folder.
    """
    names = [
        id_ if isinstance(id_, str) else stem(name) if isinstance(name, str) else str(id_)
        for id_, name in zip(dataset.image_ids, dataset.images.column("file_name").to_list(), strict=True)
    ]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"two images would share the file {id_text(name)}; give images names of their own")
        if not name or "\0" in name or any(part in ("", ".", "..") for part in name.replace("\\", "/").split("/")):
            raise InputError(f"image {id_text(name)} can't name a file; give images plain relative names")
        seen.add(name)
    return names


def resolve(stated: Sequence[Id], dataset: Dataset, source: str) -> tuple[list[Id], list[Note]]:
    """The data set's id for each stated id or name, all of them read in one way: as ids, or as names of files.

    Names match by path, then by path without suffix, then by the file's own name, where only one image has it. What
    matches nothing stays as it is.
    """
    ids = set(dataset.image_ids)
    as_ids = sum(value in ids for value in stated)
    if as_ids == len(stated):
        return list(stated), []
    names = Names(dataset)
    found = [names.find(value) for value in stated]
    as_names = sum(value is not None for value in found)
    if as_names <= as_ids:
        return list(stated), []
    message = (
        f"{source}: images are matched to those of {dataset.source or 'the ground truth'} by file name "
        f"({as_names} of {len(stated)})"
    )
    return [value if hit is None else hit for value, hit in zip(stated, found, strict=True)], [
        Note("images-by-name", message, as_names)
    ]


class Names:
    """The images of a data set by name."""

    __slots__ = ("_digits", "_levels")

    def __init__(self, dataset: Dataset) -> None:
        # A name that two images have means neither: None.
        self._levels: list[dict[str, Id | None]] = [{}, {}, {}]
        self._digits: dict[int, Id | None] = {}
        for id_, file_name in zip(dataset.image_ids, dataset.images.column("file_name").to_list(), strict=True):
            for name in (id_, file_name):
                if isinstance(name, str):
                    self._add(name, id_)

    def _add(self, name: str, id_: Id) -> None:
        keys = _keys(name)
        for level, key in zip(self._levels, keys, strict=True):
            _enter(level, key, id_)
        if keys[2].isdecimal():
            _enter(self._digits, int(keys[2]), id_)

    def find(self, name: Id) -> Id | None:
        """The image's id; a number means the file whose name is that number, whatever zeros lead it."""
        if isinstance(name, int):
            return self._digits.get(name)
        for level, key in zip(self._levels, _keys(name), strict=True):
            if key in level:
                return level[key]
        return None


def _keys(name: str) -> tuple[str, str, str]:
    path = stem(name)
    return name, path, path.rsplit("/", 1)[-1]


def _enter(names: dict[K, Id | None], name: K, id_: Id) -> None:
    if names.setdefault(name, id_) != id_:
        names[name] = None
