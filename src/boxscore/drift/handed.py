"""The files as the other scorers get them: as they are, or, from any other form, written as COCO's JSON."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.io import coco_write, detect, table_rows
from boxscore.io.source import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxscore.model.tables import Dataset, Predictions

AS_THEY_ARE = "the files as they are"
WRITTEN = "both files written anew as COCO JSON, images, labels and objects numbered from 1"


class Handed:
    """Two COCO files, and how they came about."""

    __slots__ = ("ground_truth", "how", "predictions")

    def __init__(self, ground_truth: Path, predictions: Path, how: str) -> None:
        self.ground_truth = ground_truth
        self.predictions = predictions
        self.how = how


def hand_over(gt: str, pred: str, predictions: Predictions, folder: Path, *, plainly: bool) -> Handed:
    """The two COCO files, those that have to be made in `folder`.

    `plainly`: nothing was asked for that changes what the files say. COCO files are then handed on byte by byte
    (unpacked, if they are gzipped), with all that is odd about them. Else what was read is written.
    """
    notes = [*predictions.dataset.notes, *predictions.notes]
    if plainly and _are_coco(gt, pred) and not any(note.code == "read-as" for note in notes):
        return Handed(_unpacked(gt, folder / "gt.json"), _unpacked(pred, folder / "pred.json"), AS_THEY_ARE)
    handed = Handed(folder / "gt.json", folder / "pred.json", WRITTEN)
    dataset = predictions.dataset
    categories = ({"id": number, "name": name} for number, name in enumerate(dataset.labels.names, 1))
    coco_write.write_ground_truth(
        handed.ground_truth, images=_images(dataset), annotations=_annotations(dataset), categories=categories
    )
    coco_write.write_results(handed.predictions, _results(predictions))
    return handed


def _are_coco(gt: str, pred: str) -> bool:
    return all(detect.is_plain_coco(path) and os.path.isfile(path) for path in (gt, pred))  # noqa: PTH113  as io does


def _unpacked(given: str, target: Path) -> Path:
    with open(given, "rb") as file:  # noqa: PTH123  as above
        if file.read(2) != b"\x1f\x8b":
            return Path(given).absolute()
    with open_source(given, "input") as source:
        target.write_bytes(source.data)
    return target


def _images(dataset: Dataset) -> Iterator[dict[str, object]]:
    """Readers of COCO files want names and sizes, of which no figure of boxes depends; what isn't known is made up."""
    columns = [dataset.images.column(name).to_list() for name in ("file_name", "width", "height")]
    for number, (name, width, height) in enumerate(zip(*columns, strict=True), 1):
        # Numbered, since two images of different folders may have one name, which some take for one image.
        suffix = os.path.splitext(str(name))[1] if name else ".jpg"  # noqa: PTH122  as above
        yield {"id": number, "file_name": f"{number}{suffix}", "width": _whole(width), "height": _whole(height)}


def _annotations(dataset: Dataset) -> Iterator[dict[str, object]]:
    category = {name: number for number, name in enumerate(dataset.labels.names, 1)}
    for number, row in enumerate(table_rows.objects_of(dataset), 1):
        yield {
            "id": number,
            "image_id": row.image + 1,
            "category_id": category[row.label],
            "bbox": list(row.box),
            "area": row.area,
            "iscrowd": int("crowd" in row.flags),
            "segmentation": [],
        }


def _results(predictions: Predictions) -> Iterator[dict[str, object]]:
    category = {name: number for number, name in enumerate(predictions.dataset.labels.names, 1)}
    for row in table_rows.detections_of(predictions):
        yield {
            "image_id": row.image + 1,
            "category_id": category[row.label],
            "bbox": list(row.box),
            "score": row.score,
        }


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 1
