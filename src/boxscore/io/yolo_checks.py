"""Relative numbers that can't be shares of a picture."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore import _kernel
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.io.text_files import TextFiles

_SLACK = 1e-3
"""How far a centre may lie beyond the border, as a share: the last digit of rounded numbers."""


def refuse_outside(
    findings: Sequence[_kernel.Finding], rows: _kernel.TextRows, files: TextFiles, sizes: ImageSizes, *, most: int
) -> None:
    """Raise InputError for the first row whose centre lies outside its picture, where there are more than `most`.

    Boxes that merely reach over the border are usual and stay.
    """
    if not any(finding.code == "outside-image" for finding in findings):
        return
    outside = list(_outside(rows, sizes))
    if len(outside) <= most:
        return
    row, axis, share = outside[0]
    file, line = rows.place(row)
    centres = counted(len(outside), "centre")
    pixels = " They may be pixels: --coords abs reads them so." if abs(share) > 2 else ""
    raise InputError(
        f"{files.shown(file)} line {line}: {axis} = {share:.6g} is outside 0..1 ({centres} outside).{pixels} "
        "Correct or remove the line; shares of the picture's width and height are expected."
    )


def _outside(rows: _kernel.TextRows, sizes: ImageSizes) -> list[tuple[int, str, float]]:
    """Row, axis and share of each centre outside 0..1."""
    names = ("file", "x", "y", "w", "h")
    columns = [rows.table.column(name).to_list() for name in names]
    found: list[tuple[int, str, float]] = []
    for row, (file, x, y, w, h) in enumerate(zip(*columns, strict=True)):
        width, height = sizes.values[2 * file], sizes.values[2 * file + 1]
        for axis, share in (("x", (x + w / 2) / width), ("y", (y + h / 2) / height)):
            if not -_SLACK <= share <= 1 + _SLACK:
                found.append((row, axis, share))
                break
    return found
