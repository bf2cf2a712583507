"""Files of answers: records, images, sizes, scale and order, labels, and what notes count."""

import json
from pathlib import Path
from typing import Any

import pytest

from boxscore.errors import InputError
from boxscore.io import answers, coco_form
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset, Predictions
from tests.formats.tables import detections_of

CAR = '[{"bbox_2d": [100, 40, 300, 80], "label": "car"}]'


def dataset(tmp_path: Path, *, sizes: bool = True, labels: tuple[str, ...] = ("car", "dog")) -> Dataset:
    """Images 1 (a.jpg) and 2 (d/b.jpg) of 400 x 200 pixels; a car in the first."""
    size = {"width": 400, "height": 200} if sizes else {}
    content = {
        "images": [{"id": 1, "file_name": "a.jpg", **size}, {"id": 2, "file_name": "d/b.jpg", **size}],
        "categories": [{"id": i, "name": name} for i, name in enumerate(labels)],
        "annotations": [
            {"id": i, "image_id": 1, "category_id": 0, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
            for i, box in enumerate([[100, 40, 200, 40], [10, 100, 40, 50]])
        ],
    }
    (tmp_path / "gt.json").write_text(json.dumps(content))
    return coco_form.read_ground_truth(tmp_path / "gt.json", FormOptions(), Reading())


def records(tmp_path: Path, *rows: dict[str, Any] | str, name: str = "answers.jsonl") -> Path:
    file = tmp_path / name
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def read(path: Path, gt: Dataset, reading: Reading | None = None, **options: Any) -> Predictions:
    return answers.read_predictions(path, gt, FormOptions(**options), reading or Reading())


def counts(predictions: Predictions) -> dict[str, int]:
    return {note.code: note.count for note in predictions.notes if note.code != "scores-equal"}


def note(predictions: Predictions, code: str) -> str:
    return next(note.message for note in predictions.notes if note.code == code)


@pytest.mark.parametrize(
    "rows",
    [
        [{"image_id": 1, "answer": CAR}, {"image_id": 2, "answer": "[]"}],
        [{"image_id": "1", "answer": CAR}, {"image_id": "2", "answer": "[]"}],
        [{"file_name": "a.jpg", "response": CAR}, {"file_name": "d/b.jpg", "response": "[]"}],
        [{"image": "/data/val/a.jpg", "text": CAR}, {"image": "/data/val/b.jpg", "text": "[]"}],
        [{"image_id": "x", "file_name": "a.jpg", "answer": CAR}, {"image_id": "y", "file_name": "b", "answer": "[]"}],
        [{"image_id": 1, "answer": json.loads(CAR)}, "", {"image_id": 2.0, "answer": []}],
    ],
)
def test_images_by_id_or_name(tmp_path: Path, rows: list[Any]) -> None:
    found = read(records(tmp_path, *rows), dataset(tmp_path))
    assert detections_of(found) == [("a", "car", (100.0, 40.0, 200.0, 40.0), 1.0)]
    assert set(counts(found)) <= {"read-as", "images-by-name"}


def test_a_json_list_and_a_folder(tmp_path: Path) -> None:
    gt = dataset(tmp_path)
    expected = [("a", "car", (100.0, 40.0, 200.0, 40.0), 1.0)]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps([{"image_id": 1, "answer": CAR}, {"image_id": 2, "answer": "[]"}], indent=1))
    assert answers.looks_like(file)
    assert detections_of(read(file, gt)) == expected
    file.write_text(json.dumps({"image_id": 1, "answer": CAR}, indent=1))
    assert detections_of(read(file, gt)) == expected
    (tmp_path / "said" / "d").mkdir(parents=True)
    (tmp_path / "said" / "a.txt").write_text(f"Sure!\n{CAR}\n")
    (tmp_path / "said" / "d" / "b.txt").write_text("")
    assert answers.looks_like(tmp_path / "said")
    found = read(tmp_path / "said", gt)
    assert detections_of(found) == expected
    assert counts(found) == {"read-as": 1, "answers-empty": 1}
    assert "first image 2, d/b.txt" in note(found, "answers-empty")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (CAR, {}),
        ('[{"box_2d": [200, 250, 400, 750], "label": "car"}]', {}),
        ('[{"bbox": [0.25, 0.2, 0.75, 0.4], "label": "car"}]', {}),
        ('[{"bbox_2d": [250, 200, 750, 400], "label": "car"}]', {"answer_scale": "thousand"}),
        ('[{"bbox_2d": [40, 100, 80, 300], "label": "car"}]', {"answer_order": "yxyx"}),
        ('[{"bbox": [100, 40, 200, 40], "label": "car"}]', {"answer_order": "xywh"}),
        ('[{"bbox": [100, 40, 200, 40], "label": "car"}]', {"boxes": "xywh"}),
        ('[{"bbox": [200, 60, 200, 40], "label": "car"}]', {"boxes": "cxcywh"}),
        ('[{"box_2d": [100, 40, 300, 80], "label": "car"}]', {"answer_scale": "pixels", "answer_order": "xyxy"}),
        ('[{"box_2d": [0.25, 0.2, 0.75, 0.4], "label": "car"}]', {"coords": "rel", "boxes": "xyxy"}),
        ('{"label": "car", "box": {"x": 100, "y": 40, "width": 200, "height": 40}}', {"answer_order": "yxyx"}),
        # 40/200 and 100/400 of 1024ths are 204.8 and 256: PaliGemma has no better token than 205.
        ("<loc0205><loc0256><loc0410><loc0768> car", {"answer_scale": "pixels", "answer_order": "xywh"}),
        # The middle of Florence-2's bin 249 is at 249.5/1000 of the width, 99.8 pixels.
        ("car<loc_249><loc_199><loc_749><loc_399>", {}),
    ],
)
def test_scales_and_orders(tmp_path: Path, text: str, options: dict[str, Any]) -> None:
    (row,) = detections_of(read(records(tmp_path, {"image_id": 1, "answer": text}), dataset(tmp_path), **options))
    tolerance = 0.25 if "<loc" in text else 1e-9
    assert row[2] == pytest.approx((100, 40, 200, 40), abs=tolerance)


