"""The YOLO heads that decode their boxes within the model: YOLOv5 to YOLO26, with and without end-to-end.

Sources: yolov5 models/yolo.py `Detect.forward` ([batch, boxes, 5 + labels]: centre, size, objectness, classes);
ultralytics/nn/modules/head.py `Detect._inference` ([batch, 4 + labels, boxes], also YOLOv9's) and `postprocess` of its
end-to-end heads ([batch, boxes, 6]: corners, confidence, class). Boxes are in pixels of the model's input.
"""

from __future__ import annotations

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import chosen, corners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates


def decode_v5(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """YOLOv5 (and v7): one output [batch, boxes, 4 + 1 + labels], score = objectness * class."""
    output = shapes.single("yolov5", outputs, "one output [batch, boxes, 5 + labels]", 3)
    shapes.check_score("yolov5", asked, ("as-is",))
    shapes.check_labels("yolov5", output.shape[2] - 5, asked)
    return [_one_v5(rows, asked) for rows in output]


def _one_v5(rows: Array, asked: Asked) -> Candidates:
    import numpy as np

    rows = rows[np.flatnonzero(rows[:, 4] >= asked.least)]
    at, scores, labels = chosen(rows[:, 4:5] * rows[:, 5:], asked)
    return corners(rows[at, :2], rows[at, 2:4]), scores, labels


def decode_v8(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """YOLOv8, 9, 11, 12, and YOLO26 with `end2end=False`: one output [batch, 4 + labels, boxes], classes as scores."""
    output = shapes.single("yolov8", outputs, "one output [batch, 4 + labels, boxes]", 3)
    shapes.check_score("yolov8", asked)
    shapes.check_labels("yolov8", output.shape[1] - 4, asked)
    return [_one_v8(columns, asked) for columns in output]


def _one_v8(columns: Array, asked: Asked) -> Candidates:
    at, scores, labels = chosen(columns[4:].T, asked)
    boxes = columns[:4, at].T
    return corners(boxes[:, :2], boxes[:, 2:]), scores, labels


def decode_end_to_end(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """YOLOv10, YOLO26, and exports with suppression inside: one output [batch, boxes, 6], corners, score, label."""
    output = shapes.single("end-to-end", outputs, "one output [batch, boxes, 6]", 3)
    shapes.check_score("end-to-end", asked, ("as-is",))
    if output.shape[2] != 6:
        shapes.refuse("end-to-end", outputs, "one output [batch, boxes, 6]")
    return [_one_end_to_end(rows[rows[:, 4] >= asked.least], asked) for rows in output]


def _one_end_to_end(rows: Array, asked: Asked) -> Candidates:
    labels = rows[:, 5].astype(int)
    if len(labels):
        shapes.check_numbers("end-to-end", labels, asked)
    return rows[:, :4], rows[:, 4], labels
