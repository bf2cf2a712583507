"""What one writes by hand to run the three detectors of models_coco80: one picture after the other, nothing overlapped.

Nothing here comes from the package. Each model has a letterbox (or stretch) in OpenCV and a decoder in NumPy; ONNX
Runtime runs with all threads; suppression is the usual greedy loop within each label, vectorised over the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

Array = NDArray[Any]
Back = tuple[float, float, float, float]
"""What takes boxes of the input back: left, top, scale x, scale y."""
Detections = tuple[Array, Array, Array]
"""Corners [n, 4] in the picture's pixels, scores [n], labels [n]."""
LEAST, MOST = 0.01, 100


@dataclass(frozen=True)
class Model:
    """A model's file, and its steps before and after."""

    file: str
    preset: str
    size: int
    iou: float
    prepare: Callable[[Array, int], tuple[Array, Back]]
    decode: Callable[[Sequence[Array], int], tuple[Array, Array]]
    clip: bool = False


def session(path: Path, threads: int) -> Any:  # noqa: ANN401  published without types
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(model: Model, running: Any, pictures: Sequence[Path]) -> list[Detections]:  # noqa: ANN401  as above
    """The plain loop: read, letterbox, run, decode, suppress."""
    name = running.get_inputs()[0].name
    found = []
    for path in pictures:
        picture = cv2.imread(str(path))
        assert picture is not None
        tensor, back = model.prepare(picture, model.size)
        boxes, scores = model.decode(running.run(None, {name: tensor}), model.size)
        found.append(chosen(model, boxes, scores, back, picture.shape))
    return found


def tensors(model: Model, pictures: Sequence[Path]) -> list[Array]:
    """The prepared inputs of all pictures."""
    return [model.prepare(np.asarray(cv2.imread(str(path))), model.size)[0] for path in pictures]


def chosen(model: Model, boxes: Array, scores: Array, back: Back, shape: tuple[int, ...]) -> Detections:
    """From all cells [n, 4] and [n, classes] to what stays."""
    cells, labels = np.nonzero(scores > LEAST)
    kept_scores = scores[cells, labels]
    left, top, scale_x, scale_y = back
    corners = (boxes[cells] - (left, top, left, top)) / (scale_x, scale_y, scale_x, scale_y)
    if model.clip:
        corners = np.clip(corners, 0, (shape[1], shape[0], shape[1], shape[0]))
    rows = np.array(suppressed(corners, kept_scores, labels, model.iou), dtype=int)
    best = rows[np.argsort(-kept_scores[rows], kind="stable")[:MOST]]
    return corners[best], kept_scores[best], labels[best]


def suppressed(boxes: Array, scores: Array, labels: Array, iou: float) -> list[int]:
    rows: list[int] = []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for label in np.unique(labels):
        left = np.flatnonzero(labels == label)
        left = left[np.argsort(-scores[left], kind="stable")]
        while len(left):
            first, rest = left[0], left[1:]
            rows.append(int(first))
            low = np.maximum(boxes[first, :2], boxes[rest, :2])
            high = np.minimum(boxes[first, 2:], boxes[rest, 2:])
            shared = np.prod(np.maximum(high - low, 0), axis=1)
            left = rest[shared <= iou * (area[first] + area[rest] - shared)]
    return rows


def prepare_yolox(picture: Array, size: int) -> tuple[Array, Back]:
    height, width = picture.shape[:2]
    ratio = min(size / width, size / height)
    canvas = np.full((size, size, 3), 114, np.uint8)
    resized = cv2.resize(picture, (int(width * ratio), int(height * ratio)), interpolation=cv2.INTER_LINEAR)
    canvas[: resized.shape[0], : resized.shape[1]] = resized
    return np.ascontiguousarray(canvas.transpose(2, 0, 1)[None], dtype=np.float32), (0, 0, ratio, ratio)


