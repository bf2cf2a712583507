"""Real faces, through an embedder built here and exported to ONNX, and through YuNet."""

import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from boxscore.faces.degrade import Recipe
from boxscore.faces.detector import FaceDetector
from boxscore.faces.embedder import FaceInput
from boxscore.faces.face import cut, prepared, whole_picture
from boxscore.predict.read_picture import read
from tests.faces.eigenfaces import embedder_of
from tests.faces.orl import people, unpacked
from tests.support.cards import write_card
from tests.support.command import boxscore, refusal
from tests.support.shared import folder_or_skip

SIDE = 32


@pytest.fixture(scope="module")
def orl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory)


@pytest.fixture(scope="module")
def probed(orl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The people from 21 on; eigenfaces are fitted on the others."""
    return people(orl, tmp_path_factory.mktemp("orl") / "probed", range(21, 41))


@pytest.fixture(scope="module")
def card(orl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = FaceInput(size=SIDE)
    faces = []
    for path in sorted(path for number in range(1, 21) for path in (orl / f"s{number}").glob("*.pgm")):
        face = cut(read(path).rgb, whole_picture(92, 112), settings, found=False)
        faces.append(prepared(face, settings, None, Recipe(), ""))
    return embedder_of(tmp_path_factory.mktemp("model"), np.stack(faces))


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = folder_or_skip("data") / "model_face_yunet" / "yunet_n_dynamic.onnx"
    return write_card(tmp_path_factory.mktemp("yunet"), model, "yunet", None, ["face"])


def test_min_size_of_eigenfaces(probed: Path, card: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    asked: list[str | Path] = [
        "--images",
        probed,
        "--embedder",
        card,
        "--actors",
        "14",
        "--probes",
        "2",
        "--sizes",
        "4,8,16,32,92,112",
    ]
    done = boxscore("faces", "min-size", *asked, "--out", tmp_path / "out")
    assert done.status == 0, done.errors
    assert done.output == snapshot
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        *("min_size.json", "min_size.csv", "gallery_size.csv", "probes.csv", "curve.png", "embeddings.sqlite"),
    }
    with Image.open(tmp_path / "out" / "curve.png") as curve:
        assert (curve.format, curve.mode) == ("PNG", "RGB")
    assert (tmp_path / "out" / "curve.png").stat().st_size < 120_000
    content = json.loads((tmp_path / "out" / "min_size.json").read_text())
    (one,) = content["embedders"]
    assert one["sha256"] == hashlib.sha256(card.with_suffix(".onnx").read_bytes()).hexdigest()
    sizes = {at["size"]: at for at in one["sizes"]}
    assert sizes[None]["TPI"]["value"] > 0.5
    assert sizes[4]["TPI"]["value"] < sizes[None]["TPI"]["value"]
    assert sizes[92]["TPI"]["value"] is None
    assert sizes[92]["native_probes"] == 28
    # As JSON on standard output it is the file, and nothing is embedded again.
    again = boxscore("faces", "min-size", *asked, "--out", tmp_path / "out", "--json")
    assert again.report == content


def test_a_poorer_degradation_is_not_kinder(probed: Path, card: Path, tmp_path: Path) -> None:
    """A face shrunk cleanly is identified more often than one that was blurred, noisy and compressed too."""
    rates = {}
    for recipe in ("area", "area+blur:1.5+noise:25+jpeg:10"):
        out = tmp_path / recipe
        asked: list[str | Path] = ["--images", probed, "--embedder", card, "--sizes", "16", "--threshold", "0.5"]
        done = boxscore(
            "faces", "min-size", *asked, "--degrade", recipe, "--out", out, "--cache", tmp_path / "cache.sqlite"
        )
        assert done.status == 0, done.errors
        rows = pl.read_csv(out / "min_size.csv", infer_schema_length=None)
        native, small = rows["TPI"].to_list()
        rates[recipe] = small
        assert native == pytest.approx(rows["TPI"][0])
    clean, poor = rates.values()
    assert poor < clean


def test_yunet_finds_the_faces(orl: Path, detector: Path) -> None:
    """Eyes, nose and mouth where a face has them: the eyes above the nose, it above the mouth, all in the square."""
    finder = FaceDetector.of(detector)
    found = [finder.find(read(orl / f"s{number}" / "1.pgm").rgb)[0] for number in range(1, 41)]
    squares = [square for square in found if square is not None]
    assert len(squares) >= 39
    for square in squares:
        assert 50 <= square.side <= 120
        assert square.points is not None
        left, right, nose, mouth_left, mouth_right = square.points
        assert left[0] < right[0]
        assert mouth_left[0] < mouth_right[0]
        assert max(left[1], right[1]) < nose[1] < min(mouth_left[1], mouth_right[1])
        assert (np.abs(square.points - (square.x, square.y)) < square.side * 0.6).all()


def test_yunet_agrees_with_boxes_that_people_drew(detector: Path) -> None:
    """dlib's example pictures hold 25 faces in five pictures; the surest lies in one of them, and the rest are told."""
    import xml.etree.ElementTree as ET

    home = folder_or_skip("data") / "dlib_faces"
    finder = FaceDetector.of(detector)
    images = ET.parse(home / "testing.xml").getroot().findall("images/image")
    assert len(images) == 5
    for image in images:
        square, others = finder.find(read(home / image.attrib["file"]).rgb)
        assert square is not None
        boxes = [{name: float(value) for name, value in box.attrib.items()} for box in image.findall("box")]
        assert others >= len(boxes) - 2
        assert any(
            abs(box["left"] + box["width"] / 2 - square.x) < box["width"] / 4
            and abs(box["top"] + box["height"] / 2 - square.y) < box["height"] / 2
            for box in boxes
        )


def test_with_a_detector_faces_have_their_own_sizes(probed: Path, card: Path, detector: Path, tmp_path: Path) -> None:
    done = boxscore(
        *("faces", "min-size", "--images", probed, "--embedder", card, "--detector", detector),
        *("--sizes", "20,90", "--threshold", "0.5", "--out", tmp_path, "--json"),
    )
    assert done.status == 0, done.errors
    sides = [probe["size"] for probe in done.report["probes"]]
    assert len(set(sides)) > 5
    by_size = {at["size"]: at for at in done.report["embedders"][0]["sizes"]}
    assert by_size[90]["native_probes"] == sum(side <= 90 for side in sides)
    assert by_size[90]["TPI"]["trials"] == sum(side > 90 for side in sides)
    assert done.report["detector"]["least_score"] == 0.5


def test_a_detector_that_is_no_yunet_is_refused(card: Path, probed: Path, tmp_path: Path) -> None:
    other = write_card(tmp_path, card.with_suffix(".onnx"), "yolox", 320, ["face"])
    told = refusal(
        boxscore(
            *("faces", "min-size", "--images", probed, "--embedder", card, "--detector", other),
            *("--out", tmp_path / "out"),
        )
    )
    assert "output.decoder is 'yolox'; faces are found by yunet" in told
