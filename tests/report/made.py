"""Run folders to report: simulated scenes with weather and light, two detectors, pictures."""

import csv
import json
from pathlib import Path

from scripts.scene_pictures import draw_scenes

from boxscore.cli import main
from boxscore.scenes.demonstration import write_demonstration

IMAGES = 60


def demo(folder: Path, images: int = IMAGES) -> Path:
    """Ground truth, `baseline.json` and `candidate.json`, `weather.csv`, and a picture of each image under `images`."""
    shown = write_demonstration(folder / "demo", 0, images)
    rows = json.loads(shown.ground_truth.read_text())["images"]
    with (folder / "demo" / "weather.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file_name", "weather", "light"])
        writer.writerows([row["file_name"], ("rain", "dry", "fog")[row["id"] % 3], row["id"] % 10 / 10] for row in rows)
    draw_scenes(shown.ground_truth, folder / "demo" / "images")
    return folder / "demo"


def evaluated(folder: Path, model: str, out: Path, *options: str) -> Path:
    """A run folder of one of the two."""
    arguments = ["eval", str(folder / "ground_truth.json"), str(folder / f"{model}.json"), "--out", str(out), *options]
    assert main(arguments) == 0
    return out


def sliced(folder: Path, model: str, out: Path) -> Path:
    """A run with intervals and slices."""
    slices = ("--metadata", str(folder / "weather.csv"), "--slice-by", "weather", "--slice-by", "light:0,0.3,inf")
    return evaluated(folder, model, out, "--interval", "--replicates", "50", *slices)
