"""The files that describe a set of scenes: ground truth, table of metadata, manifest."""

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boxscore.io.coco_write import write_ground_truth
from boxscore.model.json_text import to_json
from boxscore.model.whole_files import write_text
from boxscore.scenes.generating.folder import FORMAT, IMAGES, MANIFEST, TABLE, TRUTH, VERSION
from boxscore.scenes.generating.records import Record, categories


def write_finished(path: Path, made_with: Mapping[str, Any], records: Sequence[Record]) -> None:
    """Write the three files of the scenes that are there, the manifest last: where it is, all is as it says.

    Raises InputError where a file can't be written.
    """
    write_ground_truth(
        path / TRUTH,
        images=[record.image for record in records],
        annotations=[row for record in records for row in record.annotations],
        categories=categories(),
    )
    write_text(path / TABLE, _table(records))
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(made_with),
        "files": {name: hashlib.sha256((path / name).read_bytes()).hexdigest() for name in (TRUTH, TABLE)},
        "pictures": IMAGES,
        "scenes": [record.entry for record in records],
    }
    write_text(path / MANIFEST, f"{to_json(manifest)}\n")


_NOT_METADATA = ("id", "width", "height")
"""What every image has anyway, by its id or its own size."""


def _table(records: Sequence[Record]) -> str:
    """CSV with a row an image; what a scene does not have is empty."""
    rows = [{"image_id": record.image["id"], **record.image} for record in records]
    columns = [name for name in dict.fromkeys(name for row in rows for name in row) if name not in _NOT_METADATA]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
