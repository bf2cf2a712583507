"""The command: what it refuses, what it prints where there is little to tell."""

import json
import sys
from pathlib import Path

import pytest

from boxscore.cli import main
from tests.faces.eigenfaces import write_card, write_model
from tests.faces.made import people
from tests.support.command import boxscore, refusal


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people(tmp_path_factory.mktemp("images"), 8, 3)


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An embedder that keeps its pixels, less a grey."""
    import numpy as np

    folder = tmp_path_factory.mktemp("model")
    same = np.eye(432, dtype=np.float32)
    model = write_model(folder / "pixels.onnx", np.full((1, 432), 0.5, np.float32), same, 12)
    return write_card(folder / "pixels.yaml", model, size=12)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ([], "--images and --embedder and --out are missing"),
        (["--images", "none", "--embedder", "CARD", "--out", "o"], "--images none: there is no such folder"),
        (["--images", "IMAGES", "--embedder", "MODEL", "--out", "o"], "pixels.onnx is a model, and its card is wanted"),
        (
            ["--images", "IMAGES", "--embedder", "CARD", "--detector", "MODEL", "--out", "o"],
            "pixels.onnx is a model, and its card is wanted",
        ),
        (
            ["--images", "IMAGES", "--embedder", "CARD", "--probes", "3", "--out", "o"],
            "--probes 3 takes 4 pictures of an actor, and no",
        ),
        (["--images", "IMAGES", "--embedder", "none.yaml", "--out", "o"], "none.yaml can't be read"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--sizes", "16,x"], "--sizes '16,x': give whole"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--sizes", "0"], "--sizes 0"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--degrade", "soft"], "there is no step 'soft'"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--actors", "9"], "--actors 9: 8 actors of 8"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--actors", "8"], "leaves no actor to fit the"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--threads", "0"], "--threads 0"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--reembed"], "no gallery lists any"),
        (["--images", "IMAGES", "--embedder", "CARD", "--out", "o", "--gallery", "g.json"], "g.json: there is no such"),
        (["--images", "IMAGES", "--embedder", "CARD", "--embedder", "CARD", "--out", "o"], "two embedders are called"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    images: Path, card: Path, tmp_path: Path, options: list[str], part: str
) -> None:
    places = {"IMAGES": str(images), "CARD": str(card), "MODEL": str(card.with_suffix(".onnx"))}
    told = refusal(boxscore("faces", "min-size", *(places.get(one, one) for one in options), cwd=tmp_path))
    assert part in told
    assert not list(tmp_path.rglob("min_size.*"))


def test_a_folder_that_can_not_be_made_is_told(images: Path, card: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = refusal(
        boxscore("faces", "min-size", "--images", images, "--embedder", card, "--out", tmp_path / "file" / "out")
    )
    assert "embedding cache" in told


def test_a_run_with_a_stated_threshold(images: Path, card: Path, tmp_path: Path) -> None:
    done = boxscore(
        *("faces", "min-size", "--images", images, "--embedder", card, "--threshold", "0.4", "--sizes", "48,12"),
        *("--out", tmp_path),
    )
    assert done.status == 0
    lines = done.output.splitlines()
    assert lines[0].startswith("TPI: true positive identification: rank 1 is right, and at or over the threshold")
    assert lines[1].startswith("FPI: false positive identification: rank 1 is wrong, and at or over the threshold")
    assert "8 probes of 8 actors, 48 px native; degraded by area; seed 0" in lines
    assert "pixels: gallery of 8 actors; threshold 0.4000, as stated" in lines
    assert "n/a: every probe is native at 48 px" in lines
    assert not [line for line in done.errors.splitlines() if not line.startswith("wrote ")]


def test_without_the_drawing_packages_the_figures_are_there(
    images: Path, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    (tmp_path / "curve.png").write_bytes(b"of an older run")
    arguments = ["faces", "min-size", "--images", str(images), "--embedder", str(card), "--sizes", "12"]
    assert main([*arguments, "--threshold", "0.4", "--out", str(tmp_path), "--json"]) == 0
    found = capsys.readouterr()
    assert "note: no curve.png: the curve is drawn with altair and vl-convert-python; pip install" in found.err
    assert json.loads(found.out)["embedders"][0]["name"] == "pixels"
    assert not (tmp_path / "curve.png").exists()
    assert (tmp_path / "min_size.csv").exists()


def test_intervals_of_resampled_actors_on_request(images: Path, card: Path, tmp_path: Path) -> None:
    asked = ("faces", "min-size", "--images", images, "--embedder", card, "--probes", "2", "--threshold", "0.5")
    told = {}
    for method in ("effective", "resampled"):
        out = tmp_path / method
        assert boxscore(*asked, "--sizes", "4,8", "--intervals", method, "--out", out).status == 0
        told[method] = json.loads((out / "min_size.json").read_text())
    effective, resampled = (one["embedders"][0]["sizes"][0]["TPI"] for one in told.values())
    assert effective["interval"] == "Wilson, effective trials"
    assert resampled["interval"] == "actors resampled"
    assert resampled["value"] == effective["value"]
    assert told["resampled"]["options"]["intervals"] == "resampled"
