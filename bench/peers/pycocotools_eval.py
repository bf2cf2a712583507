"""pycocotools, as its own demo uses it."""

import contextlib
import io
import sys

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluation = COCOeval(truth, truth.loadRes(sys.argv[2]), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
print("\n".join(repr(float(figure)) for figure in evaluation.stats))
