"""Matches cut by label into blocks, and blocks as matches again: nothing is lost, and nothing damaged is taken."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore
from boxscore import _kernel
from tests.strategies import CocoData, Shape, coco_data

SHAPE = Shape(max_images=6, max_labels=4, max_objects=12, max_detections=20, degenerate=True)


def matches_of(data: CocoData) -> tuple[Any, int]:
    run = boxscore.evaluate(data.ground_truth, data.results)
    return run.matches.kernel, len(run.labels)


def rows(count: int) -> Any:
    return np.arange(count, dtype=np.int64)


@settings(max_examples=60)
@given(coco_data(SHAPE), st.integers(0, 2), st.sampled_from([1, 3]))
def test_there_and_back(data: CocoData, more: int, threads: int) -> None:
    kernel, labels = matches_of(data)
    blocks = kernel.blocks(labels + more)
    assert len(blocks) == labels + more
    assert all(block == b"" for block in blocks[labels:])
    objects, found = kernel.objects_by_label(labels), kernel.detections_by_label(labels)
    assert [block != b"" for block in blocks[:labels]] == [
        bool(one or other) for one, other in zip(objects, found, strict=True)
    ]
    given_blocks = [(0, label, block) for label, block in enumerate(blocks) if block]
    again = _kernel.Matches.from_blocks(
        given_blocks[::-1], [rows(kernel.num_images)], kernel.num_images, kernel.num_cells, threads=threads
    )
    assert again.state() == kernel.state()


@settings(max_examples=60)
@given(coco_data(SHAPE), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_parts_as_one(data: CocoData, owners: list[int]) -> None:
    """Each image goes to one of three parts; their blocks make what the whole made."""
    ids = data.image_ids
    whole, labels = matches_of(data)
    blocks: list[tuple[int, int, bytes]] = []
    image_rows: list[Any] = []
    for part in range(3):
        own = [image for image, owner in zip(ids, owners, strict=False) if owner == part]
        truth = {
            **data.ground_truth,
            "images": [image for image in data.ground_truth["images"] if image["id"] in own],
            "annotations": [row for row in data.ground_truth["annotations"] if row["image_id"] in own],
        }
        kernel, _ = matches_of(CocoData(truth, [row for row in data.results if row["image_id"] in own]))
        image_rows.append(np.array([ids.index(image) for image in own], dtype=np.int64))
        blocks += [(part, label, block) for label, block in enumerate(kernel.blocks(labels)) if block]
    joined = _kernel.Matches.from_blocks(blocks, image_rows, len(ids), whole.num_cells)
    assert joined.state() == whole.state()
    for label in range(labels):
        of_label = [(part, 0, block) for part, of, block in blocks if of == label]
        alone = _kernel.Matches.from_blocks(of_label, image_rows, len(ids), whole.num_cells)
        assert alone.detections_by_label(1) == whole.detections_by_label(labels)[label : label + 1]
        assert alone.objects_by_label(1) == whole.objects_by_label(labels)[label : label + 1]


def test_images_that_are_left_out() -> None:
    data = CocoData(
        {
            "images": [{"id": 1}, {"id": 2}],
            "annotations": [
                {"id": image, "image_id": image, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}
                for image in (1, 2)
            ],
            "categories": [{"id": 1, "name": "cat"}],
        },
        [{"image_id": image, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5} for image in (1, 2)],
    )
    kernel, _ = matches_of(data)
    image_rows: list[Any] = [np.array([-1, 0])]
    less = _kernel.Matches.from_blocks([(0, 0, kernel.blocks(1)[0])], image_rows, 1, kernel.num_cells)
    assert (less.num_images, less.detections_by_label(1), less.objects_by_label(1)) == (1, [1], [1])


def sample() -> tuple[Any, bytes]:
    data = CocoData(
        {
            "images": [{"id": image} for image in range(4)],
            "annotations": [
                {"id": n, "image_id": n % 4, "category_id": 1, "bbox": [n, 0, 9, 9], "area": 81, "iscrowd": n % 2}
                for n in range(9)
            ],
            "categories": [{"id": 1, "name": "cat"}],
        },
        [{"image_id": n % 4, "category_id": 1, "bbox": [n, 0, 9, 9], "score": n / 32} for n in range(30)],
    )
    kernel, _ = matches_of(data)
    return kernel, kernel.blocks(1)[0]


@given(st.data())
def test_what_is_cut_off_is_refused(data: st.DataObject) -> None:
    kernel, block = sample()
    length = data.draw(st.integers(1, len(block) - 1))
    for damaged in (block[:length], block + block[:length]):
        with pytest.raises(ValueError, match=r"\w"):
            _kernel.Matches.from_blocks([(0, 0, damaged)], [rows(4)], 4, kernel.num_cells)


@given(st.data())
def test_what_is_changed_never_harms(data: st.DataObject) -> None:
    """A changed byte is refused, or makes matches of as many rows: it reads nothing that isn't there."""
    kernel, block = sample()
    at, bit = data.draw(st.integers(0, len(block) - 1)), data.draw(st.integers(0, 7))
    changed = block[:at] + bytes([block[at] ^ (1 << bit)]) + block[at + 1 :]
    try:
        made = _kernel.Matches.from_blocks([(0, 0, changed)], [rows(4)], 4, kernel.num_cells)
    except ValueError:
        return
    assert made.num_images == 4
    assert made.detections.num_rows == kernel.detections.num_rows
    assert made.ground_truth.num_rows == kernel.ground_truth.num_rows


@pytest.mark.parametrize(
    ("part", "image_rows", "cells"),
    [(1, [rows(4)], None), (0, [rows(2)], None), (0, [np.array([0, 1, 2, 9])], None), (0, [rows(4)], 3), (0, [], None)],
)
def test_what_does_not_fit_is_refused(part: int, image_rows: list[Any], cells: int | None) -> None:
    kernel, block = sample()
    with pytest.raises(ValueError, match=r"\w"):
        _kernel.Matches.from_blocks([(part, 0, block)], image_rows, 4, cells or kernel.num_cells)
