"""Mistakes in a study's file: each is named with file and key path, all at once."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import boxscore
from boxscore.study import read
from tests.study import made
from tests.support import command


def refused(path: Path) -> str:
    with pytest.raises(boxscore.InputError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    return message


def at(study: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The study with one field, by its path with `/`, replaced."""
    *outer, last = path.split("/")
    place: Any = study
    for name in outer:
        place = place[int(name) if name.isdecimal() else name]
    place[int(last) if last.isdecimal() else last] = value
    return study


ANCHOR = {"variant": "poor", "measure": "AP", "point": 0.5, "tolerance": 0.001}


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("dta", {}, "dta: there is no such field; did you mean data?"),
        ("data/ground_truth", "no.json", "data.ground_truth: 'no.json' is not there"),
        ("data/sha256", "12ab", "data.sha256: '12ab' is no SHA-256"),
        ("data/reading", {"unknown_images": "drpo"}, "data.reading.unknown_images: it is 'drpo'; it must be one of"),
        ("data/options", {"boxes": "xxyy"}, "data.options: boxes is 'xxyy'"),
        ("data/options", {"classes": "names.txt"}, "data.options.classes: 'names.txt' is not there"),
        ("taxonomy", {"alias": {}}, "taxonomy.alias: there is no such field; did you mean aliases?"),
        ("taxonomy", {"aliases": {"a": ["x"], "b": ["x"]}}, 'taxonomy: taxonomy: "x" becomes both'),
        ("taxonomy", "none.yaml", "taxonomy: 'none.yaml' is not there"),
        ("protocol", "coko", "protocol: protocol 'coko' is not known"),
        ("protocol", "mine.toml", "protocol: 'mine.toml' is not there"),
        ("protocol", {"name": "coco", "iou": 2}, "protocol: protocol"),
        ("protocol", {"name": "coco", "confidence": 0.5}, "protocol: protocol coco has no confidence floor"),
        ("resampling/replicates", 0, "resampling: replicates is 0"),
        ("resampling/unit", "clip", "resampling: unit is 'clip'"),
        ("resampling", {"group_regex": "("}, "resampling: group_regex '(' is no regular expression"),
        ("resampling", {"group_regex": "a", "group_by": "clip"}, "are both given"),
        ("models", ["a"], "models: it is ['a']; it must be a mapping"),
        ("models", {}, "models: it is empty"),
        ("models/bad one", {"predictions": "poor.json"}, "models.bad one: names hold letters"),
        ("models/two--dashes", {"predictions": "poor.json"}, "models.two--dashes: names hold letters"),
        ("models/none", {"name": "None"}, "models.none: a model needs `variants`, or `predictions`"),
        ("models/good/predictions", "poor.json", "models.good: predictions must stand under one of the variants"),
        ("models/good/variants/640", {}, "models.good.variants.640: predictions is missing"),
        ("models/good/variants/true", None, "models.good.variants.true: it is empty; it must be a mapping"),
        ("models/poor/thresholds", "floors.yaml", "models.poor.thresholds: 'floors.yaml' is not there"),
        ("models/poor/latency", {"device": "x"}, "models.poor.latency: file is missing"),
        ("tables/main/variants", ["good/64"], "tables.main.variants[0]: there is no variant 'good/64'; did you mean"),
        ("tables/main/variants", [], "tables.main.variants: it is empty; it must be a list with at least one item"),
        ("tables/main/variants", ["poor", "poor"], "tables.main.variants: poor is listed more than once"),
        ("tables/main/measures", ["mAP"], "tables.main.measures[0]: 'mAP' can't be used"),
        ("tables/main/pairs", "every", "tables.main.pairs: there is no variant here 'every'"),
        ("tables/main/per_label", "yes", "tables.main.per_label: it is 'yes'; it must be true or false"),
        ("tables/main/resampling", {"seed": -1}, "tables.main.resampling: seed is -1"),
        ("tables/size", {"variants": ["poor"]}, "comparisons.size: a table has this name already"),
        ("comparisons/size/variants", ["poor"], "comparisons.size.variants: a comparison needs two variants at least"),
        ("anchors", [{"variant": "poor"}], "anchors[0]: measure is missing"),
        ("anchors", [ANCHOR | {"pont": 1}], "anchors[0].pont: there is no such field; did you mean point?"),
        ("anchors", [ANCHOR | {"point": "high"}], "anchors[0].point: it is 'high'; it must be a number"),
        ("anchors", [ANCHOR | {"tolerance": -1}], "anchors[0].tolerance: it is -1.0; a tolerance is 0 or more"),
        ("anchors", [{"variant": "poor", "measure": "AP", "point": 0.5}], "anchors[0]: point has no tolerance"),
        (
            "anchors",
            [{"variant": "poor", "measure": "AP"}],
            "anchors[0]: it fixes nothing; give one of point, low, high",
        ),
        ("anchors", [ANCHOR | {"measure": "AR"}], "anchors[0]: no table or comparison holds poor under AR"),
        ("anchors", [ANCHOR | {"in": "size"}], "anchors[0].in: size does not hold poor under AP"),
        ("anchors", [ANCHOR | {"in": "sizes"}], "there is no table or comparison 'sizes'; did you mean size?"),
        (
            "anchors",
            [{"pair": ["poor"], "measure": "AP", "verdict": "tie"}],
            "anchors[0].pair: a pair is a list of two",
        ),
        (
            "anchors",
            [{"pair": ["poor", "good/640"], "measure": "AP", "verdict": "separate"}],
            "anchors[0].verdict: it is 'separate'; it must be one of separated, tie, undecidable",
        ),
        ("latency", {"band": [95, 50]}, "latency.band: it must be two percentiles"),
        ("digits", 40, "digits: it is 40; it must be a whole number from 0 to 12"),
        ("documents", ["no.md"], "documents[0]: 'no.md' is not there"),
        ("results", "out/results.json", "results: 'out/results.json' can't be written"),
        ("report", "results.json", "report: results.json is also what results names"),
    ],
)
def test_one_mistake(tmp_path: Path, path: str, value: Any, words: str) -> None:
    made.write(tmp_path)
    message = refused(made.save(tmp_path, at(made.content(tmp_path), path, value)))
    assert words in message
    assert "\n" not in message, "one mistake brings no others along"


