"""Where the parts of a YOLO data set lie: label files, pictures and class names, from whichever of them is given."""

# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH118, PTH119, PTH120, PTH123, PTH206  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import class_names, stems, yaml_files
from boxscore.io.pictures import SUFFIXES
from boxscore.io.utf8 import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPLITS = ("val", "valid", "validation", "test", "train")
"""Splits of a `data.yaml`, the first of these that it states is the one that is evaluated."""
YAML_NAMES = ("data.yaml", "data.yml", "dataset.yaml")


class Layout:
    """A data set's label files and pictures by stem; `labels` and `images` are the folders they were found in.

    `images` is None where there is no folder of pictures. `names` is the file that names the classes, if any; `about`
    says what was taken for what. `listed` are the stems that a list of pictures states.
    """

    __slots__ = ("about", "images", "label_files", "labels", "listed", "names", "picture_files")

    def __init__(
        self, labels: str, images: str | None, *, names: str | None = None, about: str = "", listed: str | None = None
    ) -> None:
        self.labels = labels
        self.images = images
        self.names = names
        self.about = about
        self.listed: list[str] = []
        self._scan(listed)

    @property
    def stems(self) -> list[str]:
        """The images: those listed, else those with a picture, else those with a label file."""
        return self.listed or list(self.picture_files or self.label_files)

    @property
    def strays(self) -> list[str]:
        """Stems of label files that belong to none of the images."""
        known = set(self.stems)
        return [stem for stem in self.label_files if stem not in known]

    def _scan(self, listed: str | None) -> None:
        below = stems.walk(self.labels)
        beside = below if self.images in (None, self.labels) else stems.walk(self.images or "")
        self.picture_files = {
            stem: os.path.join(self.images or self.labels, file) for stem, file in self._pictures(beside).items()
        }
        if self.picture_files and self.images is None:
            self.images = self.labels
        if listed is not None:
            self.listed = _listed_stems(listed)
        known = [*self.picture_files, *self.listed]
        self.label_files = {
            stem: os.path.join(self.labels, file) for stem, file in stems.labels_among(below, known).items()
        }

    def _pictures(self, files: list[str]) -> dict[str, str]:
        try:
            return stems.of_kind(files, SUFFIXES)
        except InputError as error:
            raise InputError(f"{self.images or self.labels}: {error}") from None


def find(path: str, images: str | None = None) -> Layout:
    """The layout from a `data.yaml`, an `obj.data`, a folder of labels, of pictures, or of both.

    `images` is a folder of pictures that was named apart. Raises InputError where there is nothing to be found.
    """
    if os.path.isdir(path):
        return _of_folder(path.rstrip("/") or path, images)
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such file or folder; check the path of the labels")
    lower = path.lower()
    if lower.endswith(class_names.YAML_SUFFIXES):
        return _of_yaml(path, images)
    if lower.endswith(".data"):
        return _of_darknet(path, images)
    raise InputError(f"{path} is no YOLO data set; give its data.yaml (or obj.data), or the folder of its label files")


def _of_folder(folder: str, images: str | None) -> Layout:
    here = {entry.name for entry in os.scandir(folder)}
    for name in YAML_NAMES:
        if name in here and _has_split(os.path.join(folder, name)):
            return _of_yaml(os.path.join(folder, name), images)
    for name in sorted(here):
        if name.endswith(".data"):
            return _of_darknet(os.path.join(folder, name), images)
    if "labels" in here:
        return _of_labels(os.path.join(folder, "labels"), images)
    labels = stems.mirrored(folder, "images", "labels")
    if labels is not None and os.path.isdir(labels):
        return _of_labels(labels, images or folder)
    return _of_labels(folder, images)


def _of_labels(labels: str, images: str | None, names: str | None = None, about: str = "") -> Layout:
    if images is None:
        beside = stems.mirrored(labels, "labels", "images")
        images = beside if beside is not None and os.path.isdir(beside) else None
    return Layout(labels, images, names=names or class_names.find(name_folders(labels)), about=about)


def name_folders(labels: str) -> list[str]:
    """Where class names may lie: beside the label files, one further up, and beside `labels/`."""
    above = os.path.normpath(os.path.join(labels, os.pardir))
    return [labels, above, *_above(labels)]


def _above(labels: str) -> list[str]:
    """The folder that holds `labels`, of `labels/val`; none where the path has no such part."""
    parts = os.path.abspath(labels).split(os.sep)
    if "labels" not in parts:
        return []
    last = len(parts) - 1 - parts[::-1].index("labels")
    return [os.sep.join(parts[:last]) or os.sep]


