"""What is resampled: images, or the groups that a field, an expression or a run folder says."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore import Resampling
from boxscore.pipeline.saved import load_run
from boxscore.pipeline.units import Units, units_of
from tests.intervals import samples
from tests.runs import samples as without_boxes

CLIPS = r"(?P<clip>clip\d+)/"


def run(**options: Any) -> boxscore.Run:
    return boxscore.evaluate(samples.ground_truth(**options), samples.results())


def by_image(evaluated: boxscore.Run, units: Units) -> dict[Any, str]:
    """The name of each image's group."""
    numbers = units.of_image.tolist()
    return {id_: units.names[number] for id_, number in zip(evaluated.image_ids, numbers, strict=True)}


@pytest.mark.parametrize("field", ["group", "clip", "clip_id", "video", "video_id", "session", "camera"])
def test_a_field_by_a_known_name_groups(field: str) -> None:
    evaluated = run(field=field)
    units = units_of(evaluated, Resampling())
    assert (units.kind, units.count, units.names) == ("group", 3, ["c0", "c1", "c2"])
    assert by_image(evaluated, units) == {id_: f"c{int(id_) // 10}" for id_ in evaluated.image_ids}
    assert [note.code for note in units.notes] == ["grouped"]
    assert f"3 groups by field '{field}'" in str(units.notes[0])


def test_the_first_field_that_all_images_have_is_taken() -> None:
    truth = samples.ground_truth(field="camera")
    for image in truth["images"][1:]:
        image["clip"] = "same"
    evaluated = boxscore.evaluate(truth, samples.results())
    assert units_of(evaluated, Resampling()).names == ["c0", "c1", "c2"]


def test_a_field_that_some_images_lack_is_told_of() -> None:
    truth = samples.ground_truth(field="camera")
    del truth["images"][0]["camera"]
    evaluated = boxscore.evaluate(truth, samples.results())
    units = units_of(evaluated, Resampling())
    assert (units.kind, units.count) == ("image", 12)
    assert [(note.code, note.count) for note in units.notes] == [("groups-incomplete", 1)]
    assert "field 'camera' of the images would group them, but image 3 (clip0/frame_003.jpg) has none" in str(
        units.notes[0]
    )
    asked = units_of(evaluated, Resampling(group_by="camera", ungrouped="single"))
    assert (asked.kind, asked.count) == ("group", 4)
    assert [note.code for note in units_of(evaluated, Resampling(unit="image")).notes] == []


def test_without_groups_images_are_drawn() -> None:
    units = units_of(run(field=None), Resampling())
    assert (units.kind, units.count, units.notes) == ("image", 12, [])
    assert units.of_image.tolist() == list(range(12))


def test_images_though_groups_are_declared() -> None:
    units = units_of(run(), Resampling(unit="image"))
    assert (units.kind, units.count) == ("image", 12)
    assert [note.code for note in units.notes] == ["groups-disregarded"]


def test_a_field_of_any_name_on_request() -> None:
    assert units_of(run(field="weather"), Resampling()).kind == "image"
    assert units_of(run(field="weather"), Resampling(group_by="weather")).count == 3


def test_groups_read_with_the_ground_truth() -> None:
    truth = samples.ground_truth(field="weather")
    dataset = boxscore.read_ground_truth(truth, group_by="weather")
    evaluated = boxscore.evaluate(dataset, boxscore.read_predictions(samples.results(), dataset))
    assert units_of(evaluated, Resampling()).names == ["c0", "c1", "c2"]
    assert evaluated.groups is not None
    assert evaluated.groups.rule == {"field": "weather"}


def test_an_expression_over_file_names() -> None:
    units = units_of(run(field=None), Resampling(group_regex=CLIPS))
    assert (units.kind, units.names) == ("group", ["clip0", "clip1", "clip2"])


def test_an_expression_over_ids_where_there_are_no_file_names() -> None:
    evaluated = without_boxes.streamed()
    units = units_of(evaluated, Resampling(group_regex=r"^(?P<tens>\d|night)"))
    assert by_image(evaluated, units) == {3: "3", 12: "1", 40: "4", "night": "night"}


def test_a_name_without_a_match_is_refused() -> None:
    evaluated = run(field=None)
    with pytest.raises(boxscore.InputError, match=r"no group in the name of image 20 \(clip2/frame_000\.jpg\), nor in"):
        units_of(evaluated, Resampling(group_regex=r"(?P<clip>clip[01])/"))
    lone = Resampling(group_regex=r"(?P<clip>clip[01])/", ungrouped="single")
    units = units_of(evaluated, lone)
    assert (units.count, units.names) == (6, ["clip0", "clip1", "20", "21", "22", "23"])
    assert "2 groups and 4 images without one" in str(units.notes[0])


def test_a_group_that_took_no_part_in_the_match_is_no_group() -> None:
    with pytest.raises(boxscore.InputError, match=r"name of image 10 \(clip1/"):
        units_of(run(field=None), Resampling(group_regex="clip(?P<zero>0)?"))


def test_a_field_that_an_image_lacks() -> None:
    truth = samples.ground_truth(field="weather")
    next(image for image in truth["images"] if image["id"] == 11).pop("weather")
    evaluated = boxscore.evaluate(truth, samples.results())
    with pytest.raises(boxscore.InputError, match=r"image 11 \(clip1/frame_001\.jpg\) has no group .*ungrouped"):
        units_of(evaluated, Resampling(group_by="weather"))
    assert units_of(evaluated, Resampling(group_by="weather", ungrouped="single")).count == 4


