"""Geometry of boxes x, y, w, h: pixels, top-left origin, float64 of shape (n, 4)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

VISIBLE_GRID = 12
"""Sample points along each side of a box when its visible fraction is measured: steps of 1/144."""


def overlaps(boxes: Floats, others: Floats, crowd: Bools) -> Floats:
    """Overlap of every box with every other, (n, m): intersection over union, or over the box's area for crowds."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, :2] + boxes[:, None, 2:], others[None, :, :2] + others[None, :, 2:])
    shared = np.prod(np.maximum(high - low, 0.0), axis=2)
    area = np.prod(boxes[:, 2:], axis=1)[:, None]
    union = area + np.prod(others[:, 2:], axis=1)[None, :] - shared
    overlap: Floats = shared / np.where(crowd[None, :], area, union)
    return overlap


def paired_overlaps(boxes: Floats, others: Floats) -> Floats:
    """Intersection over union of each box with the other of the same row, (n,)."""
    low = np.maximum(boxes[:, :2], others[:, :2])
    high = np.minimum(boxes[:, :2] + boxes[:, 2:], others[:, :2] + others[:, 2:])
    shared = np.prod(np.maximum(high - low, 0.0), axis=1)
    union = np.prod(boxes[:, 2:], axis=1) + np.prod(others[:, 2:], axis=1) - shared
    overlap: Floats = shared / union
    return overlap


def place(centres: Floats, sides: Floats, width: int, height: int) -> Floats:
    """Boxes around centres, cut to the image, at least one pixel each way, to a hundredth of a pixel as COCO writes."""
    frame = np.array([width, height], dtype=np.float64)
    low = np.clip(centres - sides / 2, 0.0, frame - 1.0)
    high = np.clip(centres + sides / 2, low + 1.0, frame)
    low = np.round(low, 2)
    return np.concatenate([low, np.maximum(np.round(high - low, 2), 1.0)], axis=1)


def visible_fractions(boxes: Floats, nearness: Floats) -> Floats:
    """Share of each box that no nearer box covers, (n,), measured on a grid of points inside it."""
    steps = ((np.arange(VISIBLE_GRID) + 0.5) / VISIBLE_GRID)[:, None]
    points = boxes[:, None, :2] + steps * boxes[:, None, 2:]
    low, high = boxes[None, :, None, :2], boxes[None, :, None, :2] + boxes[None, :, None, 2:]
    within = (points[:, None] >= low) & (points[:, None] < high)
    within &= (nearness[None, :] > nearness[:, None])[:, :, None, None]
    # A box covers a point when it covers the point's column and its row: a product over boxes counts those that do.
    along = within.astype(np.float32)
    covering = np.matmul(along[..., 0].transpose(0, 2, 1), along[..., 1])
    visible: Floats = 1.0 - (covering > 0).mean(axis=(1, 2), dtype=np.float64)
    return visible
