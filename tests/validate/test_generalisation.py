"""What a score may be carried over to: sessions, training pictures, independence, coverage."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.validate import Asked, validate
from boxscore.validate.figures import figures
from tests.validate import support

SESSIONS = r"_(?P<session>s\d+)_"


def training_set(folder: Path, *, prefix: str = "old", seed: int = 60) -> Path:
    """Pictures of other sessions (`old_t0_0.png`), one of them twice."""
    folder.mkdir()
    for number in range(4):
        Image.fromarray(support.blocks(seed + number)).save(folder / f"{prefix}_s{90 + number}_{number}.png")
    shutil.copyfile(folder / f"{prefix}_s90_0.png", folder / f"{prefix}_s90_again.png")
    return folder


def record_of(folder: Path, **options: Any) -> dict[str, Any]:
    data = folder / "data"
    if not data.is_dir():
        support.data_set(data)
    return validate(support.card(folder), data, Asked(**options), detector=support.BoxDetector()).record


def test_sessions_by_expression_and_by_column_are_the_same(tmp_path: Path) -> None:
    by_name = record_of(tmp_path, group_regex=SESSIONS)
    table = tmp_path / "sessions.csv"
    names = sorted(path.name for path in (tmp_path / "data" / "images").iterdir())
    table.write_text("file_name,session\n" + "".join(f"{name},{name.split('_')[1]}\n" for name in names))
    by_column = record_of(tmp_path, group_by="session", metadata=table)
    for stated in (by_name, by_column):
        assert stated["generalisation"]["sessions"]["pictures"] == {"s0": 2, "s1": 2, "s2": 2}
        assert stated["generalisation"]["support"]["cat"] == {"objects": 5, "pictures": 5, "sessions": 3}
        assert (stated["intervals"]["unit"], stated["intervals"]["units"]) == ("session", 3)
        assert "3 sessions" in stated["intervals"]["caution"]
    assert by_name["intervals"]["micro"] == by_column["intervals"]["micro"]


def test_a_picture_without_a_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"6 pictures have no session by expression"):
        record_of(tmp_path, group_regex=r"(?P<session>clip\d)")
    with pytest.raises(InputError, match="--metadata"):
        record_of(tmp_path, group_by="session")


def test_training_pictures_are_counted_and_held_against_these(tmp_path: Path) -> None:
    train = training_set(tmp_path / "train")
    stated = record_of(tmp_path, train=train, group_regex=SESSIONS)
    found = stated["generalisation"]["training"]
    assert (found["pictures"], found["unique_pictures"], found["repeats"]) == (5, 4, {"1": 3, "2": 1})
    assert (found["shared_sessions"], found["identical_pictures"], found["sessions"]) == ([], [], 4)
    assert found["twins"]["pictures_with_twin"] == 0
    assert found["twins"]["score"]["twins_alone"] is None
    assert found["twins"]["score"]["without_twins"] == stated["micro"]
    assert stated["independence"]["sessions_disjoint_from_training"]["holds"] is True


def test_near_duplicates_are_found_and_scored_apart(tmp_path: Path) -> None:
    train = training_set(tmp_path / "train")
    support.data_set(tmp_path / "data")
    source = Image.open(tmp_path / "data" / "images" / "real_s1_3.png")
    source.resize((200, 150)).save(train / "old_s95_0.jpg", quality=50)
    stated = record_of(tmp_path, train=train, group_regex=SESSIONS)
    twins = stated["generalisation"]["training"]["twins"]
    assert [(one["picture"], one["training_picture"]) for one in twins["nearest"]] == [
        ("real_s1_3.png", "old_s95_0.jpg")
    ]
    assert twins["share"] == 1 / 6
    score = twins["score"]
    assert score["all"] == stated["micro"]
    for count in ("ground_truth", "true_positive", "false_positive", "false_negative"):
        assert score["without_twins"][count] + score["twins_alone"][count] == stated["micro"][count]
    # That very picture alone gives the same figures.
    alone = record_of(tmp_path, select="real_s1_3.png")["micro"]
    assert score["twins_alone"] == alone
    assert stated["independence"]["sessions_disjoint_from_training"]["holds"] is None


def test_a_shared_session_and_an_identical_picture_are_no_independence(tmp_path: Path) -> None:
    support.data_set(tmp_path / "data")
    train = training_set(tmp_path / "train")
    Image.fromarray(support.blocks(70)).save(train / "old_s1_9.png")
    stated = record_of(tmp_path, train=train, group_regex=SESSIONS)
    assert stated["generalisation"]["training"]["shared_sessions"] == ["s1"]
    assert stated["independence"]["sessions_disjoint_from_training"]["holds"] is False
    (train / "old_s1_9.png").unlink()
    shutil.copyfile(tmp_path / "data" / "images" / "real_s0_0.png", train / "old_s96_0.png")
    stated = record_of(tmp_path, train=train, group_regex=SESSIONS)
    assert stated["generalisation"]["training"]["identical_pictures"] == ["real_s0_0.png"]
    assert stated["independence"]["sessions_disjoint_from_training"]["holds"] is False


def test_the_validation_pictures_are_no_training_pictures(tmp_path: Path) -> None:
    support.data_set(tmp_path / "data")
    with pytest.raises(InputError, match="the very files that are validated"):
        record_of(tmp_path, train=tmp_path / "data")


def fitted(folder: Path, data: Path, name: str = "floors.yaml") -> Path:
    predictions = support.saved(folder, data, f"{name}.json")
    out = folder / name
    assert main(["thresholds", "fit", str(data), str(predictions), "--out", str(out)]) == 0
    return out


def test_all_three_conditions_make_an_independent_test_set(tmp_path: Path) -> None:
    fitting = support.data_set(tmp_path / "fitting", prefix="fit", seed=200)
    for part in ("images", "labels"):
        for path in (fitting / part).iterdir():
            path.rename(path.with_name(path.name.replace("_s", "_s5")))
    options = {
        "train": training_set(tmp_path / "train"),
        "group_regex": SESSIONS,
        "thresholds": fitted(tmp_path, fitting),
        "ledger": tmp_path / "looks.jsonl",
    }
    without = record_of(tmp_path, **options | {"ledger": tmp_path / "other.jsonl"})
    assert without["independence"]["thresholds_fitted_elsewhere"]["holds"] is None  # which pictures is not known
    stated = record_of(tmp_path, **options, fitted_on=fitting)
    assert {name: one["holds"] for name, one in stated["independence"].items()} == {
        "sessions_disjoint_from_training": True,
        "thresholds_fitted_elsewhere": True,
        "no_earlier_look": True,
    }
    assert stated["independent_test_set"] is True
    assert stated["sha256"]["threshold_source"] != stated["sha256"]["card"]
    again = record_of(tmp_path, **options, fitted_on=fitting)
    assert (again["independent_test_set"], again["ledger"]["earlier_looks"]) == (False, 1)


def test_thresholds_fitted_on_these_pictures_are_known(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data")
    floors = fitted(tmp_path, data)
    stated = record_of(tmp_path, thresholds=floors, ledger=tmp_path / "looks.jsonl")
    assert stated["independence"]["thresholds_fitted_elsewhere"]["holds"] is False
    assert stated["ledger"]["thresholds_fitted_on_these_pictures"] is True
    # Of a part of the pictures that they were fitted on the digest is another one: the pictures tell, or the ledger.
    part = record_of(tmp_path, thresholds=floors, fitted_on=data, select="real_s1_*")
    assert part["independence"]["thresholds_fitted_elsewhere"] == {
        "holds": False,
        "reason": "the thresholds were fitted on 2 of these pictures",
    }
    known = record_of(tmp_path, thresholds=floors, ledger=tmp_path / "looks.jsonl", select="real_s1_*")
    assert known["independence"]["thresholds_fitted_elsewhere"]["holds"] is False


def test_another_data_set_than_was_fitted_on_proves_nothing(tmp_path: Path) -> None:
    fitting = support.data_set(tmp_path / "fitting", prefix="fit", seed=200)
    floors = fitted(tmp_path, fitting)
    other = support.data_set(tmp_path / "other", 4, prefix="fit", seed=300)
    stated = record_of(tmp_path, thresholds=floors, fitted_on=other)
    assert stated["independence"]["thresholds_fitted_elsewhere"]["holds"] is None


REQUIRED = """
require:
  empty scenes: {pictures: objects = 0, least: {pictures: 2}}
  narrow things: {objects: side <= 16, least: {objects: 9, sessions: 3}}
  crowds: {pictures: objects >= 2, least: {pictures: 5, objects: 11}}
  each class: {each: label, values: [cat, dog, bird], least: {objects: 5}}
