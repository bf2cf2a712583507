"""What the tasks of an evaluation take, one after another on this machine, and what they cost the driver on Ray."""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import numpy as np

import sharded_data
from boxscore import _kernel, load_protocol
from boxscore.cluster import parts as on_worker
from boxscore.cluster.grouping import groups_of
from boxscore.cluster.session import Session, connect
from boxscore.io.shards.layout import Shards
from boxscore.measures.curves import accumulate
from boxscore.model.parted import PartedMatches
from boxscore.pipeline.sharding import evaluate, opened
from boxscore.pipeline.sharding.gathered import whole_of
from boxscore.pipeline.sharding.jobs import PartJob, PartOutcome, Settings, Summary
from boxscore.pipeline.sharding.make import make_part

IMAGES_A_PART = 700
PARTS = 20
ROUNDS = 3
LABEL_PARTS = (1000, 4000, 8000)
GATHERED = 1000
TASKS = 400
IN_FLIGHT = (32, 128, 512, 1024)
A_BLOCK = 256 << 10


@dataclass
class Measured:
    """Seconds of a processor, unless they are named otherwise."""

    detections_a_part: int
    parts: list[float]  # of each part, the least of several rounds
    regroup: float  # a part, of a chunk of many
    label_row: float  # a detection, of a label out of all parts
    label_block: float  # a part, likewise
    driver: list[tuple[int, float]]  # a task, with so many in flight
    driver_object: float  # each further object that a task takes or leaves
    gather: float  # a part, once all are made
    plan: float  # a part, before
    latency: float  # between two tasks of a worker: wall time
    block_bytes: int  # a part
    rows_by_label: list[int]

    def means(self) -> dict[str, float]:
        """Those of one figure."""
        names = ("regroup", "gather", "plan", "latency")
        return {"part": statistics.fmean(self.parts)} | {name: getattr(self, name) for name in names}

    def driver_cost(self, workers: int) -> float:
        """The driver's seconds a task, two of them in flight a worker."""
        counts, seconds = zip(*self.driver, strict=True)
        return float(np.interp(2 * workers, counts, seconds))


class Made:
    """An engine that was given its parts."""

    def __init__(self, summaries: list[Summary] | None = None) -> None:
        self.summaries = summaries
        self.outcomes: list[PartOutcome] = []
        self.seconds: list[float] = []

    def make(self, settings: Settings, jobs: Sequence[PartJob]) -> Iterator[Summary]:
        if self.summaries is not None:
            yield from self.summaries
            return
        for job in jobs:
            taken, outcome = least(partial(make_part, settings, job))
            self.seconds.append(taken)
            self.outcomes.append(outcome)
            yield outcome.summary

    def close(self) -> None:
        pass


def least(work: Callable[[], Any], rounds: int = ROUNDS) -> tuple[float, Any]:
    """The least processor time of several rounds, and the last result."""
    taken, result = [], None
    for _ in range(rounds):
        begun = time.process_time()
        result = work()
        taken.append(time.process_time() - begun)
    return min(taken), result


def measure(folder: Path) -> Measured:
    """Everything."""
    paths = sharded_data.write(folder, PARTS * IMAGES_A_PART, IMAGES_A_PART)
    truth, found = (opened.shards_of(str(path), role) for path, role in zip(paths, opened.ROLES, strict=True))
    engine = Made()
    evaluate.evaluate_shards(truth, found, load_protocol("coco"), cast("Any", engine))
    outcomes = engine.outcomes
    rows_by_label = [sum(counts) for counts in zip(*(one.summary.detections for one in outcomes), strict=True)]
    label_row, label_block = label(outcomes, rows_by_label)
    gather, plan = alone(truth, found, [one.summary for one in outcomes])
    driver, driver_object, latency = on_ray(outcomes)
    return Measured(
        detections_a_part=sum(rows_by_label) // PARTS,
        parts=engine.seconds,
        regroup=regroup(outcomes, rows_by_label),
        label_row=label_row,
        label_block=label_block,
        driver=driver,
        driver_object=driver_object,
        gather=gather,
        plan=plan,
        latency=latency,
        block_bytes=sum(len(block) for one in outcomes for block in one.blocks) // PARTS,
        rows_by_label=rows_by_label,
    )


def regroup(outcomes: list[PartOutcome], sizes: list[int]) -> float:
    groups = groups_of(sizes, 512)
    packed = [on_worker.Packed.of(one.blocks) for one in outcomes]
    return least(lambda: on_worker.regroup(groups, *packed))[0] / len(outcomes)


