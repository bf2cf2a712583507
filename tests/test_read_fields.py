"""Further fields of a COCO file, read in a second pass."""

from pathlib import Path

import polars as pl
import pytest

import boxscore

GROUND_TRUTH = {
    "info": {"images": [{"weather": "wrong"}]},
    "images": [
        {"id": 2, "weather": "rain", "hour": 3, "tags": ["a"]},
        {"id": 1, "hour": 4.5, "night": True},
        {"weather": None, "id": 3, "hour": 1e3, "night": False, "tags": {"b": 1}},
    ],
    "annotations": [],
    "categories": [{"id": 1, "name": "thing"}],
}


def test_columns_in_file_order_with_nulls() -> None:
    table = pl.DataFrame(boxscore.read_fields(GROUND_TRUTH, "images", ["hour", "weather", "night", "tags"]))
    assert table.to_dict(as_series=False) == {
        "hour": [3.0, 4.5, 1000.0],
        "weather": ["rain", None, None],
        "night": [None, True, False],
        "tags": ['["a"]', None, '{"b": 1}'],
    }


def test_results_have_fields_too() -> None:
    results = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1, "track": i} for i in (7, 5)]
    table = boxscore.read_fields(results, "results", ["track"])
    assert table.column("track").to_list() == [7, 5]
    assert table.column("track").format == "Int64"


def test_errors_name_section_file_and_byte(tmp_path: Path) -> None:
    with pytest.raises(boxscore.InputError, match=r"no section 'pictures'.*images, annotations"):
        boxscore.read_fields(GROUND_TRUTH, "pictures", ["id"])
    path = tmp_path / "cut.json"
    path.write_text('{"images": [{"id": 1, "weather": ')
    with pytest.raises(boxscore.InputError, match=r"cut\.json.*byte 33"):
        boxscore.read_fields(path, "images", ["weather"])
    path.write_text('{"images": [{"id": 1}, {"id": 2, "weather": rain}]}')
    with pytest.raises(boxscore.InputError, match=r"cut\.json images entry 1: weather: .*'rain"):
        boxscore.read_fields(path, "images", ["weather"])


def test_images_are_grouped_by_a_field() -> None:
    dataset = boxscore.read_ground_truth(GROUND_TRUTH, group_by="weather")
    assert dataset.images.column("image_id").to_list() == [1, 2, 3]
    assert dataset.images.column("group").to_list() == [None, "rain", None]
    assert boxscore.read_ground_truth(GROUND_TRUTH).images.column("group").to_list() == [None] * 3
    with pytest.raises(boxscore.InputError, match="no image has a field 'clip' to group by"):
        boxscore.read_ground_truth(GROUND_TRUTH, group_by="clip")
