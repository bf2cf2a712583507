"""Makes the benchmark's workloads with the simulator: seeded, so every machine measures the same files.

    python bench/dataload.py large small --out bench/data

`large`: 5,000 images, about 36,000 objects of 80 labels, about 700,000 detections, about 70 MB of JSON.
`small`: 94 images in the same proportions.
`tenfold`: the images and objects of `large`, about 7,000,000 detections.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import boxscore.scenes
from boxscore.scenes import (
    DetectorSpec,
    GroundTruth,
    SceneSpec,
    simulate_detections,
    simulate_ground_truth,
    write_coco_ground_truth,
    write_coco_results,
)

SEED = 20170501
FILES = ("gt.json", "dt.json")
LABELS = tuple(f"label {number:02d}" for number in range(1, 81))
SCENES = SceneSpec(images=5000, labels=LABELS, objects_per_image=8.7, labels_per_image=4.0)
DETECTOR = DetectorSpec(confusion_rate=0.1, duplicate_rate=5.0, duplicate_noise=2.5, background_rate=111.0)
TENFOLD = replace(DETECTOR, duplicate_rate=59.0, background_rate=1110.0)


@dataclass(frozen=True)
class Workload:
    """Scenes and the detector that looks at them."""

    scenes: SceneSpec
    detector: DetectorSpec


WORKLOADS = {
    "large": Workload(SCENES, DETECTOR),
    "small": Workload(replace(SCENES, images=94), DETECTOR),
    "tenfold": Workload(SCENES, TENFOLD),
}


def make(name: str, out: Path) -> Path:
    """The folder with `gt.json`, `dt.json` and `about.json`; written unless it is there already, made the same way."""
    folder = out / name
    recipe = _recipe(WORKLOADS[name])
    about = folder / "about.json"
    if about.exists() and json.loads(about.read_text())["recipe"] == recipe:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    sizes = _write(WORKLOADS[name], folder)
    about.write_text(json.dumps({"recipe": recipe, "digest": _digest(folder), **sizes}, indent=1) + "\n")
    return folder


def _recipe(workload: Workload) -> str:
    """Digest of all that the files follow from: specifications, seed, the simulator's source, NumPy's version."""
    digest = hashlib.sha256(f"{workload} {SEED} {np.__version__}".encode())
    for source in sorted(Path(boxscore.scenes.__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _write(workload: Workload, folder: Path) -> dict[str, int]:
    truth = spread_ids(simulate_ground_truth(workload.scenes, SEED))
    detections = simulate_detections(truth, workload.detector, SEED + 1)
    write_coco_ground_truth(truth, folder / "gt.json")
    write_coco_results(detections, folder / "dt.json")
    return {
        "images": truth.spec.images,
        "objects": len(truth.objects.label),
        "detections": len(detections.score),
        "bytes": sum((folder / name).stat().st_size for name in FILES),
    }


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in FILES:
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def spread_ids(truth: GroundTruth) -> GroundTruth:
    """Image ids with gaps, as real data sets have: no engine may profit from ids that count up by one."""
    steps = np.random.Generator(np.random.PCG64(SEED)).integers(1, 232, truth.spec.images)
    return replace(truth, images=replace(truth.images, image_id=np.cumsum(steps)))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=sorted(WORKLOADS))
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data")
    options = parser.parse_args(arguments)
    for name in options.names:
        make(name, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
