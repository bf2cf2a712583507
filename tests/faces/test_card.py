"""Cards of embedders: what they hold, and what is wrong with them."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.faces import load_embedder
from boxscore.faces.card import read_card
from boxscore.faces.embedder import embed
from boxscore.io import yaml_files
from boxscore.predict.card_parts import Normalise
from tests.faces.eigenfaces import write_card, write_model
from tests.faces.made import PatternEmbedder

MODEL = b"not a graph"
GOOD: dict[str, Any] = {
    "model": {"path": "m.onnx", "sha256": hashlib.sha256(MODEL).hexdigest()},
    "input": {
        "size": 112,
        "alignment": "five-point",
        "channels": "bgr",
        "normalise": {"mean": 127.5, "std": 127.5},
    },
    "licence": "MIT",
    "redistribute": True,
}


def card_of(folder: Path, content: dict[str, Any]) -> Path:
    (folder / "m.onnx").write_bytes(MODEL)
    path = folder / "arc.yaml"
    path.write_text(yaml_files.dump(content))
    return path


def test_a_card_is_read(tmp_path: Path) -> None:
    card = read_card(card_of(tmp_path, GOOD))
    assert (card.name, card.licence, card.redistribute) == ("arc", "MIT", True)
    assert (card.input.size, card.input.alignment, card.input.channels) == (112, "five-point", "bgr")
    assert card.input.normalise == Normalise(1.0, (127.5,) * 3, (127.5,) * 3)
    assert card.input.points[2] == (56.0252, 71.7366)


def test_arcface_points_grow_with_the_input(tmp_path: Path) -> None:
    card = read_card(card_of(tmp_path, {**GOOD, "input": {**GOOD["input"], "size": 224}}))
    assert card.input.points[2] == pytest.approx((112.0504, 143.4732))


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"licence": None}, "licence is missing"),
        ({"model": {"path": "none.onnx", "sha256": "0" * 64}}, "model.path: 'none.onnx' is not there"),
        ({"model": {"path": "m.onnx", "sha256": "0" * 64}}, "it is another model"),
        ({"input": {**GOOD["input"], "size": [112, 96]}}, "input.size: it is 112 × 96; an embedder's input must be a"),
        (
            {"input": {**GOOD["input"], "alignment": "eyes"}},
            "input.alignment: it is 'eyes'; it must be one of none, five",
        ),
        ({"input": {**GOOD["input"], "margin": 0.2}}, "input.margin: it means nothing with alignment five-point"),
        ({"input": {**GOOD["input"], "points": [[1, 2]]}}, "input.points: it has 1 points"),
        ({"input": {**GOOD["input"], "points": [[1, 2, 3]] * 5}}, "input.points[0]: it has 3 numbers"),
        ({"input": {"size": 112}}, "alignment and channels and normalise are missing"),
        ({"redistribute": False}, "reproduction is missing"),
        ({"output": {}}, "output: there is no such field"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, changes: dict[str, Any], part: str) -> None:
    content = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
    with pytest.raises(InputError) as refused:
        read_card(card_of(tmp_path, content))
    assert "arc.yaml" in str(refused.value)
    assert part in str(refused.value)


def test_a_model_that_does_not_load_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ONNX Runtime can't load the model"):
        load_embedder(card_of(tmp_path, GOOD))


@pytest.mark.parametrize("channels", ["rgb", "bgr"])
def test_a_model_gets_channels_and_levels_as_its_card_says(tmp_path: Path, channels: str) -> None:
    """The model keeps its input: mean 0, axes of one number each."""
    axes = np.eye(12, dtype=np.float32)
    model = write_model(tmp_path / "same.onnx", np.zeros((1, 12), np.float32), axes, 2)
    settings = {"divide": 2, "mean": [1, 2, 3], "std": 4}
    embedder = load_embedder(write_card(tmp_path / "same.yaml", model, size=2, channels=channels, normalise=settings))
    faces = np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)
    order = [0, 1, 2] if channels == "rgb" else [2, 1, 0]
    expected = (faces[..., order] / 2 - np.array([1, 2, 3])) / 4
    assert np.allclose(embedder.embed(faces), expected.transpose(0, 3, 1, 2).reshape(2, 12))
    assert embedder.sha256 == hashlib.sha256(model.read_bytes()).hexdigest()
    with pytest.raises(InputError, match="takes pictures of shape"):
        embedder.embed(np.zeros((1, 3, 3, 3), np.uint8))


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (np.ones((3, 2)), r"2 faces gave embeddings of shape \[3, 2\]"),
        (np.ones(2), "must be"),
        (np.array([[1.0, 0], [0, 0]]), "embedding 1 is zero"),
        (np.array([[np.nan, 0], [0, 1]]), "embedding 0 is not finite"),
    ],
)
def test_an_embedder_that_gives_no_embeddings_is_named(answer: np.ndarray, part: str) -> None:
    class Broken(PatternEmbedder):
        def embed(self, faces: np.ndarray) -> np.ndarray:
            assert len(faces) == 2
            return answer

    with pytest.raises(InputError, match=part) as refused:
        embed(Broken("mine"), np.zeros((2, 24, 24, 3), np.uint8))
    assert "embedder mine" in str(refused.value)
