"""`convert`: files of any form that can be read to any that can be written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io.form_options import FormOptions
from boxscore.io.forms import form, forms_with
from boxscore.model.reading import Reading
from boxscore.pipeline import forms_found
from boxscore.pipeline.evaluate import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from boxscore.model.tables import Dataset, Predictions
    from boxscore.pipeline.converting.to_shards import Sharded

SHARDS = "shards"


class Converted:
    """What a conversion read, with notes of how, and what of it the new form can't hold (`lost`)."""

    __slots__ = ("lost", "read")

    def __init__(self, read: Dataset | Predictions | Sharded, lost: list[str]) -> None:
        self.read = read
        self.lost = lost


def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    to: str,
    source_format: str | None = None,
    ground_truth: str | PathLike[str] | None = None,
    gt_format: str | None = None,
    options: FormOptions | None = None,
    target_options: FormOptions | None = None,
    reading: Reading | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    images_per_part: int | None = None,
    rows_per_part: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Converted:
    """Read `source`, write `target` in the form `to`: predictions where `ground_truth` is given, which names their
    images and labels, else ground truth.

    `options` speak of how the source is read, `target_options` of how the target is written; names of classes, pictures
    and sizes that are given for the first serve the second, too.

    Shards (`to` is `shards`) are written a part at a time, of at most so many images or rows, with `progress` told;
    their target may be an address.

    The target appears whole or not at all. One that exists is replaced only with `overwrite`, a folder only where all
    its files are of the kinds that the form writes. Raises InputError.
    """
    if to == SHARDS:
        from boxscore.pipeline.converting.to_shards import to_shards

        done = to_shards(
            source,
            target,
            source_format=source_format,
            ground_truth=ground_truth,
            gt_format=gt_format,
            options=options or FormOptions(),
            reading=Reading.of(reading),
            overwrite=overwrite,
            threads=thread_count(threads),
            images=images_per_part,
            rows=rows_per_part,
            progress=progress,
        )
        return Converted(done, done.lost)
    if images_per_part is not None or rows_per_part is not None:
        raise InputError(f"form {to} has no parts; leave out --images-per-part and --rows-per-part")
    writes = "write_ground_truth" if ground_truth is None else "write_predictions"
    writer = getattr(form(to), writes, None)
    if writer is None:
        what = "ground truth" if ground_truth is None else "predictions"
        able = ", ".join([*forms_with(writes), SHARDS])
        raise InputError(f"form {to} holds no {what} to write; those that do are {able}")
    place = Path(target)
    _check_target(place, overwrite=overwrite)
    asked, policies, workers = options or FormOptions(), Reading.of(reading), thread_count(threads)
    read: Dataset | Predictions
    if ground_truth is None:
        source = forms_found.one_file(source, source_format, "read_ground_truth")
        _, reader = forms_found.reader(source, source_format, "read_ground_truth", "--from")
        read = reader.read_ground_truth(source, asked, policies, workers)
    else:
        ground_truth = forms_found.one_file(ground_truth, gt_format, "read_ground_truth")
        source = forms_found.one_file(source, source_format, "read_predictions")
        _, module = forms_found.reader(ground_truth, gt_format, "read_ground_truth", "--gt-format")
        dataset = module.read_ground_truth(ground_truth, forms_found.of_both(asked), policies, workers)
        _, reader = forms_found.reader(source, source_format, "read_predictions", "--from")
        read = reader.read_predictions(source, dataset, asked, policies, workers)
    beside = place.with_name(f".{os.getpid()}.part.{place.name}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        lost = writer(read, beside, _for_writing(asked, target_options or FormOptions()))
        _check_target(place, overwrite=overwrite)  # it may have appeared while we wrote
        _replace(beside, place)
    except InputError as error:
        # What is written stands under another name until it is whole.
        raise InputError(str(error).replace(beside.name, place.name)) from None
    finally:
        _remove(beside)
    return Converted(read, lost)


def _for_writing(asked: FormOptions, wanted: FormOptions) -> FormOptions:
    """What the writer is told: how it is to write, and whence names and sizes are."""
    known = {field: getattr(wanted, field) for field in ("boxes", "coords", "corners", "score", "class_base")}
    for field in ("classes", "images", "img_size"):
        stated = getattr(wanted, field)
        known[field] = getattr(asked, field) if stated is None else stated
    return FormOptions(**known)


def _check_target(target: Path, *, overwrite: bool) -> None:
    if os.path.lexists(target) and not overwrite:
        raise InputError(f"{target} exists; give a new name, or replace it with --overwrite")


def _replace(beside: Path, target: Path) -> None:
    if not target.is_dir():
        if beside.is_dir() and target.exists():
            raise InputError(f"{target} is a file, and this form writes a folder; give another name")
        beside.replace(target)
        return
    if not beside.is_dir():
        raise InputError(f"{target} is a folder, and this form writes a file; give another name")
    kinds = {path.suffix for path in _files(beside)}
    foreign = next((path for path in _files(target) if path.suffix not in kinds), None)
    if foreign is not None:
        raise InputError(
            f"{target} holds {foreign.relative_to(target)}, which this form does not write, and replacing the folder "
            "would delete it; give a new name"
        )
    old = target.with_name(f".{os.getpid()}.old.{target.name}")
    target.replace(old)
    beside.replace(target)
    _remove(old)


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if not path.is_dir())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
