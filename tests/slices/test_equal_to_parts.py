"""The figures of a slice are those of an evaluation of its images alone: files are filtered and evaluated again."""

import csv
import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.sliced import Slicing, sliced, slices_of
from boxscore.pipeline.sliced_part import part
from tests.slices import made
from tests.support import shared

Keep = Callable[[made.Row], bool]
KEYS = ("measure", "label", "average", "value", "reason", "images", "objects")

SLICING = Slicing(
    ["weather", "distance:0,3,5,inf=near,mid,far", "weather*distance:0,3,inf"],
    ["night = hour >= 20 OR hour < 6", "nowhere = hour > 99"],
)


def binned(low: float, high: float) -> Keep:
    return lambda image: low < image["distance"] <= high


def both(*conditions: Keep) -> Keep:
    return lambda image: all(condition(image) for condition in conditions)


def weather(name: str) -> Keep:
    return lambda image: image["weather"] == name


PARTS: dict[str, Keep] = {
    **{f"weather={name}": weather(name) for name in ("fog", "rain", "sun")},
    "distance=near": binned(0, 3),
    "distance=mid": binned(3, 5),
    "distance=far": binned(5, float("inf")),
    **{
        f"weather={name} & distance={text}": both(weather(name), binned(*ends))
        for name in ("fog", "rain", "sun")
        for text, ends in {"(0,3]": (0, 3), "(3,inf]": (3, float("inf"))}.items()
    },
    "night": lambda image: image["hour"] >= 20 or image["hour"] < 6,
    "nowhere": lambda image: image["hour"] > 99,
}


def figures(rows: list[made.Row]) -> list[dict[str, Any]]:
    return [{key: row[key] for key in KEYS} for row in rows]


def alone(run: boxscore.Run) -> list[made.Row]:
    """Rows of a run's metrics over all images, then mean IoU, overall and by label."""
    rows = [row for row in run.metrics.rows if row["slice"] is None]
    for label in (None, *run.labels):
        value, reason = run.explain("meanIoU@0.5", label)
        rows.append(
            {
                "measure": "meanIoU@0.5",
                "label": label,
                "average": "micro" if label is None else None,
                "value": value,
                "reason": reason,
                "images": run.num_images,
                "objects": run.value("objects", label),
            }
        )
    return rows


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("protocol", ["coco", "operating-point", "voc2012"])
def test_each_slice_is_an_evaluation_of_its_images(protocol: str, seed: int) -> None:
    truth = made.ground_truth(seed=seed)
    found = made.results(truth, seed=seed + 7)
    run = boxscore.evaluate(truth, found, protocol=protocol)
    rows = sliced(run, SLICING)
    assert list(dict.fromkeys(row["slice"] for row in rows)) == list(PARTS)
    for name, keep in PARTS.items():
        other = boxscore.evaluate(*made.only(truth, found, keep), protocol=protocol)
        own = sorted(figures([row for row in rows if row["slice"] == name]), key=_order)
        assert own == sorted(figures(alone(other)), key=_order), name


def _order(row: dict[str, Any]) -> tuple[str, str]:
    return row["measure"], row["label"] or ""


def test_floors_of_labels_and_measures_asked_for() -> None:
    truth = made.ground_truth()
    found = made.results(truth)
    measures = ["F1[conf=best]", "recall[average=macro]", "precision[conf=0.5]", "AP", "meanIoU[conf=0.5]@0.5", "FPPI"]
    options: dict[str, Any] = {"protocol": "operating-point", "thresholds": {"cup": 0.5, "duck": 0.2}}
    run = boxscore.evaluate(truth, found, **options)
    rows = sliced(run, SLICING, measures=measures)
    assert len(rows) == len(PARTS) * len(measures) * 4
    for row in rows:
        other = boxscore.evaluate(*made.only(truth, found, PARTS[row["slice"]]), **options)
        assert (row["value"], row["reason"]) == other.explain(row["measure"], row["label"]), row


def test_a_run_folder_gives_the_same_slices(tmp_path: Path) -> None:
    truth = made.ground_truth()
    run = boxscore.evaluate(truth, made.results(truth)).with_slices(SLICING)
    run.save(tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    assert loaded.metrics.rows == run.metrics.rows
    assert loaded.slices == run.slices
    assert sliced(loaded, SLICING) == sliced(run, SLICING)
    again = loaded.with_slices(SLICING)
    assert again.metrics.rows == run.metrics.rows


def test_a_part_of_the_matches_is_the_part() -> None:
    truth = made.ground_truth()
    found = made.results(truth)
    run = boxscore.evaluate(truth, found)
    for one in slices_of(run, SLICING):
        own = part(run, one.mask)
        other = boxscore.evaluate(*made.only(truth, found, PARTS[one.name]))
        assert own.metrics.rows == other.metrics.rows
        assert own.image_ids == other.image_ids
        assert own.value("meanIoU@0.5") == other.value("meanIoU@0.5")


@pytest.mark.parametrize("protocol", ["coco", "operating-point"])
def test_real_detections_with_made_up_metadata(protocol: str, tmp_path: Path) -> None:
    home = shared.folder_or_skip("data") / "coco_val164"
    truth = json.loads((home / "instances_val164.json").read_text())
    found = json.loads(gzip.decompress((home / "predictions" / "nanodet_m_320.json.gz").read_bytes()))
    rng = random.Random(5)
    told = {image["file_name"]: (rng.choice(("rain", "sun")), rng.choice((1, 3, 4, 9))) for image in truth["images"]}
    with (tmp_path / "metadata.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("file_name", "weather", "distance"), *((k, *v) for k, v in told.items())])
    run = boxscore.evaluate(truth, found, protocol=protocol)
    asked = Slicing(["weather*distance:0,3,inf=near,far"], metadata=tmp_path / "metadata.csv")
    rows = sliced(run, asked)
    for name in ("rain", "sun"):
        for distance in ("near", "far"):

            def keep(image: made.Row, name: str = name, near: bool = distance == "near") -> bool:
                stated = told[image["file_name"]]
                return stated[0] == name and (stated[1] <= 3) == near

            other = boxscore.evaluate(*made.only(truth, found, keep), protocol=protocol)
            own = [row for row in rows if row["slice"] == f"weather={name} & distance={distance}"]
            assert sorted(figures(own), key=_order) == sorted(figures(alone(other)), key=_order)
