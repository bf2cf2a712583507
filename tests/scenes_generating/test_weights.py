"""Scenes by weights: in proportion to them, and so that a detector fails more often on what triage asks for."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore
from boxscore import InputError
from boxscore.scenes.generating import Schedule
from boxscore.slices.slicing import Slicing
from boxscore.triage import Options, Sampling, read_sampling, triage
from tests.scenes_generating.made import contents, make, manifest_of, small, truth_of

DARK = {"name": "ambient_light<=0.25", "where": {"ambient_light": {"at_most": 0.25}}, "weight": 4.0}
FAR = {"name": "profile=far", "where": {"profile": {"is": "far"}}, "weight": 2.0}
BRIGHT = {"name": "ambient_light>0.7", "where": {"ambient_light": {"above": 0.7}}, "weight": 3.0}


def sampling(*conditions: dict[str, Any], default: float = 1.0, **labels: float) -> Sampling:
    names = {name.replace("_", " "): weight for name, weight in labels.items()}
    return Sampling({"default": default, "conditions": list(conditions), "labels": names})


def test_profiles_come_in_proportion_to_weight() -> None:
    counts = Schedule.of(small(1000), sampling(DARK, FAR)).counts
    # .30, .15, .15 · 4, .15 · 2, .15, .10 of 1.6
    expected = {"baseline": 187.5, "crowded": 93.75, "dark": 375, "far": 187.5, "occluded": 93.75, "steep": 62.5}
    assert counts == {name: pytest.approx(value, abs=1.5) for name, value in expected.items()}
    assert sum(counts.values()) == 1000


def test_without_an_effect_counts_are_those_of_the_profiles() -> None:
    everywhere = {"name": "all", "where": {"ambient_light": {"above": 0}}, "weight": 2.5}
    assert Schedule.of(small(100), sampling(everywhere)).counts == Schedule.of(small(100)).counts


def test_within_a_profile_scenes_come_in_proportion_to_weight() -> None:
    asked = small(600, profiles=("baseline",))
    schedule = Schedule.of(asked, sampling(BRIGHT))
    ambient = np.array([plan.ambient for plan in map(schedule.plan, range(600))])
    # Uniform on 0.5 to 0.9, the upper half three times as often: 3/4, give or take four standard errors.
    assert abs((ambient > 0.7).mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 600)
    bright = ambient[ambient > 0.7]
    assert abs(bright.mean() - 0.8) < 4 * 0.2 / np.sqrt(12 * len(bright))
    plain = np.array([plan.ambient for plan in map(Schedule.of(asked).plan, range(600))])
    assert abs((plain > 0.7).mean() - 0.5) < 4 * np.sqrt(0.25 / 600)


def test_what_weighs_nothing_is_not_made() -> None:
    schedule = Schedule.of(small(30), sampling(DARK, default=0.0))
    assert schedule.counts == {"dark": 30}


def test_a_condition_that_a_profile_never_meets_ends() -> None:
    never = {"name": "n", "where": {"num_objects": {"above": 99}}, "weight": 4.0}
    schedule = Schedule.of(small(5), sampling(never))
    assert [schedule.plan(index).index for index in range(5)] == [0, 1, 2, 3, 4]


def test_labels_that_weigh_more_come_more_often() -> None:
    asked = small(200)
    weighted = Schedule.of(asked, sampling(bowl=4.0, sports_ball=0.0))
    plain = Schedule.of(asked)
    found, before = (
        Counter(body.label for plan in map(schedule.plan, range(200)) for body in plan.objects)
        for schedule in (weighted, plain)
    )
    assert found["bowl"] > 2 * before["bowl"]
    assert found["sports ball"] == 0 < before["sports ball"]


def test_scenes_by_weights_are_reproduced_and_recorded(tmp_path: Path) -> None:
    one, other = (make(tmp_path / name, sampling=sampling(DARK, FAR), only=[3, 9]) for name in ("one", "other"))
    assert contents(one.folder) == contents(other.folder)
    whole = make(one.folder, sampling=sampling(DARK, FAR), processes=2)
    again = make(tmp_path / "again", sampling=sampling(DARK, FAR))
    assert contents(whole.folder) == contents(again.folder)
    assert manifest_of(one.folder)["made_with"]["weights"] == {
        "default": 1.0,
        "conditions": [DARK, FAR],
        "labels": {},
    }
    with pytest.raises(InputError, match=r"weights there .*, now null"):
        make(one.folder)


def test_a_pair_and_a_bin_are_followed() -> None:
    pair = {
        "name": "profile=dark & ambient_light=(0.1,0.15]",
        "where": {"profile": {"is": "dark"}, "ambient_light": {"above": 0.1, "at_most": 0.15}},
        "weight": 4.0,
    }
    schedule = Schedule.of(small(50), sampling(pair, default=0.0))
    assert schedule.counts == {"dark": 50}
    assert all(0.1 < schedule.plan(index).ambient <= 0.15 for index in range(50))


def test_what_cannot_be_followed_is_told() -> None:
    seen = {"name": "num_visible<=1", "where": {"num_visible": {"at_most": 1}}, "weight": 2.0}
    sql = {"name": "wet", "where": {}, "weight": 2.0}
    steering = Schedule.of(small(), sampling(DARK, seen, sql, person=2.0)).steering
    assert steering is not None
    told = "\n".join(steering.notes)
    assert "'num_visible<=1' is not followed: scenes have no num_visible before they are rendered" in told
    assert "'wet' is not followed: it is a condition in SQL" in told
    assert "labels that scenes don't have are not followed: person" in told
    assert steering.followed["conditions"] == [DARK]
    with pytest.raises(InputError, match=r"names no condition and no label that scenes could follow.*num_visible"):
        Schedule.of(small(), sampling(seen))


def test_weights_that_are_all_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="are all 0"):
        Schedule.of(small(), sampling({**DARK, "weight": 0}, default=0.0))
    with pytest.raises(InputError, match="all 0"):
        Schedule.of(small(profiles=("far",)), sampling(DARK, default=0.0))


def detected(truth: dict[str, list[dict[str, Any]]], seed: int) -> list[dict[str, Any]]:
    """By a detector that is bad in the dark and from afar, less so in a crowd; each object is found by a chance."""
    images = {row["id"]: row for row in truth["images"]}
    rng = np.random.default_rng(seed)
    found = []
    for row in truth["annotations"]:
        image = images[row["image_id"]]
        seen = min(1.0, image["ambient_light"] / 0.5) * (0.4 if image["camera_distance"] > 4 else 1.0)
        chance = 0.95 * seen * (0.8 if image["num_clutter"] + image["num_occluders"] else 1.0)
        if rng.random() < chance * row["visible_fraction"]:
            found.append({**{name: row[name] for name in ("image_id", "category_id", "bbox")}, "score": 0.9})
    return found


def missed(folder: Path, seed: int) -> float:
    run = boxscore.evaluate(folder / "ground_truth.json", detected(truth_of(folder), seed))
    recall = run.value("recall[conf=0.5]@0.5")
    assert recall is not None
    return 1.0 - recall


def test_the_suggested_set_is_harder_than_the_plain_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop as it is meant: make, detect, triage, make what it suggests; then other scenes and new luck."""
    # All in this process: starting others takes longer than what they would do.
    monkeypatch.setattr("boxscore.scenes.generating.processes.SCENES_A_PROCESS", 300)
    gained = []
    for seed in (1, 2, 3, 4):
        plain = make(tmp_path / f"plain{seed}", small(300, seed=seed))
        run = boxscore.evaluate(plain.ground_truth, detected(truth_of(plain.folder), seed))
        options = Options(confidence=0.5, slicing=Slicing(metadata=plain.folder / "metadata.csv"))
        triage(run, options).sampling.write(tmp_path / "next.yaml")
        other = small(300, seed=seed + 100)
        suggested = make(tmp_path / f"next{seed}", other, sampling=read_sampling(tmp_path / "next.yaml"))
        again = make(tmp_path / f"again{seed}", other)
        assert missed(suggested.folder, 7) > max(missed(again.folder, 7), missed(plain.folder, 7))
        gained.append(missed(suggested.folder, 7) - missed(again.folder, 7))
    assert np.mean(gained) > 0.05, gained
