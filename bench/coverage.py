"""How often intervals hold what they should, and how often equal models are called different.

    python bench/coverage.py [--sets 2000] [--first 0] [--cells NAME …] [--workers 2] [--out FILE]

A 95 % interval should hold, in 95 of 100 data sets, the expected figure at that sample size: the mean of the figures of
all data sets of the cell. How often it holds the figure of a very large draw is told beside. Both models are draws of
one detector, so that "separated" is always false. See `coverage_sets.py` for the data sets. Prints a Markdown table.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import coverage_sets
from boxscore import Measure
from boxscore.measures.resampled import Model, Wanted, resample, swap
from boxscore.stats import plans
from boxscore.stats.intervals import METHODS, interval
from boxscore.stats.swap_tests import least_p, max_t
from coverage_sets import CELLS, LABELS, WORLDS, Cell, DataSet, Seen
from coverage_table import Outcome, told

MEASURES = ("AP", "AP@0.5", "recall[conf=0.5]@0.5", "F1[conf=0.5]@0.5")
CONFIDENCE = 0.95
REPLICATES = 1000
WANTED = [Wanted(Measure.parse(measure), range(len(LABELS))) for measure in MEASURES]


_SEEN: dict[str, Seen] = {}


def measure(name: str, number: int) -> Outcome:
    """Draw data set `number` of a cell and evaluate it as `compare` does."""
    cell = CELLS[name]
    drawn = coverage_sets.data_set(_SEEN[cell.world], cell, number)
    points = figures(drawn.models, len(drawn.units))
    bounds = np.full((len(WANTED), len(METHODS), 2), np.nan)
    bias, std_error, excludes = (np.full(len(WANTED), np.nan) for _ in range(3))
    plan = plans.bootstrap(drawn.units, cell.units, replicates=REPLICATES, seed=number)
    values = resample(drawn.models, WANTED, plan)
    left_out = resample(drawn.models[:1], WANTED, plans.blocks(drawn.units, cell.units, seed=number))[:, 0]
    for at, point in enumerate(points[0]):
        for method_at, method in enumerate(METHODS):
            found = interval(
                values[:, 0, at],
                None if np.isnan(point) else float(point),
                method=method,
                confidence=CONFIDENCE,
                num_units=cell.units,
                probabilities=plan.probabilities,
                left_out=left_out[:, at],
            )
            if found.low is not None:
                bounds[at, method_at] = found.low, found.high
            bias[at], std_error[at] = found.bias or np.nan, found.std_error or np.nan
        excludes[at] = _excludes(values[:, 0, at] - values[:, 1, at], points[:, at], cell, plan)
    return Outcome(points[0], bias, std_error, bounds, _p(drawn, points, number), excludes, min(drawn.objects))


def figures(models: Sequence[Model], images: int) -> NDArray[np.float64]:
    """Figures [models, measures] of all images, each once."""
    once = plans.Plan(np.zeros(images, dtype=np.uint32), 1, 1, weights=np.ones((1, 1), dtype=np.uint32))
    found: NDArray[np.float64] = resample(models, WANTED, once)[0]
    return found


def _excludes(differences: NDArray[np.float64], points: NDArray[np.float64], cell: Cell, plan: plans.Plan) -> float:
    found = interval(
        differences,
        None if np.isnan(points).any() else float(points[0] - points[1]),
        method="percentile",
        confidence=CONFIDENCE,
        num_units=cell.units,
        probabilities=plan.probabilities,
    )
    if found.low is None or found.high is None:
        return np.nan
    return float(found.low > 0 or found.high < 0)


def _p(drawn: DataSet, points: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """p of the two models' difference, [measures]; each measure is a family of its own."""
    units = int(drawn.units[-1]) + 1
    plan = plans.swaps(drawn.units, units, replicates=REPLICATES, seed=seed)
    if least_p(units) > 1 - CONFIDENCE:
        return np.full(len(WANTED), np.nan)
    swapped = swap(drawn.models, [(0, 1)], WANTED, plan)[:, 0]
    differences = swapped[:, 0] - swapped[:, 1]
    return np.array(
        [
            max_t(points[:1, at] - points[1:, at], differences[:, at : at + 1], exact=plan.exact)[0][0]
            for at in range(len(WANTED))
        ]
    )


def simulated(name: str, workers: int) -> Seen:
    """A world, simulated in parallel."""
    with get_context("fork").Pool(workers) as pool:
        return coverage_sets.joined(pool.map(coverage_sets.simulate, WORLDS[name].chunks, chunksize=1))


def main(arguments: list[str]) -> int:
    """Go through the cells and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000, help="data sets a cell")
    parser.add_argument("--first", type=int, default=0, help="number of the first data set: others are other draws")
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=list(CELLS), metavar="NAME")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, help="also write the table here")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    numbers = range(options.first, options.first + options.sets)
    outcomes: dict[str, list[Outcome]] = {}
    large: dict[str, NDArray[np.float64]] = {}
    for world in dict.fromkeys(CELLS[name].world for name in options.cells):
        _SEEN[world] = simulated(world, options.workers)
        images = len(_SEEN[world].objects.offsets) - 1
        large[world] = figures(coverage_sets.evaluated(_SEEN[world], np.arange(images))[1][:1], images)[0]
        print(f"{time.perf_counter() - begun:6.0f} s  simulated: {world}", file=sys.stderr)
        # Forked after the world is there, so that the workers share it.
        with get_context("fork").Pool(options.workers) as pool:
            for name in (name for name in options.cells if CELLS[name].world == world):
                outcomes[name] = pool.map(partial(measure, name), numbers, chunksize=8)
                print(f"{time.perf_counter() - begun:6.0f} s  {name}", file=sys.stderr)
    table = told(options.sets, MEASURES, {name: (outcomes[name], large[CELLS[name].world]) for name in options.cells})
    print(table)
    if options.out is not None:
        options.out.write_text(table + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
