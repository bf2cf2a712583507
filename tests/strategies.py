"""Hypothesis strategies for COCO data sets.

They aim at the places where evaluators differ: equal scores, equal overlaps, crowds, areas at the edges of the size
classes, empty images, labels without objects, ids in no order. Coordinates lie mostly on a coarse grid, since otherwise
two overlaps are never equal and a box is never exactly at a threshold.
"""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Row = dict[str, Any]
Box = tuple[float, float, float, float]

GRID_SIZES = (8, 16, 24, 32, 48, 64, 96, 128)
# The two borders of the size classes with their neighbours, and both ends of the range that holds everything.
EDGE_AREAS = (0.0, 1.0, 1023.999, 1024.0, 1024.001, 9215.5, 9216.0, 9216.5, 1e10, 1.5e10)
TIED_SCORES = (0.0, -0.0, 0.25, 0.5, 0.75, 1.0)
IMAGE_IDS = st.integers(min_value=0, max_value=2**40)
CATEGORY_IDS = st.integers(min_value=0, max_value=1000)


@dataclass(frozen=True)
class CocoData:
    """A ground-truth file and a results file, as `json.load` would give them."""

    ground_truth: dict[str, Any]
    results: list[Row]

    @property
    def image_ids(self) -> list[int]:
        """Image ids ascending."""
        return sorted(image["id"] for image in self.ground_truth["images"])

    @property
    def labels(self) -> list[int]:
        """Category ids ascending."""
        return sorted(category["id"] for category in self.ground_truth["categories"])


@dataclass(frozen=True)
class Shape:
    """How large and how awkward the data sets are."""

    max_images: int = 4
    max_labels: int = 3
    max_objects: int = 8
    max_detections: int = 12
    distinct_scores: bool = False
    degenerate: bool = False
    grid_only: bool = False
    sizes: tuple[int, ...] = field(default=GRID_SIZES)


def grid_boxes(sizes: tuple[int, ...] = GRID_SIZES) -> st.SearchStrategy[Box]:
    """Boxes on a grid of 8 pixels: shared edges, containment and equal overlaps are common."""
    place = st.integers(0, 6).map(lambda step: float(step * 8))
    size = st.sampled_from(sizes).map(float)
    return st.tuples(place, place, size, size)


def free_boxes() -> st.SearchStrategy[Box]:
    """Boxes anywhere, with fractions of a pixel."""
    place = st.floats(-20, 60, allow_nan=False)
    size = st.floats(1, 130, allow_nan=False)
    return st.tuples(place, place, size, size)


def degenerate_boxes() -> st.SearchStrategy[Box]:
    """Boxes that have no area: a zero or negative width or height."""
    place = st.integers(0, 4).map(lambda step: float(step * 8))
    size = st.sampled_from((0.0, -16.0, 32.0))
    return st.tuples(place, place, size, size).filter(lambda box: min(box[2:]) <= 0)


def boxes(shape: Shape) -> st.SearchStrategy[Box]:
    """Mostly on the grid, at times free, and degenerate or beyond every area range where asked for."""
    grid = grid_boxes(shape.sizes)
    if shape.grid_only:
        return grid
    if shape.degenerate:
        huge = st.just((0.0, 0.0, 2e5, 1e5))
        return st.one_of(grid, grid, free_boxes(), degenerate_boxes(), huge)
    return st.one_of(grid, grid, free_boxes())


def shifted(box: Box, steps: tuple[int, int]) -> Box:
    """The box moved by eighths of its size, so that its overlap with the original is a likely threshold."""
    x, y, w, h = box
    return (x + steps[0] * w / 8, y + steps[1] * h / 8, w, h)


