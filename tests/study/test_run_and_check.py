"""`study run` and `study check` as a user meets them: what is written, and what is found when something has changed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

import boxscore
from tests.study import made
from tests.support import command

DOCUMENT = """# Ours

It reaches <!-- boxscore: good/640 AP ±interval --><!-- /boxscore --> on <!-- boxscore: images -->?<!-- /boxscore -->.

<!-- boxscore: table main --><!-- /boxscore -->
"""


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that has been run, with a document and anchors that hold."""
    folder = tmp_path_factory.mktemp("study")
    made.write(folder)
    study = yaml.safe_load((folder / "study.yaml").read_text())
    (folder / "README.md").write_text(DOCUMENT)
    assert command.boxscore("study", "run", "study.yaml", cwd=folder).status == 0
    row = made.point(folder, "good/640")
    pair = made.results(folder)["tables"]["main"]["results"][0]["pairs"][0]
    made.save(folder, study | {"documents": ["README.md"], "tolerance": 0.0005, "anchors": anchors(folder, row, pair)})
    done = command.boxscore("study", "run", "study.yaml", cwd=folder)
    assert done.status == 0, done.errors
    return folder


def anchors(folder: Path, row: dict[str, Any], pair: dict[str, Any]) -> list[dict[str, Any]]:
    """As a published table would state them, to four places; the pair the other way round."""
    figures = {name: round(row[name], 4) for name in ("point", "low", "high")}
    difference = {
        "difference": -round(pair["difference"], 4),
        "low": -round(pair["high"], 4),
        "high": -round(pair["low"], 4),
    }
    digest = made.sha256(folder / "good_640.json")
    return [
        {"variant": "good/640", "measure": "AP", "in": "main", "sha256": digest, **figures},
        {
            "pair": ["poor", "good/640"],
            "measure": "AP",
            "verdict": pair["verdict"],
            "excludes_zero": pair["excludes_zero"],
            **difference,
        },
    ]


@pytest.fixture
def folder(ready: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(ready, tmp_path / "study"))


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "study.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def check(folder: Path) -> command.Finished:
    return command.boxscore("study", "check", "study.yaml", cwd=folder)


def found(folder: Path) -> list[tuple[str, str]]:
    """Kind and message of each finding, and that the status says so."""
    done = command.boxscore("study", "check", "study.yaml", "--json", cwd=folder)
    assert done.status == (0 if done.report["ok"] else 1), done.errors
    return [(one["kind"], one["message"]) for one in done.report["findings"]]


def test_what_holds_is_found_to_hold(folder: Path) -> None:
    done = check(folder)
    assert done.status == 0, done.output
    assert "nothing found; 9 anchored values and verdicts met" in done.output


def test_the_same_inputs_give_the_same_bytes(folder: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in ("results.json", "report.md", "README.md")}
    done = command.boxscore("study", "run", "study.yaml", "--threads", "1", cwd=folder)
    assert "nothing to write" in done.output
    (folder / "results.json").unlink()
    (folder / "report.md").write_text("something else")
    assert command.boxscore("study", "run", "study.yaml", cwd=folder).output == "written: results.json, report.md\n"
    assert before == {name: (folder / name).read_bytes() for name in before}


def test_results_are_those_of_an_evaluation(folder: Path) -> None:
    study = yaml.safe_load((folder / "study.yaml").read_text())
    run = boxscore.evaluate(folder / "gt.json", folder / "good_640.json", taxonomy=study["taxonomy"])
    assert made.point(folder, "good/640")["point"] == run.value("AP")
    section = made.results(folder)["tables"]["main"]
    assert (section["unit"], section["units"], section["images"]) == ("group", made.CLIPS, made.CLIPS * made.FRAMES)
    assert {one["label"] for one in section["results"]} == {None, *made.LABELS}


def test_documents_are_filled(folder: Path) -> None:
    row, text = made.point(folder, "good/640"), (folder / "README.md").read_text()
    assert f"-->{row['point']:.3f} [{row['low']:.3f}, {row['high']:.3f}]<!--" in text
    assert "-->24<!-- /boxscore -->." in text
    assert "| Good 640 |" in text
    assert "| 12.0–13.8 ms | 31.0–31.9 ms |" in text
    assert "latency p50–p95, Orin | cross-check: p50–p95, desk |" in text


def test_an_anchor_out_of_tolerance(folder: Path) -> None:
    value = round(made.point(folder, "good/640")["low"], 4)
    change(folder, f"low: {value}", f"low: {value + 0.01}")
    (finding,) = [one for one in found(folder) if one[0] != "stale"]
    assert finding[0] == "anchor"
    words = ("anchors[0]", "good/640 AP (main)", "low is", f"the anchor {value + 0.01:.10g} ± 0.0005", "off by 0.0")
    assert all(word in finding[1] for word in words), finding


