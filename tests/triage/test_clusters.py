"""Clusters of failures: structure is found and described, and where there is none that is said."""

import numpy as np
import polars as pl
import pytest

from boxscore import InputError
from boxscore.triage.clusters import Clustering, cluster
from boxscore.triage.described import described, words
from boxscore.triage.features import Feature, features_of


def failures(light: list[float], weather: list[str], modes: list[str]) -> pl.DataFrame:
    size = len(light)
    return pl.DataFrame(
        {
            "light": light,
            "weather": weather,
            "scene_id": [str(n) for n in range(size)],
            "match_type": ["fn"] * size,
            "failure_mode": modes,
            "gt_box_area": [100.0] * size,
            "pred_box_area": [None] * size,
            "gt_tier": [None] * size,
        },
        schema_overrides={"pred_box_area": pl.Float64, "gt_tier": pl.String},
    )


def clustered(frame: pl.DataFrame, k: int | None = None) -> tuple[Clustering, list[Feature]]:
    features = features_of(frame)
    return cluster(features, frame.height, k=k), features


def test_kinds_of_failures_are_found_and_described() -> None:
    rng = np.random.default_rng(0)
    light = np.concatenate([rng.normal(0.1, 0.02, 60), rng.normal(0.5, 0.02, 80), rng.normal(0.9, 0.02, 100)])
    frame = failures(light.tolist(), ["rain"] * 60 + ["dry"] * 180, ["missed"] * 60 + ["wrong label"] * 180)
    found, features = clustered(frame)
    assert found.word == "stable"
    assert found.stability is not None
    assert found.stability > 0.95
    rows = described(found.labels, frame, features)
    assert [row["count"] for row in rows] == sorted((row["count"] for row in rows), reverse=True)
    rain = next(row for row in rows if row["count"] == 60)
    assert (rain["mode"], rain["mode_share"]) == ("missed", 1.0)
    told = [words(one) for one in rain["apart"]]
    assert "weather=rain 100 % (all 25 %)" in told
    light_of_rain = next(one for one in rain["apart"] if one["feature"] == "light")
    assert light_of_rain["here"] == pytest.approx(0.1, abs=0.01)
    assert light_of_rain["all"] == pytest.approx(light.mean())


def test_k_is_taken_as_given() -> None:
    rng = np.random.default_rng(0)
    frame = failures(rng.random(80).tolist(), ["dry"] * 80, ["missed"] * 80)
    found, _ = clustered(frame, k=4)
    assert (found.k, found.chosen) == (4, False)
    assert sorted(np.unique(found.labels).tolist()) == [0, 1, 2, 3]


def test_unrelated_features_have_no_structure() -> None:
    rng = np.random.default_rng(2)
    size = 300
    frame = failures(
        rng.normal(size=size).tolist(),
        rng.choice(["dry", "rain"], size).tolist(),
        rng.choice(["missed", "localisation"], size).tolist(),
    )
    found, _ = clustered(frame)
    assert found.word == "no structure"
    assert "shuffled features cluster as well" in found.reason


def test_too_few_failures() -> None:
    found, _ = clustered(failures([0.1, 0.9] * 5, ["dry"] * 10, ["missed"] * 10))
    assert (found.k, found.word) == (1, "no structure")
    assert "too few" in found.reason


def test_no_failure_at_all() -> None:
    found, features = clustered(failures([], [], []))
    assert (features, found.word, found.reason) == (
        [],
        "no structure",
        "0 failures, 0 of them different, are too few to cluster",
    )


def test_more_clusters_than_failures_are_refused() -> None:
    with pytest.raises(InputError, match="different ones"):
        clustered(failures([0.1, 0.9] * 20, ["dry"] * 40, ["missed"] * 40), k=3)


def test_each_feature_weighs_alike() -> None:
    rng = np.random.default_rng(0)
    frame = failures((1000 * rng.random(50)).tolist(), rng.choice(["a", "b", "c"], 50).tolist(), ["missed"] * 50)
    found = {one.name: one for one in features_of(frame)}
    assert set(found) == {"light", "weather"}  # area and mode have one value
    assert found["weather"].categories == ["a", "b", "c"]
    for one in found.values():
        assert (one.values**2).mean(axis=0).sum() == pytest.approx(1.0)
        assert one.values.mean(axis=0) == pytest.approx(0.0, abs=1e-12)
