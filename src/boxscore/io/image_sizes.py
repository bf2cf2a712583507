"""Width and height of each image, from whichever source knows them: an option, a table, pictures, the ground truth."""

# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH118, PTH119  pathlib costs a fifth of the start-up

from __future__ import annotations

import os
from array import array

from boxscore.errors import InputError
from boxscore.io import size_table, stems
from boxscore.io.pictures import SUFFIXES, picture_sizes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.io.form_options import FormOptions
    from boxscore.io.text_predictions import ResultFiles
    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

_UNKNOWN = (float("nan"), float("nan"))


class ImageSizes:
    """Sizes of images in order (`values`, width and height an image, NaN where unknown) and, in words, where from."""

    __slots__ = ("source", "values")

    def __init__(self, sizes: Sequence[tuple[float, float]], source: str) -> None:
        self.values = array("d", [side for size in sizes for side in size])
        self.source = source

    def unknown(self) -> list[int]:
        """Positions of the images whose size isn't known."""
        return [i for i in range(len(self.values) // 2) if self.values[2 * i] != self.values[2 * i]]

    def refuse_unknown(self, needed: Sequence[bool], names: Sequence[str]) -> None:
        """Raise InputError that names the first images with boxes (`needed`) whose size isn't known."""
        lacking = [names[i] for i in self.unknown() if needed[i]]
        if not lacking:
            return
        images = "1 image" if len(lacking) == 1 else f"{len(lacking)} images"
        raise InputError(
            f"the size of {images} is not known, and shares of it can't become pixels: {stems.named(lacking)} (sizes "
            f"from {self.source}). Give the folder of the pictures, or a table of name, width and height, with "
            "--images, or one size for all with --img-size; or, if the numbers are pixels, say so with --coords abs"
        )


def given(options: FormOptions, names: Sequence[str]) -> ImageSizes | None:
    """Sizes as the options give them, None where they don't."""
    if options.img_size is not None:
        width, height = options.img_size
        return ImageSizes([(float(width), float(height))] * len(names), f"--img-size {width},{height}")
    if options.images is None:
        return None
    path = os.fspath(options.images)
    if os.path.isdir(path):
        return of_pictures(names, pictures_in(path), path)
    return of_table(names, path)


def pictures_folder(options: FormOptions) -> str | None:
    """The folder of pictures among the options; None where a table of sizes stands there, or nothing."""
    if options.images is None:
        return None
    path = os.fspath(options.images)
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such folder of pictures, or table of sizes; check --images")
    return path if os.path.isdir(path) else None


def pictures_in(folder: str) -> dict[str, str]:
    """Paths of a folder's pictures by stem. Raises InputError where two share one."""
    files = stems.walk(folder)
    try:
        found = stems.of_kind(files, SUFFIXES)
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None
    return {stem: os.path.join(folder, file) for stem, file in found.items()}


def of_pictures(names: Sequence[str], pictures: Mapping[str, str], folder: str | None) -> ImageSizes:
    """Sizes from the headers of pictures, by stem; `folder` is where these are, None where there are none."""
    present = [pictures[name] for name in names if name in pictures]
    sizes = iter(picture_sizes(present))
    found = [next(sizes) if name in pictures else _UNKNOWN for name in names]
    where = "pictures, of which none were found" if folder is None else f"the pictures in {_short(folder)}/"
    return ImageSizes(found, where)


def of_table(names: Sequence[str], path: str) -> ImageSizes:
    """Sizes from a table, by stem."""
    table = size_table.read(path)
    return ImageSizes([table.get(name, _UNKNOWN) for name in names], _short(path))


def _short(path: str) -> str:
    """A path's last part, for notes."""
    return os.path.basename(os.path.abspath(path))


def table_beside(folders: Sequence[str]) -> str | None:
    """The table of sizes in the first of these folders that has one."""
    places = [os.path.join(folder, size_table.FILE_NAME) for folder in folders]
    return next((place for place in places if os.path.isfile(place)), None)


def of_dataset(dataset: Dataset, image_ids: Sequence[Id]) -> ImageSizes:
    """Sizes as the ground truth has them, for these of its images."""
    columns = [dataset.images.column(side).to_list() for side in ("width", "height")]
    known = {
        i: (float(width), float(height))
        for i, width, height in zip(dataset.image_ids, *columns, strict=True)
        if isinstance(width, int | float) and isinstance(height, int | float)
    }
    return ImageSizes([known.get(i, _UNKNOWN) for i in image_ids], dataset.source or "the ground truth")


def of_results(options: FormOptions, results: ResultFiles) -> ImageSizes:
    """Sizes for the files of detections: one given for all, else the ground truth's, else by option `images`."""
    stated = of_dataset(results.dataset, results.image_ids)
    lacking = any(results.files.data[i] for i in stated.unknown())
    if options.img_size is not None or lacking:
        return given(options, results.stems) or stated
    return stated
