"""What a run of predictions says of its own output: which pictures it could not read.

It stands in a file beside the output (`OUT.run.json`), and in the metadata of Parquet as well. A picture that could not
be read has no detections in the output, as one without objects has none; whoever reads the output asks here.
"""

# ruff: noqa: PTH110, PTH123  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.notes import Note, counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.model.tables import Dataset

KIND = "boxscore-predict"
METADATA_KEY = "boxscore.predict"
"""The key in Parquet's metadata; its value is JSON with `unreadable` and `skip_unreadable`."""


def beside(path: str) -> str:
    """Where the record of an output file is."""
    return f"{path}.run.json"


def notes(given: object, dataset: Dataset) -> list[Note]:
    """Notes about images of the data set that a run of predictions has not seen; none where no run left a record.

    Raises InputError where pictures could not be read and the run was not told to skip them (their objects would count
    as missed), and where the record beside the file speaks of other bytes than the file has.
    """
    if not isinstance(given, str | os.PathLike):
        return []
    path = os.fspath(given)
    marks = _marks(path)
    unreadable = [entry["file_name"] for entry in marks.get("unreadable", ())]
    found = [] if not unreadable else _unreadable(path, dataset, unreadable, skipped=bool(marks.get("skip_unreadable")))
    predicted = marks.get("pictures", dataset.num_images)
    if predicted < dataset.num_images:
        lacking = dataset.num_images - predicted
        message = (
            f"{path} was predicted on {counted(predicted, 'picture')}, and the ground truth has {dataset.num_images} "
            f"images: all objects of {lacking} or more of them count as missed"
        )
        found.append(Note("pictures-not-predicted", message, lacking))
    return found


def _unreadable(path: str, dataset: Dataset, unreadable: list[str], *, skipped: bool) -> list[Note]:
    from boxscore.io.image_names import Names

    names = Names(dataset)
    ours = [name for name in unreadable if names.find(name) is not None]
    if not ours:
        return []
    what = f"{counted(len(ours), 'picture')} of the ground truth could not be read when {path} was predicted"
    if not skipped:
        raise InputError(
            f"{what}: {listed(ours)}; objects there would count as missed. Mend the pictures and predict again, or "
            "predict with --skip-unreadable to have them count so, or take these images out of the ground truth"
        )
    message = f"{what} and were skipped as asked for: {listed(ours)}; objects there count as missed"
    return [Note("unreadable-pictures", message, len(ours))]


def _marks(path: str) -> dict[str, Any]:
    """Parquet's own marks go with it wherever it is; else those of the file beside."""
    if path.lower().endswith(".parquet") and os.path.isfile(path):  # noqa: PTH113  as above
        stated = _metadata(path)
        if stated is not None:
            return stated
    place = beside(path)
    return _record(path, place) if os.path.exists(place) else {}


def _metadata(path: str) -> dict[str, Any] | None:
    import json

    import polars as pl

    try:
        text = pl.read_parquet_metadata(path).get(METADATA_KEY)
    except (pl.exceptions.PolarsError, OSError):
        return None
    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        raise InputError(f"{path}: its metadata {METADATA_KEY} is damaged; predict again") from None
    return found if isinstance(found, dict) else None


def _record(path: str, place: str) -> dict[str, Any]:
    import hashlib

    from boxscore.io import json_files

    content = json_files.load(place)
    if not isinstance(content, dict) or content.get("kind") != KIND:
        return {}
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != content.get("sha256"):
        raise InputError(
            f"{place} speaks of other bytes than {path} has, so that nobody knows which pictures were read; predict "
            f"again, or remove {place} if the detections were changed on purpose"
        )
    return content
