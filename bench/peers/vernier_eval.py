"""vernier's native evaluator, as its README recommends, in the mode that follows pycocotools."""

import os
import sys
from pathlib import Path

from vernier.instance import Bbox, CocoDataset, Evaluator

truth = CocoDataset.from_json(Path(sys.argv[1]).read_bytes())
detections = Path(sys.argv[2]).read_bytes()
evaluator = Evaluator(iou=Bbox(), parity_mode="strict")
summary = evaluator.evaluate(truth, detections, num_threads=os.cpu_count() or 1)
print("\n".join(repr(float(figure)) for figure in summary.stats))
