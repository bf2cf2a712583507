"""hotcoco's `compare` of two models, as its documentation shows it: GT PRED_A PRED_B REPLICATES."""

import contextlib
import io
import json
import sys

from hotcoco import COCO, COCOeval, compare

with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluations = [COCOeval(truth, truth.load_res(path), "bbox") for path in sys.argv[2:4]]
    for evaluation in evaluations:
        evaluation.run()
    compare(*evaluations, n_bootstrap=int(sys.argv[4]))
print(json.dumps([[float(figure) for figure in evaluation.stats] for evaluation in evaluations]))
