"""Forms that are filled step by step into shards: the parts, notes and refusals of those that are read whole."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boxscore.errors import InputError
from boxscore.io import coco_form, forms, frames, json_outline, open_images
from boxscore.io.shards import spill
from boxscore.pipeline.convert import convert
from boxscore.pipeline.converting import filled

SIZE = (640, 480)
LABELS = ("cat", "dog", "traffic light")
TRUTH_FORMS = ("voc-xml", "labelme", "cvat", "open-images")
Rows = list[dict[str, Any]]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many pieces, batches and buckets."""
    monkeypatch.setattr(json_outline, "PIECE", 300)
    monkeypatch.setattr(json_outline, "WINDOW", 64)
    monkeypatch.setattr(frames, "CHUNK", 200)
    monkeypatch.setattr(open_images, "ROWS", 7)
    monkeypatch.setattr(filled, "ROWS", 5)
    monkeypatch.setattr(spill, "MOST_ROWS", 9)
    monkeypatch.setattr(spill, "MOST_BUCKETS", 3)


def boxes(seed: int, count: int) -> Rows:
    generator = random.Random(seed)
    return [
        {
            "image": generator.randrange(8),
            "label": generator.choice(LABELS),
            "bbox": [generator.randrange(300), generator.randrange(200), *generator.choices(range(1, 90), k=2)],
            "score": generator.randrange(1, 1000) / 1000,
        }
        for _ in range(count)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """COCO ground truth of nine images, the last of them empty; two have names in folders."""
    names = [f"{'sub/' if number in (2, 5) else ''}{number:03}.jpg" for number in range(9)]
    sides = {"width": SIZE[0], "height": SIZE[1]}
    rows = boxes(1, 40)
    content = {
        "images": [{"id": number + 1, "file_name": name, **sides} for number, name in enumerate(names)],
        "categories": [{"id": 10 * number, "name": name} for number, name in enumerate(LABELS, 1)],
        "annotations": [
            {
                "id": number,
                "image_id": row["image"] + 1,
                "category_id": 10 * (LABELS.index(row["label"]) + 1),
                "bbox": row["bbox"],
                "area": row["bbox"][2] * row["bbox"][3],
                "iscrowd": 0,
                **({"occluded": number % 3 == 0} if number % 4 else {}),
            }
            for number, row in enumerate(rows, 1)
        ],
    }
    (tmp_path / "gt.json").write_text(json.dumps(content))
    return tmp_path


def written(place: Path) -> dict[str, Any]:
    """The tables of all parts, and the manifest without its digests."""
    found: dict[str, Any] = {
        path.relative_to(place).as_posix(): pq.read_table(path).to_pylist() for path in sorted(place.rglob("*.parquet"))
    }
    manifest = json.loads((place / "manifest.json").read_text())
    return {**found, "labels": manifest.get("labels"), "corners": manifest.get("corner_convention")}


def both_ways(
    source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, whole: Callable[[], None], **options: Any
) -> list[str]:
    """Convert step by step, then as `whole` makes it be read; the notes, which are the same, as the parts are."""
    told = []
    for name in ("steps", "whole"):
        if name == "whole":
            whole()
        done = convert(source, folder / name, to="shards", images_per_part=2, **options)
        told.append([(note.code, note.message, note.count) for note in done.read.notes])
    monkeypatch.undo()
    assert told[0] == told[1]
    assert written(folder / "steps") == written(folder / "whole")
    assert len(list((folder / "steps").rglob("*.parquet"))) > 3
    return [message for _, message, _ in told[0]]


def truth_of(form: str, folder: Path) -> Path:
    place = folder / {"cvat": "gt.xml", "open-images": "gt.csv"}.get(form, form)
    convert(folder / "gt.json", place, to=form)
    return place


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("form", TRUTH_FORMS)
def test_ground_truth(form: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = truth_of(form, folder)
    module = forms.form(form)
    options = {"img_size": SIZE} if form == "open-images" else {}
    asked = {"options": coco_options(**options)} if options else {}
    told = both_ways(source, folder, monkeypatch, lambda: monkeypatch.delattr(module, "fill_ground_truth"), **asked)
    assert any("40" in message or "9 files" in message or "9 images" in message for message in told)


def coco_options(**given: Any) -> Any:
    from boxscore.io.form_options import FormOptions

    return FormOptions(**given)


def results(kind: str, folder: Path) -> Path:
    """Predictions that go by names of files, in a form."""
    truth = json.loads((folder / "gt.json").read_text())
    names = [image["file_name"] for image in truth["images"]]
    rows = boxes(2, 90)
    for row in rows:
        row["name"] = names[row.pop("image")]
        row["stem"] = row["name"].removesuffix(".jpg")
    if kind == "ultralytics":
        content: Any = [
            {
                "image_id": row["stem"],
                "file_name": row["name"],
                "category_id": LABELS.index(row["label"]) + 1,
                "bbox": row["bbox"],
                "score": row["score"],
            }
            for row in rows
        ]
    elif kind == "by names":
        content = [
            {"image_id": row["name"], "category_name": row["label"], "bbox": row["bbox"], "score": row["score"]}
            for row in rows
        ]
    elif kind == "coco":
        content = {
            "images": [{"id": f"i{number}", "file_name": name} for number, name in enumerate(names)],
            "categories": [{"id": number, "name": name} for number, name in enumerate(LABELS)],
            "annotations": [
                {
                    "image_id": f"i{names.index(row['name'])}",
                    "category_id": LABELS.index(row["label"]),
                    "bbox": row["bbox"],
                    "score": row["score"],
                }
                for row in rows
            ],
        }
    else:
        lines = ["ImageID,LabelName,Confidence,XMin,XMax,YMin,YMax"]
        for row in rows:
            x, y, w, h = row["bbox"]
            edges = (x / SIZE[0], (x + w) / SIZE[0], y / SIZE[1], (y + h) / SIZE[1])
            lines.append(",".join((row["stem"], row["label"], str(row["score"]), *(f"{edge:.6f}" for edge in edges))))
        (folder / "dt.csv").write_text("\n".join(lines))
        return folder / "dt.csv"
    (folder / "dt.json").write_text(json.dumps(content))
    return folder / "dt.json"


def read_whole(kind: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    if kind == "coco":
        return lambda: monkeypatch.setattr(coco_form, "fill_scored", lambda *_: None)
    module = forms.form("open-images" if kind == "open images" else "ultralytics")
    return lambda: monkeypatch.delattr(module, "fill_predictions")


KINDS = ("ultralytics", "by names", "coco", "open images")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", KINDS)
def test_predictions(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = results(kind, folder)
    told = both_ways(source, folder, monkeypatch, read_whole(kind, monkeypatch), ground_truth=folder / "gt.json")
    assert "90 " in told[0]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("number", [0, 33, 89])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bbox", [1, 2, 3]),
        ("bbox", [1, "x", 3, 4]),
        ("score", None),
        ("category_id", 2.5),
        ("image_id", None),
        ("category_id", 99),
    ],
)
@pytest.mark.parametrize("kind", ["ultralytics", "coco"])
def test_refusals(
    kind: str, field: str, value: object, number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = results(kind, folder)
    content = json.loads(source.read_text())
    entry = content[number] if kind == "ultralytics" else content["annotations"][number]
    entry[field] = value
    if kind == "ultralytics" and field == "image_id":
        del entry["file_name"]
    source.write_text(json.dumps(content))
    told = []
    for name in ("steps", "whole"):
        if name == "whole":
            read_whole(kind, monkeypatch)()
        with pytest.raises(InputError) as refused:
            convert(source, folder / name, to="shards", ground_truth=folder / "gt.json")
        told.append(str(refused.value))
        assert not (folder / name).exists()
    assert told[0] == told[1]
    assert str(number) in told[0]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("line", "value"), [(2, "XMin"), (40, "Confidence"), (91, "LabelName"), (91, "ImageID")])
def test_refused_lines(line: int, value: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = results("open images", folder)
    lines = [row.split(",") for row in source.read_text().splitlines()]
    lines[line - 1][lines[0].index(value)] = ""
    source.write_text("\n".join(",".join(row) for row in lines))
    told = []
    for name in ("steps", "whole"):
        if name == "whole":
            read_whole("open images", monkeypatch)()
        with pytest.raises(InputError, match=rf"dt\.csv line {line}: {value} is missing") as refused:
            convert(source, folder / name, to="shards", ground_truth=folder / "gt.json")
        told.append(str(refused.value))
    assert told[0] == told[1]


@pytest.mark.usefixtures("small")
def test_a_list_that_breaks_off_is_told_by_place(folder: Path) -> None:
    source = results("ultralytics", folder)
    source.write_text(source.read_text().replace('"score": 0.', '"score": 0.nought', 1))
    with pytest.raises(InputError, match=r"dt\.json line 1, column \d+: no valid JSON"):
        convert(source, folder / "dt", to="shards", ground_truth=folder / "gt.json", source_format="ultralytics")


def test_a_full_disk_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pickle.dump", full)
    with pytest.raises(InputError, match=r"rows can't be kept there while they are sorted: No space left .* TMPDIR"):
        convert(results("ultralytics", folder), folder / "dt", to="shards", ground_truth=folder / "gt.json")
    assert not (folder / "dt").exists()
