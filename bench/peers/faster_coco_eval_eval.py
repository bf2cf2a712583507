"""faster-coco-eval, as its README uses it."""

import contextlib
import io
import sys

from faster_coco_eval import COCO, COCOeval_faster

with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluation = COCOeval_faster(truth, truth.loadRes(sys.argv[2]), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
print("\n".join(repr(float(figure)) for figure in evaluation.stats[:12]))
