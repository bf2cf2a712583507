"""What `predict` and `validate` refuse of `--engine`, before any cluster is asked."""

from pathlib import Path

import pytest

from tests.support.command import boxscore, refusal
from tests.validate import support


@pytest.mark.parametrize("name", ["rays", "ray:/x", "spark"])
def test_engines_that_are_none_are_told(tmp_path: Path, name: str) -> None:
    card, data = support.card(tmp_path), support.data_set(tmp_path / "data")
    commands: tuple[list[str | Path], ...] = (
        ["predict", card, data / "images", "--out", tmp_path / "out.json"],
        ["validate", card, data, "--out", tmp_path / "record.json"],
    )
    for arguments in commands:
        assert f"--engine is {name}; there are threads, ray, and ray://HOST:PORT" in refusal(
            boxscore(*arguments, "--engine", name)
        )
    assert not list(tmp_path.glob("out.json*"))
    assert not list(tmp_path.glob("record*"))


def test_options_that_contradict_an_engine(tmp_path: Path) -> None:
    card, data = support.card(tmp_path), support.data_set(tmp_path / "data")
    predict: list[str | Path] = [
        "predict",
        card,
        data / "images",
        "--out",
        tmp_path / "out.json",
        "--engine",
        "ray",
        "--one-by-one",
    ]
    assert "--one-by-one is for the latency of one machine" in refusal(boxscore(*predict))
    saved: list[str | Path] = ["--predictions", support.saved(tmp_path, data), "--engine", "ray"]
    record: list[str | Path] = ["validate", card, data, "--out", tmp_path / "record.json"]
    assert "--engine says where the model runs" in refusal(boxscore(*record, *saved))
    nowhere = boxscore(*predict[:5], "--engine", "ray://127.0.0.1:1")
    assert "no Ray cluster answers there" in refusal(nowhere)


def test_threads_are_an_engine_too(tmp_path: Path) -> None:
    card, data = support.card(tmp_path), support.data_set(tmp_path / "data")
    told = refusal(boxscore("validate", card, data, "--out", tmp_path / "record.json", "--engine", "threads"))
    assert "ONNX Runtime can't load the model" in told  # the card's file stands in for one
