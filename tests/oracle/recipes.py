"""How each family of detectors prepares a picture, written out plainly, one function a recipe.

A picture is RGB, [h, w, 3], 0 to 255. A recipe gives the input [3, H, W] as floats, and the placement: the picture's
scale along x and y and its left and top edge in the input. Levels are not rounded between the steps, so a library that
works on whole levels differs by the rounding of its resizing.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.resizing import resized

Array = np.ndarray[Any, np.dtype[Any]]
Prepared = tuple[Array, tuple[float, float, float, float]]
IMAGENET_MEAN, IMAGENET_STD = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
BGR_MEAN, BGR_STD = np.array([103.53, 116.28, 123.675]), np.array([57.375, 57.12, 58.395])


def bgr(picture: Array) -> Array:
    return picture[:, :, [2, 1, 0]]


def first(picture: Array) -> Array:
    """Channels first."""
    return np.moveaxis(picture, 2, 0)


def padded(picture: Array, width: int, height: int, left: int, top: int, level: float) -> Array:
    canvas = np.full((height, width, 3), float(level))
    canvas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return canvas


def yolox(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    r = min(side / h, side / w)
    small = resized(picture, (int(w * r), int(h * r)), "linear")
    return first(bgr(padded(small, side, side, 0, 0, 114))), (r, r, 0, 0)


def yolox_old(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    r = min(side / h, side / w)
    small = resized(picture, (int(w * r), int(h * r)), "linear")
    return first((padded(small, side, side, 0, 0, 114) / 255 - IMAGENET_MEAN) / IMAGENET_STD), (r, r, 0, 0)


def letterbox(picture: Array, new: tuple[int, int], canvas: tuple[int, int]) -> tuple[Array, int, int]:
    """Ultralytics' borders: half the free pixels each, the odd one to the right and below."""
    dw, dh = (canvas[0] - new[0]) / 2, (canvas[1] - new[1]) / 2
    top, left = round(dh - 0.1), round(dw - 0.1)
    right, bottom = round(dw + 0.1), round(dh + 0.1)
    assert (left + new[0] + right, top + new[1] + bottom) == canvas
    small = resized(picture, new, "linear")
    return padded(small, canvas[0], canvas[1], left, top, 114), left, top


def ultralytics_predict(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    r = min(side / h, side / w)
    laid, left, top = letterbox(picture, (round(w * r), round(h * r)), (side, side))
    return first(laid / 255), (r, r, left, top)


def ultralytics_predict_rect(picture: Array, side: int = 640, stride: int = 32) -> Prepared:
    h, w = picture.shape[:2]
    r = min(side / h, side / w)
    new = (round(w * r), round(h * r))
    spare = (side - new[0]) % stride, (side - new[1]) % stride
    laid, left, top = letterbox(picture, new, (new[0] + spare[0], new[1] + spare[1]))
    return first(laid / 255), (r, r, left, top)


def ultralytics_loaded(w: int, h: int, side: int) -> tuple[int, int]:
    """What val reads: the long side is the image size, the short one is rounded up."""
    r = side / max(h, w)
    return min(math.ceil(w * r), side), min(math.ceil(h * r), side)


def ultralytics_val(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    new = ultralytics_loaded(w, h, side)
    laid, left, top = letterbox(picture, new, (side, side))
    return first(laid / 255), (new[1] / h, new[1] / h, left, top)


def ultralytics_val_rect(picture: Array, side: int = 640, stride: int = 32) -> Prepared:
    h, w = picture.shape[:2]
    new = ultralytics_loaded(w, h, side)
    aspect = h / w
    shape = [aspect, 1] if aspect < 1 else [1, 1 / aspect] if aspect > 1 else [1, 1]
    rows, columns = (int(np.ceil(one * side / stride + 0.5)) * stride for one in shape)
    laid, left, top = letterbox(picture, new, (columns, rows))
    return first(laid / 255), (new[1] / h, new[1] / h, left, top)


def rtmdet(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    scale = min(side / max(h, w), side / min(h, w))
    new = int(w * scale + 0.5), int(h * scale + 0.5)
    laid = padded(resized(picture, new, "linear"), side, side, 0, 0, 114)
    return first((bgr(laid) - BGR_MEAN) / BGR_STD), (new[0] / w, new[1] / h, 0, 0)


def stretched(picture: Array, side: int, how: str) -> Prepared:
    h, w = picture.shape[:2]
    return first(resized(picture, (side, side), how)), (side / w, side / h, 0, 0)


def deim(picture: Array, side: int = 640) -> Prepared:
    tensor, placed = stretched(picture, side, "antialiased")
    return tensor / 255, placed


def deim_demo(picture: Array, side: int = 640) -> Prepared:
    h, w = picture.shape[:2]
    ratio = min(side / w, side / h)
    new = int(w * ratio), int(h * ratio)
    left, top = (side - new[0]) // 2, (side - new[1]) // 2
    laid = padded(resized(picture, new, "antialiased"), side, side, left, top, 0)
    return first(laid / 255), (ratio, ratio, left, top)


def rf_detr(picture: Array, side: int = 560) -> Prepared:
    normal = (picture / 255 - IMAGENET_MEAN) / IMAGENET_STD
    return stretched(normal, side, "linear")


def rf_detr_antialiased(picture: Array, side: int = 560) -> Prepared:
    normal = (picture / 255 - IMAGENET_MEAN) / IMAGENET_STD
    return stretched(normal, side, "antialiased")


def damo_yolo(picture: Array, side: int = 640) -> Prepared:
    tensor, placed = stretched(picture, side, "linear")
    rounded_up = math.ceil(side / 32) * 32
    canvas = np.zeros((3, rounded_up, rounded_up))
    canvas[:, :side, :side] = tensor
    return canvas, placed


def nanodet(picture: Array, side: int = 320) -> Prepared:
    h, w = picture.shape[:2]
    r = min(side / w, side / h)
    new = int(w * r), int(h * r)
    left, top = int((side - new[0]) / 2), int((side - new[1]) / 2)
    laid = padded(resized(picture, new, "area"), side, side, left, top, 0)
    return first((bgr(laid) - BGR_MEAN) / BGR_STD), (new[0] / w, new[1] / h, left, top)


def fastestdet(picture: Array, side: int = 352) -> Prepared:
    tensor, placed = stretched(bgr(picture), side, "area")
    return tensor / 255, placed


def yunet(picture: Array) -> Prepared:
    h, w = picture.shape[:2]
    columns, rows = math.ceil(w / 32) * 32, math.ceil(h / 32) * 32
    return first(bgr(padded(picture, columns, rows, 0, 0, 0))), (1, 1, 0, 0)


RECIPES: dict[str, Callable[..., Prepared]] = {
    "yolox": yolox,
    "yolox-old": yolox_old,
    "ultralytics-predict": ultralytics_predict,
    "ultralytics-predict-rect": ultralytics_predict_rect,
    "ultralytics-val": ultralytics_val,
    "ultralytics-val-rect": ultralytics_val_rect,
    "yolo26-predict": ultralytics_predict,
    "yolo26-val": ultralytics_val,
    "rtmdet": rtmdet,
    "deim": deim,
    "deim-demo": deim_demo,
    "rt-detrv2": deim,
    "rf-detr": rf_detr,
    "rf-detr-1.10": rf_detr_antialiased,
    "damo-yolo": damo_yolo,
    "nanodet": nanodet,
    "fastestdet": fastestdet,
    "yunet": yunet,
}