def test_the_variant_that_meets_a_missed_anchor_is_named(folder: Path) -> None:
    value, other = (made.point(folder, ref, "size")["point"] for ref in ("good/640", "good/800"))
    change(folder, f"point: {round(value, 4)}", f"point: {round(other, 4)}")
    (finding,) = [one for one in found(folder) if one[0] == "anchor"]
    assert "the anchor of good/640 is met by good/800: a variant mixed up?" in finding[1]


def test_a_pair_with_a_variant_mixed_up_is_named(folder: Path) -> None:
    pair = made.results(folder)["tables"]["main"]["results"][0]["pairs"][0]["difference"]
    other = made.point(folder, "good/800", "size")["point"] - made.point(folder, "poor")["point"]
    change(folder, f"difference: {-round(pair, 4)}", f"difference: {-round(other, 4)}")
    (finding,) = [one for one in found(folder) if one[0] == "anchor"]
    assert "is met by poor vs good/800: a variant mixed up?" in finding[1]


def test_bounds_alone_find_the_variant_too(folder: Path) -> None:
    row = made.point(folder, "good/800", "size")
    study = yaml.safe_load((folder / "study.yaml").read_text())
    anchor = {"variant": "good/640", "measure": "AP", "in": "size", "low": row["low"], "high": row["high"]}
    made.save(folder, study | {"anchors": [anchor]})
    messages = [message for kind, message in found(folder) if kind == "anchor"]
    assert len(messages) == 2
    assert "met by good/800" in messages[0]
    anchor |= {"high": 0.999}
    made.save(folder, study | {"anchors": [anchor]})
    assert any("no other declared variant meets it" in message for _, message in found(folder))


def test_a_verdict_that_flipped(folder: Path) -> None:
    verdict = made.results(folder)["tables"]["main"]["results"][0]["pairs"][0]["verdict"]
    change(folder, f"verdict: {verdict}", "verdict: undecidable")
    (finding,) = [one for one in found(folder) if one[0] == "verdict"]
    assert f"poor vs good/640 AP (main): verdict is {verdict}, the anchor says undecidable" in finding[1]


def test_too_few_groups_are_undecidable(folder: Path) -> None:
    change(folder, "group_by: clip", "group_regex: '(?P<part>clip[0-3])'\n  ungrouped: single")
    assert command.boxscore("study", "run", "study.yaml", cwd=folder).status == 0
    change(folder, "group_regex: '(?P<part>clip[0-3])'\n  ungrouped: single", "group_regex: '_(?P<part>[0-2])'")
    done = command.boxscore("study", "run", "study.yaml", cwd=folder)
    assert "missed: anchors[1]" in done.errors
    pair = made.results(folder)["tables"]["main"]["results"][0]["pairs"][0]
    assert (pair["verdict"], pair["separated"]) == ("undecidable", None)
    assert "undecidable" in (folder / "report.md").read_text()


def test_a_changed_input(folder: Path) -> None:
    path = folder / "poor.json"
    rows = json.loads(path.read_text())
    path.write_text(json.dumps(rows[:-1]))
    findings = found(folder)
    assert any(kind == "input" and "models.poor.predictions: poor.json has SHA-256" in m for kind, m in findings)
    assert any(kind == "stale" and m.startswith("results.json is stale") for kind, m in findings)
    refused = command.refusal(command.boxscore("study", "run", "study.yaml", cwd=folder))
    assert "inputs are not those declared" in refused


def test_swapped_files_are_named(folder: Path) -> None:
    change(folder, "predictions: good_640.json", "predictions: kept.json")
    change(folder, "predictions: good_800.json", "predictions: good_640.json")
    change(folder, "predictions: kept.json", "predictions: good_800.json")
    messages = [message for kind, message in found(folder) if kind == "input"]
    assert len(messages) == 2
    assert "it is the file declared for good/800: a variant mixed up?" in messages[0]
    # Their hashes changed along with them: the anchor still knows which predictions it belongs to.
    a, b = made.sha256(folder / "good_640.json"), made.sha256(folder / "good_800.json")
    study = yaml.safe_load((folder / "study.yaml").read_text())
    variants = study["models"]["good"]["variants"]
    variants[640]["sha256"], variants[800]["sha256"] = b, a
    made.save(folder, study)
    findings = found(folder)
    assert not [one for one in findings if one[0] == "input"]
    told = " ".join(message for kind, message in findings if kind == "anchor")
    assert f"the anchor belongs to predictions with SHA-256 {a}" in told
    assert "that is the file of good/800: a variant mixed up?" in told
    assert "the anchor of good/640 is met by good/800" in told


