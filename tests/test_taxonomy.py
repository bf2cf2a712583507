"""Taxonomies: labels merged, renamed and dropped alike in ground truth and predictions."""

import json
from pathlib import Path
from typing import Any

import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io.taxonomy import Taxonomy
from tests.audit import made
from tests.support import command

GROUND_TRUTH, RESULTS = made.pair()
REST: dict[str, Any] = dict.fromkeys(made.NAMES)


def evaluate(taxonomy: Any, ground_truth: Any = GROUND_TRUTH, results: Any = RESULTS) -> boxscore.Run:
    return boxscore.evaluate(ground_truth, results, taxonomy=taxonomy)


def codes(run: boxscore.Run) -> dict[str, str]:
    return {note.code: note.message for note in run.notes}


def test_names_as_they_are_change_nothing() -> None:
    run = evaluate({"aliases": REST})
    assert run.summary == boxscore.evaluate(GROUND_TRUTH, RESULTS).summary
    assert list(run.labels) == made.NAMES
    assert "taxonomy" not in codes(run)


def test_merged_labels_equal_files_that_were_merged_by_hand() -> None:
    by_hand = {"cat": 0, "person": 0, "boat": 2, "car": 2, "bottle": 4}
    numbers = [by_hand[name] for name in made.NAMES]
    merged = GROUND_TRUTH | {
        "annotations": made.renumbered(GROUND_TRUTH["annotations"], numbers),
        "categories": [{"id": 0, "name": "living"}, {"id": 2, "name": "vehicle"}, {"id": 4, "name": "bottle"}],
    }
    expected = boxscore.evaluate(merged, made.renumbered(RESULTS, numbers))
    taxonomy = {"aliases": {"living": ["person", "cat"], "vehicle": ["boat", "car"], "bottle": None}}
    run = evaluate(taxonomy)
    assert list(run.labels) == ["living", "vehicle", "bottle"]
    assert run.summary == expected.summary
    assert run.metrics.rows == expected.metrics.rows
    assert '"person" + "cat" -> "living"' in codes(run)["taxonomy"]


def test_name_to_name_renames() -> None:
    run = evaluate({"aliases": REST | {"person": "player", "cat": "player"}})
    assert list(run.labels) == ["player", "boat", "car", "bottle"]


def test_predictions_by_name_may_use_any_alias() -> None:
    named = [
        {k: v for k, v in row.items() if k != "category_id"}
        | {"category_name": "human" if row["category_id"] == 0 else made.NAMES[row["category_id"]]}
        for row in RESULTS
    ]
    run = evaluate({"aliases": REST | {"person": ["human"]}}, results=named)
    assert run.summary == boxscore.evaluate(GROUND_TRUTH, RESULTS).summary


def test_dropped_labels_leave_both_sides_counted_by_name() -> None:
    run = evaluate({"aliases": {"person": None, "cat": None}, "drop": ["boat", "car", "bottle"]})
    assert list(run.labels) == ["person", "cat"]
    assert run.value("objects") == 16
    dropped = [note.message for note in run.notes if note.code == "taxonomy-dropped"]
    assert len(dropped) == 2
    assert (
        '24 annotations of labels that the taxonomy drops left out: "boat" (8), "car" (8), "bottle" (8)' in dropped[0]
    )
    assert "24 detections" in dropped[1]


def test_an_uncovered_label_is_an_error_unless_the_rest_is_dropped() -> None:
    with pytest.raises(InputError, match=r'does not cover "boat", "car", "bottle".*drop: "\*"'):
        evaluate({"aliases": {"person": None, "cat": None}})
    run = evaluate({"aliases": {"person": None, "cat": None}, "drop": "*"})
    assert list(run.labels) == ["person", "cat"]


def test_open_vocabulary_predictions() -> None:
    named = [*RESULTS, {"image_id": 0, "category_name": "zebra", "bbox": [1, 1, 9, 9], "score": 0.3}]
    with pytest.raises(InputError, match=r'"zebra".*does not cover "zebra"'):
        evaluate({"aliases": REST}, results=named)
    run = evaluate({"aliases": REST, "drop": "*"}, results=named)
    assert '"zebra" (1)' in codes(run)["taxonomy-dropped"]
    assert run.summary == boxscore.evaluate(GROUND_TRUTH, RESULTS).summary


