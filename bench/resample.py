"""What replicates cost: two models on the large workload beside hotcoco's `compare`, seven models on the small one.

    bench/run resample [--replicates N] [--rounds N]

Each is a process of its own, measured from start to exit. Time a replicate is the difference between a run with many
replicates and one with few. All 12 figures of both models must agree with hotcoco's before a ratio is printed; its
replicates can't be held against ours, since it counts an image once however often it is drawn. The models differ in the
simulator's seed.
"""

import argparse
import json
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import workload
from boxscore.scenes import simulate_detections, simulate_ground_truth, write_coco_results
from engines import PEERS, Engine
from measure import Sample, run_once

DATA = Path(__file__).parent / "data"
FEW = 8
PEER_COUNTS = (2, 30)
TOLERANCE = 1e-12
MODELS = 7


class Paired(Engine):
    """A script on two models, with so many replicates."""

    def command(self, folder: Path) -> list[str]:
        files = [str(folder / name) for name in ("gt.json", "dt.json", "dt1.json")]
        name, _, replicates = self.name.partition(" ")
        script = {"boxscore": "boxscore_resample.py", "hotcoco": "hotcoco_compare.py"}[name]
        return [sys.executable, str(PEERS / script), *files, replicates]

    def figures(self, output: str) -> list[float | None]:
        return [figure for model in json.loads(output.splitlines()[-1]) for figure in model]


class Compare(Engine):
    """`boxscore compare` of all models in the folder, a thousand replicates, image by image."""

    def command(self, folder: Path) -> list[str]:
        models = sorted(str(path) for path in folder.glob("dt*.json"))
        program = str(Path(sys.executable).parent / "boxscore")
        return [program, "compare", str(folder / "gt.json"), *models, "--unit", "image", "--json"]

    def figures(self, output: str) -> list[float | None]:
        return [model["point"] for model in json.loads(output)["results"][0]["models"]]


def engine(kind: type[Engine], name: str) -> Engine:
    return kind(name, name, None, slow=False, tolerance=TOLERANCE)


def models(name: str, count: int) -> Path:
    """The workload's folder, with so many models in it."""
    folder = workload.make(name, DATA)
    made = workload.WORKLOADS[name]
    missing = [number for number in range(1, count) if not (folder / f"dt{number}.json").exists()]
    if not missing:
        return folder
    truth = workload.spread_ids(simulate_ground_truth(made.scenes, workload.SEED))
    for number in missing:
        noise = replace(made.detector, duplicate_noise=made.detector.duplicate_noise * (1 + 0.02 * number))
        detections = simulate_detections(truth, noise, workload.SEED + 1 + number)
        write_coco_results(detections, folder / f"dt{number}.json")
    return folder


def measured(kind: type[Engine], name: str, folder: Path, rounds: int) -> list[Sample]:
    return [run_once(engine(kind, name), folder) for _ in range(rounds)]


def wall(samples: list[Sample]) -> float:
    return statistics.median(sample.wall for sample in samples)


def two_models(replicates: int, rounds: int) -> None:
    folder = models("large", 2)
    own = {count: measured(Paired, f"boxscore {count}", folder, rounds) for count in (FEW, replicates)}
    peer = {count: measured(Paired, f"hotcoco {count}", folder, rounds) for count in PEER_COUNTS}
    for mine, theirs in zip(own[replicates][0].figures, peer[2][0].figures, strict=True):
        if mine is None or theirs is None or abs(mine - theirs) > TOLERANCE:
            raise SystemExit(f"error: the figures differ ({mine}, {theirs}); there is nothing to compare")
    each = (wall(own[replicates]) - wall(own[FEW])) / (replicates - FEW)
    theirs_each = (wall(peer[PEER_COUNTS[1]]) - wall(peer[PEER_COUNTS[0]])) / (PEER_COUNTS[1] - PEER_COUNTS[0])
    print("two models on the large workload, 12 figures each; the figures agree\n")
    print("| | replicates | whole process, s | a replicate, ms | peak, MB |\n|---|--:|--:|--:|--:|")
    for name, samples, count, one in (
        ("boxscore", own[replicates], replicates, each),
        ("hotcoco `compare`", peer[PEER_COUNTS[1]], PEER_COUNTS[1], theirs_each),
    ):
        peak = max(sample.peak for sample in samples) / 1e6
        print(f"| {name} | {count:,} | {wall(samples):.2f} | {1000 * one:.2f} | {peak:.0f} |")
    print(f"\nhotcoco's time a replicate is {theirs_each / each:.0f} times boxscore's\n")


def seven_models(rounds: int) -> None:
    folder = models("small", MODELS)
    samples = measured(Compare, "boxscore", folder, rounds)
    peak = max(sample.peak for sample in samples) / 1e6
    print(f"`boxscore compare`, {MODELS} models, 94 images, 1,000 replicates and 1,000 swaps of 6 pairs: ", end="")
    print(f"{wall(samples):.2f} s, {peak:.0f} MB, the whole process")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    seven_models(options.rounds)
    print(flush=True)
    two_models(options.replicates, options.rounds)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {error}")
