"""A study of five real runs, from `init` to a swapped variant, held to what pycocotools gives."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.study import made
from tests.support import command

STRETCHED = "nanodet_m_320_stretch"
MEASURES = {"AP": "AP", "AP@0.5": "AP50", "AP@0.75": "AP75", "AP[area=small]": "APs", "AR[max=1]": "AR1", "AR": "AR100"}
"""Measures with their names among the expected figures."""
TABLE = """
<!-- boxscore: table main digits=2 --><!-- /boxscore -->

NanoDet loses <!-- boxscore: nanodet/letterbox vs nanodet/stretched AP --><!-- /boxscore --> by it.
"""


@pytest.fixture(scope="module")
def expected(data_folder: Path) -> dict[str, dict[str, float]]:
    content = json.loads((data_folder / "coco_val164" / "expected_pycocotools_stats.json").read_text())
    found: dict[str, dict[str, float]] = content["stats"]
    return found


@pytest.fixture(scope="module")
def study(data_folder: Path, expected: dict[str, dict[str, float]]) -> dict[str, Any]:
    folder = data_folder / "coco_val164"
    truth = folder / "instances_val164.json"
    return {
        "study": "Five detectors on 164 images",
        "data": {"ground_truth": str(truth), "sha256": made.sha256(truth)},
        "resampling": {"replicates": 100},
        "models": {
            "yolov8n": {"name": "YOLOv8n int8", **pinned(folder, "yolov8n_int8")},
            "yolox": {"name": "YOLOX-nano", **pinned(folder, "yolox_nano")},
            "nanodet": {
                "name": "NanoDet-m",
                "variants": {"letterbox": pinned(folder, "nanodet_m_320"), "stretched": pinned(folder, STRETCHED)},
            },
            "fastestdet": {"name": "FastestDet", **pinned(folder, "fastestdet")},
        },
        "tables": {
            "main": {
                "variants": ["yolov8n", "yolox", "nanodet/letterbox", "fastestdet"],
                "measures": list(MEASURES),
            }
        },
        "comparisons": {
            "geometry": {"variants": ["nanodet/letterbox", "nanodet/stretched"], "measures": list(MEASURES)}
        },
        "documents": ["README.md"],
        "tolerance": 0.0,
        "anchors": [*points(folder, expected), *verdicts(expected)],
    }


def pinned(folder: Path, name: str) -> dict[str, str]:
    path = folder / "predictions" / f"{name}.json.gz"
    return {"predictions": str(path), "sha256": made.sha256(path)}


def points(folder: Path, expected: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Each variant's figures, exact, with the hash of the predictions that they belong to."""
    named = {
        "yolov8n": "yolov8n_int8",
        "yolox": "yolox_nano",
        "nanodet/letterbox": "nanodet_m_320",
        "nanodet/stretched": STRETCHED,
        "fastestdet": "fastestdet",
    }
    return [
        {
            "variant": ref,
            "in": "geometry" if ref == "nanodet/stretched" else "main",
            "measure": measure,
            "sha256": pinned(folder, name)["sha256"],
            "point": expected[name][key],
        }
        for ref, name in named.items()
        for measure, key in MEASURES.items()
    ]


