"""Files of confidence floors: chosen, written, read, and told of when they meet the data they were fitted on."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.measures.sweeps import Sweep
from boxscore.measures.thresholds import Aim, fit_floors, within_budget
from tests.support import command

BOX = [0, 0, 10, 10]


def sweep(label: str, outcomes: str, objects: int) -> Sweep:
    """`+` is a true positive, `-` a false one; scores descend from 0.9 by tenths."""
    found = [outcomes[: at + 1].count("+") for at in range(len(outcomes))]
    wrong = [outcomes[: at + 1].count("-") for at in range(len(outcomes))]
    return Sweep(label, objects, [(9 - at) / 10 for at in range(len(outcomes))], found, wrong)


def fitted(outcomes: str, objects: int, aim: Aim) -> tuple[dict[str, float], dict[str, str]]:
    return fit_floors([sweep("a", outcomes, objects)], aim, images=1)


def test_best_f() -> None:
    # F1 by score: 2/5, 4/6, 4/7, 6/8 (at 0.6), 6/9: recall weighs more with a large beta, precision with a small one.
    assert fitted("++-+-", 4, Aim("best-f1")) == ({"a": 0.6}, {})
    assert fitted("++-+-", 4, Aim("best-fbeta", 0.1)) == ({"a": 0.8}, {})
    # Two floors with the same F1: the higher one.
    assert fitted("+--+", 2, Aim("best-f1")) == ({"a": 0.9}, {})


def test_recall_at_precision() -> None:
    assert fitted("+-++-", 4, Aim("recall-at-precision=0.75")) == ({"a": 0.6}, {})
    assert fitted("+-++-", 4, Aim("recall-at-precision=0.8")) == ({"a": 0.9}, {})
    floors, missing = fitted("-+-", 4, Aim("recall-at-precision=0.75"))
    assert floors == {}
    assert missing == {"a": "no floor has a precision of 0.75; the best is 0.5"}


def test_labels_that_give_nothing_to_choose_by() -> None:
    assert fitted("+-", 0, Aim("best-f1"))[1] == {"a": "no ground truth"}
    assert fitted("", 3, Aim("best-f1"))[1] == {"a": "no detections"}
    assert fitted("--", 3, Aim("best-f1")) == ({}, {"a": "no detection finds an object"})


def test_false_positives_are_spent_where_they_find_most() -> None:
    # One more false positive finds two objects of b, and one of a.
    sweeps = [sweep("a", "+-+", 2), sweep("b", "+-++", 3)]
    assert within_budget(sweeps, 0) == [0, 0]
    assert within_budget(sweeps, 1) == [0, 3]
    assert within_budget(sweeps, 2) == [2, 3]


def test_no_false_positives_at_all() -> None:
    floors, missing = fit_floors([sweep("a", "-+", 2)], Aim("max-fp-per-image=0"), images=10)
    assert floors["a"] > 0.9
    assert "above all its scores" in missing["a"]


@pytest.mark.parametrize(
    ("text", "beta", "words"),
    [
        ("best", None, "'best' is not known"),
        ("best-f1=3", None, "can't be read"),
        ("best-f1", 2.0, "no beta"),
        ("best-fbeta", None, "--beta"),
        ("best-fbeta", -1.0, "above 0"),
        ("recall-at-precision", None, "can't be read"),
        ("recall-at-precision=2", None, "out of range"),
        ("recall-at-precision=x", None, "no number"),
        ("max-fp-per-image=inf", None, "no finite number"),
        ("max-fp-per-image=-1", None, "out of range"),
    ],
)
def test_aims_that_are_none(text: str, beta: float | None, words: str) -> None:
    with pytest.raises(boxscore.InputError, match=words):
        Aim(text, beta)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two images, two labels; a false positive at 0.3."""
    annotations: list[dict[str, Any]] = [
        {"id": number, "image_id": number, "category_id": label, "bbox": BOX, "area": 100, "iscrowd": 0}
        for number, label in ((1, 1), (2, 2))
    ]
    categories = [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
    truth = {"images": [{"id": 1}, {"id": 2}], "annotations": annotations, "categories": categories}
    results = [
        {"image_id": 1, "category_id": 1, "bbox": BOX, "score": 0.7},
        {"image_id": 1, "category_id": 1, "bbox": [50, 50, 10, 10], "score": 0.3},
        {"image_id": 2, "category_id": 2, "bbox": BOX, "score": 0.1},
    ]
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    (tmp_path / "pred.json").write_text(json.dumps(results))
    other = truth | {"images": [*truth["images"], {"id": 3}]}
    (tmp_path / "other.json").write_text(json.dumps(other))
    return tmp_path


def evaluate(folder: Path, *options: str, truth: str = "gt.json") -> command.Finished:
    return command.evaluate(truth, "pred.json", "--protocol", "operating-point", *options, cwd=folder)


def codes(finished: command.Finished) -> list[str]:
    return [note["code"] for note in finished.report["notes"]]


def test_fitted_written_and_used(folder: Path) -> None:
    done = command.boxscore("thresholds", "fit", "gt.json", "pred.json", "--out", "floors.yaml", cwd=folder)
    assert done.status == 0, done.errors
    assert "cat" in done.output
    here = evaluate(folder, "--thresholds", "floors.yaml")
    assert here.report["summary"]["F1"] == 1.0
    assert here.report["floors"]["labels"] == {"cat": 0.7, "dog": 0.1}
    assert "thresholds-fitted-here" in codes(here)
    elsewhere = evaluate(folder, "--thresholds", "floors.yaml", truth="other.json")
    assert elsewhere.report["summary"]["F1"] == 1.0
    assert "thresholds-fitted-here" not in codes(elsewhere)
    assert "thresholds-fitted-otherwise" in codes(evaluate(folder, "--thresholds", "floors.yaml", "--nms", "0.5"))


def test_printed_floors_can_be_read_again(folder: Path) -> None:
    done = command.boxscore("thresholds", "fit", "gt.json", "pred.json", "--aim", "recall-at-precision=1", cwd=folder)
    (folder / "floors.yaml").write_text(done.output)
    assert evaluate(folder, "--thresholds", "floors.yaml").report["summary"]["precision"] == 1.0


def test_a_file_that_a_person_writes(folder: Path) -> None:
    (folder / "floors.yaml").write_text("default: 0.35\nlabels:\n  dog: 0.1\n")
    report = evaluate(folder, "--thresholds", "floors.yaml").report
    assert report["floors"]["default"] == 0.35
    assert report["summary"]["TP"] == 2
    assert evaluate(folder, "--thresholds", "floors.yaml", "--conf", "0.8").report["summary"]["TP"] == 1


def test_unknown_labels_are_named(folder: Path) -> None:
    (folder / "floors.yaml").write_text("labels: {dog: 0.1, dgo: 0.2, Katze: 0.3}\n")
    message = command.refusal(evaluate(folder, "--thresholds", "floors.yaml"))
    assert all(word in message for word in ("floors.yaml", '"dgo"', '"Katze"', 'did you mean "dog"'))
    dropped = evaluate(folder, "--thresholds", "floors.yaml", "--unknown-labels", "drop")
    assert dropped.report["floors"]["labels"] == {"dog": 0.1}
    assert "thresholds-unknown-labels" in codes(dropped)
    # A label that is declared and left out on request is known.
    (folder / "floors.yaml").write_text("labels: {dog: 0.1, cat: 0.2}\n")
    assert evaluate(folder, "--thresholds", "floors.yaml", "--labels", "dog").status == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("labels: [1, 2]\n", "labels is [1, 2]"),
        ("labels: {dog: high}\n", "\"dog\" is 'high'"),
        ("dog: 0.5\n", "'dog' is not a field"),
        ("labels: {1: 0.5}\n", "1 is no name"),
        ("- 0.5\n", "it holds [0.5]"),
        ("labels: {dog: 0.5\n", "line"),
        ("default: .nan\n", "default is nan"),
    ],
)
def test_files_that_are_wrong(folder: Path, text: str, words: str) -> None:
    (folder / "floors.yaml").write_text(text)
    message = command.refusal(evaluate(folder, "--thresholds", "floors.yaml"))
    assert "floors.yaml" in message
    assert words in message


def test_tables_on_the_command_line(folder: Path) -> None:
    options = ("--protocol", "operating-point", "--sweep", "--confusion", "--beta", "2")
    done = command.boxscore("eval", "gt.json", "pred.json", *options, cwd=folder)
    assert done.status == 0, done.errors
    for words in ("all, micro", "labels, macro", "images without objects", "cat *", "F2", "best F2", "(none)"):
        assert words in done.output
    report = evaluate(folder, "--sweep", "--confusion").report
    assert [swept["label"] for swept in report["sweep"]] == ["cat", "dog"]
    assert report["sweep"][0]["score"] == [0.7, 0.3]
    assert report["confusion"]["counts"] == [[1, 0, 0], [0, 0, 1], [1, 0, 0]]
