"""The text folders of the old VOC tools: one `.txt` an image, a line a box.

Ground truth is `class a b c d`, a detection `class confidence a b c d`; classes may hold blanks, and any run of blanks
separates. What the four numbers are, `voc_boxes.BoxForm` says.
"""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import voc_boxes
from boxscore.model.labels import id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore import _kernel
    from boxscore.io.form_options import FormOptions
    from boxscore.io.voc_boxes import Array, BoxForm
    from boxscore.model.labels import Id

SUFFIX = ".txt"


class Folder:
    """A folder as stated: `stems` of its files by code point, and a row for each line.

    `stated` (n, 4) are the numbers as written, `boxes` (n, 4) are x, y, w, h in pixels, corners inclusive; `extents`
    (n, 2) is the size of each row's image, None where no sizes are given.
    """

    __slots__ = ("_rows", "boxes", "extents", "form", "name", "stated", "stems")

    def __init__(
        self,
        name: str,
        stems: Sequence[str],
        rows: _kernel.TextRows,
        stated: Array,
        form: BoxForm,
        extents: Array | None,
    ) -> None:
        self.name = name
        self.stems = list(stems)
        self.stated = stated
        self.form = form
        self.extents = extents
        self.boxes = voc_boxes.in_pixels(stated, form, extents)
        self._rows = rows

    @property
    def num_rows(self) -> int:
        """Number of boxes."""
        return self._rows.num_rows

    @property
    def labels(self) -> list[str]:
        """Names of the classes, in order of appearance."""
        return [str(use[0]) for use in self._rows.label_uses]

    def column(self, name: str) -> Array:
        """`file`, `label` or `score` of each row, (n,)."""
        import numpy as np

        return np.asarray(self._rows.table.column(name))

    def place(self, row: int) -> str:
        """File and line of a row."""
        file, line = self._rows.place(row)
        return f"{self.name}/{self.stems[file]}{SUFFIX} line {line}"

    def read_as(self, form: BoxForm) -> Folder | None:
        """The same rows, their numbers taken for others; None where that can't be: negative sizes, no image sizes."""
        impossible = voc_boxes.negative_row(self.stated, form) is not None
        if impossible or (form.coords == "rel" and self.extents is None):
            return None
        return Folder(self.name, self.stems, self._rows, self.stated, form, self.extents)

    def refuse_scores(self, other: Folder) -> None:
        """Raise InputError where lines of ground truth hold a confidence: `car 0.9` would be a class of its own.

        Told by the class without it, which occurs here or in the other folder.
        """
        known = {*self.labels, *other.labels}
        for label, row, _ in self._rows.label_uses:
            name, number = _split_number(label)
            if number and name in known:
                raise InputError(
                    f"{self.place(row)}: 6 fields, ground truth has 5: {id_text(number)} stands between the class and "
                    "the box like a confidence; is this a folder of detections?"
                )


def read_folder(
    path: str | PathLike[str], form: BoxForm, options: FormOptions, *, scored: bool, threads: int = 1
) -> Folder:
    """All `.txt` files right in a folder; `options` gives sizes of images, by `img_size` or `images`.

    Raises InputError that names file, line and field for what can't be read, and for shares of an unknown size.
    """
    import numpy as np

    from boxscore import _kernel

    shown = os.fspath(path)
    names = _file_names(shown)
    stems = [_seen(name.removesuffix(SUFFIX)) for name in names]
    contents = [_content(os.path.join(shown, name)) for name in names]  # noqa: PTH118  thousands of small files
    try:
        rows = _kernel.read_text(contents, score="second" if scored else "none", threads=threads)
    except _kernel.TextError as error:
        raise InputError(
            f"{shown}/{stems[error.file]}{SUFFIX} line {error.line}: {error.problem} ({id_text(error.found)}); a line "
            f"is {'class confidence a b c d' if scored else 'class a b c d'}"
        ) from None
    stated = np.stack([np.asarray(rows.table.column(name)) for name in "xywh"], axis=1)
    file = np.asarray(rows.table.column("file"))
    folder = Folder(shown, stems, rows, stated, form, _extents(stems, file, form, options))
    _refuse_odd_numbers(folder, scored=scored)
    return folder


def _extents(stems: Sequence[str], file: Array, form: BoxForm, options: FormOptions) -> Array | None:
    import numpy as np

    from boxscore.io import image_sizes

    sizes = image_sizes.given(options, stems)
    if sizes is None:
        if form.coords == "rel":
            raise InputError("rel coordinates need sizes of images; give --img-size W,H, or --images DIR")
        return None
    if form.coords == "rel":
        sizes.refuse_unknown(np.isin(np.arange(len(stems)), file).tolist(), stems)
    found: Array = np.asarray(sizes.values).reshape(-1, 2)[file]
    return found


def _file_names(folder: str) -> list[str]:
    try:
        return sorted(entry for entry in os.listdir(folder) if entry.endswith(SUFFIX))  # noqa: PTH208  as above
    except FileNotFoundError:
        raise InputError(f"{folder}: there is no such folder; check the path") from None
    except NotADirectoryError:
        raise InputError(f"{folder} is a file; give the folder of the {SUFFIX} files") from None


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  as above
            return file.read()
    except OSError as error:
        raise InputError(f"{_seen(path)} can't be read: {error.strerror or error}") from None


def _seen(name: str) -> str:
    """A file's name as text, bytes that are no UTF-8 spelt out."""
    return name.encode("utf-8", "backslashreplace").decode()


def _refuse_odd_numbers(folder: Folder, *, scored: bool) -> None:
    import numpy as np

    odd = ~np.isfinite(folder.stated).all(axis=1)
    if scored:
        odd |= ~np.isfinite(folder.column("score"))
    if odd.any():
        raise InputError(f"{folder.place(int(np.flatnonzero(odd)[0]))}: a number is not finite; mend the file")
    row = voc_boxes.negative_row(folder.stated, folder.form)
    if row is None:
        return
    written = " ".join(f"{value:.10g}" for value in folder.stated[row])
    if folder.form.numbers == "xyrb":
        raise InputError(
            f"{folder.place(row)}: right is less than left, or bottom less than top ({written}); "
            "if the last two numbers are width and height, the format is xywh"
        )
    raise InputError(f"{folder.place(row)}: width or height is negative ({written}); mend the file")


def _split_number(label: Id) -> tuple[str, str]:
    """What stands before a label's last word, and that word where it is a number."""
    name, _, last = " ".join(str(label).split()).rpartition(" ")
    try:
        float(last)
    except ValueError:
        return str(label), ""
    return name, last if name else ""