def verdicts(expected: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """On these 164 images the neighbours of the table are separated, and the two geometries are not."""
    names = {"yolov8n": "yolov8n_int8", "yolox": "yolox_nano", "nanodet/letterbox": "nanodet_m_320"}
    order = ["yolov8n", "yolox", "nanodet/letterbox", "fastestdet"]
    found: list[dict[str, Any]] = [
        {
            "pair": [a, b],
            "measure": "AP",
            "difference": expected[names[a]]["AP"] - expected[names.get(b, b)]["AP"],
            "tolerance": 1e-12,
            "verdict": "separated",
            "excludes_zero": True,
        }
        for a, b in pairwise(order)
    ]
    geometry = {"pair": ["nanodet/letterbox", "nanodet/stretched"], "measure": "AP", "verdict": "tie"}
    return [*found, geometry | {"excludes_zero": False}]


def test_from_run_to_a_swapped_variant(tmp_path: Path, study: dict[str, Any]) -> None:
    (tmp_path / "README.md").write_text(TABLE)
    made.save(tmp_path, study)
    done = command.boxscore("study", "run", "study.yaml", cwd=tmp_path)
    assert done.status == 0, done.errors
    assert "missed" not in done.errors
    assert "| YOLOv8n int8 | 0.38 [" in (tmp_path / "README.md").read_text()
    done = command.boxscore("study", "check", "study.yaml", cwd=tmp_path)
    assert done.status == 0, done.output
    # Five variants by six measures, each with its hash, and four pairs.
    assert f"nothing found; {5 * 6 * 2 + 3 * 3 + 2} anchored values and verdicts met" in done.output

    variants = study["models"]["nanodet"]["variants"]
    swapped = {"letterbox": variants["stretched"], "stretched": variants["letterbox"]}
    nanodet = study["models"]["nanodet"] | {"variants": swapped}
    made.save(tmp_path, study | {"models": study["models"] | {"nanodet": nanodet}})
    done = command.boxscore("study", "check", "study.yaml", cwd=tmp_path)
    assert done.status == 1
    assert "the anchor of nanodet/letterbox is met by nanodet/stretched: a variant mixed up?" in done.output
    assert "the anchor of nanodet/stretched is met by nanodet/letterbox: a variant mixed up?" in done.output
    assert "that is the file of nanodet/stretched: a variant mixed up?" in done.output
    assert "stale: README.md line 2: `table main digits=2` is stale" in done.output
    assert "yolox AP (main)" not in done.output


def test_started_and_anchored_without_typing_a_figure(
    tmp_path: Path, data_folder: Path, expected: dict[str, dict[str, float]]
) -> None:
    folder = data_folder / "coco_val164"
    files = [folder / "predictions" / f"{name}.json.gz" for name in ("yolox_nano", "fastestdet")]
    truth = folder / "instances_val164.json"
    done = command.boxscore("study", "init", "new.yaml", truth, *files, cwd=tmp_path)
    assert done.status == 0, done.errors
    path = tmp_path / "new.yaml"
    path.write_text(path.read_text().replace("replicates: 1000", "replicates: 50"))
    printed = command.boxscore("study", "anchors", "new.yaml", cwd=tmp_path)
    assert printed.status == 0, printed.errors
    anchors = yaml.safe_load(printed.output)["anchors"]
    assert (anchors[0]["variant"], anchors[0]["measure"]) == ("yolox_nano", "AP")
    assert anchors[0]["point"] == round(expected["yolox_nano"]["AP"], 6)
    path.write_text(path.read_text() + printed.output)
    assert command.boxscore("study", "run", "new.yaml", cwd=tmp_path).status == 0
    done = command.boxscore("study", "check", "new.yaml", cwd=tmp_path)
    assert done.status == 0, done.output
    # Two measures, each with two variants (hash, point, two bounds) and a pair (two hashes, three values, verdict).
    assert f"{2 * (2 * 4 + 6)} anchored values and verdicts met" in done.output
    again = command.refusal(command.boxscore("study", "init", "new.yaml", truth, *files, cwd=tmp_path))
    assert "new.yaml is there already" in again


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["init", "new.yaml"], "name the ground truth, then"),
        (["init", "new.yaml", "gt.json"], "name the ground truth, then"),
        (["init", "new.yaml", "gt.json", "pred.json"], "gt.json: there is no such file"),
        (["check", "new.yaml", "gt.json"], "'gt.json' is one argument too many"),
        (["check", "new.yaml"], "new.yaml can't be read"),
        (["check"], "required: STUDY;"),
        (["compute", "new.yaml"], "invalid choice: 'compute'"),
    ],
)
def test_commands_that_can_not_be(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in command.refusal(command.boxscore("study", *arguments, cwd=tmp_path))
