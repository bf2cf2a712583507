"""The cases of a validation: pictures of a YOLO data set in order of their names, each with its label file."""

from __future__ import annotations

import fnmatch
import hashlib
import os

from boxscore.errors import InputError
from boxscore.io import class_names, yolo_layout
from boxscore.io.stems import named, printable
from boxscore.model.notes import Note, counted
from boxscore.validate.strict_labels import check_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.io.yolo_layout import Layout

    Pairs = list[tuple[str, str]]


class Case:
    """A picture and its label file.

    `picture` and `label` are their names below their folders, with `/`; `stem` is what both share. `picture_sha256` and
    `label_sha256` are the raw digests (32 bytes) of the files' bytes, `objects` the number of label lines.
    """

    __slots__ = ("label", "label_path", "label_sha256", "objects", "picture", "picture_path", "picture_sha256", "stem")

    def __init__(self, stem: str, picture: tuple[str, str], label: tuple[str, str], classes: Sequence[str]) -> None:
        self.stem = stem
        self.picture, self.picture_path = picture
        self.label, self.label_path = label
        self.picture_sha256 = _file_digest(self.picture_path)
        data = _bytes(self.label_path)
        self.label_sha256 = hashlib.sha256(data).digest()
        self.objects = check_labels(data, self.label_path, classes)

    def check_unchanged(self) -> None:
        """Raise InputError where one of the files has other bytes by now than those that were hashed."""
        for path, digest in ((self.picture_path, self.picture_sha256), (self.label_path, self.label_sha256)):
            if _file_digest(path) != digest:
                raise InputError(f"{path} was changed while it was being validated; run again when nothing writes it")


class Cases(list[Case]):
    """All cases, ordered by the picture's name (by code point).

    `classes` are the data set's class names in order, `classes_from` where they stand; `select` is the pattern that
    pictures had to match (None: all of them), `left_out` name and stem of those that did not; `folder` is that of the
    pictures.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        classes: Sequence[str],
        classes_from: str,
        folder: str,
        select: str | None = None,
        left_out: Sequence[tuple[str, str]] = (),
        notes: Sequence[Note] = (),
    ) -> None:
        super().__init__(cases)
        self.classes = list(classes)
        self.classes_from = classes_from
        self.folder = folder
        self.select = select
        self.left_out = list(left_out)
        self.notes = list(notes)

    @property
    def objects(self) -> int:
        """Label lines of all cases."""
        return sum(case.objects for case in self)


def find_cases(
    dataset: str | PathLike[str],
    *,
    select: str | None = None,
    classes: str | PathLike[str] | Sequence[str] | None = None,
) -> Cases:
    """The cases of a data set: its `data.yaml`, its folder, or the folder of its pictures or labels.

    `select` is a pattern of file names such as `real_*` (with a `/` in it: of paths below the folder of pictures);
    `classes` names the classes where the data set does not. Label files of pictures that are left out are not read.

    Raises InputError: no picture, no picture that matches, a picture without label file, no class names, a label line
    that is refused (see `check_labels`), a file name that is not UTF-8.
    """
    path = os.fspath(dataset)
    layout = yolo_layout.find(path)
    if not layout.picture_files:
        raise InputError(f"{path}: there is no picture; a validation needs the pictures that the labels belong to")
    names = class_list(path, layout, classes)
    chosen, left_out = _selected(_pictures(layout), select, path)
    _refuse_missing(chosen, layout)
    labels = {stem: _below(layout.labels, file) for stem, file in layout.label_files.items()}
    cases = [
        Case(stem, (name, layout.picture_files[stem]), (labels[stem], layout.label_files[stem]), names.classes)
        for name, stem in chosen
    ]
    return Cases(
        cases,
        classes=names.classes,
        classes_from=names.source,
        folder=layout.images or layout.labels,
        select=select,
        left_out=left_out,
        notes=_strays(layout),
    )


class ClassList:
    """Class names in order, and where they were found."""

    __slots__ = ("classes", "source")

    def __init__(self, classes: Sequence[str], source: str) -> None:
        self.classes = list(classes)
        self.source = source


def class_list(path: str, layout: Layout, given: str | PathLike[str] | Sequence[str] | None = None) -> ClassList:
    """The class names of a data set, numbered from 0 without a gap. Raises InputError where there are none such."""
    found = given or layout.names or class_names.find(yolo_layout.name_folders(layout.labels))
    if found is None:
        raise InputError(
            f"{path}: nothing names its classes (data.yaml, classes.txt), and the numbers in label files mean nothing "
            "without; put such a file beside the labels, or give it with --classes"
        )
    names = class_names.read(found)
    numbers = sorted(names.by_number)
    if numbers != list(range(len(numbers))):
        raise InputError(
            f"{names.source}: class numbers are {', '.join(map(str, numbers[:10]))}; they must run from 0 without a gap"
        )
    return ClassList([names.by_number[number] for number in numbers], names.source)


def _pictures(layout: Layout) -> Pairs:
    """Name and stem of each picture, by name."""
    found = []
    for stem in layout.stems:
        path = layout.picture_files.get(stem)
        if path is None:
            raise InputError(f"{layout.labels}: picture {stem} is listed and is not there; fetch it, or mend the list")
        name = _below(layout.images or layout.labels, path)
        if printable(name) != name:
            raise InputError(f"{printable(name)}: this file name is not UTF-8, as the manifest needs it; rename it")
        found.append((name, stem))
    return sorted(found)


def _below(folder: str, path: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _selected(pictures: Pairs, select: str | None, path: str) -> tuple[Pairs, Pairs]:
    """Those that match, and those that don't."""
    if select is None:
        return pictures, []
    chosen = [one for one in pictures if matches(one[0], select)]
    if not chosen:
        shown = named([name for name, _ in pictures])
        raise InputError(f"{path}: none of {counted(len(pictures), 'picture')} matches {select!r}; there are {shown}")
    return chosen, [one for one in pictures if not matches(one[0], select)]


def matches(name: str, pattern: str) -> bool:
    """Whether a picture's name (its path, where the pattern has a `/`) matches; case counts on every system."""
    return fnmatch.fnmatchcase(name if "/" in pattern else name.rpartition("/")[2], pattern)


def _refuse_missing(chosen: Pairs, layout: Layout) -> None:
    missing = [name for name, stem in chosen if stem not in layout.label_files]
    if missing:
        which = "picture has" if len(missing) == 1 else "pictures have"
        raise InputError(
            f"{layout.labels}: {len(missing)} {which} no label file: {named(missing)}; an empty file says that there "
            "is nothing to be found, a missing one says nothing: write it, or remove the picture"
        )


def _strays(layout: Layout) -> list[Note]:
    strays = layout.strays
    if not strays:
        return []
    message = f"{counted(len(strays), 'label file')} without a picture, left out: {named(strays, '.txt')}"
    return [Note("labels-without-picture", message, len(strays))]


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  paths are kept as text
            return file.read()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None


def _file_digest(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  as above
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from None