def test_only_a_taxonomy_joins_duplicate_names() -> None:
    twice = GROUND_TRUTH | {"categories": [c | {"name": "thing"} for c in GROUND_TRUTH["categories"]]}
    with pytest.raises(InputError, match="declared 5 times"):
        boxscore.evaluate(twice, RESULTS)
    run = evaluate({"aliases": {"thing": None}}, ground_truth=twice)
    assert list(run.labels) == ["thing"]
    assert run.value("objects") == 40


def test_labels_are_chosen_by_their_new_names() -> None:
    taxonomy = {"aliases": REST | {"person": "player"}}
    run = boxscore.evaluate(GROUND_TRUTH, RESULTS, taxonomy=taxonomy, labels=["player", "car"])
    assert list(run.labels) == ["player", "car"]
    assert run.value("objects") == 16


def test_a_target_that_no_file_declares_is_a_label_without_objects() -> None:
    run = evaluate({"aliases": REST | {"zebra": None}})
    assert list(run.labels) == [*made.NAMES, "zebra"]
    assert "zebra" in codes(run)["labels-without-ground-truth"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "`aliases` and `drop`"),
        (["person"], "a mapping"),
        ({"alias": {}}, "found: alias"),
        ({"aliases": ["person"]}, "must be a mapping"),
        ({"aliases": {"a": 3}}, "must be a list"),
        ({"aliases": {"a": [True]}}, "in quotes"),
        ({"aliases": {"a": ["x"], "b": ["x"]}}, 'becomes both "a" and "b"'),
        ({"aliases": {"a": "b", "b": "c"}}, "becomes both"),
        ({"aliases": {"a": None}, "drop": ["a"]}, "both kept and dropped"),
        ({"aliases": {"a": None}, "drop": "a"}, "must be a list"),
        ({"drop": "*"}, "no label is left"),
    ],
)
def test_wrong_content(content: Any, words: str) -> None:
    with pytest.raises(InputError) as refused:
        Taxonomy.of(content)
    assert words in str(refused.value)


def test_the_command_reads_the_file(tmp_path: Path) -> None:
    (tmp_path / "gt.json").write_text(json.dumps(GROUND_TRUTH))
    (tmp_path / "dt.json").write_text(json.dumps(RESULTS))
    (tmp_path / "labels.yaml").write_text("aliases:\n  living: [person, cat]\n  boat:\ndrop: '*'\n")
    done = command.evaluate("gt.json", "dt.json", "--taxonomy", "labels.yaml", cwd=tmp_path)
    labels = {row["label"] for row in done.report["metrics"] if row["label"]}
    assert labels == {"living", "boat"}
    assert any(note["code"] == "taxonomy-dropped" for note in done.report["notes"])


def test_other_forms(tmp_path: Path) -> None:
    """Text folders: the same labels as COCO's JSON, merged alike."""
    for side, rows in (("gt", GROUND_TRUTH["annotations"]), ("dt", RESULTS)):
        (tmp_path / side).mkdir()
        for row in rows:
            score = [row["score"]] if side == "dt" else []
            line = " ".join(map(str, [made.NAMES[row["category_id"]], *score, *row["bbox"]]))
            with (tmp_path / side / f"{row['image_id']}.txt").open("a") as file:
                file.write(line + "\n")
    taxonomy = {"aliases": {"living": ["person", "cat"]}, "drop": "*"}
    run = evaluate(taxonomy, tmp_path / "gt", tmp_path / "dt")
    expected = evaluate(taxonomy)
    assert list(run.labels) == ["living"]
    assert run.summary["AP"] == pytest.approx(expected.summary["AP"])
    dropped = [note.count for note in run.notes if note.code == "taxonomy-dropped"]
    assert dropped == [24, 24]
