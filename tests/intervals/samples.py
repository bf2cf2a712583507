"""A made-up data set of clips: four images each, objects found, missed and made up more or less often by clip."""

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]
CATEGORIES = [{"id": 3, "name": "cat"}, {"id": 1, "name": "dog"}]


def ground_truth(clips: int = 3, field: str | None = "clip", images: int = 4) -> dict[str, Any]:
    """Image 10 * clip + i, two objects a clip's image; a dog in the first clip alone. Images are not in order of id."""
    stated: list[Row] = []
    annotations: list[Row] = []
    for clip in range(clips):
        for i in reversed(range(images)):
            image: Row = {
                "id": 10 * clip + i,
                "file_name": f"clip{clip}/frame_{i:03d}.jpg",
                "width": 200,
                "height": 200,
            }
            stated.append(image if field is None else image | {field: f"c{clip}"})
            for x in (10, 110):
                annotations.append(_object(len(annotations), image["id"], 3, [x, 10, 50, 40]))
            if clip == 0:
                annotations.append(_object(len(annotations), image["id"], 1, [10, 110, 60, 60]))
    return {"images": stated, "annotations": annotations, "categories": CATEGORIES}


def results(clips: int = 3, images: int = 4) -> list[Row]:
    """Clip c finds its second cat only in its first c images, and makes one up in the others; scores are distinct."""
    rows: list[Row] = []
    for clip in range(clips):
        for i in range(images):
            image = 10 * clip + i
            boxes = [[12, 10, 50, 40], [110, 12, 50, 40] if i < clip % images else [20, 120, 30, 30]]
            rows += [_detection(image, 3, box, len(rows) + j) for j, box in enumerate(boxes)]
            if clip == 0 and i:
                rows.append(_detection(image, 1, [12, 110, 60, 60], len(rows)))
    return rows


def files(folder: Path, **options: Any) -> tuple[Path, Path]:
    """Both as files."""
    paths = folder / "gt.json", folder / "pred.json"
    contents = ground_truth(**options), results(options.get("clips", 3), options.get("images", 4))
    for path, content in zip(paths, contents, strict=True):
        path.write_text(json.dumps(content))
    return paths


def _object(number: int, image: int, label: int, box: list[int]) -> Row:
    area = box[2] * box[3]
    return {"id": number, "image_id": image, "category_id": label, "bbox": box, "area": area, "iscrowd": 0}


def _detection(image: int, label: int, box: list[int], number: int) -> Row:
    # 37 has no factor in common with 101: the first 101 scores are all different.
    return {"image_id": image, "category_id": label, "bbox": box, "score": 0.3 + (37 * number % 101) / 150}