def test_all_mistakes_at_once_and_the_status(tmp_path: Path) -> None:
    path = made.write(tmp_path, digits="x", protocol="coko", anchors=["nonsense"])
    message = command.refusal(command.boxscore("study", "check", path))
    assert "study.yaml has 3 mistakes:" in message
    assert all(f"\n  {name}: " in message for name in ("digits", "protocol", "anchors[0]"))


def test_a_key_given_twice(tmp_path: Path) -> None:
    path = made.write(tmp_path)
    text = path.read_text()
    path.write_text(text + "tables:\n  other: {variants: [poor]}\n")
    line = text.count("\n") + 1
    assert f"tables: this key is given twice (again in line {line}); YAML would keep the last alone" in refused(path)
    path.write_text(text.replace("  poor:\n", "  good:\n"))
    assert "models.good: this key is given twice" in refused(path)


@pytest.mark.parametrize(
    ("text", "words"), [("", "it is empty"), ("- a", "it must be a mapping"), ("a: [1\nb: 2", "line 2")]
)
def test_no_study_at_all(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(text)
    assert words in refused(path)


def test_numbers_as_yaml_takes_them_for_text(tmp_path: Path) -> None:
    path = made.write(tmp_path, anchors=[ANCHOR])
    path.write_text(path.read_text().replace("tolerance: 0.001", "tolerance: 1e-3"))
    assert yaml.safe_load(path.read_text())["anchors"][0]["tolerance"] == "1e-3"
    assert read(path).anchors[0].values == {"point": (0.5, 0.001)}


def test_a_table_regroups_as_a_whole(tmp_path: Path) -> None:
    made.write(tmp_path)
    tables = {
        "by-image": {"variants": ["poor"], "measures": ["AP"], "resampling": {"unit": "image", "replicates": 20}},
        "by-name": {"variants": ["poor"], "resampling": {"group_regex": "(?P<clip>clip.)"}},
    }
    sections = read(made.save(tmp_path, made.content(tmp_path) | {"tables": tables})).sections
    assert sections["by-image"].resampling == {"unit": "image", "replicates": 20}
    assert sections["by-name"].resampling == {"replicates": 40, "group_regex": "(?P<clip>clip.)"}
    assert sections["size"].resampling == {"replicates": 40, "group_by": "clip"}
    assert sections["by-name"].measures == ("AP",)


def test_files_that_can_not_be_scored_are_named(tmp_path: Path) -> None:
    path = made.write(tmp_path)
    (tmp_path / "poor.json").write_text('[{"image_id": 999, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}]')
    path.write_text(path.read_text().replace(made.content(tmp_path)["models"]["poor"]["sha256"], "0" * 64))
    message = command.refusal(command.boxscore("study", "check", path))
    assert "study.yaml: models.poor.predictions (poor): " in message
    assert "`data.reading: {unknown_images: drop}`" in message
