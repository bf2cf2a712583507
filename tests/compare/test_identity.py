"""Runs that were not made alike are refused, and the message names what differs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.compare import compare
from boxscore.compare.loading import load_folders
from boxscore.pipeline.identity import refuse_different
from tests.compare import made

IMAGES = 8
RESULTS = made.predictions(IMAGES, 0.7)


def run(change: Callable[[made.Row], object] = lambda _: None, results: Any = RESULTS, **options: Any) -> boxscore.Run:
    """An evaluation of ground truth that was changed."""
    truth = made.ground_truth(IMAGES)
    change(truth)
    return boxscore.evaluate(truth, results, **options)


def moved(truth: made.Row) -> None:
    truth["annotations"][13]["bbox"][0] += 1


def shorter(truth: made.Row) -> None:
    truth["images"].pop()
    del truth["annotations"][-4:]


def renumbered(truth: made.Row) -> None:
    truth["images"][-1]["id"] = 99
    for annotation in truth["annotations"][-4:]:
        annotation["image_id"] = 99


def renamed(truth: made.Row) -> None:
    truth["categories"][1]["name"] = "lorry"


def exchanged(truth: made.Row) -> None:
    for category, number in zip(truth["categories"], (1, 0), strict=True):
        category["id"] = number


DROP = boxscore.Reading(unknown_images="drop")
OTHERS: dict[str, tuple[Callable[[], boxscore.Run], str]] = {
    "IoU thresholds": (lambda: run(iou=0.5), r"iou_thresholds is \[0.5, .*0.9, 0.95\] of a and \[0.5\] of b"),
    "rule": (lambda: run(protocol="voc2012"), "protocol field rule is 'coco' of a and 'voc' of b"),
    "area": (
        lambda: run(reading=boxscore.Reading(area="box")),
        "protocol field object_area is 'field' of a and 'box' of b",
    ),
    "label-agnostic": (lambda: run(label_agnostic=True), "label_agnostic is False of a and True of b"),
    "labels": (lambda: run(renamed), 'only a has "van" and only b has "lorry"'),
    "fewer labels": (lambda: run(labels=["car"]), 'labels differ: only a has "van"; .*--labels'),
    "order of labels": (lambda: run(exchanged), "the same names stand in another order"),
    "fewer images": (
        lambda: run(shorter, reading=DROP),
        r"number of images: 8 of a, 7 of b \(only a has image 7\)",
    ),
    "other images": (lambda: run(renumbered, reading=DROP), r"images \(only a has image 7, only b has image 99\)"),
    "boxes": (lambda: run(moved), "ground truth differs in 1 of 8 images, first image 3;"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_field_that_differs_is_named(name: str) -> None:
    make, words = OTHERS[name]
    with pytest.raises(boxscore.InputError, match=words) as refused:
        compare({"a": run(), "b": make()})
    assert "a and b can't be compared: " in str(refused.value)


def test_what_decides_no_figure_may_differ() -> None:
    def annotated(truth: made.Row) -> None:
        for annotation in truth["annotations"]:
            annotation["id"] += 1000

    refuse_different({"a": run(), "b": run(annotated, threads=1)})


def test_every_run_is_held_to_the_first() -> None:
    with pytest.raises(boxscore.InputError, match="a and c can't be compared"):
        compare({"a": run(), "b": run(), "c": run(moved)})


def floored(floors: Any, **options: Any) -> boxscore.Run:
    return run(protocol="operating-point", thresholds=floors, **options)


def test_floors_must_be_the_same_unless_each_has_its_own() -> None:
    runs = {"a": floored({"car": 0.4}), "b": floored({"car": 0.5})}
    with pytest.raises(
        boxscore.InputError, match=r'the confidence floor of "car" is 0.4 of a and 0.5 of b; .*--own-floors'
    ):
        compare(runs)
    found = compare(runs, measures="recall", own_floors=True)
    assert [note.code for note in found.notes][-1] == "floors-differ"
    assert {model.model: model.point for model in found.find("recall").models} == {
        name: one.value("recall") for name, one in runs.items()
    }


def test_the_protocols_own_floor_is_a_floor_like_others() -> None:
    runs = {"a": run(protocol="operating-point"), "b": run(protocol="operating-point", confidence=0.6)}
    with pytest.raises(
        boxscore.InputError, match=r"protocol field confidence is 0.25 of a and 0.6 of b; .*--own-floors"
    ):
        compare(runs)
    assert compare(runs, measures="recall", own_floors=True).find("recall").pairs[0].a == "a"


def test_own_floors_do_not_let_other_protocols_through() -> None:
    with pytest.raises(boxscore.InputError, match="protocol field rule"):
        compare({"a": run(), "b": run(protocol="operating-point")}, own_floors=True)


def saved(folder: Path, **runs: boxscore.Run) -> list[str]:
    for name, one in runs.items():
        one.save(folder / name)
    return [str(folder / name) for name in runs]


def test_folders_name_the_image_too(tmp_path: Path) -> None:
    loaded = load_folders(saved(tmp_path, a=run(), b=run(moved)))
    with pytest.raises(boxscore.InputError, match="ground truth differs in 1 of 8 images, first image 3"):
        refuse_different(loaded.runs, loaded.saved)
    # Without the folders' tables the digests still tell.
    with pytest.raises(boxscore.InputError, match=r"ground truth differs \(digests.data\)"):
        refuse_different(loaded.runs)


def test_folders_of_other_corners(tmp_path: Path) -> None:
    one, other = run(), run()
    assert other.dataset is not None
    other.dataset.corner_convention = "inclusive"
    loaded = load_folders(saved(tmp_path, a=one, b=other))
    with pytest.raises(boxscore.InputError, match="corner_convention is 'continuous' of a and 'inclusive' of b"):
        refuse_different(loaded.runs, loaded.saved)


def test_folders_of_another_arithmetic(tmp_path: Path) -> None:
    loaded = load_folders(saved(tmp_path, a=run(), b=run()))
    loaded.saved["b"].manifest["arithmetic"] += 1
    with pytest.raises(boxscore.InputError, match="b was matched by arithmetic version"):
        refuse_different(loaded.runs, loaded.saved)


def test_a_run_that_does_not_say_on_what_it_was_made() -> None:
    one = run()
    unknown = boxscore.Run(one.matches, one.labels, image_ids=one.image_ids)
    with pytest.raises(boxscore.InputError, match="b does not say on which ground truth it was made"):
        compare({"a": one, "b": unknown})
