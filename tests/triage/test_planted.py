"""Faults planted by the simulator are named by triage."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.slices.slicing import Slicing
from boxscore.triage import Options, Triage, triage
from tests.triage.made import GOOD, detected, scenes, write_metadata


def modes(found: Triage, of: str = "false detections") -> dict[str, dict[str, Any]]:
    return {row["mode"]: row for row in found.breakdown.rows if row["of"] == of}


def test_two_labels_confused() -> None:
    planted = replace(GOOD, confusions={("bus", "truck"): 0.4, ("truck", "bus"): 0.4})
    found = triage(detected(scenes(), planted), Options(search=False))
    false = modes(found)
    assert max(false.values(), key=lambda row: row["cost"])["mode"] == "classification"
    pairs = {(one["object"], one["detected"]) for one in false["classification"]["taken_for"][:2]}
    assert pairs == {("bus", "truck"), ("truck", "bus")}
    missed = modes(found, "missed objects")["wrong label"]["taken_for"][:2]
    assert {(one["object"], one["detected"]) for one in missed} == {("bus", "truck"), ("truck", "bus")}
    clean = modes(triage(detected(scenes(), GOOD), Options(search=False)))
    assert false["classification"]["count"] > 5 * clean["classification"]["count"]


def test_duplicates() -> None:
    planted = replace(GOOD, duplicate_rate=1.0, duplicate_noise=0.5)
    found = modes(triage(detected(scenes(), planted), Options(search=False)))
    assert max(found.values(), key=lambda row: row["count"])["mode"] == "duplicate"
    assert max(found.values(), key=lambda row: row["cost"])["mode"] == "duplicate"
    clean = modes(triage(detected(scenes(), GOOD), Options(search=False)))
    assert max(clean.values(), key=lambda row: row["cost"])["mode"] != "duplicate"


@pytest.fixture(scope="module")
def dark(tmp_path_factory: pytest.TempPathFactory) -> Triage:
    """Difficulty of images is how dark they are; a column that has nothing to do with it stands beside."""
    truth = scenes()
    difficulty = truth.images.difficulty
    rng = np.random.default_rng(0)
    columns = {
        "image_id": truth.images.image_id.tolist(),
        "brightness": (1.0 / (1.0 + np.exp(difficulty))).round(6).tolist(),
        "weather": rng.choice(["dry", "rain", "snow"], len(difficulty)).tolist(),
    }
    path = write_metadata(tmp_path_factory.mktemp("dark") / "meta.csv", columns)
    run = detected(truth, replace(GOOD, difficulty_effect=2.0))
    return triage(run, Options(slicing=Slicing(metadata=path)))


def test_misses_in_dark_images(dark: Triage) -> None:
    assert dark.searched is not None
    first = dark.searched.findings[0]
    assert first.outcome == "missed objects"
    assert [part.column for part in first.parts] == ["brightness"]
    assert first.parts[0].name.startswith("brightness<=")
    assert first.held_out["rate"] > 1.5 * first.held_out["rest"]
    assert first.p_value <= 0.01
    assert not any(len(one.parts) == 1 and one.parts[0].column == "weather" for one in dark.searched.findings)
    missed = modes(dark, "missed objects")["missed"]
    assert missed["slices"][0]["slice"].startswith("brightness<=")


def test_the_dark_is_what_to_collect(dark: Triage) -> None:
    condition = dark.sampling.conditions[0]
    assert list(condition["where"]) == ["brightness"]
    assert dark.sampling.weight({"brightness": 0.01}) > 1.5
    assert dark.sampling.weight({"brightness": 0.99}) == 1.0


def test_the_same_twice_is_the_same(tmp_path: Path) -> None:
    truth = scenes(100)
    ids = truth.images.image_id
    path = write_metadata(tmp_path / "meta.csv", {"image_id": ids.tolist(), "odd": (ids % 2).tolist()})
    options = Options(slicing=Slicing(metadata=path), clusters=True, k=3)
    first, second = (triage(detected(truth, GOOD), options).to_dict() for _ in range(2))
    assert first == second