def label(outcomes: list[PartOutcome], rows_by_label: list[int]) -> tuple[float, float]:
    """Seconds a row and a part: a label of all parts, then one whose blocks are empty."""
    at = sorted(range(len(rows_by_label)), key=rows_by_label.__getitem__)[len(rows_by_label) // 2]
    most = LABEL_PARTS[-1]
    empty = least(lambda: of_label([b""] * most))[0] / most
    a_row = []
    for parts in LABEL_PARTS:
        blocks = [outcomes[number % len(outcomes)].blocks[at] for number in range(parts)]
        rows = sum(outcomes[number % len(outcomes)].summary.detections[at] for number in range(parts))
        taken = least(partial(of_label, blocks), 2)[0]
        a_row.append((taken - parts * empty) / rows)
        print(f"a label of {parts:,} parts, {rows:,} rows: {taken:.2f} s", flush=True)
    return a_row[-1], empty


def of_label(blocks: list[bytes]) -> None:
    """As a worker does it: blocks to matches, matches to curves."""
    protocol, images = load_protocol("coco"), len(blocks) * IMAGES_A_PART
    rows = on_worker.ImageRows.of(list(np.arange(images).reshape(-1, IMAGES_A_PART))).by_part()
    cells = len(protocol.area_ranges) * len(protocol.iou_thresholds)

    def each(work: Callable[[_kernel.Matches, int], Any], _: object) -> list[Any]:
        return [work(whole_of([{0: block} for block in blocks], rows, images, cells), 0)]

    def whole() -> _kernel.Matches:
        raise NotImplementedError

    matches = PartedMatches(
        protocol,
        num_images=images,
        detections_by_label=[0],
        over_limit=(0, 0),
        one_score=None,
        each_label=each,
        whole=whole,
    )
    accumulate(matches, 1)


def alone(truth: Shards, found: Shards, summaries: list[Summary]) -> tuple[float, float]:
    """Seconds a part of what the driver does by itself: once parts are made, and before."""
    many = [repeated(shards, GATHERED) for shards in (truth, found)]
    images = PARTS * IMAGES_A_PART
    given = [
        replace(summary, image_ids=[int(one) + number // PARTS * images for one in summary.image_ids])
        for number, summary in ((number, summaries[number % PARTS]) for number in range(GATHERED))
    ]
    protocol, planned = load_protocol("coco"), []

    class Timed(Made):
        def make(self, settings: Settings, jobs: Sequence[PartJob]) -> Iterator[Summary]:
            planned.append(time.process_time())
            return super().make(settings, jobs)

    begun = time.process_time()
    evaluate.evaluate_shards(many[0], many[1], protocol, cast("Any", Timed(given)))
    ended = time.process_time()
    return (ended - planned[0]) / GATHERED, (planned[0] - begun) / GATHERED


def repeated(shards: Shards, count: int) -> Shards:
    """As many parts, each further round of images after the last."""
    images, parts = PARTS * IMAGES_A_PART, []
    for number in range(count):
        part, shift = shards.parts[number % PARTS], number // PARTS * images
        assert isinstance(part.first, int)
        assert isinstance(part.last, int)
        parts.append(replace(part, number=number, first=part.first + shift, last=part.last + shift))
    return replace(shards, parts=tuple(parts))


def on_ray(outcomes: list[PartOutcome]) -> tuple[list[tuple[int, float]], float, float]:
    """The driver's processor time a task, by tasks in flight; a further object's; a worker's wait between tasks."""
    import ray

    # Workers know boxscore, and nothing of this folder.
    by_value: Any = ray.cloudpickle.register_pickle_by_value
    by_value(sys.modules[__name__])
    with connect("ray") as session:
        made = session.put(on_worker.Made(outcomes[0].summary, 0, reused=False))
        run(session, made, 64, in_flight=8)
        driver = [(count, run(session, made, max(TASKS, 2 * count), in_flight=count)[0]) for count in IN_FLIGHT]
        few, many = (run(session, made, 200, in_flight=64, returns=returns)[0] for returns in (2, 66))
        one_by_one = one_after_another(session, made, 200)
        return driver, max(many - few, 0.0) / 64, max(one_by_one[1] - one_by_one[0], 0.0)


def run(session: Session, made: object, tasks: int, *, in_flight: int, returns: int = 2) -> tuple[float, float]:
    """Processor time of this process, and wall time, a task that does nothing."""
    begun, wall = time.process_time(), time.perf_counter()
    calls = ((made, returns) for _ in range(tasks))
    with patch.object(Session, "processors", in_flight // 2):
        kept = [others for _, others in session.in_order(nothing, calls, ["nothing"] * tasks, returns=returns)]
    taken = (time.process_time() - begun) / tasks, (time.perf_counter() - wall) / tasks
    del kept
    return taken


def one_after_another(session: Session, made: object, tasks: int) -> tuple[float, float]:
    begun, wall = time.process_time(), time.perf_counter()
    for _ in range(tasks):
        session.get(session.submit(nothing, made, 2, returns=2)[0], "nothing")
    return (time.process_time() - begun) / tasks, (time.perf_counter() - wall) / tasks


def nothing(made: object, returns: int) -> tuple[Any, ...]:
    """What a part's task leaves, without the work: a summary, and blocks in shared memory."""
    return (made, *(np.zeros(A_BLOCK // (returns - 1), np.uint8) for _ in range(returns - 1)))
