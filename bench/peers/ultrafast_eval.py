"""ultrafast-pycocotools, as its README's quick start uses it."""

import contextlib
import io
import sys

from ultrafast_pycocotools import COCO, COCOeval

with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluation = COCOeval(truth, truth.loadRes(sys.argv[2]), "bbox")
    evaluation.run()
print("\n".join(repr(float(figure)) for figure in evaluation.stats))
