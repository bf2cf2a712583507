"""Data sets for `coverage.py`: drawn from a large simulated world, so that the truth about it is known.

A world is simulated once: tens of thousands of images, seen by two draws of one and the same detector. A data set is
drawn from it unit by unit, with replacement: images, or whole clips. So data sets are independent, any number of them
is cheap, and the figure of the whole world is that of a very large draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boxscore import _kernel, load_protocol
from boxscore.matching import match
from boxscore.measures.resampled import Model
from boxscore.scenes import DetectorSpec, SceneSpec, simulate_detections, simulate_ground_truth

Integers = NDArray[np.int64]

LABELS = ("person", "car", "dog")
SCENES = SceneSpec(labels=LABELS, labels_per_image=2.0, clip_length=1)
CLIPS = replace(SCENES, objects_per_image=2.0, clip_length=10, clip_correlation=0.5)
DETECTOR = DetectorSpec()
PROTOCOL = "coco"
CHUNK = 500
"""Images simulated at a time (whole clips)."""


@dataclass(frozen=True)
class World:
    """Which scenes there are, and how many of them."""

    scenes: SceneSpec
    images: int
    seed: int

    @property
    def chunks(self) -> list[tuple["World", int]]:
        """The parts that are simulated one by one."""
        return [(self, number) for number in range(self.images // CHUNK)]


WORLDS = {
    "sparse": World(replace(SCENES, objects_per_image=1.0), 24_000, 1_000_000),
    "dense": World(replace(SCENES, objects_per_image=3.0), 24_000, 2_000_000),
    "clips": World(CLIPS, 30_000, 3_000_000),
}


@dataclass(frozen=True)
class Cell:
    """Data sets of one kind: so many units of a world."""

    world: str
    units: int
    kind: str

    @property
    def images_per_unit(self) -> int:
        return WORLDS[self.world].scenes.clip_length


CELLS = {
    "images-30": Cell("dense", 30, "images"),
    "images-100-sparse": Cell("sparse", 100, "images"),
    "images-100": Cell("dense", 100, "images"),
    "images-300": Cell("sparse", 300, "images"),
    "groups-3": Cell("clips", 3, "groups"),
    "groups-6": Cell("clips", 6, "groups"),
    "groups-8": Cell("clips", 8, "groups"),
    "groups-20": Cell("clips", 20, "groups"),
    "groups-50": Cell("clips", 50, "groups"),
}


@dataclass(frozen=True)
class Rows:
    """Boxes of many images, image by image: columns, and where the rows of image i begin, `offsets[i]`."""

    columns: dict[str, NDArray[Any]]
    offsets: Integers

    def of_images(self, images: Integers) -> tuple[Integers, dict[str, NDArray[Any]]]:
        """The rows of some images, in their order: the position of each row's image among them, and the columns."""
        first, counts = self.offsets[images], np.diff(self.offsets)[images]
        image = np.repeat(np.arange(len(images)), counts)
        rows = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + first[image]
        return image, {name: column[rows] for name, column in self.columns.items()}


@dataclass(frozen=True)
class Seen:
    """Scenes with what two equal detectors saw of them."""

    objects: Rows
    detectors: tuple[Rows, Rows]


def simulate(part: tuple[World, int]) -> Seen:
    """One chunk of a world."""
    world, number = part
    truth = simulate_ground_truth(replace(world.scenes, images=CHUNK), world.seed + number)
    objects = truth.objects
    columns = {"label": objects.label, "box": objects.box, "area": objects.area, "crowd": objects.crowd}
    detectors = []
    for detector in (1, 2):
        found = simulate_detections(truth, DETECTOR, world.seed + 100_000 * detector + number)
        offsets = np.searchsorted(found.image, np.arange(CHUNK + 1))
        detectors.append(Rows({"label": found.label, "box": found.box, "score": found.score}, offsets))
    return Seen(Rows(columns, truth.offsets()), (detectors[0], detectors[1]))


def joined(parts: list[Seen]) -> Seen:
    """Chunks one behind the other."""
    detectors = [_joined_rows([part.detectors[number] for part in parts]) for number in (0, 1)]
    return Seen(_joined_rows([part.objects for part in parts]), (detectors[0], detectors[1]))


def _joined_rows(parts: list[Rows]) -> Rows:
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
    return Rows(columns, np.concatenate([[0], np.cumsum(counts)]))


@dataclass(frozen=True)
class DataSet:
    """What is evaluated: two models over some images, the unit of each image, and objects by label."""

    models: tuple[Model, Model]
    units: NDArray[np.uint32]
    objects: list[int]


def data_set(seen: Seen, cell: Cell, seed: int) -> DataSet:
    """Draw one data set of a cell."""
    size = cell.images_per_unit
    number = (len(seen.objects.offsets) - 1) // size
    drawn = np.random.default_rng([seed, cell.units]).integers(number, size=cell.units)
    images = (drawn[:, None] * size + np.arange(size)).ravel()
    units = np.repeat(np.arange(cell.units, dtype=np.uint32), size)
    dataset, models = evaluated(seen, images)
    return DataSet(models, units, dataset.objects_by_label(len(LABELS)))


def evaluated(seen: Seen, images: Integers) -> tuple[_kernel.Dataset, tuple[Model, Model]]:
    """Match both detectors over some images (which may be there twice: as two images)."""
    ids = range(len(images))
    image, columns = seen.objects.of_images(images)
    dataset, _ = _kernel.dataset_from_columns(
        ids,
        _buffer(image, "I"),
        _buffer(columns["label"], "I"),
        _buffer(columns["box"], "d"),
        area=_buffer(columns["area"], "d"),
        crowd=_buffer(columns["crowd"], "B"),
    )
    models = list(_models(seen, dataset, images))
    return dataset, (models[0], models[1])


def _models(seen: Seen, dataset: _kernel.Dataset, images: Integers) -> Iterator[Model]:
    protocol = load_protocol(PROTOCOL)
    for rows in seen.detectors:
        image, columns = rows.of_images(images)
        detections, _ = _kernel.detections_from_columns(
            dataset,
            range(len(images)),
            _buffer(image, "I"),
            _buffer(columns["label"], "I"),
            _buffer(columns["box"], "d"),
            _buffer(columns["score"], "d"),
        )
        yield Model(match(dataset, detections, protocol), LABELS)


def _buffer(column: NDArray[Any], code: Literal["I", "B", "d"]) -> "memoryview[Any]":
    """A column as the kernel takes it."""
    return memoryview(column.astype(code).tobytes()).cast(code)
