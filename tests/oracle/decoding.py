"""What the detectors' own code makes of their outputs, one number after the other.

Outputs are nested lists of one picture, candidates are (place, box, score, label) for every place and label.
"""

import math
from collections.abc import Iterator, Sequence

Rows = Sequence[Sequence[float]]
Candidate = tuple[int, list[float], float, int]


def cells(width: int, height: int, strides: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Column, row and stride of each cell, in the order of the outputs' rows."""
    for stride in strides:
        for row in range(math.ceil(height / stride)):
            for column in range(math.ceil(width / stride)):
                yield column, row, stride


def logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def centred(x: float, y: float, width: float, height: float) -> list[float]:
    return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]


def yolox(rows: Rows, width: int, height: int) -> list[Candidate]:
    found = []
    for place, ((column, row, stride), values) in enumerate(zip(cells(width, height, (8, 16, 32)), rows, strict=True)):
        x, y, w, h, objectness, *classes = values
        box = centred((x + column) * stride, (y + row) * stride, math.exp(w) * stride, math.exp(h) * stride)
        found += [(place, box, objectness * score, label) for label, score in enumerate(classes)]
    return found


def nanodet(scores: Rows, bins: Rows, width: int, height: int, *, plus: bool) -> list[Candidate]:
    found = []
    strides = (8, 16, 32, 64) if plus else (8, 16, 32)
    places = enumerate(zip(cells(width, height, strides), scores, bins, strict=True))
    for place, ((column, row, stride), classes, values) in places:
        shift = 0 if plus else (stride - 1) / 2
        x, y = column * stride + shift, row * stride + shift
        count = len(values) // 4
        left, top, right, bottom = (expectation(values[i * count : (i + 1) * count]) * stride for i in range(4))
        found += [
            (place, [x - left, y - top, x + right, y + bottom], score, label) for label, score in enumerate(classes)
        ]
    return found


def expectation(logits: Sequence[float]) -> float:
    weights = [math.exp(value) for value in logits]
    return sum(index * weight for index, weight in enumerate(weights)) / sum(weights)


def fastestdet(maps: Sequence[Rows], width: int, height: int) -> list[Candidate]:
    found = []
    rows, columns = len(maps[0]), len(maps[0][0])
    for row in range(rows):
        for column in range(columns):
            objectness, x, y, w, h, *classes = (one[row][column] for one in maps)
            centre_x = (math.tanh(x) + column) / columns * width
            centre_y = (math.tanh(y) + row) / rows * height
            box = centred(centre_x, centre_y, logistic(w) * width, logistic(h) * height)
            place = row * columns + column
            found += [(place, box, objectness**0.6 * score**0.4, label) for label, score in enumerate(classes)]
    return found


def yunet(classes: Rows, objectness: Rows, boxes: Rows, width: int, height: int) -> list[Candidate]:
    found = []
    rows = zip(cells(width, height, (8, 16, 32)), classes, objectness, boxes, strict=True)
    for place, ((column, row, stride), (score,), (chance,), (x, y, w, h)) in enumerate(rows):
        box = centred((x + column) * stride, (y + row) * stride, math.exp(w) * stride, math.exp(h) * stride)
        found.append((place, box, math.sqrt(score * chance), 0))
    return found


def rtmdet(
    logits: Sequence[Sequence[Rows]], reaches: Sequence[Sequence[Rows]], strides: Sequence[int]
) -> list[Candidate]:
    found = []
    place = 0
    for maps, distances, stride in zip(logits, reaches, strides, strict=True):
        for row in range(len(maps[0])):
            for column in range(len(maps[0][0])):
                left, top, right, bottom = (one[row][column] for one in distances)
                x, y = column * stride, row * stride
                box = [x - left, y - top, x + right, y + bottom]
                found += [(place, box, logistic(one[row][column]), label) for label, one in enumerate(maps)]
                place += 1
    return found


def detr(boxes: Rows, logits: Rows, width: int, height: int, labels: int) -> list[Candidate]:
    found = []
    for place, ((x, y, w, h), values) in enumerate(zip(boxes, logits, strict=True)):
        box = centred(x * width, y * height, w * width, h * height)
        found += [(place, box, logistic(value), label) for label, value in enumerate(values[:labels])]
    return found


def detr_softmax(boxes: Rows, logits: Rows, width: int, height: int) -> list[Candidate]:
    found = []
    for place, ((x, y, w, h), values) in enumerate(zip(boxes, logits, strict=True)):
        total = sum(math.exp(value) for value in values)
        chances = [math.exp(value) / total for value in values[:-1]]
        best = max(range(len(chances)), key=lambda label: chances[label])
        found.append((place, centred(x * width, y * height, w * width, h * height), chances[best], best))
    return found