def test_stale_documents(folder: Path) -> None:
    path = folder / "README.md"
    text = path.read_text()
    value = f"{made.point(folder, 'good/640')['point']:.3f}"
    path.write_text(text.replace(f"-->{value} [", "-->0.999 [").replace("| Good 640 |", "| Best |"))
    messages = [message for _, message in found(folder)]
    assert messages[0].startswith("README.md line 3: `good/640 AP ±interval` is stale: it says '0.999 [")
    assert messages[1] == "README.md line 5: `table main` is stale: the table differs from what the files give"
    assert len(messages) == 2
    assert command.boxscore("study", "run", "study.yaml", cwd=folder).output == "written: README.md\n"
    assert path.read_text() == text


def test_stale_results(folder: Path) -> None:
    path = folder / "results.json"
    results = made.results(folder)
    results["tables"]["main"]["results"][0]["models"][0]["point"] = 0.5
    del results["latency"]
    path.write_text(json.dumps(results))
    ((kind, message),) = found(folder)
    assert kind == "stale"
    assert "latency is missing" in message
    assert "tables.main.results[0].models[0].point is 0.5, the files give" in message
    (folder / "report.md").unlink()
    path.write_text("{")
    assert [message for _, message in found(folder)] == [
        "results.json is stale: it is no valid JSON (line 1: Expecting property name enclosed in double quotes)",
        "report.md is missing; `boxscore study run` writes it",
    ]


def test_line_ends_and_last_bits_are_not_stale(folder: Path) -> None:
    for name in ("report.md", "README.md", "results.json"):
        path = folder / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    results = made.results(folder)
    results["tables"]["main"]["results"][0]["models"][0]["std_error"] *= 1 + 1e-13
    (folder / "results.json").write_text(json.dumps(results))
    assert found(folder) == []


def test_one_file_under_two_names(folder: Path) -> None:
    shutil.copy(folder / "good_640.json", folder / "copy.json")
    change(folder, "predictions: good_800.json", "predictions: copy.json")
    change(folder, made.sha256(folder / "good_800.json"), made.sha256(folder / "copy.json"))
    done = command.boxscore("study", "run", "study.yaml", cwd=folder)
    assert "note: good/640 and good/800 are the same file" in done.errors
    assert "good/640 and good/800 are the same file" in (folder / "report.md").read_text()


def test_a_table_of_one_variant_and_one_by_image(folder: Path) -> None:
    study = yaml.safe_load((folder / "study.yaml").read_text())
    study["tables"] = {
        "one": {"variants": ["poor"], "measures": ["AP"], "per_label": True},
        "by-image": {"variants": ["good/640", "poor"], "measures": ["AP"], "resampling": {"unit": "image"}},
        "at-point": {
            "variants": ["good/640", "poor"],
            "measures": ["F1@0.5", "TP"],
            "protocol": {"name": "operating-point", "confidence": 0.2},
        },
    }
    study["anchors"] = [{"variant": "poor", "measure": "AP", "low": 0.1}]
    made.save(folder, study)
    done = command.boxscore("study", "run", "study.yaml", cwd=folder)
    assert "one and by-image all hold poor under AP, and may differ; say which is meant with `in: one`" in done.errors
    study["anchors"] = []
    study.pop("anchors")
    study["documents"] = []
    study.pop("documents")
    made.save(folder, study)
    done = command.boxscore("study", "run", "study.yaml", cwd=folder)
    assert done.status == 0, done.errors
    tables = made.results(folder)["tables"]
    one, grouped = tables["one"], tables["by-image"]
    assert one["results"][0]["models"][0]["low"] < one["results"][0]["models"][0]["point"]
    assert [row["label"] for row in one["results"]] == [None, *made.LABELS]
    assert (one["unit"], one["units"], grouped["unit"], grouped["units"]) == ("group", 8, "image", 24)
    assert one["results"][0]["models"][0]["point"] == grouped["results"][0]["models"][1]["point"]
    report = (folder / "report.md").read_text()
    assert all(f"| {name} " in report for name in ("F1@0.5", "TP"))
    assert "all 6,435 resamples of 8 groups (24 images), weighted" in report


def test_predictions_without_a_ranking_have_an_operating_point_instead(tmp_path: Path) -> None:
    study = yaml.safe_load(made.write(tmp_path).read_text())
    rows = json.loads((tmp_path / "poor.json").read_text())
    (tmp_path / "poor.json").write_text(json.dumps([row | {"score": 1} for row in rows]))
    study["models"]["poor"] = made.pinned(tmp_path, "poor")
    made.save(tmp_path, study)
    assert command.boxscore("study", "run", "study.yaml", cwd=tmp_path).status == 0
    (told,) = (note for note in made.results(tmp_path)["notes"] if "AP is degenerate" in note)
    assert told.startswith("poor: all ")
    assert "go by the operating point at IoU 0.5: precision 0." in told
    assert told in (tmp_path / "report.md").read_text()
    assert command.boxscore("study", "check", "study.yaml", cwd=tmp_path).status == 0