@st.composite
def annotations(draw: st.DrawFn, images: list[int], labels: list[int], shape: Shape) -> list[Row]:
    """Objects; a quarter are crowds, and the area is at times not that of the box."""
    rows: list[Row] = []
    for number in range(draw(st.integers(0, shape.max_objects))):
        box = draw(boxes(shape))
        own_area = box[2] * box[3]
        rows.append(
            {
                "id": number + 1,
                "image_id": draw(st.sampled_from(images)),
                "category_id": draw(st.sampled_from(labels)),
                "bbox": list(box),
                "area": draw(st.one_of(st.just(own_area), st.just(own_area), st.sampled_from(EDGE_AREAS))),
                "iscrowd": int(draw(st.integers(0, 3)) == 3),
                "ignore": draw(st.sampled_from((0, 0, 1))),
            }
        )
    return rows


def score_lists(count: int, *, distinct: bool) -> st.SearchStrategy[list[float]]:
    """Scores, each different from the others, or mostly from a handful of values."""
    if distinct:
        return st.permutations([(step + 1) / 64 for step in range(count)])
    values = st.one_of(st.sampled_from(TIED_SCORES), st.sampled_from(TIED_SCORES), st.floats(-1, 1))
    return st.lists(values, min_size=count, max_size=count)


@st.composite
def detections(draw: st.DrawFn, images: list[int], labels: list[int], objects: list[Row], shape: Shape) -> list[Row]:
    """Detections, most of them on or near an object of their image and label, the others anywhere."""
    count = draw(st.integers(0, shape.max_detections))
    scores = draw(score_lists(count, distinct=shape.distinct_scores))
    near = st.sampled_from((True, True, True, False))
    rows: list[Row] = []
    for score in scores:
        if draw(near) and objects:
            source = draw(st.sampled_from(objects))
            x, y, w, h = source["bbox"]
            box = shifted((x, y, w, h), draw(st.tuples(st.integers(-1, 1), st.integers(-1, 1))))
            image, label = source["image_id"], source["category_id"]
        else:
            box = draw(boxes(shape))
            image, label = draw(st.sampled_from(images)), draw(st.sampled_from(labels))
        rows.append({"image_id": image, "category_id": label, "bbox": list(box), "score": score})
    return draw(st.permutations(rows)) if rows else rows


@st.composite
def coco_data(draw: st.DrawFn, shape: Shape | None = None) -> CocoData:
    """A data set with ids in no order, images and labels that may have no rows, all fields present, ids from 1."""
    shape = shape or Shape()
    images = draw(st.lists(IMAGE_IDS, min_size=1, max_size=shape.max_images, unique=True))
    labels = draw(st.lists(CATEGORY_IDS, min_size=1, max_size=shape.max_labels, unique=True))
    objects = draw(annotations(images, labels, shape))
    ground_truth = {
        "images": [{"id": image, "file_name": f"{image}.jpg", "width": 640, "height": 480} for image in images],
        "annotations": objects,
        "categories": [{"id": label, "name": f"label {label}"} for label in labels],
    }
    return CocoData(ground_truth, draw(detections(images, labels, objects, shape)))


@st.composite
def crowded_data(draw: st.DrawFn, limit: int = 100) -> CocoData:
    """One or two images with more detections of a label than the limit, many of equal score.

    Rows are drawn from one seed, because several hundred separate draws would be slow and shrink no better.
    """
    random = draw(st.randoms(use_true_random=False))
    images = [9, 4][: draw(st.integers(1, 2))]
    objects = [
        {
            "id": number + 1,
            "image_id": random.choice(images),
            "category_id": 1,
            "bbox": [8.0 * random.randrange(8), 8.0 * random.randrange(8), 32.0, 32.0],
            "area": 1024.0,
            "iscrowd": int(random.random() < 0.1),
        }
        for number in range(30)
    ]
    results = [
        {
            "image_id": random.choice(images),
            "category_id": 1,
            "bbox": [4.0 * random.randrange(16), 4.0 * random.randrange(16), 32.0, 32.0],
            "score": random.choice((random.random(), random.randrange(8) / 8)),
        }
        for _ in range(limit * len(images) + draw(st.integers(1, 60)))
    ]
    ground_truth = {
        "images": [{"id": image} for image in images],
        "annotations": objects,
        "categories": [{"id": 1, "name": "thing"}],
    }
    return CocoData(ground_truth, results)
