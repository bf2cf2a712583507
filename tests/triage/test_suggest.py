"""Sampling weights, and the YAML that holds them."""

from pathlib import Path

import numpy as np
import pytest

from boxscore import InputError
from boxscore.scenes import SceneSpec
from boxscore.slices.slice import Slice
from boxscore.triage import Sampling, read_sampling
from boxscore.triage.findings import Finding
from boxscore.triage.suggest import suggest


def finding(parts: dict[str, str], rate: float, rest: float) -> Finding:
    mask = np.ones(4, dtype=np.bool_)
    slices = [Slice(f"{c}{v}", c, "image", mask, condition=((c, v),)) for c, v in parts.items()]
    one = Finding("missed objects", slices, mask, 3.0, 0.01)
    one.held_out = {"rate": rate, "rest": rest}
    return one


def made() -> Sampling:
    findings = [
        finding({"light": "<=0.25", "weather": "rain"}, 0.6, 0.2),
        finding({"distance": ">5"}, 0.9, 0.1),
        finding({"weather": "snow"}, 0.1, 0.2),
    ]
    return suggest(findings, ["car", "bus", "dog"], np.array([90, 10, 0]), np.array([9, 10, 0]), source="run")


def test_weights_are_ratios_of_rates_held_out() -> None:
    found = made()
    assert [one["weight"] for one in found.conditions] == [3.0, 4.0]  # 9 is held to 4; what failed to hold up is out
    assert found.conditions[0]["where"] == {"light": {"at_most": 0.25}, "weather": {"is": "rain"}}
    # (10 + 10 · 0.19) / (10 + 10) / 0.19
    assert found.labels == {"bus": pytest.approx(3.132, abs=1e-3)}


def test_an_image_has_the_largest_weight_of_what_it_meets() -> None:
    found = made()
    assert found.weight({"light": 0.25, "weather": "rain"}) == 3.0
    assert found.weight({"light": 0.25, "weather": "rain", "distance": 5.5}) == 4.0
    assert found.weight({"light": 0.26, "weather": "rain", "distance": 5}) == 1.0
    assert found.weight({"light": None}) == 1.0


@pytest.mark.parametrize(
    ("stated", "limits"),
    [
        ("(0.25,0.7]", {"above": 0.25, "at_most": 0.7}),
        ("(5,inf]", {"above": 5.0}),
        ("(-inf,3]", {"at_most": 3.0}),
        ("(a,b]", {"is": "(a,b]"}),
        ("(1,2,3]", {"is": "(1,2,3]"}),
    ],
)
def test_a_bin_is_its_ends(stated: str, limits: dict[str, object]) -> None:
    found = suggest([finding({"light": stated}, 0.6, 0.2)], [], np.array([]), np.array([]), source="run")
    assert found.conditions[0]["where"] == {"light": limits}


def test_a_bin_holds_its_upper_end_alone() -> None:
    found = suggest([finding({"light": "(0.25,0.7]"}, 0.6, 0.2)], [], np.array([]), np.array([]), source="run")
    assert [found.weight({"light": value}) for value in (0.25, 0.26, 0.7, 0.71)] == [1.0, 3.0, 3.0, 1.0]


def test_the_file_is_read_again_and_makes_a_scene_specification(tmp_path: Path) -> None:
    path = tmp_path / "next.yaml"
    made().write(path)
    again = read_sampling(path)
    assert again.content == made().content
    assert SceneSpec(**again.content["scene_spec"]).labels == ("bus", "car")
    assert not [entry for entry in tmp_path.iterdir() if entry != path]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("boxscore-sampling", "other", "format must be boxscore-sampling"),
        ("weight: 4.0", "weight: many", "a weight is 'many'"),
        ("at_most: 0.25", "at_most: little", "conditions\\[0\\].where is "),
        ("at_most: 0.25", "below: 0.25", "give each column `is` a value, or `at_most` and `above` numbers"),
        ("labels:\n  bus", "labels: 3\nothers:\n  bus", "labels is 3"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "next.yaml"
    made().write(path)
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_sampling(path)
