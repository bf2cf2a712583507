"""What the numbers of a text folder say by themselves against the way they are read."""

from __future__ import annotations

from boxscore.io import voc_boxes
from boxscore.io.voc_boxes import BoxForm
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.io.voc_folders import Folder


def asked(side: str, form: BoxForm) -> str:
    """The options that ask for a reading of one side (`gt`, `det`)."""
    return f"--{side}-format {form.numbers} --{side}-coords {form.coords}"


def number_notes(side: str, folder: Folder) -> list[Note]:
    """A note where pixels look like shares, or widths and heights like corners; `side` is `gt` or `det`."""
    if folder.form.coords != "abs" or not folder.num_rows:
        return []
    if folder.stated.max() <= 1.0:
        message = (
            f"{folder.name}: no number is larger than 1, as if they were shares of the image's size; if so, "
            f"give --{side}-coords rel with --img-size W,H or --images DIR"
        )
        return [Note("looks-relative", message, folder.num_rows)]
    if folder.form.numbers == "xywh" and voc_boxes.lie_like_corners(folder.stated):
        message = (
            f"{folder.name}: the last two numbers of {counted(folder.num_rows, 'box', 'boxes')} are larger than the "
            f"first two throughout, and grow with them, as if they were corners; if so, give --{side}-format xyrb"
        )
        return [Note("looks-like-corners", message, folder.num_rows)]
    return []


def better_note(side: str, other: Folder, stated: BoxForm, fit: float, best: float) -> Note:
    """That a folder's boxes, read as in `other`, fit the other folder's clearly better (AR `best` instead of `fit`)."""
    message = (
        f"{other.name}: boxes are read as {stated}, but fit the other folder's clearly better as {other.form}: AR over "
        f"IoU 0.5 to 0.95 is {fit:.3f} and would be {best:.3f}; if they are that, give {asked(side, other.form)}"
    )
    return Note("other-reading-fits", message, other.num_rows)


def likelier(folder: Folder) -> bool:
    """Whether this reading is borne out by the numbers alone: corners that lie like corners."""
    return folder.form.numbers == "xyrb" and voc_boxes.lie_like_corners(folder.stated)
