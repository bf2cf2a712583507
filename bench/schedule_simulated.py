"""A driver that does one thing at a time, and workers: when each task of an evaluation begins and ends."""

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxscore.cluster.grouping import chunks, groups_of
from schedule_measured import Measured

Seconds = np.ndarray[Any, np.dtype[np.float64]]

IN_FLIGHT = 2
"""Tasks that are handed in at a time for each worker, as boxscore.cluster.session does."""


@dataclass(frozen=True)
class Outcome:
    """Seconds of each stage; `busy`: the driver's share of the parts' time; `ideal`: what workers alone would take."""

    workers: int
    parts: float
    regroup: float
    labels: float
    alone: float
    busy: float
    ideal: float

    @property
    def all(self) -> float:
        """From the first task to the last figure."""
        return self.parts + self.regroup + self.labels + self.alone


class Graph:
    """The tasks of one evaluation: parts, chunks of parts that are regrouped, groups of labels."""

    def __init__(self, measured: Measured, detections: int, shards: int, seed: int = 0) -> None:
        self.measured = measured
        self.shards = shards
        # A larger shard takes as much longer as it holds more; what is there once a shard is small beside it.
        self.scale = detections / shards / measured.detections_a_part
        drawn = np.random.default_rng(seed).choice(np.array(measured.parts), shards)
        self.parts = drawn * self.scale
        lengths = [round(measured.block_bytes * self.scale)] * shards
        self.chunks = np.array([end - start for start, end in chunks(lengths)])
        share = np.array(measured.rows_by_label, dtype=np.float64)
        self.rows = share / share.sum() * detections

    def groups(self, workers: int) -> Seconds:
        """Seconds of each group of labels."""
        measured = self.measured
        groups = groups_of([round(rows) for rows in self.rows], workers)
        of_label = measured.label_row * self.rows + measured.label_block * self.shards
        return np.array([of_label[group].sum() for group in groups])


def simulate(graph: Graph, workers: int) -> Outcome:
    """One evaluation by so many workers."""
    measured, cost = graph.measured, graph.measured.driver_cost(workers)
    means = measured.means()
    # A regrouped chunk leaves an object a group, and a group takes one of each chunk.
    by_group = graph.groups(workers)
    wide = cost + measured.driver_object * len(by_group)
    deep = cost + measured.driver_object * len(graph.chunks)
    regroup = means["regroup"] * graph.scale * graph.chunks
    parts, busy = run_stage(graph.parts, workers, cost, means["latency"])
    regrouped, _ = run_stage(regroup, workers, wide, means["latency"])
    labels, _ = run_stage(by_group, workers, deep, means["latency"])
    alone = graph.shards * (means["plan"] + means["gather"] * graph.scale)
    ideal = (graph.parts.sum() + regroup.sum() + by_group.sum()) / workers
    return Outcome(workers, parts, regrouped, labels, alone, busy / parts, ideal)


def run_stage(seconds: Seconds, workers: int, cost: float, latency: float) -> tuple[float, float]:
    """When the last of these tasks has come back, and how long the driver was at work.

    The driver hands tasks in until so many are in flight, takes back all that have ended, or waits for the next; half
    of a task's cost is its going out, half its coming back.
    """
    now, busy, handed_in = 0.0, 0.0, 0
    free = [0.0] * workers
    ending: list[float] = []
    tasks = seconds.tolist()
    while handed_in < len(tasks) or ending:
        while handed_in < len(tasks) and len(ending) < workers * IN_FLIGHT:
            now, busy = now + cost / 2, busy + cost / 2
            begins = max(now, heapq.heappop(free)) + latency
            heapq.heappush(free, begins + tasks[handed_in])
            heapq.heappush(ending, begins + tasks[handed_in])
            handed_in += 1
        now = max(now, ending[0])
        while ending and ending[0] <= now:
            heapq.heappop(ending)
            now, busy = now + cost / 2, busy + cost / 2
    return now, busy
