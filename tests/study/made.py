"""A small data set in clips, predictions of three qualities, and a study over them, written into a folder."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import yaml

CLIPS = 8
FRAMES = 3
LABELS = ("player", "ball")
RAW = ("person", "ball", "spectator")
"""Labels in the files; a taxonomy makes `LABELS` of them."""
QUALITY = {"good_640": (0.9, 2.0), "good_800": (0.7, 5.0), "poor": (0.45, 8.0)}
"""Share of objects found, and how far boxes are off, of each file of predictions."""


def write(folder: Path, **changes: Any) -> Path:
    """Ground truth, predictions, latencies, and `study.yaml`, in which `changes` replace whole fields."""
    _data(folder)
    (folder / "fast.csv").write_text("device,latency_ms\n" + "".join(f"Orin,{10 + i / 10}\n" for i in range(41)))
    (folder / "check.json").write_text(json.dumps({"device": "desk", "latency_ms": [30, 31, 32]}))
    return save(folder, content(folder) | changes)


def save(folder: Path, study: dict[str, Any]) -> Path:
    """Write a study's content."""
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    return path


def content(folder: Path) -> dict[str, Any]:
    """The study that all tests start from."""
    return {
        "study": "Made up",
        "data": {"ground_truth": "gt.json", "sha256": sha256(folder / "gt.json")},
        "taxonomy": {"aliases": {"player": ["person"], "ball": []}, "drop": ["spectator"]},
        "protocol": "coco",
        "resampling": {"replicates": 40, "group_by": "clip"},
        "models": {
            "good": {
                "name": "Good",
                "variants": {
                    640: pinned(folder, "good_640") | {"latency": ["fast.csv", "check.json"]},
                    800: pinned(folder, "good_800"),
                },
            },
            "poor": {"name": "Poor", **pinned(folder, "poor")},
        },
        "tables": {"main": {"variants": ["good/640", "poor"], "measures": ["AP", "AP@0.5"], "per_label": True}},
        "comparisons": {"size": {"name": "Input size", "variants": ["good/640", "good/800"], "measures": ["AP"]}},
    }


def pinned(folder: Path, name: str) -> dict[str, Any]:
    """A variant's predictions with their hash."""
    return {"predictions": f"{name}.json", "sha256": sha256(folder / f"{name}.json")}


def sha256(path: Path) -> str:
    """As a user would find it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def results(folder: Path) -> dict[str, Any]:
    """results.json as it was written."""
    found = json.loads((folder / "results.json").read_text())
    assert isinstance(found, dict)
    return found


def point(folder: Path, ref: str, section: str = "main", measure: str = "AP") -> dict[str, Any]:
    """A variant's row in results.json."""
    kind = "tables" if section == "main" else "comparisons"
    for one in results(folder)[kind][section]["results"]:
        if (one["measure"], one["label"]) == (measure, None):
            return next(dict(row) for row in one["models"] if row["model"] == ref)
    raise AssertionError(measure)


def _data(folder: Path) -> None:
    chance = random.Random(7)
    images = [
        {
            "id": clip * 10 + frame,
            "file_name": f"clip{clip}_{frame}.jpg",
            "width": 640,
            "height": 480,
            "clip": f"c{clip}",
        }
        for clip in range(CLIPS)
        for frame in range(FRAMES)
    ]
    annotations: list[dict[str, Any]] = []
    for image in images:
        for number in range(6):
            box = [chance.uniform(0, 500), chance.uniform(0, 350), chance.uniform(40, 120), chance.uniform(40, 120)]
            category = 1 + number % 2 if number < 5 else 3
            row = {"image_id": image["id"], "category_id": category, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            annotations.append(row | {"id": len(annotations) + 1})
    categories = [{"id": i, "name": name} for i, name in enumerate(RAW, 1)]
    truth = {"images": images, "annotations": annotations, "categories": categories}
    (folder / "gt.json").write_text(json.dumps(truth))
    for name, (share, off) in QUALITY.items():
        rows = [_detection(row, chance, off) for row in annotations if chance.random() < share]
        (folder / f"{name}.json").write_text(json.dumps(rows))


def _detection(row: dict[str, Any], chance: random.Random, off: float) -> dict[str, Any]:
    box = [value + chance.gauss(0, off) for value in row["bbox"]]
    return {"image_id": row["image_id"], "category_id": row["category_id"], "bbox": box, "score": chance.random()}
