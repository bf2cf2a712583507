"""Metadata of images from a table of their own, joined by image id or file name."""

from __future__ import annotations

import posixpath

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from boxscore.model.labels import Id

IDS = ("image_id", "id")
NAMES = ("file_name", "filename", "file", "image", "image_name", "name", "image_path", "path", "frame_path")
"""Columns that say which image a row is of; the first of them that fits the most images is taken."""


def join(
    frame: pl.DataFrame,
    image_ids: Sequence[Id],
    file_names: Sequence[str | None],
    *,
    source: str,
    key: str | None = None,
) -> tuple[pl.DataFrame, list[Note]]:
    """The table's other columns in the order of the images, null where an image has no row, and notes.

    Rows go by image id, else by file name as stated, by its last part, or by that without its ending: whichever fits
    the most. Raises InputError where no column says which image, no row fits any image, or two rows of an image
    disagree.
    """
    import polars as pl

    column, places = _key(frame, image_ids, file_names, source, key)
    of_image: dict[int, int] = {}
    repeats = 0
    rest = frame.drop(column)
    for row, place in enumerate(places):
        if place is None:
            continue
        first = of_image.setdefault(place, row)
        if first != row:
            _check_repeat(rest, first, row, f"{source}: image {id_text(image_ids[place])}")
            repeats += 1
    rows = [of_image.get(place) for place in range(len(image_ids))]
    joined = rest[pl.Series([0 if row is None else row for row in rows], dtype=pl.UInt32)]
    there = pl.Series("there", [row is not None for row in rows], dtype=pl.Boolean)
    joined = joined.select(pl.when(there).then(pl.col(name)).alias(name) for name in joined.columns)
    return joined, list(_notes(frame[column].to_list(), places, rows, image_ids, file_names, source, column, repeats))


def _key(
    frame: pl.DataFrame, image_ids: Sequence[Id], file_names: Sequence[str | None], source: str, key: str | None
) -> tuple[str, list[int | None]]:
    """The column that says which image, and the image of each row."""
    if key is not None and key not in frame.columns:
        raise InputError(f"{source}: there is no column {key!r}; its columns are {listed(frame.columns, 20)}")
    named = [key] if key is not None else [name for name in (*IDS, *NAMES) if name in frame.columns]
    if not named:
        raise InputError(
            f"{source}: no column says which image a row is of ({', '.join((*IDS, *NAMES))}); its columns are "
            f"{listed(frame.columns, 20)}: name that column"
        )
    best: tuple[str, list[int | None]] = named[0], []
    fits = -1
    for name in named:
        values = [None if value is None else _text(value) for value in frame[name].to_list()]
        for table, changed in _tables(image_ids, file_names):
            places = [None if value is None else table.get(changed(value)) for value in values]
            fitting = len({place for place in places if place is not None})
            if fitting > fits:
                best, fits = (name, places), fitting
    if not frame.height:
        raise InputError(f"{source} has no rows; a table of metadata has one an image")
    if fits == 0 and image_ids:
        raise InputError(_none_fits(frame, best[0], image_ids, file_names, source))
    return best


def _tables(
    image_ids: Sequence[Id], file_names: Sequence[str | None]
) -> list[tuple[dict[str, int], Callable[[str], str]]]:
    """Images by text, with what to do to a row's text first: ids, file names, their last parts, without endings."""
    found: list[tuple[dict[str, int], Callable[[str], str]]] = [(_unique([str(value) for value in image_ids]), _same)]
    changes: tuple[Callable[[str], str], ...] = (_same, _last, _stem)
    names = list(file_names) if any(name is not None for name in file_names) else [str(value) for value in image_ids]
    found += [(_unique([None if name is None else change(name) for name in names]), change) for change in changes]
    return found


def _unique(texts: Sequence[str | None]) -> dict[str, int]:
    """Places by text; a text that several images share names none of them."""
    found: dict[str, int] = {}
    shared = set()
    for place, text in enumerate(texts):
        if text is not None and found.setdefault(text, place) != place:
            shared.add(text)
    return {text: place for text, place in found.items() if text not in shared}


def _same(text: str) -> str:
    return text


def _last(text: str) -> str:
    return posixpath.basename(text.replace("\\", "/"))


def _stem(text: str) -> str:
    return posixpath.splitext(_last(text))[0]


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _check_repeat(rest: pl.DataFrame, first: int, row: int, image: str) -> None:
    for name in rest.columns:
        before, now = rest[name][first], rest[name][row]
        if before != now:
            raise InputError(
                f"{image} has two rows (lines {first + 2} and {row + 2}) that disagree in {name}, {shown(before)} and "
                f"{shown(now)}; keep one of them"
            )


def _none_fits(
    frame: pl.DataFrame, column: str, image_ids: Sequence[Id], file_names: Sequence[str | None], source: str
) -> str:
    stated = [_text(value) for value in frame[column].to_list()[:3]]
    named = [name for name in file_names if name is not None][:2]
    images = [id_text(value) for value in image_ids[:2]] + [repr(name) for name in named]
    return (
        f"{source}: no row fits an image: {column} has {', '.join(map(repr, stated))}, images are {', '.join(images)}; "
        "give image ids or file names as the ground truth has them, or name the column that has them"
    )


def _notes(
    stated: Sequence[object],
    places: Sequence[int | None],
    rows: Sequence[int | None],
    image_ids: Sequence[Id],
    file_names: Sequence[str | None],
    source: str,
    column: str,
    repeats: int,
) -> list[Note]:
    notes = []
    unknown = [str(value) for value, place in zip(stated, places, strict=True) if place is None]
    if unknown:
        message = f"{source}: {counted(len(unknown), 'row fits', 'rows fit')} no image, by {column}: {listed(unknown)}"
        notes.append(Note("metadata-rows-unmatched", message, len(unknown)))
    bare = [file_names[place] or id_text(image_ids[place]) for place, row in enumerate(rows) if row is None]
    if bare:
        message = f"{source}: {counted(len(bare), 'image has', 'images have')} no row: {listed(bare)}"
        notes.append(Note("metadata-images-unmatched", message, len(bare)))
    if repeats:
        message = f"{source}: {counted(repeats, 'row repeats', 'rows repeat')} another of its image and says the same"
        notes.append(Note("metadata-rows-repeated", message, repeats))
    return notes
