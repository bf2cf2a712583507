"""Pictures against the ground truth: missing, cut off or unreadable ones, and sizes that disagree."""

from __future__ import annotations

import os

from boxscore.audit.found import Found, touches
from boxscore.io.relabel import array, image_sizes
from boxscore.model.labels import id_text
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.model.tables import Dataset


def findings(dataset: Dataset, folder: str | os.PathLike[str]) -> Iterator[Found]:
    """Findings about the pictures of a folder, matched to images by the stem of their name. Raises InputError."""
    from boxscore.io.image_sizes import pictures_in
    from boxscore.io.pictures import picture_fault

    shown = os.fspath(folder)
    paths = _paths(dataset, pictures_in(shown))
    missing = [i for i, path in enumerate(paths) if path is None]
    if missing:
        yield _found(
            dataset,
            "picture-missing",
            f"{shown}: no picture of {counted(len(missing), 'image')}: {_named(dataset, missing)}",
            "check that the folder is that of this ground truth, and complete",
            missing,
        )
    faults = {i: fault for i, path in enumerate(paths) if path is not None and (fault := picture_fault(path))}
    if faults:
        yield _found(
            dataset,
            "picture-damaged",
            f"{counted(len(faults), 'picture is', 'pictures are')} unreadable or cut off: "
            f"{listed([fault.partition(';')[0] for fault in faults.values()], 3)}",
            "fetch or write these pictures again; a model sees grey where a picture ends",
            list(faults),
        )
    yield from _sizes(dataset, [None if i in faults else path for i, path in enumerate(paths)])


def _sizes(dataset: Dataset, paths: list[str | None]) -> Iterator[Found]:
    from boxscore.io.pictures import try_picture_size

    differ: list[int] = []
    turned = 0
    first = ""
    for i, (path, (width, height)) in enumerate(zip(paths, image_sizes(dataset).tolist(), strict=True)):
        size = None if path is None else try_picture_size(path)
        if size is None or width != width or size == (width, height):  # noqa: PLR0124  NaN: not known
            continue
        differ.append(i)
        turned += size == (height, width)
        first = first or f"{path} is {size[0]} x {size[1]}, stated are {width:g} x {height:g}"
    if differ:
        swapped = f"; {turned} with width and height exchanged, as by a turned camera" if turned else ""
        yield _found(
            dataset,
            "picture-size",
            f"{counted(len(differ), 'image has', 'images have')} another size than "
            f"{'its picture' if len(differ) == 1 else 'their pictures'} ({first}{swapped})",
            "make ground truth and detections for pictures of one size and orientation",
            differ,
        )


def _found(dataset: Dataset, code: str, message: str, remedy: str, images: list[int]) -> Found:
    """A finding about images: it touches their objects."""
    import numpy as np

    touched = int(np.isin(array(dataset.ground_truth, "image"), images).sum())
    moves, bound = touches(touched, dataset.num_objects, "object")
    return Found(code, message, remedy, count=len(images), moves=moves, bound=bound)


def _paths(dataset: Dataset, pictures: dict[str, str]) -> list[str | None]:
    """The picture of each image: by the whole stem of its file name (or id), else by the last part alone."""
    names = dataset.images.column("file_name").to_list()
    by_last: dict[str, str] = {}
    for stem, path in pictures.items():
        by_last.setdefault(stem.rpartition("/")[2], path)
    found: list[str | None] = []
    for i, name in zip(dataset.image_ids, names, strict=True):
        stem = os.path.splitext(str(name))[0] if name is not None else str(i)  # noqa: PTH122  a name, not a path here
        found.append(pictures.get(stem) or by_last.get(stem.rpartition("/")[2]))
    return found


def _named(dataset: Dataset, which: list[int]) -> str:
    ids = dataset.image_ids
    return listed([id_text(ids[i]) for i in which])
