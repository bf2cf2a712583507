"""How long `boxscore presence score` takes, and how much too narrow intervals of single moments are.

    python bench/presence.py speed [--rounds N] [--step S] [--actors N]
    python bench/presence.py intervals [--titles N] [--seed N]

`speed`: one hour of film in 120 scenes, looked at 10 times a second, 300 actors, X-Ray's files against a prediction:
the whole process, with intervals, the best of its rounds by the clock and by processor's time (user and system, all
threads: what counts on a busy machine); first the counts are held against sets made moment by moment.

`intervals`: films drawn from one world, in which an actor may go unrecognised for a whole scene. The figure that the
world has in the long run is that of all films together; counted is how often each film's 95 % interval holds it, by
scenes and by single moments. Exit status 1 where counts differ, or the best processor's time is 2 s or more.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from boxscore.pipeline.resampling import Resampling
from boxscore.presence.prediction import read_prediction
from boxscore.presence.scoring import Asked, score
from boxscore.presence.xray import read_xray

Spans = list[tuple[float, float]]
Title = tuple[list[tuple[float, float, list[int]]], list[Spans]]

MOST_SECONDS = 2.0


def drawn(seed: int, *, seconds: float = 3600.0, actors: int = 30, scenes: int = 90) -> Title:
    """Scenes (start, end, who is in it) and, by actor, predicted windows: gaps everywhere, and scenes missed whole."""
    rng = random.Random(seed)
    cuts = sorted(rng.sample(range(1, int(seconds * 10)), scenes - 1))
    edges = [0.0, *(cut / 10 for cut in cuts), seconds]
    shares = [min(0.5, 1.6 / (number + 1) ** 0.8) for number in range(actors)]
    told = []
    found: list[Spans] = [[] for _ in range(actors)]
    for start, end in pairwise(edges):
        who = [number for number in range(actors) if rng.random() < shares[number]]
        told.append((start, end, who))
        for number in who:
            if rng.random() >= 0.15:
                found[number] += _recognised(rng, start, end, 0.8 if rng.random() < 0.7 else 0.3)
    return told, [_apart(spans, seconds) for spans in found]


def _recognised(rng: random.Random, start: float, end: float, quality: float) -> Spans:
    spans = []
    time_ = start
    while time_ < end:
        begins = time_ + rng.random() * 1.5
        stops = min(begins + rng.expovariate(1 / 16) * quality, end + rng.random())
        if stops > begins:
            spans.append((round(begins, 2), round(stops, 2)))
        time_ = stops + rng.expovariate(0.5)
    return spans


def _apart(spans: Spans, seconds: float) -> Spans:
    found: Spans = []
    for start, end in sorted((start, min(end, seconds)) for start, end in spans if start < seconds):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return found


def write(title: Title, home: Path) -> None:
    """X-Ray's three files, numbered as it numbers them, and the pipeline's JSON."""
    scenes, predicted = title
    ids = [f"nm{1_000_000 + number}" for number in range(len(predicted))]
    people = [f"{id_},Person {number:03},\n" for number, id_ in enumerate(ids)]
    (home / "people.csv").write_text("name_id,person,character\n" + "".join(people))
    rows, listed = ["scene,start,end,name_id,timestamp\n"], ["scene,start,end\n"]
    for number, (start, end, who) in enumerate(scenes):
        times = f"{round(start * 1000)},{round(end * 1000)}"
        listed.append(f"{2 * number + 5},{times}\n")
        rows += [f"{number},{times},{ids[one]},{round(start * 1000)}\n" for one in who] or [f"{number},{times},,\n"]
    (home / "scenes.csv").write_text("".join(listed))
    (home / "people_in_scenes.csv").write_text("".join(rows))
    named = zip(ids, predicted, strict=True)
    actors = [{"name": f"Person {n:03}", "ids": {"imdb": id_}, "windows": own} for n, (id_, own) in enumerate(named)]
    (home / "pred.json").write_text(json.dumps({"actors": actors}))


def run(home: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "boxscore", "presence", "score", "--pred", "pred.json", "--xray", ".", "--json"]
    done = subprocess.run([*command, *options], cwd=home, capture_output=True, check=True)
    content: dict[str, Any] = json.loads(done.stdout)["sources"][0]
    return content


def counts_of_sets(title: Title, step: float) -> tuple[int, int, int]:
    """TP, FP and FN over all actors, moment by moment."""
    scenes, predicted = title
    found = [0, 0, 0]
    last = scenes[-1][1]
    moment = 0
    while moment * step < last:
        now = moment * step
        there = {one for start, end, who in scenes if start <= now < end for one in who}
        said = {number for number, spans in enumerate(predicted) if any(start <= now < end for start, end in spans)}
        for place, number in enumerate((len(there & said), len(said - there), len(there - said))):
            found[place] += number
        moment += 1
    return found[0], found[1], found[2]


def speed(options: argparse.Namespace) -> int:
    title = drawn(1, actors=options.actors, scenes=120)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write(title, home)
        row = run(home, "--step", "7")["unmasked"]
        expected = counts_of_sets(title, 7.0)
        if (row["TP"], row["FP"], row["FN"]) != expected:
            print(f"counts differ: {row['TP']}, {row['FP']}, {row['FN']}, and sets give {expected}")
            return 1
        rounds = [_timed(home, options.step) for _ in range(options.rounds)]
        content = run(home, "--step", str(options.step))
    pairs = sum(content["unmasked"][name] for name in ("TP", "FP", "FN"))
    clock, processor = (min(one) for one in zip(*rounds, strict=True))
    what = f"{content['moments']['count']:,} moments, {options.actors} actors, {pairs:,} pairs"
    print(f"{what}: {clock:.2f} s, processor {processor:.2f} s")
    return 0 if processor < MOST_SECONDS else 1


def _timed(home: Path, step: float) -> tuple[float, float]:
    """Seconds of one process: by the clock, and of processors."""
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run(home, "--step", str(step))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return time.perf_counter() - begun, used


def intervals(options: argparse.Namespace) -> int:
    rows: dict[str, list[dict[str, Any]]] = {"scene": [], "moment": []}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number in range(options.titles):
            write(drawn(options.seed + number), home)
            truth, predicted = read_xray(home), read_prediction(home / "pred.json")
            for unit, found in rows.items():
                how = Resampling(unit="image" if unit == "moment" else None, replicates=400)
                found.append(score(truth, predicted, Asked(resampling=how)).content["unmasked"])
    print(f"{options.titles} films of one world, an hour each, 90 scenes, 30 actors, a moment every second")
    for name in ("recall", "F1", "precision"):
        whole = _together(rows["scene"], name)
        for unit, found in rows.items():
            held = sum(row[name]["low"] <= whole <= row[name]["high"] for row in found)
            width = sum(row[name]["high"] - row[name]["low"] for row in found) / len(found)
            print(f"{name:9} {unit:6} mean width {width:.4f}, holds {whole:.4f} in {held} of {len(found)}")
    return 0


def _together(rows: Sequence[dict[str, Any]], name: str) -> float:
    right, wrong, missed = (sum(row[field] for row in rows) for field in ("TP", "FP", "FN"))
    found: dict[str, float] = {
        "precision": right / (right + wrong),
        "recall": right / (right + missed),
        "F1": 2 * right / (2 * right + wrong + missed),
    }
    return found[name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "intervals"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--step", type=float, default=0.1)
    parser.add_argument("--actors", type=int, default=300)
    parser.add_argument("--titles", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return speed(options) if options.what == "speed" else intervals(options)


if __name__ == "__main__":
    sys.exit(main())
