"""Times `boxscore.compat` beside pycocotools, class for class: `.venv/bin/python bench/drop_in.py [small|large]`.

Both start from paths (the benchmark's workloads, made when they are missing), each in a process of its own, and their
arrays and figures must be equal to the last bit. Seconds are CPU time, so that what else the machine does matters
little: `whole` is all of the process, `evaluation` what follows the reading of the files.
"""

import contextlib
import hashlib
import importlib
import io
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import workload

MODULES = {"pycocotools": ("pycocotools.coco", "pycocotools.cocoeval"), "boxscore": ("boxscore.compat",) * 2}
ARRAYS = ("precision", "recall", "scores")
PARTS = ("whole", "evaluation")


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in MODULES:
        print(json.dumps(one_process(*arguments)))
        return 0
    folder = workload.make(arguments[0] if arguments else "small", Path(__file__).parent / "data")
    paths = [str(folder / name) for name in workload.FILES]
    found = {name: measured(name, paths) for name in MODULES}
    if len({each["digest"] for each in found.values()}) > 1:
        print("error: the figures differ; there is nothing to compare", file=sys.stderr)
        return 1
    print(f"{folder.name}: {found['boxscore']['detections']} detections; all arrays and figures are equal")
    for part in PARTS:
        seconds = ", ".join(f"{name} {each[part]:.2f} s" for name, each in found.items())
        print(f"{part}: {seconds}: {found['pycocotools'][part] / found['boxscore'][part]:.0f} times as fast")
    return 0


def measured(name: str, paths: Sequence[str]) -> dict[str, Any]:
    """What `one_process` finds, in a fresh interpreter."""
    command = [sys.executable, __file__, name, *paths]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def one_process(name: str, ground_truth: str, results: str) -> dict[str, Any]:
    """CPU seconds, and a digest of all that was found."""
    coco_module, eval_module = MODULES[name]
    with contextlib.redirect_stdout(io.StringIO()):
        truth = importlib.import_module(coco_module).COCO(ground_truth)
        found = truth.loadRes(results)
        read = time.process_time()
        evaluation = importlib.import_module(eval_module).COCOeval(truth, found, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
        done = time.process_time()
    digest = hashlib.sha256(evaluation.stats.tobytes())
    for array in ARRAYS:
        digest.update(evaluation.eval[array].tobytes())
    times = {"whole": done, "evaluation": done - read}
    return {**times, "digest": digest.hexdigest(), "detections": len(found.anns)}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
