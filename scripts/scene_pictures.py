"""Plain pictures of simulated scenes, for tests and docs in place of photos: coloured shapes on a ground."""

import hashlib
import json
from pathlib import Path
from typing import Any

SHADES = ((204, 121, 167), (0, 114, 178), (230, 159, 0), (0, 158, 115), (86, 180, 233), (213, 94, 0), (240, 228, 66))


def draw_scenes(ground_truth: Path, folder: Path, most: int = 1_000_000) -> int:
    """Draw the first images of a COCO file as JPEG under their names, and return how many."""
    content = json.loads(ground_truth.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    objects: dict[Any, list[dict[str, Any]]] = {}
    for row in content["annotations"]:
        objects.setdefault(row["image_id"], []).append(row)
    images = content["images"][:most]
    for image in images:
        _draw(image, objects.get(image["id"], []), folder / image["file_name"])
    return len(images)


def _draw(image: dict[str, Any], objects: list[dict[str, Any]], path: Path) -> None:
    from PIL import Image, ImageDraw

    width, height = int(image["width"]), int(image["height"])
    number = int(hashlib.sha256(str(image["id"]).encode()).hexdigest()[:4], 16)
    sky = tuple(150 + number % 60 + shade for shade in (0, 10, 25))
    picture = Image.new("RGB", (width, height), sky)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, height * 0.55, width, height), fill=tuple(int(shade * 0.72) for shade in sky))
    for row in sorted(objects, key=lambda row: -row["bbox"][2] * row["bbox"][3]):
        x, y, w, h = row["bbox"]
        shade = SHADES[row["category_id"] % len(SHADES)]
        dark = tuple(int(part * 0.6) for part in shade)
        shape = pen.ellipse if row["category_id"] % 2 else pen.rectangle
        shape((x, y, max(x + w, x + 1), max(y + h, y + 1)), fill=shade, outline=dark, width=max(1, int(min(w, h) / 20)))
    picture.save(path, quality=88)
