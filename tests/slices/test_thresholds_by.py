"""Floors by slice, and their gain on images that they were not fitted on."""

from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.measures.thresholds import Aim
from boxscore.pipeline.sliced import Slicing, slices_of
from boxscore.pipeline.sliced_thresholds import fit_by
from boxscore.pipeline.thresholds import fit
from boxscore.stats.plans import blocks
from tests.slices import made


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return made.ground_truth(images=60)


@pytest.fixture(scope="module")
def found(truth: dict[str, Any]) -> list[made.Row]:
    return made.results(truth)


@pytest.fixture(scope="module")
def run(truth: dict[str, Any], found: list[made.Row]) -> boxscore.Run:
    return boxscore.evaluate(truth, found, protocol="operating-point")


@pytest.mark.parametrize("aim", ["best-f1", "recall-at-precision=0.6", "max-fp-per-image=0.2"])
def test_floors_of_a_slice_are_those_fitted_on_its_images(
    run: boxscore.Run, truth: dict[str, Any], found: list[made.Row], aim: str
) -> None:
    by = fit_by(run, Aim(aim), Slicing(["weather"]))
    shared = fit(run, Aim(aim))
    for name, one in by.by_slice.items():
        keep = made.only(truth, found, lambda image, name=name: f"weather={image['weather']}" == name)  # type: ignore[misc]  # bound now
        alone = fit(boxscore.evaluate(*keep, protocol="operating-point"), Aim(aim))
        assert one.not_fitted == alone.not_fitted
        for label, floor in one.floors.by_label.items():
            expected = shared if label in alone.not_fitted else alone
            assert floor == expected.floors.by_label[label]


def test_gains_are_counted_on_images_not_fitted_on(
    run: boxscore.Run, truth: dict[str, Any], found: list[made.Row]
) -> None:
    """Both halves by hand: floors of files of one half, counts of files of the other."""
    by = fit_by(run, Aim("best-f1"), Slicing(["weather"]), resampling=boxscore.Resampling(unit="image", seed=4))
    kept = blocks(list(range(60)), 60, most=2, seed=4).weights
    assert kept is not None
    counts: dict[tuple[str, str], list[int]] = {}
    for weights in kept:

        def evaluated(inside: int, weather: str | None = None, weights: Any = weights) -> boxscore.Run:
            part = made.only(
                truth, found, lambda i: weights[i["id"]] == inside and (weather is None or i["weather"] == weather)
            )
            return boxscore.evaluate(*part, protocol="operating-point")

        shared = fit(evaluated(1), Aim("best-f1"))
        for weather in ("rain", "sun", "fog"):
            own = fit(evaluated(1, weather), Aim("best-f1"))
            floors = {
                label: shared.floors.by_label[label] for label in own.not_fitted if label in shared.floors.by_label
            }
            completed = own.floors.replaced(by_label=floors | own.floors.by_label)
            for side, chosen in (("shared", shared.floors), ("own", completed)):
                seen = evaluated(0, weather).at_floors(chosen)
                total = counts.setdefault((weather, side), [0, 0, 0])
                for place, kind in enumerate(("TP", "FP", "FN")):
                    total[place] += int(seen.value(kind) or 0)
    for row in by.gains[1:]:
        weather = row["slice"].removeprefix("weather=")
        for side in ("shared", "own"):
            assert [row[side][kind] for kind in ("TP", "FP", "FN")] == counts[weather, side]
        assert row["gain"] == row["own"]["f"] - row["shared"]["f"]
        assert row["low"] is None or row["low"] <= row["high"]
    whole = by.gains[0]
    assert whole["shared"]["TP"] == sum(counts[weather, "shared"][0] for weather in ("rain", "sun", "fog"))


def test_groups_are_never_torn_apart(run: boxscore.Run) -> None:
    by = fit_by(run, Aim("best-f1"), Slicing(["weather"]))
    assert by.unit == "group"
    assert fit_by(run, Aim("best-f1"), Slicing(["weather"])).to_dict() == by.to_dict()


def test_one_floor_for_all_labels(run: boxscore.Run) -> None:
    by = fit_by(run, Aim("best-f1"), Slicing(["weather"]), by_label=False)
    for one in slices_of(run, Slicing(["weather"])):
        floors = by.by_slice[one.name].floors
        assert floors.by_label == {}
    best = max((run.value(f"F1[conf={conf}]"), conf) for conf in (0.125, 0.25, 0.5, 0.625, 0.875))
    assert run.value(f"F1[conf={by.shared.floors.default}]") == best[0]


@pytest.mark.parametrize(
    ("slicing", "folds", "words"),
    [
        (Slicing(["tier"]), 2, "slices objects"),
        (Slicing(["weather", "hour"]), 2, "one column"),
        (Slicing(["weather"]), 1, "2 parts or more"),
        (Slicing(["weather"]), 9, "2 parts or more"),
        (Slicing(["distance:100,200"]), 2, "no image is in a slice"),
    ],
)
def test_what_cannot_be_fitted(run: boxscore.Run, slicing: Slicing, folds: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fit_by(run, Aim("best-f1"), slicing, folds=folds)


def test_its_file_is_a_file_of_floors(run: boxscore.Run, truth: dict[str, Any], found: Any, tmp_path: Path) -> None:
    from boxscore.io import yaml_files

    by = fit_by(run, Aim("best-f1"), Slicing(["weather"]))
    path = tmp_path / "floors.yaml"
    path.write_text(yaml_files.dump(by.to_dict()))
    again = boxscore.evaluate(truth, found, protocol="operating-point", thresholds=path)
    assert again.floors is not None
    assert again.floors.by_label == by.shared.floors.by_label
    assert "thresholds-of-slices" in [note.code for note in again.notes]
