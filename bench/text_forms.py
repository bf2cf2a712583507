"""What text costs beside JSON: one data set as COCO JSON, YOLO text and a text folder, whole processes measured.

    python bench/text_forms.py [--rounds N] [--plain IMAGES]

Makes bench/data/text from bench/data/large (crowds left out, areas width x height, so that all three forms hold the
same tables): 5,000 images, two small files each, numbers as tools write them (pixels with two decimals, YOLO's shares
with six). Image sizes come from a table. Checks that every form gives the same AP, but for those six digits, before it
prints a ratio. A plain Python evaluator of the same rule runs on the first IMAGES images (`--plain 5000`:
all of them), boxscore gives its figures on the same ones, and its time is scaled by the share of the files' bytes.
Run it with a Python that has boxscore (`.venv/bin/python`).
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from boxscore import read_ground_truth, read_predictions
from boxscore.io import text_folder, yolo
from boxscore.io.form_options import FormOptions

HERE = Path(__file__).parent
SOURCE, TARGET = HERE / "data/large", HERE / "data/text"
TOLERANCE = 1e-6
SIX_DIGITS = 2e-4
"""How far AP may lie from that of boxes with more digits: an overlap may fall to the other side of a threshold."""
FORMS: dict[str, tuple[str, str, list[str]]] = {
    "JSON": ("gt.json", "dt.json", []),
    "YOLO text": ("yolo", "yolo_preds", ["--gt-format", "yolo", "--pred-format", "yolo"]),
    "text folder": ("text", "text_preds", ["--gt-format", "text", "--pred-format", "text"]),
}


def make() -> None:
    """All forms of the data set; made once."""
    if (TARGET / "done").exists():
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    content = json.loads((SOURCE / "gt.json").read_text())
    kept = [row for row in content["annotations"] if not row.get("iscrowd")]
    content["annotations"] = [row | {"area": row["bbox"][2] * row["bbox"][3]} for row in kept]
    (TARGET / "gt.json").write_text(json.dumps(content))
    shutil.copy(SOURCE / "dt.json", TARGET / "dt.json")
    dataset = read_ground_truth(TARGET / "gt.json")
    predictions = read_predictions(TARGET / "dt.json", dataset)
    yolo.write_ground_truth(dataset, TARGET / "yolo", FormOptions())
    yolo.write_predictions(predictions, TARGET / "yolo_preds", FormOptions())
    for place in ("yolo/labels", "yolo_preds"):
        shorten(TARGET / place)
    text_folder.write_ground_truth(dataset, TARGET / "text", FormOptions())
    text_folder.write_predictions(predictions, TARGET / "text_preds", FormOptions())
    (TARGET / "done").touch()


def shorten(folder: Path) -> None:
    """Write the four shares of each line with six digits."""
    for path in folder.iterdir():
        fields = [line.split() for line in path.read_text().splitlines()]
        lines = [[row[0], *(f"{float(share):.6f}" for share in row[1:5]), *row[5:]] for row in fields]
        path.write_text("".join(f"{' '.join(row)}\n" for row in lines))


def run(form: str, folder: Path = TARGET) -> tuple[float, list[float]]:
    """Seconds of one process from start to exit, and its AP over all areas and by area."""
    gt, pred, options = FORMS[form]
    command = [sys.executable, "-m", "boxscore", "eval", str(folder / gt), str(folder / pred), "--json", *options]
    # Compiled modules are kept, as they are for users.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    seconds = time.perf_counter() - begun
    if done.returncode != 0:
        raise RuntimeError(f"{form} ended with {done.returncode}:\n{done.stderr}")
    return seconds, figures(json.loads(done.stdout)["summary"])


def figures(summary: dict[str, Any]) -> list[float]:
    return [float(summary[key]) for key in ("AP", "AP[area=small]", "AP[area=medium]", "AP[area=large]")]


def check(name: str, found: list[float], expected: list[float], tolerance: float = TOLERANCE) -> None:
    """Refuse to go on where figures differ."""
    for one, other in zip(found, expected, strict=True):
        if abs(one - other) > tolerance:
            raise SystemExit(f"{name} gives {found}, {expected} is right: no ratio is printed")


def part(images: int) -> tuple[Path, float]:
    """The first images as a YOLO data set of their own, and their share of all bytes."""
    folder = TARGET.with_name(f"text-{images}")
    shutil.rmtree(folder, ignore_errors=True)
    stems = sorted(path.stem for path in (TARGET / "yolo/labels").iterdir())
    taken = size = 0
    for place in ("yolo/labels", "yolo_preds"):
        (folder / place).mkdir(parents=True)
        for number, stem in enumerate(stems):
            path = TARGET / place / f"{stem}.txt"
            size += path.stat().st_size
            if number < images:
                taken += path.stat().st_size
                shutil.copy(path, folder / place)
    for name in ("yolo/sizes.csv", "yolo/data.yaml"):
        shutil.copy(TARGET / name, folder / name)
    return folder, taken / size


def main() -> None:
    """Measure in turn, so that noise falls on all alike, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plain", type=int, default=100, help="images for plain Python (0: leave it out)")
    given = parser.parse_args()
    make()
    times: dict[str, list[float]] = {form: [] for form in FORMS}
    _, expected = run("JSON")
    for _ in range(given.rounds):
        for form in FORMS:
            seconds, found = run(form)
            times[form].append(seconds)
            check(form, found, expected, SIX_DIGITS if form == "YOLO text" else TOLERANCE)
    base = statistics.median(times["JSON"])
    print(f"AP {expected[0]:.6f} in every form; medians of {given.rounds} processes")
    for form, seconds_of in times.items():
        median = statistics.median(seconds_of)
        print(f"{form:12} {median:7.3f} s   {median / base:5.2f} x JSON   (from {min(seconds_of):.3f})")
    if given.plain:
        folder, share = part(given.plain)
        command = [sys.executable, str(HERE / "plain_python.py"), str(folder), str(given.plain)]
        plain = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        check("plain Python", plain["AP"], run("YOLO text", folder)[1])
        whole = plain["seconds"] / share
        ratio = whole / statistics.median(times["YOLO text"])
        how = "measured" if share == 1 else f"scaled from {given.plain} images, {share:.1%} of the bytes"
        print(f"plain Python {whole:7.1f} s   {ratio:5.0f} x YOLO text ({how}: {plain['seconds']:.1f} s)")


if __name__ == "__main__":
    main()