def test_tokens_are_taken_as_the_models_mean_them(tmp_path: Path) -> None:
    said = ["<loc0256><loc0128><loc0512><loc0384> car", "car<loc_0><loc_99><loc_499><loc_199>"]
    rows = [{"image_id": 1, "answer": text} for text in said]
    florence, paligemma = (row[2] for row in detections_of(read(records(tmp_path, *rows), dataset(tmp_path))))
    assert paligemma == (50, 50, 100, 50)
    # The middles of bins 0, 99, 499 and 199: half of 0.4 pixels, 99.5 times 0.2 pixels, and so on.
    assert florence == pytest.approx((0.2, 19.9, 199.6, 20))


def test_pixels_of_the_picture_that_the_model_saw(tmp_path: Path) -> None:
    row = {"image_id": 1, "answer": CAR, "input_width": 800, "input_height": 100}
    (found,) = detections_of(read(records(tmp_path, row), dataset(tmp_path)))
    assert found[2] == (50, 80, 100, 80)
    with pytest.raises(InputError, match=r"line 1: input_height is None; it must be a number of pixels"):
        read(records(tmp_path, {"image_id": 1, "answer": CAR, "input_width": 800}), dataset(tmp_path))


def test_sizes_that_are_needed_and_missing_are_refused(tmp_path: Path) -> None:
    gt = dataset(tmp_path, sizes=False)
    assert detections_of(read(records(tmp_path, {"image_id": 1, "answer": CAR}), gt))
    file = records(tmp_path, {"image_id": 1, "answer": CAR}, {"image_id": 2, "answer": "<loc0000>" * 4 + "car"})
    with pytest.raises(InputError, match=r"answers.jsonl line 2: the size of image 2 is not known.*--img-size"):
        read(file, gt)
    assert len(detections_of(read(file, gt, img_size=(400, 200)))) == 2


def test_what_the_reading_is_and_which_other_would_fit(tmp_path: Path) -> None:
    gt = dataset(tmp_path)
    rows = [
        {"image_id": 1, "answer": [{"bbox_2d": b, "label": "car"} for b in ([250, 200, 750, 400], [25, 500, 125, 750])]}
    ]
    found = read(records(tmp_path, *rows), gt)
    told = note(found, "read-as")
    assert "2 bbox_2d as [x1, y1, x2, y2] in pixels; 2 of 2 boxes beyond the image" in told
    assert "no value is above 750, so 0..1000 is possible, too; no scores: each detection has 1" in told
    assert "as [x1, y1, x2, y2] in 0..1000: 2 of 2 boxes would meet an object" in note(found, "answers-other-reading")
    assert note(found, "answers-other-reading").endswith("--answer-scale thousand reads them so")
    again = read(records(tmp_path, *rows), gt, answer_scale="thousand")
    assert "answers-other-reading" not in counts(again)
    huge = read(records(tmp_path, {"image_id": 1, "answer": [{"box_2d": [0, 0, 20, 1400], "label": "car"}]}), gt)
    assert "values go up to 1400, which 0..1000 doesn't hold" in note(huge, "read-as")
    small = read(records(tmp_path, {"image_id": 1, "answer": [{"box_2d": [0, 0, 20, 40], "label": "car"}]}), gt)
    assert "pixels are possible, too" in note(small, "read-as")
