"""Cards written for tests, around a file that stands in for a model: reading a card looks at its bytes alone."""

import hashlib
from pathlib import Path

MODEL = b"not a graph"
SHA256 = hashlib.sha256(MODEL).hexdigest()

FULL = f"""
name: sample
model:
  path: sample.onnx
  sha256: {SHA256}
input:
  size: [416, 320]
  resize: letterbox
  align: centre
  pad: 114
  scale_up: false
  rounding: round
  interpolation: opencv-linear
  channels: rgb
  normalise: {{divide: 255, mean: [0.5, 0.4, 0.3], std: 0.25}}
output:
  decoder: yolov8
  nms: {{iou: 0.7, per_label: true}}
  top_k: 300
  clip: true
classes: [cat, dog]
floors:
  default: 0.35
  labels: {{dog: 0.5}}
licence: Apache-2.0
redistribute: true
"""

SHORT = f"""
preset: yolox
model: {{path: sample.onnx, sha256: {SHA256}}}
classes: [cat, dog]
licence: Apache-2.0
redistribute: true
"""


def written(folder: Path, text: str = FULL) -> Path:
    """The card's file in a folder, its model beside it."""
    (folder / "sample.onnx").write_bytes(MODEL)
    path = folder / "card.yaml"
    path.write_text(text, encoding="utf-8")
    return path
