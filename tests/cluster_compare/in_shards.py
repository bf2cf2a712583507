"""The models of `tests.compare.made` as sharded data."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from boxscore.io.shards.write import ShardWriter
from tests.compare import made

Row = dict[str, Any]


def write(folder: Path, images: int, a_part: int, clips: int = 0) -> list[Path]:
    """Ground truth, and the predictions of each model, so many images a part."""
    truth = made.ground_truth(images, clips)
    labels = [(one["id"], one["name"]) for one in truth["categories"]]
    gt = ShardWriter(folder / "gt", "ground_truth", labels=labels)
    for ids in _ranges(images, a_part):
        shown = [one for one in truth["images"] if one["id"] in ids]
        of_images: Row = {"image_id": list(ids), "file_name": [one["file_name"] for one in shown]}
        if clips:
            of_images["group"] = [one["clip"] for one in shown]
        objects = [one for one in truth["annotations"] if one["image_id"] in ids]
        gt.add(ids[0], ids[-1], {"images": pa.table(of_images), "ground_truth": _table(objects, "area")})
    gt.finish()
    paths = [folder / "gt"]
    for seed, (name, skill) in enumerate(made.SKILLS.items()):
        rows = made.predictions(images, skill, seed)
        paths.append(folder / name)
        found = ShardWriter(paths[-1], "predictions")
        for ids in _ranges(images, a_part + 3):
            of_part = [row for row in rows if row["image_id"] in ids]
            found.add(ids[0], ids[-1], {"detections": _table(of_part, "score")})
        found.finish()
    return paths


def _ranges(images: int, a_part: int) -> list[range]:
    return [range(start, min(start + a_part, images)) for start in range(0, images, a_part)]


def _table(rows: list[Row], number: str) -> pa.Table:
    boxes = {side: pa.array([float(row["bbox"][at]) for row in rows], pa.float64()) for at, side in enumerate("xywh")}
    return pa.table(
        {
            "image_id": pa.array([row["image_id"] for row in rows], pa.int64()),
            "label": pa.array([made.LABELS[row["category_id"]] for row in rows], pa.string()),
            **boxes,
            number: pa.array([float(row[number]) for row in rows], pa.float64()),
        }
    )
