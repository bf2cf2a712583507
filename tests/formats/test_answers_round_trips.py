"""Boxes written as answers of each kind and read back; answers of any text, which never stop a reading."""

import json
import math
import string
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore
from boxscore.io import answer_text, answers
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset
from tests.formats.tables import detections_of

Corners = tuple[float, float, float, float]
Object = tuple[str, Corners]
SIZES = {"a": (640.0, 480.0), "b": (1000.0, 1500.0)}
NAMES = ("car", "potted plant", "Straße 7")

LABELS = st.sampled_from(NAMES)
SHARES = st.integers(0, 998)


@st.composite
def said(draw: st.DrawFn) -> dict[str, list[Object]]:
    """Objects of each image, x1, y1, x2, y2 as shares of its size."""
    found: dict[str, list[Object]] = {}
    for image in SIZES:
        found[image] = []
        for _ in range(draw(st.integers(0, 4))):
            x1, y1 = draw(SHARES) / 1000, draw(SHARES) / 1000
            x2 = draw(st.integers(round(x1 * 1000) + 1, 999)) / 1000
            y2 = draw(st.integers(round(y1 * 1000) + 1, 999)) / 1000
            found[image].append((draw(LABELS), (x1, y1, x2, y2)))
    return found


def scaled(box: Corners, width: float, height: float) -> Corners:
    return box[0] * width, box[1] * height, box[2] * width, box[3] * height


def swapped(box: Corners) -> list[float]:
    return [box[1], box[0], box[3], box[2]]


def paligemma(objects: list[Object], _: tuple[float, float]) -> str:
    texts = []
    for label, box in objects:
        places = [math.floor(share * 1024) for share in swapped(box)]
        texts.append(f"{''.join(f'<loc{place:04d}>' for place in places)} {label}")
    return " ; ".join(texts)


def florence(objects: list[Object], _: tuple[float, float]) -> str:
    texts = [f"{label}{''.join(f'<loc_{math.floor(1000 * share + 1e-6)}>' for share in box)}" for label, box in objects]
    return f"</s><s>{''.join(texts)}</s>"


def qwen(objects: list[Object], size: tuple[float, float]) -> str:
    rows = [{"bbox_2d": scaled(box, *size), "label": label} for label, box in objects]
    return f"Here you are:\n```json\n{json.dumps(rows, indent=2, ensure_ascii=False)}\n```\n"


def gemini(objects: list[Object], _: tuple[float, float]) -> str:
    return json.dumps([{"label": label, "box_2d": swapped(scaled(box, 1000, 1000))} for label, box in objects])


def python_sizes(objects: list[Object], size: tuple[float, float]) -> str:
    rows = []
    for label, box in objects:
        x1, y1, x2, y2 = scaled(box, *size)
        rows.append({"box": {"x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1}, "class": label})
    return repr({"objects": rows})


def lines_of_shares(objects: list[Object], _: tuple[float, float]) -> str:
    return "\n".join(json.dumps({"bbox": box, "category": label}) for label, box in objects) or "[]"


STYLES: dict[str, tuple[Callable[[list[Object], tuple[float, float]], str], float, dict[str, Any]]] = {
    "paligemma": (paligemma, 2 / 1024, {}),
    "florence": (florence, 2 / 1000, {}),
    "qwen": (qwen, 1e-9, {"answer_scale": "pixels"}),
    "gemini": (gemini, 1e-9, {"answer_scale": "thousand"}),
    "python sizes": (python_sizes, 1e-9, {"answer_scale": "pixels"}),
    "lines of shares": (lines_of_shares, 1e-9, {}),
}
"""How objects are written, how far a box may lie from its own as a share of the image, and options to read it with."""


def ground_truth() -> Dataset:
    images = [{"id": name, "width": int(w), "height": int(h)} for name, (w, h) in SIZES.items()]
    categories = [{"id": i, "name": name} for i, name in enumerate(NAMES)]
    return boxscore.read_ground_truth({"images": images, "annotations": [], "categories": categories})


@pytest.mark.parametrize("style", STYLES)
@given(objects=said())
def test_boxes_written_as_an_answer_are_read_back(style: str, objects: dict[str, list[Object]]) -> None:
    write, tolerance, options = STYLES[style]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        rows = [{"image_id": image, "answer": write(objects[image], SIZES[image])} for image in SIZES]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        read = answers.read_predictions(file, ground_truth(), FormOptions(**options), Reading())
    assert not {"answers-unreadable", "answer-boxes-unreadable"} & {note.code for note in read.notes}
    expected = {image: [(label, scaled(box, *SIZES[image])) for label, box in objects[image]] for image in SIZES}
    found: dict[str, list[Object]] = {image: [] for image in SIZES}
    # Rows of one image and label stand in the order of the answer: scores are equal.
    for image, label, (x, y, w, h), _ in detections_of(read):
        found[image].append((label, (x, y, x + w, y + h)))
    for image, (width, height) in SIZES.items():
        assert len(found[image]) == len(expected[image])
        for (label, box), (wanted, right) in zip(
            sorted(found[image]), _ordered(found[image], expected[image]), strict=True
        ):
            assert label == wanted
            assert box == pytest.approx(right, abs=tolerance * max(width, height) + 1e-9)


def _ordered(found: list[Object], expected: list[Object]) -> list[Object]:
    """The expected objects, each at the place of the found one that lies nearest to it."""
    left = list(expected)
    matched = []
    for label, box in sorted(found):
        same = [one for one in left if one[0] == label]
        nearest = min(same, key=lambda one: sum(abs(a - b) for a, b in zip(one[1], box, strict=True)))
        left.remove(nearest)
        matched.append(nearest)
    return matched


PIECES = st.sampled_from(
    ["[", "]", "{", "}", '"bbox_2d"', ":", ",", '"label"', '"car"', "12", "-1e400", "NaN", "null", "'", "//", '\\"']
) | st.sampled_from(
    ["```json", "```", "<loc0001>", "<loc_5>", "<seg001>", ";", "<think>", "</think>", "\ud800", "\0", "1" * 5000]
)
GARBAGE = st.one_of(st.text(), st.text(string.printable), st.lists(PIECES, max_size=30).map("".join))
PARSED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["bbox", "box_2d", "boxes", "label", "score", "x1", "objects"]) | st.text(), inner
        )
    ),
    max_leaves=12,
)


@given(stated=GARBAGE | PARSED)
def test_no_answer_stops_a_reading(stated: object) -> None:
    answer = answer_text.read(stated)
    assert answer.failure is None or not answer.boxes
    for box in answer.boxes:
        assert all(math.isfinite(number) for number in box.numbers)
        assert box.score is None or math.isfinite(box.score)


@given(stated=st.lists(GARBAGE | PARSED, min_size=2, max_size=2))
def test_no_file_of_answers_is_refused_for_them(stated: list[object]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        rows = [{"image_id": image, "answer": answer} for image, answer in zip(SIZES, stated, strict=True)]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        gt = ground_truth()
        read = answers.read_predictions(file, gt, FormOptions(), Reading(unknown_labels="drop"))
    assert read.dataset.num_images == len(SIZES)
    counted = {note.code: note.count for note in read.notes}
    failed = sum(answer_text.read(answer).failure is not None for answer in stated)
    assert counted.get("answers-empty", 0) + counted.get("answers-unreadable", 0) == failed
    assert all(str(note).encode() for note in read.notes)
    assert boxscore.evaluate(gt, read).summary["AP"] is None
