"""How often a gate lets an equal model pass, and how often it catches a planted drop, beside what `--power` says.

    python bench/gate_rates.py [--sets 2000] [--cells NAME …] [--workers 2] [--out FILE]

Data sets are drawn from the simulated world of `coverage_sets.py`. The baseline is one draw of a detector; the current
model another draw of the same one (*equal*), or that with a share of its detections taken away (*worse*), so that the
true drop of each figure is known: the mean over all data sets. Each data set goes through the gate as run folders do.
Prints Markdown tables.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import coverage_sets
from boxscore.gate.gating import gate
from boxscore.gate.rules import EACH, NON_INFERIOR, SIGNIFICANT, Rule, Rules
from boxscore.gate.run_sides import RunSides
from boxscore.measures.resampled import Model
from boxscore.model.labels import LabelSet
from boxscore.pipeline.resampling import Resampling
from boxscore.pipeline.run import Run
from boxscore.slices.slice import IMAGE, Slice
from coverage_sets import LABELS, WORLDS, Cell, Rows, Seen
from gate_rates_table import Outcome, told

REPLICATES = 1000
RECALL = "recall[conf=0.5]@0.5"
THINNED = 0.2
"""Share of the worse model's detections that are taken away."""

CELLS = {
    "images-100": Cell("dense", 100, "images"),
    "images-300": Cell("sparse", 300, "images"),
    "groups-20": Cell("clips", 20, "groups"),
}


def rated(slack: float, margin: float) -> dict[str, tuple[Rule, ...]]:
    """The sets of rules by name; all of a set are judged in one go."""
    family = (
        Rule("AP", "AP", SIGNIFICANT),
        Rule("recall", RECALL, SIGNIFICANT),
        Rule("AP by label", "AP", SIGNIFICANT, labels=(EACH,)),
        Rule("recall by slice", RECALL, SIGNIFICANT, slices=(EACH,)),
    )
    return {
        "significant, no slack": family,
        "significant, slack": tuple(replace(rule, slack=slack) for rule in family),
        "significant, AP alone": family[:1],
        "significant, recall alone, slack": (replace(family[1], slack=slack),),
        "non-inferior": (Rule("recall", RECALL, NON_INFERIOR, slack=margin),),
    }


_SEEN: dict[str, Seen] = {}


def judged(name: str, slack: float, margin: float, number: int) -> list[Outcome]:
    """Draw data set `number` of a cell, let the equal and the worse model through each set of rules."""
    cell = CELLS[name]
    drawn = drawn_models(_SEEN[cell.world], cell, number)
    found = []
    for truth, models in drawn.items():
        sides = sides_of(models, cell, number)
        for rules, of_set in rated(slack, margin).items():
            found.append(Outcome.of(rules, truth, gate(sides, Rules(of_set), with_power=True)))
    return found


def drawn_models(seen: Seen, cell: Cell, number: int) -> dict[str, tuple[Run, Run]]:
    """Baseline and current run of one data set, by whether they are equal."""
    drawn = coverage_sets.data_set(seen, cell, number)
    thinned = replace(seen, detectors=(seen.detectors[0], thin(seen.detectors[1])))
    worse = coverage_sets.data_set(thinned, cell, number)
    return {truth: tuple(map(run_of, one.models)) for truth, one in (("equal", drawn), ("worse", worse))}  # type: ignore[misc]


def run_of(model: Model) -> Run:
    images = model.matches.kernel.num_images
    labels = LabelSet(range(len(LABELS)), LABELS)
    return Run(model.matches, labels, image_ids=range(images), data_identity="as drawn")


def sides_of(models: tuple[Run, Run], cell: Cell, seed: int) -> RunSides:
    from boxscore.pipeline.groups import Groups

    images = models[0].num_images
    size = cell.images_per_unit
    if cell.kind == "groups":
        groups = Groups([str(image // size) for image in range(images)], {"field": "clip"})
        models = models[0].again(groups=groups), models[1].again(groups=groups)
    half = np.arange(images) // size % 2 == 0
    slices = [Slice("half=a", "half", IMAGE, half), Slice("half=b", "half", IMAGE, ~half)]
    how = Resampling(replicates=REPLICATES, seed=seed)
    return RunSides(models, (slices, slices), how)


_THIN: dict[int, Rows] = {}


def thin(rows: Rows) -> Rows:
    """Without some detections, whichever data set is drawn."""
    if id(rows) not in _THIN:
        counts = np.diff(rows.offsets)
        kept = np.random.default_rng(0).random(int(rows.offsets[-1])) >= THINNED
        image = np.repeat(np.arange(len(counts)), counts)[kept]
        offsets = np.concatenate([[0], np.cumsum(np.bincount(image, minlength=len(counts)))])
        _THIN[id(rows)] = Rows({name: column[kept] for name, column in rows.columns.items()}, offsets)
    return _THIN[id(rows)]


def true_drop(name: str, sets: int, workers: int) -> float:
    """The expected drop of the worse model's recall, which slack and margin are set to."""
    with get_context("fork").Pool(workers) as pool:
        drops = pool.map(partial(recall_drop, name), range(sets), chunksize=8)
    return float(np.mean(drops))


def recall_drop(name: str, number: int) -> float:
    baseline, current = drawn_models(_SEEN[CELLS[name].world], CELLS[name], number)["worse"]
    return (baseline.value(RECALL) or 0.0) - (current.value(RECALL) or 0.0)


def simulated(name: str, workers: int) -> Seen:
    """A world, and behind it the same with its detectors' places taken: so neither is the better one by chance."""
    with get_context("fork").Pool(workers) as pool:
        seen = coverage_sets.joined(pool.map(coverage_sets.simulate, WORLDS[name].chunks, chunksize=1))
    first, second = seen.detectors
    return coverage_sets.joined([seen, Seen(seen.objects, (second, first))])


def measured(name: str, sets: int, workers: int) -> tuple[float, list[list[Outcome]]]:
    """The true drop of recall, and the outcomes of all data sets of a cell."""
    world = CELLS[name].world
    if world not in _SEEN:
        _SEEN[world] = simulated(world, workers)
    drop = true_drop(name, sets, workers)
    with get_context("fork").Pool(workers) as pool:
        return drop, pool.map(partial(judged, name, drop, drop), range(sets), chunksize=4)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000, help="data sets a cell")
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=list(CELLS), metavar="NAME")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, help="also write the tables here")
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    tables = []
    for name in options.cells:
        drop, outcomes = measured(name, options.sets, options.workers)
        tables.append(told(name, CELLS[name], options.sets, drop, outcomes))
        print(tables[-1], flush=True)
        print(f"{time.perf_counter() - begun:6.0f} s  {name}", file=sys.stderr)
        if options.out is not None:
            options.out.write_text("\n".join(tables) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
