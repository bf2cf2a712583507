"""hotcoco, as its README uses it."""

import contextlib
import io
import sys

from hotcoco import COCO, COCOeval

with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluation = COCOeval(truth, truth.load_res(sys.argv[2]), "bbox")
    evaluation.run()
print("\n".join(repr(float(figure)) for figure in evaluation.stats))
