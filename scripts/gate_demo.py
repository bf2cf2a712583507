"""A gate on simulated runs: a model as good passes, one that misses more in dark images fails, mended it passes.

    python scripts/gate_demo.py [FOLDER]

Writes ground truth, predictions, run folders, the rules and the baseline into a folder (default: gate-demo, which must
be new), and prints each command with what it says. Exit status 0 where the three verdicts are pass, fail, pass.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from boxscore.scenes import (
    DetectorSpec,
    SceneSpec,
    as_coco_ground_truth,
    as_coco_results,
    simulate_detections,
    simulate_ground_truth,
)

IMAGES = 300
LIGHTS = ("bright", "dusk", "dark")
MISSED = 0.5
"""Share of what it would find in dark images that the faulty model misses."""

RULES = """\
# Held against the baseline at every pull request.
slices:
  by: [light]
rules:
  - measure: AP            # over all labels: no significant drop
    judge: significant
  - measure: AP            # nor of any label
    label: each
    judge: significant
  - measure: recall[conf=0.3]@0.5
    slice: light=*         # nor of recall in any light
    judge: significant
  - measure: AP            # and never below this, whatever the baseline has
    slack: 0.05
    floor: 0.3
  - measure: FP[conf=0.3]@0.5
    fraction: 0.25
"""


def main(arguments: list[str]) -> int:
    """Make the files, run the commands."""
    folder = Path(arguments[0] if arguments else "gate-demo")
    folder.mkdir(parents=True)
    truth = simulate_ground_truth(SceneSpec(images=IMAGES, clip_length=1), 7)
    light = lights(as_coco_ground_truth(truth), folder / "gt.json")
    (folder / "gate.yaml").write_text(RULES, encoding="utf-8")
    for seed, name in enumerate(("baseline", "retrained", "faulty", "mended")):
        found = [dict(row) for row in as_coco_results(simulate_detections(truth, DetectorSpec(), 100 + seed))]
        rows = darkened(found, light) if name == "faulty" else found
        (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
        command(folder, "eval", "gt.json", f"{name}.json", "--slice-by", "light", "--out", f"runs/{name}", quiet=True)
    command(folder, "gate", "--promote", "runs/baseline", "baseline", "--slim")
    verdicts = [
        command(folder, "gate", f"runs/{name}", "--baseline", "baseline", "--rules", "gate.yaml")
        for name in ("retrained", "faulty", "mended")
    ]
    told = ", ".join("pass" if status == 0 else "fail" for status in verdicts)
    print(f"\nverdicts: {told}")
    return 0 if verdicts == [0, 1, 0] else 1


def lights(content: dict[str, Any], path: Path) -> dict[int, str]:
    """Give each image a light, write the ground truth, and tell the light by image id."""
    draw = random.Random(1)
    for image in content["images"]:
        image["light"] = draw.choice(LIGHTS)
    path.write_text(json.dumps(content), encoding="utf-8")
    return {image["id"]: image["light"] for image in content["images"]}


def darkened(rows: list[dict[str, Any]], light: dict[int, str]) -> list[dict[str, Any]]:
    """Without a share of what was found in dark images."""
    draw = random.Random(2)
    return [row for row in rows if light[row["image_id"]] != "dark" or draw.random() >= MISSED]


def command(folder: Path, *arguments: str, quiet: bool = False) -> int:
    """Run a command in the folder, and print both; its status."""
    done = subprocess.run(
        [sys.executable, "-m", "boxscore", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if not quiet or done.returncode not in (0, 1):
        print(f"\n$ boxscore {' '.join(arguments)}")
        print(done.stdout + done.stderr, end="", flush=True)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
