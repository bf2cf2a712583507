"""pycocotools' interface for boxes: `COCO` and `COCOeval`, with the same names, attributes and printed table.

    from boxscore.compat import COCO, COCOeval

    truth = COCO("instances_val2017.json")
    evaluation = COCOeval(truth, truth.loadRes("results.json"), iouType="bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()

Here, and nowhere else in boxscore, a figure that does not exist is -1: that is pycocotools' interface. What differs
from pycocotools is told in `docs/replacing-pycocotools.md`. This package imports NumPy; `import boxscore` does not
import this package.
"""

from boxscore.compat.coco import COCO
from boxscore.compat.cocoeval import COCOeval
from boxscore.compat.params import Params

__all__ = ["COCO", "COCOeval", "Params"]
