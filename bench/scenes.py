"""Seconds and peak memory of `boxscore scenes generate`, and whether what it makes is what was asked for.

    python bench/scenes.py [--count N] [--processes P] [--seed S] [--rounds R]

Makes the set in a folder that is new each time, as a user does: start-up, pictures, ground truth and manifest included.
First the counts by profile must be those of the weights, and all rounds must give the same bytes; then times are
printed. Peak memory is that of the largest single process. Run it with a Python that has boxscore and its extra
`scenes`; exit status 1 where 100 scenes took more than 60 seconds.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from boxscore.scenes.rendering import profile_counts
from measure import RSS_UNIT

SECONDS = 0.6
"""A scene may take so long, for 100 scenes in a minute."""


def generated(args: argparse.Namespace, folder: Path) -> tuple[dict[str, Any], float]:
    """What the command printed, and its seconds from start to exit."""
    options = {"--count": args.count, "--seed": args.seed, "--processes": args.processes, "--out": folder}
    command = [sys.executable, "-m", "boxscore", "scenes", "generate", "--json"]
    command += [str(part) for option in options.items() for part in option]
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout), time.perf_counter() - start


def checked(report: dict[str, Any], args: argparse.Namespace) -> None:
    """Raises SystemExit where the scenes of each profile are not as many as its weight asks for."""
    made = {name: row["scenes"] for name, row in report["profiles"].items()}
    if made != {name: count for name, count in profile_counts(args.count).items() if count}:
        sys.exit(f"the scenes by profile are {made}, not {profile_counts(args.count)}; no time is printed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    times: list[float] = []
    manifests: set[bytes] = set()
    report: dict[str, Any] = {}
    size = 0
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(args.rounds):
            folder = Path(temporary, str(number))
            report, seconds = generated(args, folder)
            checked(report, args)
            # It has the hash of every other file.
            manifests.add((folder / "manifest.json").read_bytes())
            times.append(seconds)
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if len(manifests) > 1:
        sys.exit("two rounds gave different bytes; no time is printed")
    print("| profile | scenes | objects | to find | ignored |\n|---|---|---|---|---|")
    for name, row in report["profiles"].items():
        print(f"| {name} | {row['scenes']} | {row['objects']} | {row['visible']} | {row['ignored']} |")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak, cpu = usage.ru_maxrss * RSS_UNIT, (usage.ru_utime + usage.ru_stime) / args.rounds
    told = ", ".join(f"{seconds:.1f}" for seconds in times)
    print(
        f"\n{args.count} scenes, {args.processes} processes: {told} s ({min(times) / args.count:.2f} s a scene), "
        f"{cpu:.1f} s of processor time a round; at most {peak / 2**20:.0f} MiB a process; "
        f"{size / 2**20:.1f} MiB on disk"
    )
    return 0 if min(times) <= SECONDS * args.count else 1


if __name__ == "__main__":
    sys.exit(main())
