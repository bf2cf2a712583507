"""Tables leave the kernel as they are: Arrow to polars and pyarrow, plain memory to NumPy, without a copy."""

import gc
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings

from boxscore import _kernel
from tests.strategies import CocoData, Shape, coco_data
from tests.support import kernel

NUMPY_TYPES = {
    "UInt8": np.uint8,
    "UInt32": np.uint32,
    "UInt64": np.uint64,
    "Int64": np.int64,
    "Float64": np.float64,
}


def example() -> kernel.Tables:
    """Two images, one without a name or size; three objects, one without a label's neighbour."""
    box = {"category_id": 5, "area": 100.0, "iscrowd": 0}
    ground_truth = {
        "images": [{"id": 7, "file_name": "straße 🚗.jpg", "width": 640, "height": 480}, {"id": 3}, {"id": "text"}],
        "annotations": [
            box | {"id": 1, "image_id": 7, "bbox": [1, 2, 10, 10]},
            box | {"id": 2, "image_id": 3, "bbox": [0.5, 0.25, 10, 10], "iscrowd": 1},
            box | {"id": 3, "image_id": 7, "bbox": [50, 50, 10, 10]},
        ],
        "categories": [{"id": 5, "name": "car"}, {"id": 9, "name": "bus"}],
    }
    results = [
        {"image_id": 7, "category_id": 5, "bbox": [1, 2, 10, 10], "score": 0.25},
        {"image_id": 7, "category_id": 5, "bbox": [300, 2, 10, 10], "score": 0.75},
        {"image_id": "text", "category_id": 9, "bbox": [1, 2, 10, 10], "score": 0.5},
    ]
    return kernel.tables(ground_truth, results)


def all_tables(given_tables: kernel.Tables) -> dict[str, _kernel.Table]:
    """Every table by name."""
    matches = kernel.match(given_tables)
    return {
        "images": given_tables.dataset.images,
        "ground_truth": given_tables.dataset.ground_truth,
        "detections": given_tables.detections.table,
        "matched detections": matches.detections,
        "matched ground truth": matches.ground_truth,
        "pairs": _kernel.overlap_pairs(given_tables.dataset, given_tables.detections),
    }


TABLE_NAMES = ("images", "ground_truth", "detections", "matched detections", "matched ground truth", "pairs")


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_polars_and_pyarrow_read_every_table(name: str) -> None:
    table = all_tables(example())[name]
    expected = {column: table.column(column).to_list() for column in table.column_names}
    assert pl.DataFrame(table).to_dict(as_series=False) == expected
    assert pa.table(table).to_pydict() == expected
    assert pa.table(table).validate(full=True) is None
    assert pa.RecordBatchReader.from_stream(table).read_all().num_rows == table.num_rows


@settings(max_examples=25)
@given(coco_data(Shape(max_objects=4, max_detections=5)))
def test_empty_and_small_tables(data: CocoData) -> None:
    for table in all_tables(kernel.tables(data.ground_truth, data.results)).values():
        frame = pl.DataFrame(table)
        assert frame.columns == table.column_names
        assert frame.height == table.num_rows
        assert pa.table(table).validate(full=True) is None


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_single_columns(name: str) -> None:
    table = all_tables(example())[name]
    for column_name in table.column_names:
        column = table.column(column_name)
        assert column.name == column_name
        assert len(column) == table.num_rows
        assert pa.array(column).to_pylist() == column.to_list()
        assert pl.Series(column_name, column).to_list() == column.to_list()


def test_numeric_columns_lend_their_memory() -> None:
    """Two views of one column are the same memory, in Arrow's hands too, and stay alive without the column."""
    table = example().detections.table
    column = table.column("score")
    view = memoryview(column)
    assert (view.format, view.ndim, view.readonly, view.contiguous) == ("d", 1, True, True)
    assert np.asarray(column).ctypes.data == np.frombuffer(view).ctypes.data
    assert np.asarray(table.column("score")).ctypes.data == np.asarray(column).ctypes.data
    assert pa.array(column).buffers()[1].address == np.asarray(column).ctypes.data
    assert pl.DataFrame(table)["score"].to_arrow().buffers()[1].address == np.asarray(column).ctypes.data
    array = np.asarray(column)
    del view, column, table
    gc.collect()
    assert array.tolist() == [0.75, 0.25, 0.5]


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_dtypes_through_the_buffer_protocol(name: str) -> None:
    table = all_tables(example())[name]
    for column_name in table.column_names:
        column = table.column(column_name)
        values = column.to_list()
        if column.format in NUMPY_TYPES and None not in values:
            array = np.asarray(column)
            assert array.dtype == NUMPY_TYPES[column.format]
            assert array.tolist() == values
            assert not array.flags.writeable


def test_columns_that_have_no_plain_memory_say_so() -> None:
    images = example().dataset.images
    for name in ("file_name", "width"):
        with pytest.raises(BufferError) as caught:
            memoryview(images.column(name))
        assert name in str(caught.value)


def test_nulls_are_nulls_everywhere() -> None:
    images = example().dataset.images
    assert images.column("width").to_list() == [None, 640, None]
    assert images.column("file_name").to_list() == [None, "straße 🚗.jpg", None]
    assert pl.DataFrame(images)["width"].null_count() == 2
    assert pa.table(images)["file_name"].null_count == 2
    taken = kernel.match(example()).detections.column("gt")
    assert taken.to_list() == [None, 0, None] or taken.to_list().count(None) == 2


def test_a_capsule_is_used_once_and_released_unused() -> None:
    """A consumer may ask and never take: nothing leaks and nothing is freed twice."""
    table = example().detections.table
    for _ in range(100):
        table.__arrow_c_stream__()
        table.column("x").__arrow_c_array__()
        table.__arrow_c_schema__()
    gc.collect()
    assert pl.DataFrame(table).height == 3


def test_schema_without_data() -> None:
    table = example().detections.table
    schema: Any = pa.schema(table)
    assert schema.names == table.column_names
    assert pa.field(table.column("score")).type == pa.float64()


def test_a_column_that_does_not_exist() -> None:
    table = example().detections.table
    with pytest.raises(KeyError) as caught:
        table.column("colour")
    assert "colour" in str(caught.value)
    assert "score" in str(caught.value)


def test_order_of_the_tables() -> None:
    """Images: integers ascending, then text. Detections: image, label, descending score. Objects: file order inside."""
    tables = example()
    assert tables.dataset.image_ids == [3, 7, "text"]
    assert tables.dataset.ground_truth.column("source_row").to_list() == [1, 0, 2]
    assert tables.detections.table.column("source_row").to_list() == [1, 0, 2]
    assert tables.detections.table.column("label").to_list() == [0, 0, 1]


def test_overlap_pairs_are_those_of_any_labels() -> None:
    tables = example()
    pairs = pl.DataFrame(_kernel.overlap_pairs(tables.dataset, tables.detections))
    assert pairs.to_dicts() == [{"detection": 1, "ground_truth": 1, "overlap": 1.0}]


def test_curves_lend_the_same_memory_at_every_access() -> None:
    made = example()
    curves = kernel.accumulate(kernel.match(made), 3, scores=True)
    for name in ("precision", "recall", "scores", "positives"):
        first, second = (np.asarray(getattr(curves, name)) for _ in range(2))
        assert first.ctypes.data == second.ctypes.data, name