def decode_yolox(outputs: Sequence[Array], size: int) -> tuple[Array, Array]:
    rows = outputs[0][0]
    grids, strides = [], []
    for stride in (8, 16, 32):
        count = size // stride
        y, x = np.mgrid[0:count, 0:count]
        grids.append(np.stack([x, y], axis=2).reshape(-1, 2))
        strides.append(np.full((count * count, 1), stride))
    grid, stride_of = np.concatenate(grids), np.concatenate(strides)
    centre, half = (rows[:, :2] + grid) * stride_of, np.exp(rows[:, 2:4]) * stride_of / 2
    return np.concatenate([centre - half, centre + half], axis=1), rows[:, 4:5] * rows[:, 5:]


def prepare_nanodet(picture: Array, size: int) -> tuple[Array, Back]:
    height, width = picture.shape[:2]
    ratio = min(size / width, size / height)
    wide, high = int(width * ratio), int(height * ratio)
    left, top = (size - wide) // 2, (size - high) // 2
    canvas = np.zeros((size, size, 3), np.uint8)
    canvas[top : top + high, left : left + wide] = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    mean, std = np.float32([103.53, 116.28, 123.675]), np.float32([57.375, 57.12, 58.395])  # type: ignore[arg-type]
    tensor = ((canvas - mean) / std).transpose(2, 0, 1)[None]
    return np.ascontiguousarray(tensor, dtype=np.float32), (left, top, wide / width, high / height)


def decode_nanodet(outputs: Sequence[Array], size: int) -> tuple[Array, Array]:
    all_boxes, all_scores = [], []
    by_cells = {(one.shape[-2], one.shape[-1] == 32): one.reshape(one.shape[-2:]) for one in outputs}
    for stride in (8, 16, 32):
        count = size // stride
        scores, bins = by_cells[count * count, False], by_cells[count * count, True].reshape(-1, 4, 8)
        shares = np.exp(bins - bins.max(axis=2, keepdims=True))
        distances = (shares * np.arange(8)).sum(axis=2) / shares.sum(axis=2) * stride
        y, x = np.mgrid[0:count, 0:count].reshape(2, -1) * stride + (stride - 1) / 2
        corners = [x - distances[:, 0], y - distances[:, 1], x + distances[:, 2], y + distances[:, 3]]
        all_boxes.append(np.stack(corners, axis=1))
        all_scores.append(scores)
    return np.concatenate(all_boxes), np.concatenate(all_scores)


def prepare_fastestdet(picture: Array, size: int) -> tuple[Array, Back]:
    height, width = picture.shape[:2]
    resized = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    tensor = np.ascontiguousarray(resized.transpose(2, 0, 1)[None], dtype=np.float32) / 255
    return tensor, (0, 0, size / width, size / height)


def decode_fastestdet(outputs: Sequence[Array], size: int) -> tuple[Array, Array]:
    rows = outputs[0][0]
    count = rows.shape[-1]
    y, x = np.mgrid[0:count, 0:count]
    centre = np.stack([np.tanh(rows[1]) + x, np.tanh(rows[2]) + y], axis=2).reshape(-1, 2) / count * size
    half = (1 / (1 + np.exp(-rows[3:5]))).reshape(2, -1).T * size / 2
    scores = rows[0].reshape(-1, 1) ** 0.6 * rows[5:].reshape(len(rows) - 5, -1).T ** 0.4
    return np.concatenate([centre - half, centre + half], axis=1), scores


MODELS = {
    "YOLOX-nano": Model("yolox_nano.onnx", "yolox", 416, 0.65, prepare_yolox, decode_yolox),
    "NanoDet-m 320": Model("nanodet_m_320.onnx", "nanodet", 320, 0.6, prepare_nanodet, decode_nanodet, clip=True),
    "FastestDet": Model("FastestDet.onnx", "fastestdet", 352, 0.45, prepare_fastestdet, decode_fastestdet),
}
