"""Data on which every switch of drift changes something, and a scorer that pip installs without a network."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

Row = dict[str, Any]
VERSION = "9.9.9"
FAKE = '''
import json
from pathlib import Path

__version__ = "{version}"
print("a package that prints where it should not")


class COCO:
    """Takes its figures from the file beside the ground truth."""

    def __init__(self, path):
        self.stats = json.loads(Path(path).with_name("figures.json").read_text())

    def load_res(self, path):
        json.loads(Path(path).read_text())
        return self


class COCOeval:
    def __init__(self, truth, found, kind):
        self.stats = truth.stats

    def run(self):
        print("so it does while it scores")
'''


def data() -> tuple[Row, list[Row]]:
    """Crowds, areas of masks, images without objects, labels without, 130 detections of one image and label, images out
    of order, equal scores across images, overlaps at the thresholds but for rounding, 25 cars (7 of 25 is a recall of
    0.28, just below the point).
    """
    random = np.random.default_rng(7)
    image_ids = [int(i) for i in random.permutation(np.arange(1, 31))]
    annotations: list[Row] = []
    results: list[Row] = []
    for place, image_id in enumerate(image_ids):
        for category in () if place % 6 == 5 else (1, 2, 3, 3):
            x, y, w, h = (float(v) / 10 for v in random.integers(100, 1800, size=4))
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image_id,
                    "category_id": category,
                    "bbox": [x, y, w, h],
                    "area": w * h * 0.7,
                    "iscrowd": int(category > 1 and random.random() < 0.2),
                }
            )
            share = float(random.choice([0.5, 0.55, 0.6, 0.7, 0.75, 0.85, 0.9, 1.0]))
            score = float(random.integers(1, 9)) / 8
            results.append(found(image_id, category, [x, y, w * share, h], score))
            results.append(found(image_id, category, [x + 0.3, y, w * 0.7, h + 0.1], score / 2))
        results.append(found(image_id, int(random.integers(1, 5)), [5.1, 5.2, 30.3, 40.4], 0.95))
    crowded = annotations[0]
    results += [
        found(crowded["image_id"], crowded["category_id"], [200.0 + n, 200.0, 9.0, 9.0], 0.99 - n / 1000)
        for n in range(130)
    ]
    images = [{"id": i, "file_name": f"{i}.jpg", "width": 400, "height": 400} for i in image_ids]
    categories = [{"id": n, "name": name} for n, name in enumerate(("car", "bus", "van", "ghost", "nothing"), 1)]
    return {"images": images, "annotations": annotations, "categories": categories}, results


def found(image_id: int, category: int, box: list[float], score: float) -> Row:
    """One row of results."""
    return {"image_id": image_id, "category_id": category, "bbox": box, "score": score}


def wheel(folder: Path, version: str = VERSION) -> Path:
    """A package that passes for hotcoco, for pip to find."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"hotcoco-{version}-py3-none-any.whl"
    info = f"hotcoco-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hotcoco/__init__.py", FAKE.replace("{version}", version))
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: hotcoco\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        names = ["hotcoco/__init__.py", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD"]
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in names))
    return path