"""


def test_what_is_required_and_lacks_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cover.yaml").write_text(REQUIRED)
    data, card = support.data_set(tmp_path / "data"), support.card(tmp_path)
    saved = str(support.saved(tmp_path, data))
    command = ["validate", str(card), str(data), "--out", str(tmp_path / "a.json"), "--predictions", saved]
    command += ["--group-regex", SESSIONS, "--require", str(tmp_path / "cover.yaml")]
    assert main(command) == 1
    told = capsys.readouterr().err
    assert "lacking: empty scenes needs 1 pictures more" in told
    assert "lacking: each class: bird needs 5 objects more" in told
    lacks = {one["name"]: one["lacks"] for one in json.loads((tmp_path / "a.json").read_text())["coverage"]}
    assert lacks == {
        "empty scenes": {"pictures": 1},
        "narrow things": {},
        "crowds": {"objects": 1},
        "each class: bird": {"objects": 5},
        "each class: cat": {},
        "each class: dog": {},
    }
    assert "| each class: bird | 5 objects |" in (tmp_path / "a.md").read_text()


MISTAKEN = {
    "an unknown field": ("require: {a: {picture: objects = 0, least: {pictures: 1}}}", "require.a.picture"),
    "no least": ("require: {a: {pictures: objects = 0}}", "require.a: least is missing"),
    "nothing least": ("require: {a: {pictures: objects = 0, least: {}}}", "require.a.least"),
    "a least that is none": (
        "require: {a: {pictures: objects = 0, least: {pictures: -1}}}",
        "require.a.least.pictures",
    ),
    "two kinds": ("require: {a: {pictures: x, objects: y, least: {pictures: 1}}}", "pictures and objects"),
    "no such column": ("require: {a: {pictures: weather = 'rain', least: {pictures: 1}}}", "no column 'weather'"),
    "no condition": ("require: {a: {pictures: objects =, least: {pictures: 1}}}", "can't be used"),
    "sessions without any": ("require: {a: {pictures: objects = 0, least: {sessions: 1}}}", "none are named"),
    "nothing": ("require: {}", "it is empty"),
}


@pytest.mark.parametrize(("text", "told"), MISTAKEN.values(), ids=MISTAKEN)
def test_mistaken_requirements_are_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "cover.yaml").write_text(text)
    with pytest.raises(InputError) as refused:
        record_of(tmp_path, require=tmp_path / "cover.yaml")
    assert told in str(refused.value)


def test_latencies_that_were_measured_go_into_the_record(tmp_path: Path) -> None:
    (tmp_path / "ms.csv").write_text("latency_ms\n" + "".join(f"{10 + number}\n" for number in range(21)))
    latency = record_of(tmp_path, latency=tmp_path / "ms.csv")["generalisation"]["latency"]
    assert (latency["runs"], latency["milliseconds"]["p50"]["value"]) == (21, 20.0)
    assert record_of(tmp_path)["generalisation"]["latency"] is None


def test_examples_of_errors_are_the_worst(tmp_path: Path) -> None:
    examples = record_of(tmp_path)["generalisation"]["error_examples"]
    assert [one["score"] for one in examples["false_positives"]] == [0.9, 0.4, 0.4, 0.4, 0.4]
    assert examples["false_positives"][0] == {
        "picture": "real_s2_5.png",
        "class": "cat",
        "box": [8, 12, 16, 24],
        "score": 0.9,
    }
    missed = {one["picture"] for one in examples["misses"]}
    assert {one["class"] for one in examples["misses"]} == {"dog"}
    assert figures(5, 5 - len(missed), 0)["false_negative"] == len(missed)
