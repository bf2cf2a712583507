"""Scheduling at size, without the machines: an evaluation's task graph, simulated with task times measured here.

    python bench/schedule.py [--detections N] [--shards N] [--workers N ...] [--save FILE | --measured FILE]

One billion detections in 10,000 shards by default, 16 to 512 workers. First it measures (`schedule_measured.py`) what a
worker takes for a part, for regrouping blocks and for a label out of all parts, and what the driver takes to hand in a
task and to take its result, on Ray, on this machine. Then it simulates (`schedule_simulated.py`) the driver, which does
one thing at a time, and the workers. Run it on an idle machine with a Python that has boxscore and Ray.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from schedule_measured import Measured, measure
from schedule_simulated import Graph, Outcome, simulate

DATA = Path(__file__).parent / "data"
WORKERS = (16, 32, 64, 128, 256, 512)


def figures(measured: Measured) -> list[str]:
    """What was measured, in words."""
    ms = {name: f"{1000 * seconds:.2f} ms" for name, seconds in measured.means().items()}
    driver = ", ".join(f"{count} in flight {1000 * seconds:.2f} ms" for count, seconds in measured.driver)
    return [
        f"a part of {measured.detections_a_part:,} detections: {ms['part']} ({len(measured.parts)} timed)",
        f"regrouping a part's blocks: {ms['regroup']}",
        f"a label of all parts: {1e9 * measured.label_row:.0f} ns a row, {1e6 * measured.label_block:.1f} us a part",
        f"the driver, a task and its result: {driver}; each further object {1e6 * measured.driver_object:.0f} us",
        f"the driver, a part before all tasks: {ms['plan']}; after them (images, notes): {ms['gather']}",
        f"from a worker's being free to its next task: {ms['latency']}",
        f"blocks: {measured.block_bytes / measured.detections_a_part:.1f} bytes a detection",
    ]


def table(outcomes: list[Outcome], detections: int) -> list[str]:
    """A row a number of workers."""
    head = (
        "| workers | parts, s | regroup, s | labels, s | driver alone, s | all, s | million/s | driver busy | ÷ ideal |"
    )
    return [head, "|--:" * 9 + "|", *(_row(one, detections) for one in outcomes)]


def _row(one: Outcome, detections: int) -> str:
    stages = " | ".join(f"{seconds:.1f}" for seconds in (one.parts, one.regroup, one.labels, one.alone, one.all))
    speed = f"{detections / one.all / 1e6:.1f}"
    return f"| {one.workers} | {stages} | {speed} | {100 * one.busy:.0f} % | {one.all / one.ideal:.1f} |"


def limit(measured: Measured, detections: int, shards: int) -> str:
    """From how many workers on the driver can't keep them busy with parts."""
    a_shard = detections / shards
    seconds = measured.means()["part"] * a_shard / measured.detections_a_part + measured.means()["latency"]
    at = next((count for count in range(1, 100_000) if seconds / count < measured.driver_cost(count)), None)
    return f"with {a_shard:,.0f} detections a shard the driver is the limit of parts from {at} workers on"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--detections", type=int, default=1_000_000_000)
    parser.add_argument("--shards", type=int, nargs="+", default=[10_000, 1_000])
    parser.add_argument("--workers", type=int, nargs="+", default=list(WORKERS))
    parser.add_argument("--save", type=Path, help="keep what was measured in this file")
    parser.add_argument("--measured", type=Path, help="simulate with what another run kept")
    options = parser.parse_args(arguments)
    if options.measured is None:
        measured = measure(DATA / "sharded")
    else:
        measured = Measured(**json.loads(options.measured.read_text()))
    if options.save is not None:
        options.save.write_text(json.dumps(asdict(measured)))
    print("\n".join(figures(measured)))
    for shards in options.shards:
        graph = Graph(measured, options.detections, shards)
        print(
            f"\n{options.detections:,} detections in {shards:,} shards; {limit(measured, options.detections, shards)}\n"
        )
        print("\n".join(table([simulate(graph, workers) for workers in options.workers], options.detections)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