def test_groups_that_are_not_there() -> None:
    with pytest.raises(boxscore.InputError, match="no image has a field 'wether' to group by"):
        units_of(run(), Resampling(group_by="wether"))
    with pytest.raises(boxscore.InputError, match="groups are to be resampled, and the data declare none"):
        units_of(run(field=None), Resampling(unit="group"))
    with pytest.raises(boxscore.InputError, match="this run has no groups"):
        units_of(without_boxes.streamed(), Resampling(group_by="clip"))


def test_groups_from_a_form_without_fields(tmp_path: Path) -> None:
    table = "image_id,file_name,label,x,y,w,h{}\n1,a_1.jpg,cat,0,0,9,9{}\n2,b_1.jpg,cat,0,0,9,9{}\n"
    (tmp_path / "gt.csv").write_text(table.format("", "", ""))
    (tmp_path / "pred.csv").write_text(table.format(",score", ",0.5", ",0.6"))
    evaluated = boxscore.evaluate(tmp_path / "gt.csv", tmp_path / "pred.csv")
    assert units_of(evaluated, Resampling(group_regex="^(?P<letter>.)")).names == ["a", "b"]
    with pytest.raises(boxscore.InputError, match=r"no further field 'clip' to group .*there is none"):
        units_of(evaluated, Resampling(group_by="clip"))


def test_groups_from_a_column_of_a_table(tmp_path: Path) -> None:
    rows = ["image_id,label,x,y,w,h,clip,colour", "1,cat,0,0,9,9,b,red", "1,cat,20,0,9,9,b,blue", "2,cat,0,0,9,9,a,red"]
    (tmp_path / "gt.csv").write_text("\n".join(rows))
    (tmp_path / "pred.csv").write_text("image_id,label,x,y,w,h,score\n1,cat,0,0,9,9,0.5\n")
    evaluated = boxscore.evaluate(tmp_path / "gt.csv", tmp_path / "pred.csv")
    assert units_of(evaluated, Resampling(group_by="clip")).names == ["b", "a"]
    with pytest.raises(boxscore.InputError, match="objects of image 1 have several values of 'colour', 'red' and 'blu"):
        units_of(evaluated, Resampling(group_by="colour"))
    with pytest.raises(boxscore.InputError, match=r"no further field 'color' .*there are clip, colour"):
        units_of(evaluated, Resampling(group_by="color"))
    evaluated.with_intervals(Resampling(group_by="clip")).save(tmp_path / "run")
    assert units_of(load_run(tmp_path / "run"), Resampling()).names == ["b", "a"]


def test_a_file_that_was_changed_meanwhile(tmp_path: Path) -> None:
    paths = samples.files(tmp_path)
    evaluated = boxscore.evaluate(*paths)
    paths[0].write_text('{"images": [{"id": 99, "clip": "a"}], "annotations": [], "categories": []}')
    with pytest.raises(boxscore.InputError, match=r"gt\.json was changed since it was read"):
        units_of(evaluated, Resampling())
    paths[0].unlink()
    with pytest.raises(boxscore.InputError, match=r"second pass, for which the file is gone"):
        units_of(boxscore.evaluate(*samples_again(tmp_path)), Resampling(group_by="clip"))


def samples_again(folder: Path) -> tuple[boxscore.Dataset, list[dict[str, Any]]]:
    """A data set whose file is gone."""
    path, _ = samples.files(folder)
    dataset = boxscore.read_ground_truth(path)
    path.unlink()
    return dataset, samples.results()


def test_a_run_folder_keeps_groups_and_file_names(tmp_path: Path) -> None:
    evaluated = boxscore.evaluate(*samples.files(tmp_path))
    evaluated.save(tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    assert loaded.file_names == evaluated.file_names
    assert loaded.groups is not None
    assert loaded.groups.rule == {"field": "clip"}
    assert json.loads((tmp_path / "run" / "run.json").read_text())["grouped_by"] == {"field": "clip"}
    for resampling in (Resampling(), Resampling(group_by="clip"), Resampling(group_regex=CLIPS)):
        mine, its = units_of(evaluated, resampling), units_of(loaded, resampling)
        assert (mine.of_image.tolist(), mine.names) == (its.of_image.tolist(), its.names)
    with pytest.raises(boxscore.InputError, match="this run has the groups of field 'clip' of the images alone"):
        units_of(loaded, Resampling(group_by="weather"))
    loaded.save(tmp_path / "again")
    again = load_run(tmp_path / "again")
    assert (again.file_names, again.groups is not None) == (evaluated.file_names, True)


def test_groups_survive_another_reading_of_boxes_and_labels_disregarded() -> None:
    truth = samples.ground_truth()
    options = boxscore.FormOptions(boxes="cxcywh")
    for evaluated in (
        boxscore.evaluate(truth, samples.results(), label_agnostic=True),
        boxscore.evaluate(truth, samples.results(), gt_options=options),
        boxscore.evaluate(truth, samples.results(), taxonomy={"aliases": {"cat": "pet", "dog": "pet"}}),
    ):
        assert units_of(evaluated, Resampling()).names == ["c0", "c1", "c2"]
    dataset = boxscore.read_ground_truth(truth, group_by="clip", options=options)
    assert dataset.images.column("group").to_list() == [f"c{int(id_) // 10}" for id_ in dataset.image_ids]
