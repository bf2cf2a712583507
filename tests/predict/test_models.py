"""Real models, each through its card alone, against detections that another program saved of the same pictures."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from boxscore.predict.card import Card, load_card
from boxscore.predict.decode import Found
from boxscore.predict.detector import OnnxDetector
from boxscore.predict.read_picture import read
from tests.oracle.overlap import overlap
from tests.support.cards import write_card

MODELS = {
    "yolox_nano": ("yolox_nano.onnx", "yolox", 416),
    "nanodet_m_320": ("nanodet_m_320.onnx", "nanodet", 320),
    "fastestdet": ("FastestDet.onnx", "fastestdet", 352),
}
SCORE = 0.05
"""Detections from this score on are held to agree."""

Row = dict[str, Any]


def card_of(name: str, data: Path, folder: Path, **overrides: object) -> Card:
    file, preset, size = MODELS[name]
    classes = (data / "models_coco80/coco_classes.txt").read_text().splitlines()
    return load_card(write_card(folder, data / "models_coco80" / file, preset, size, classes), **overrides)


def saved(data: Path, name: str) -> dict[int, list[Row]]:
    rows: dict[int, list[Row]] = defaultdict(list)
    with gzip.open(data / f"coco_val164/predictions/{name}.json.gz") as file:
        for row in json.load(file):
            rows[row["image_id"]].append(row)
    return rows


def category_ids(data: Path) -> list[int]:
    content = json.loads((data / "coco_val164/instances_val164.json").read_text())
    return sorted(category["id"] for category in content["categories"])


def detect(card: Card, pictures: Sequence[Path]) -> Iterator[tuple[int, Found]]:
    detector = OnnxDetector.of(card, threads=1)
    for path in pictures:
        yield int(path.stem), detector.detect([read(path)])[0]


def as_rows(found: Found, ids: Sequence[int]) -> list[Row]:
    return [
        {"category_id": ids[label], "bbox": [x1, y1, x2 - x1, y2 - y1], "score": score}
        for (x1, y1, x2, y2), score, label in zip(
            found.boxes.tolist(), found.scores.tolist(), found.labels.tolist(), strict=True
        )
    ]


def share_found(wanted: Sequence[Row], among: Sequence[Row]) -> tuple[int, int]:
    """How many rows from the score on have a partner of their own (IoU 0.99, score within 0.01), and how many there
    are."""
    free = list(among)
    rows = [row for row in wanted if row["score"] > SCORE]
    found = 0
    for row in rows:
        partner = next((one for one in free if agree(row, one)), None)
        if partner is not None:
            free.remove(partner)
            found += 1
    return found, len(rows)


def agree(row: Row, other: Row) -> bool:
    return (
        row["category_id"] == other["category_id"]
        and abs(row["score"] - other["score"]) <= 0.01
        and overlap(row["bbox"], other["bbox"]) >= 0.99
    )


def agreement(card: Card, data: Path, name: str) -> tuple[float, float]:
    """Share of the saved detections that are found, and of those found that were saved."""
    pictures = sorted((data / "coco_val164/images").glob("*.jpg"))
    assert len(pictures) == 49
    expected, ids = saved(data, name), category_ids(data)
    counts = [0, 0, 0, 0]
    for image, found in detect(card, pictures):
        rows = as_rows(found, ids)
        both = (*share_found(expected[image], rows), *share_found(rows, expected[image]))
        counts = [total + one for total, one in zip(counts, both, strict=True)]
    assert counts[1] > 1000
    return counts[0] / counts[1], counts[2] / counts[3]


@pytest.mark.parametrize("name", MODELS)
def test_each_detection_agrees_with_what_was_saved(name: str, data_folder: Path, tmp_path: Path) -> None:
    recall, precision = agreement(card_of(name, data_folder, tmp_path), data_folder, name)
    assert recall >= 0.99, recall
    assert precision >= 0.99, precision


def test_a_wrong_card_gives_the_detections_of_wrongly_prepared_pictures(data_folder: Path, tmp_path: Path) -> None:
    wrong = card_of("nanodet_m_320", data_folder, tmp_path, resize="stretch")
    assert min(agreement(wrong, data_folder, "nanodet_m_320_stretch")) >= 0.99
    assert max(agreement(wrong, data_folder, "nanodet_m_320")) < 0.5


def faces_of(folder: Path) -> Iterator[tuple[Path, list[list[float]]]]:
    for listing in ("training.xml", "testing.xml"):
        for image in ET.parse(folder / listing).getroot().iter("image"):
            sides = ("left", "top", "width", "height")
            yield (
                folder / image.attrib["file"],
                [[float(box.attrib[key]) for key in sides] for box in image.iter("box")],
            )


def test_yunet_finds_all_faces(data_folder: Path, tmp_path: Path) -> None:
    model = data_folder / "model_face_yunet/yunet_n_dynamic.onnx"
    detector = OnnxDetector.of(load_card(write_card(tmp_path, model, "yunet", None, ["face"])), threads=1)
    total = found = surplus = 0
    for path, faces in faces_of(data_folder / "dlib_faces"):
        rows = [row for row in as_rows(detector.detect([read(path)])[0], [0]) if row["score"] >= 0.5]
        free = list(faces)
        for row in rows:
            best = max(free, key=lambda face: overlap(row["bbox"], face), default=None)
            if best is not None and overlap(row["bbox"], best) >= 0.4:
                free.remove(best)
        total += len(faces)
        found += len(faces) - len(free)
        surplus += len(rows) - (len(faces) - len(free))
    assert (found, total) == (43, 43)
    assert surplus <= 10
