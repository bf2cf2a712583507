"""Tables of one evaluation in the kernel, and what matching found in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore import _kernel
from boxscore.compat.params import Settings
from boxscore.compat.rows import RowPlaces, Rows
from boxscore.errors import InputError
from boxscore.io.arrays import column
from boxscore.io.findings import notes_of
from boxscore.model.notes import Note
from boxscore.model.reading import Reading
from boxscore.pipeline.evaluate import thread_count

MOST_CELLS = 64
"""Pairs of area range and threshold that the kernel matches in one pass."""

READ_HERE = ("non_finite", "degenerate", "area", "ignore_flag")
"""Policies of a Reading that speak of numbers and flags."""

SMALL = 10_000
"""Detections up to which one thread does all."""

Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Part:
    """Matches in some of the cells: a block of area ranges times a block of thresholds."""

    areas: slice
    thresholds: slice
    matches: _kernel.Matches


def blocks(num_areas: int, num_thresholds: int) -> Iterator[tuple[slice, slice]]:
    """Blocks of area ranges and thresholds of at most 64 cells, which together hold every cell once."""
    width = min(num_thresholds, MOST_CELLS)
    height = MOST_CELLS // width
    for threshold in range(0, num_thresholds, width):
        for area in range(0, num_areas, height):
            yield (
                slice(area, min(area + height, num_areas)),
                slice(threshold, min(threshold + width, num_thresholds)),
            )


def refuse_readings(reading: Reading) -> None:
    """Raises InputError for policies that mean nothing here, where rows come from objects by id."""
    default = Reading().to_dict()
    others = {f: value for f, value in reading.to_dict().items() if f not in READ_HERE and value != default[f]}
    for name, value in others.items():
        raise InputError(f"reading: {name}={value!r} is not read here; {', '.join(READ_HERE)} are")


class Evaluation:
    """Ground truth and detections as tables, matched in every cell. Made once, never changed.

    `notes` say what was seen in the input. Copying and pickling make the tables anew from the flat columns.
    Raises InputError for numbers that are not finite, unless `reading` drops such rows.
    """

    def __init__(self, settings: Settings, objects: Rows, detections: Rows, reading: Reading) -> None:
        self.settings = settings
        self.objects = objects
        self.detections = detections
        self.reading = reading
        # Starting threads costs more than they save on the few images of one training step.
        self.threads = thread_count(None) if len(detections.ids) > SMALL else 1
        self.notes: list[Note] = []
        self.dataset = self._dataset()
        self.found = self._found()
        if not settings.use_categories:
            self.dataset, self.found = self.dataset.merge_labels(), self.found.merge_labels()
        self.areas, self._areas_differ = self._detection_areas()
        num_areas, num_thresholds = len(settings.area_ranges), len(settings.thresholds)
        self.parts = [Part(*block, self._match(*block)) for block in blocks(num_areas, num_thresholds)]

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation, (self.settings, self.objects, self.detections, self.reading)

    def assign(self, area: int, thresholds: slice) -> _kernel.Matches:
        """Matches in one area range that also keep which ground truth was taken by which detection."""
        return self._run(slice(area, area + 1), thresholds, assignments=True)

    def _dataset(self) -> _kernel.Dataset:
        rows = self.objects
        dataset, findings = _kernel.dataset_from_columns(
            self._image_rows(),
            column(rows.image, "uint32"),
            column(rows.label, "uint32"),
            column(rows.boxes, "float64"),
            area=column(rows.area, "float64"),
            crowd=column(rows.flags["iscrowd"], "uint8"),
            ignore=column(rows.flags["ignore"], "uint8"),
            drop_degenerate=self.reading.degenerate == "drop",
        )
        self._note(findings, rows, "annotation")
        return dataset

    def _found(self) -> _kernel.Detections:
        rows = self.detections
        found, findings = _kernel.detections_from_columns(
            self.dataset,
            self._image_rows(),
            column(rows.image, "uint32"),
            column(rows.label, "uint32"),
            column(rows.boxes, "float64"),
            column(rows.score, "float64"),
            drop_degenerate=self.reading.degenerate == "drop",
            threads=self.threads,
        )
        self._note(findings, rows, "detection")
        return found

    def _image_rows(self) -> list[int]:
        # Images go by position: `imgIds` are in order, and whatever their ids are, the kernel keeps that order.
        return list(range(len(self.settings.image_ids)))

    def _note(self, findings: list[_kernel.Finding], rows: Rows, noun: str) -> None:
        places = RowPlaces(rows, self.settings.image_ids, noun)
        try:
            self.notes += notes_of(findings, places, self.reading, "cocoGt")
        except InputError as error:
            # The remedies name options of the command line; here the same are fields of a Reading.
            raise InputError(
                f"{error} In Python, such options are COCOeval(..., reading=boxscore.Reading(non_finite='drop'))."
            ) from None

    def _detection_areas(self) -> tuple[npt.NDArray[np.float64], bool]:
        """Areas of detections in the kernel's order, as stated, and whether one differs from its box's."""
        table = self.found.table
        of_box = np.asarray(table.column("w")) * np.asarray(table.column("h"))
        stated = self.detections.area[np.asarray(table.column("source_row"))]
        areas = np.where(np.isnan(stated), of_box, stated)
        return areas, not np.array_equal(areas, of_box)

    def _match(self, areas: slice, thresholds: slice) -> _kernel.Matches:
        matches = self._run(areas, thresholds, assignments=False)
        return self._by_stated_area(matches, areas, thresholds) if self._areas_differ else matches

    def _run(self, areas: slice, thresholds: slice, *, assignments: bool) -> _kernel.Matches:
        return _kernel.match_detections(
            self.dataset,
            self.found,
            iou_thresholds=self.settings.thresholds[thresholds],
            area_ranges=self.settings.area_ranges[areas],
            max_detections=self.settings.limits[-1],
            ignored=("crowd", "ignore") if self.reading.ignore_flag == "honour" else ("crowd",),
            area_from_box=self.reading.area == "box",
            assignments=assignments,
            threads=self.threads,
        )

    def _by_stated_area(self, matches: _kernel.Matches, areas: slice, thresholds: slice) -> _kernel.Matches:
        """The same matches, with unmatched detections ignored by the area that they state instead of their box's."""
        ranges = self.settings.area_ranges[areas]
        count = len(self.settings.thresholds[thresholds])
        outside = [outside_range(self.areas, area_range) for area_range in ranges]
        num_cells, num_images, columns = matches.state()
        matched, ignored = (np.frombuffer(columns[name], np.uint64) for name in ("matched", "ignored"))
        columns["ignored"] = ((ignored & matched) | (cell_bits(outside, count) & ~matched)).tobytes()
        return _kernel.Matches.from_state(num_cells, num_images, columns)


def outside_range(areas: npt.NDArray[np.float64], area_range: tuple[float, float]) -> npt.NDArray[np.bool_]:
    """Which areas an area range, which holds both its ends, does not hold."""
    outside: npt.NDArray[np.bool_] = (areas < area_range[0]) | (areas > area_range[1])
    return outside


def cell_bits(rows: list[npt.NDArray[np.bool_]], repeat: int = 1) -> Bits:
    """Bits of a word from the lowest, one an array (`repeat` alike ones): [cells] arrays of n truths to n words."""
    words = np.zeros(len(rows[0]) if rows else 0, dtype=np.uint64)
    for place, row in enumerate(rows):
        for bit in range(place * repeat, (place + 1) * repeat):
            words |= row.astype(np.uint64) << np.uint64(bit)
    return words
