"""Paired replicates of all 12 figures of two models: GT PRED_A PRED_B REPLICATES."""

import json
import sys

import numpy as np

import boxscore
from boxscore.measures.resampled import Model, Wanted, resample
from boxscore.stats.plans import bootstrap

truth = boxscore.read_ground_truth(sys.argv[1])
runs = [boxscore.evaluate(truth, boxscore.read_predictions(path, truth)) for path in sys.argv[2:4]]
units = np.arange(truth.num_images, dtype=np.uint32)
values = resample(
    [Model(run.matches, run.labels.names) for run in runs],
    [Wanted(measure, range(len(truth.labels))) for measure in runs[0].protocol.headline],
    bootstrap(units, len(units), replicates=int(sys.argv[4]), seed=0),
    threads=runs[0].threads,
)
assert values.shape == (int(sys.argv[4]), 2, 12)
assert np.isfinite(values).all()
print(json.dumps([list(run.summary.values()) for run in runs]))