def _has_split(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return any(line.split(b":")[0].strip().decode("ascii", "replace") in SPLITS for line in file)
    except OSError:
        return False


def _of_yaml(path: str, images: str | None) -> Layout:
    content = yaml_files.load(path)
    split = next((name for name in SPLITS if isinstance(content, dict) and content.get(name)), None)
    if split is None:
        raise InputError(f"{path}: it states none of {', '.join(SPLITS)}; give the folder of the labels instead")
    class_names.of_yaml(content, path)  # a faulty list of names is told before anything is read
    stated = content[split]
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if not isinstance(stated, str):
        raise InputError(
            f"{path}: `{split}` is {len(stated)} folders; give the folder of the labels of one, with --classes {path}"
            if isinstance(stated, list)
            else f"{path}: `{split}` is {stated!r}; it must be a folder of pictures, or a list of them in a text file"
        )
    others = [name for name in SPLITS if content.get(name) and name != split]
    more = f", not {' or '.join(others)} (for those give their labels' folder)" if others else ""
    about = f"split `{split}` of {os.path.basename(path)}{more}"
    place = _resolved(stated, path, content.get("path"))
    if place.lower().endswith(".txt"):
        folder = _folder_of_list(place)
        labels = stems.mirrored(folder, "images", "labels") or folder
        return Layout(labels, images or _if_folder(folder), names=path, about=about, listed=place)
    labels = stems.mirrored(place, "images", "labels") or place
    if not os.path.isdir(labels) and os.path.isdir(place):
        # Labels beside the pictures, in a folder that happens to be called images.
        labels = place
    return Layout(labels, images or _if_folder(place), names=path, about=about)


def _if_folder(path: str) -> str | None:
    return path if os.path.isdir(path) else None


def _resolved(stated: str, path: str, root: Any) -> str:  # noqa: ANN401  whatever the YAML holds
    """The first of the places that a `data.yaml` may mean that exists; else the plainest."""
    beside = os.path.dirname(path)
    roots = [beside]
    if isinstance(root, str) and root:
        roots = [os.path.join(beside, root), root, os.path.join(beside, os.path.basename(root.rstrip("/"))), beside]
    # Roboflow writes `../train/images` where it means `train/images`.
    spelt = [stated, stated.removeprefix("../")]
    places = [os.path.normpath(os.path.join(base, name)) for name in spelt for base in roots]
    for place in places:
        mirror = stems.mirrored(place, "images", "labels")
        if os.path.exists(place) or (mirror is not None and os.path.isdir(mirror)):
            return place
    raise InputError(f"{path}: {stated} is neither at {places[0]} nor beside the file; correct `path` or the split")


def _of_darknet(path: str, images: str | None) -> Layout:
    """`obj.data`, lines of `key = value`, whose paths start anywhere: files are looked for beside it by name."""
    stated = dict(_pairs(path))
    beside = os.path.dirname(path)
    names = _beside(stated.get("names"), beside)
    split = next((name for name in ("valid", "val", "test", "train") if stated.get(name)), None)
    listed = None if split is None else _beside(stated[split], beside)
    folder = _folder_of_list(listed) if listed is not None else ""
    places = [os.path.join(beside, folder), os.path.join(beside, os.path.basename(folder))]
    labels = next((place for place in places if os.path.isdir(place)), None)
    if labels is None:
        raise InputError(f"{path}: no folder {os.path.basename(folder)} beside it; give the folder of the label files")
    return Layout(labels, images, names=names, about=f"list `{split}` of {os.path.basename(path)}", listed=listed)


def _pairs(path: str) -> list[tuple[str, str]]:
    with open(path, "rb") as file:
        lines = decoded(file.read(), path).split("\n")
    cut = [line.partition("=") for line in lines]
    return [(key.strip(), value.strip()) for key, equals, value in cut if equals]


def _beside(stated: str | None, folder: str) -> str | None:
    """The file where it is said to be, or of that name beside; None where it is neither."""
    if not stated:
        return None
    places = [os.path.join(folder, stated), os.path.join(folder, os.path.basename(stated))]
    return next((place for place in places if os.path.isfile(place)), None)


def _lines(path: str) -> list[str]:
    with open(path, "rb") as file:
        lines = decoded(file.read(), path).replace("\\", "/").split("\n")
    return [line.strip().removeprefix("./") for line in lines if line.strip()]


def _folder_of_list(path: str) -> str:
    """The folder that holds all the listed pictures."""
    lines = _lines(path)
    if not lines:
        raise InputError(f"{path} is empty; a list of pictures, one a line, is expected")
    return os.path.join(os.path.dirname(path), _common(lines))


def _listed_stems(path: str) -> list[str]:
    """Stems of the listed pictures below the folder that holds them all, each once."""
    lines = _lines(path)
    common = _common(lines)
    start = len(common) + 1 if common else 0
    return list(dict.fromkeys(line[start:].rpartition(".")[0] for line in lines))


def _common(lines: list[str]) -> str:
    """The folder that holds all of these files; empty where that is the one the list starts from."""
    folders = {line.rpartition("/")[0] for line in lines}
    return "" if "" in folders else os.path.commonpath(folders)
