"""The output file of a run: a table in Parquet, or COCO's list of results; from the journal, in the pictures' order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io.predicted import METADATA_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from boxscore.model.labels import Id
    from boxscore.model.tables import Dataset

    Row = dict[str, Any]

SUFFIXES = (".parquet", ".json")


@dataclass(frozen=True, slots=True)
class Ids:
    """Ids of a ground truth, for COCO's list: `images` by the names of pictures, `categories` by those of classes."""

    images: Mapping[str, Id]
    categories: Mapping[str, Id]


def check(out: Path, *, ids: Ids | None, names: Sequence[str], classes: Sequence[str]) -> None:
    """Refuse what can't be written before anything is computed. Raises InputError."""
    if out.suffix.lower() not in SUFFIXES:
        raise InputError(f"{out}: detections are written to {' or '.join(SUFFIXES)}; name --out so")
    if not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}; make it first")
    if ids is None:
        return
    if out.suffix.lower() == ".parquet":
        raise InputError(f"{out}: a table goes by names, not ids; leave --ground-truth out, or write .json")
    for what, wanted, known in (("picture", names, ids.images), ("class", classes, ids.categories)):
        missing = [name for name in wanted if name not in known]
        if missing:
            raise InputError(
                f"the ground truth has no {what} {missing[0]!r} ({len(missing)} of {len(wanted)} are missing), whose "
                "id is asked for; leave --ground-truth out: detections then go by names"
            )


def write(out: Path, batches: Iterator[Row], classes: Sequence[str], ids: Ids | None, marks: Row) -> None:
    """Write the file. `marks` (unreadable pictures) go into Parquet's metadata."""
    if out.suffix.lower() == ".parquet":
        _write_table(out, batches, classes, marks)
    else:
        from boxscore.io.coco_write import write_results

        write_results(out, _results(batches, classes, ids))


def _detections(batches: Iterator[Row]) -> Iterator[tuple[str, list[float], float, int]]:
    for batch in batches:
        for entry in batch["pictures"]:
            rows = zip(entry.get("boxes", ()), entry.get("scores", ()), entry.get("labels", ()), strict=True)
            for box, score, label in rows:
                yield entry["file_name"], box, score, label


def _results(batches: Iterator[Row], classes: Sequence[str], ids: Ids | None) -> Iterator[Row]:
    """COCO's rows: with the ids of a ground truth, else by names, which no reader takes for ids of its own."""
    for name, box, score, label in _detections(batches):
        where: Row = {"image_id": name, "category_name": classes[label]}
        if ids is not None:
            where = {"image_id": ids.images[name], "category_id": ids.categories[classes[label]]}
        yield {**where, "bbox": box, "score": score}


def _write_table(out: Path, batches: Iterator[Row], classes: Sequence[str], marks: Row) -> None:
    import polars as pl

    columns: dict[str, list[Any]] = {name: [] for name in ("file_name", "label", *"xywh", "score")}
    for name, box, score, label in _detections(batches):
        for column, value in zip(columns.values(), (name, classes[label], *box, score), strict=True):
            column.append(value)
    texts, numbers = {"file_name": pl.String, "label": pl.String}, dict.fromkeys((*"xywh", "score"), pl.Float64)
    frame = pl.DataFrame(columns, schema={**texts, **numbers})
    frame.write_parquet(out, compression="zstd", metadata={METADATA_KEY: json.dumps(marks, sort_keys=True)})


def ids_of(dataset: Dataset, names: Sequence[str]) -> Ids:
    """A data set's ids: of the pictures of these names, found as file names are, and of its labels."""
    from boxscore.io.image_names import Names

    known = Names(dataset)
    found = {name: known.find(name) for name in names}
    images = {name: image for name, image in found.items() if image is not None}
    return Ids(images, dict(zip(dataset.labels.names, dataset.labels.ids, strict=True)))
