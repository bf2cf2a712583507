"""RTMDet: logits and distances of three grids, or the detections of an export with suppression inside.

Sources: mmdet/models/dense_heads/rtmdet_head.py (`RTMDetSepBNHead.forward`: distances in pixels, left, top, right,
bottom; `MlvlPointGenerator(offset=0)`: points at index * stride; sigmoid) and mmdeploy's `dets` [batch, n, 5] and
`labels` [batch, n].
"""

from __future__ import annotations

from dataclasses import replace

from boxscore.predict.decoders import shapes
from boxscore.predict.decoders.candidates import around, chosen
from boxscore.predict.decoders.grids import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.predict.decoders.asked import Array, Asked, Candidates

_STRIDES = (8, 16, 32)
_EXPECTS = (
    "three maps of logits [batch, labels, rows, columns] and three of distances [batch, 4, rows, columns], or dets "
    "[batch, n, 5] and labels [batch, n]"
)


def decode(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    """From maps (all logits, then all distances, of strides 8, 16 and 32), or from `dets` and `labels`."""
    import numpy as np

    if len(outputs) == 2:
        return _detections(outputs, asked)
    half = len(outputs) // 2
    if half != 3 or len(outputs) != 6 or any(output.ndim != 4 for output in outputs):
        shapes.refuse("rtmdet", outputs, _EXPECTS)
    maps, reaches = outputs[:half], outputs[half:]
    pairs = zip(maps, reaches, strict=True)
    if any(reach.shape[1] != 4 or reach.shape[2:] != logits.shape[2:] for logits, reach in pairs):
        shapes.refuse("rtmdet", outputs, _EXPECTS)
    shapes.check_score("rtmdet", asked)
    asked = replace(asked, score="sigmoid")  # maps are logits, whatever the card says of an export that has none
    shapes.check_labels("rtmdet", maps[0].shape[1], asked)
    sizes = tuple(shapes.grid_cells(asked, stride) for stride in _STRIDES)
    if [(logits.shape[3], logits.shape[2]) for logits in maps] != list(sizes):
        shapes.check_cells("rtmdet", sum(logits.shape[2] * logits.shape[3] for logits in maps), _STRIDES, asked)
        shapes.refuse("rtmdet", outputs, _EXPECTS)
    places, steps = levels(sizes, _STRIDES)
    # Places come last in memory and are searched there; the transposed view is what candidates are chosen from.
    scores, distances = (np.concatenate([_flat(one) for one in group], axis=2) for group in (maps, reaches))
    points = places * steps
    found = []
    for picture, reach in zip(scores, distances, strict=True):
        at, chances, labels = chosen(picture.T, asked)
        found.append((around(points[at], reach[:, at].T), chances, labels))
    return found


def _flat(maps: Array) -> Array:
    return maps.reshape(*maps.shape[:2], -1)


def _detections(outputs: Sequence[Array], asked: Asked) -> list[Candidates]:
    dets, labels = sorted(outputs, key=lambda output: -output.ndim)
    if (dets.ndim, labels.ndim) != (3, 2) or dets.shape[2] != 5 or dets.shape[:2] != labels.shape:
        shapes.refuse("rtmdet", outputs, _EXPECTS)
    shapes.check_score("rtmdet", asked, ("as-is",))
    found = []
    for rows, numbers in zip(dets, labels, strict=True):
        enough = rows[:, 4] >= asked.least
        kept = numbers[enough].astype(int)
        shapes.check_numbers("rtmdet", kept, asked)
        found.append((rows[enough, :4], rows[enough, 4], kept))
    return found
