"""COCO data written as parts at any cuts, row by row, without the code that `boxscore convert` writes them with."""

import itertools
from pathlib import Path
from typing import Any

import pyarrow as pa

from boxscore.io.shards.write import ShardWriter
from boxscore.model.labels import id_order

Row = dict[str, Any]
Id = int | str


def write(folder: Path, truth: Row, results: list[Row], cuts: list[int], found_cuts: list[int]) -> tuple[Path, Path]:
    """Ground truth and detections cut before the images that `cuts` count, those of the detections at other ones."""
    names = {one["id"]: one["name"] for one in truth["categories"]}
    unknown = {row["category_id"]: f"unknown {row['category_id']}" for row in (*truth["annotations"], *results)}
    names = unknown | names
    images = sorted(truth["images"], key=lambda image: id_order(image["id"]))
    ids = [image["id"] for image in images]
    kind = pa.string() if ids and isinstance(ids[0], str) else pa.int64()
    gt = ShardWriter(folder / "gt", "ground_truth", labels=[(one["id"], one["name"]) for one in truth["categories"]])
    for start, end in _ranges(len(ids), cuts):
        rows = [row for row in truth["annotations"] if row["image_id"] in ids[start:end]]
        tables = {"images": _images(images[start:end], kind), "ground_truth": _objects(rows, names, kind)}
        gt.add(*_ends(ids[start:end]), tables)
    gt.finish()
    spoken_of = sorted({*ids, *(row["image_id"] for row in results)}, key=id_order)
    dt = ShardWriter(folder / "dt", "predictions")
    for start, end in _ranges(len(spoken_of), found_cuts):
        rows = [row for row in results if row["image_id"] in spoken_of[start:end]]
        dt.add(*_ends(spoken_of[start:end]), {"detections": _detections(rows, names, kind)})
    dt.finish()
    return folder / "gt", folder / "dt"


def _ranges(count: int, cuts: list[int]) -> list[tuple[int, int]]:
    ends = sorted({0, count, *(cut % (count + 1) for cut in cuts)})
    return list(itertools.pairwise(ends)) or [(0, 0)]


def _ends(ids: list[Id]) -> tuple[Id | None, Id | None]:
    return (ids[0], ids[-1]) if ids else (None, None)


def _images(images: list[Row], kind: pa.DataType) -> pa.Table:
    columns = {"image_id": pa.array([image["id"] for image in images], type=kind)}
    for name, type_ in (("file_name", pa.string()), ("width", pa.float64()), ("height", pa.float64())):
        columns[name] = pa.array([image.get(name) for image in images], type=type_)
    return pa.table(columns)


def _objects(rows: list[Row], names: dict[Id, str], kind: pa.DataType) -> pa.Table:
    columns = _boxes(rows, names, kind)
    columns["area"] = pa.array([row["area"] for row in rows], type=pa.float64())
    columns["crowd"] = pa.array([bool(row.get("iscrowd")) for row in rows], type=pa.bool_())
    columns["ignore"] = pa.array([bool(row.get("ignore")) for row in rows], type=pa.bool_())
    return pa.table(columns)


def _detections(rows: list[Row], names: dict[Id, str], kind: pa.DataType) -> pa.Table:
    return pa.table(_boxes(rows, names, kind) | {"score": pa.array([row["score"] for row in rows], type=pa.float64())})


def _boxes(rows: list[Row], names: dict[Id, str], kind: pa.DataType) -> dict[str, Any]:
    columns = {"image_id": pa.array([row["image_id"] for row in rows], type=kind)}
    columns["label"] = pa.array([names[row["category_id"]] for row in rows], type=pa.string()).dictionary_encode()
    for at, name in enumerate("xywh"):
        columns[name] = pa.array([float(row["bbox"][at]) for row in rows], type=pa.float64())
    return columns
