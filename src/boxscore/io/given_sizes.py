"""Sizes of images for forms that hold none: one for all, a table, the pictures' own, or those of the ground truth."""

from __future__ import annotations

from boxscore.io import image_sizes, size_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.io.form_options import FormOptions

    Size = tuple[float, float]

_NAN = float("nan")


class GivenSizes:
    """Sizes of the images named, by name; `source` says in words where they are from.

    Raises InputError for a table that can't be read and for a damaged picture.
    """

    __slots__ = ("_sizes", "source")

    def __init__(self, options: FormOptions, names: Sequence[str], beside: str | PathLike[str]) -> None:
        distinct = list(dict.fromkeys(names))
        table = image_sizes.table_beside([str(beside)])
        found = image_sizes.given(options, distinct)
        if found is None and table is not None:
            found = image_sizes.of_table(distinct, table)
        self.source = "nowhere" if found is None else found.source
        flat = [] if found is None else list(found.values)
        self._sizes = dict(zip(distinct, zip(flat[::2], flat[1::2], strict=True), strict=False))

    def find(self, name: str) -> Size | None:
        """Width and height of an image; None where it isn't known."""
        width, height = self._sizes.get(name, (_NAN, _NAN))
        return (width, height) if width == width else None  # noqa: PLR0124  NaN: not known


def all_names(options: FormOptions) -> list[str]:
    """Stems of all the images that the pictures' folder, or the table of sizes, knows: those without boxes, too."""
    folder = image_sizes.pictures_folder(options)
    if folder is not None:
        return list(image_sizes.pictures_in(folder))
    return [] if options.images is None else list(size_table.read(str(options.images)))
