"""The record: its bytes, its digests, its figures, and what is refused before there is one."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.runs import read_run
from boxscore.validate import Asked, validate
from boxscore.validate.figures import figures
from tests.validate import support


def record_of(folder: Path, **options: Any) -> dict[str, Any]:
    data = support.data_set(folder / "data")
    found = validate(support.card(folder), data, Asked(**options), detector=support.BoxDetector())
    return found.record


def manifest_by_hand(data: Path, pictures: list[Path]) -> str:
    whole = b""
    for picture in pictures:
        for file in (picture, data / "labels" / f"{picture.stem}.txt"):
            whole += file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest()
    return hashlib.sha256(whole).hexdigest()


def test_twice_the_same_bytes_from_the_command_line(tmp_path: Path) -> None:
    data, card = support.data_set(tmp_path / "data"), support.card(tmp_path)
    predictions = support.saved(tmp_path, data)
    for name in ("a", "b"):
        out = str(tmp_path / f"{name}.json")
        assert main(["validate", str(card), str(data), "--out", out, "--predictions", str(predictions)]) == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()
    stated = json.loads((tmp_path / "a.json").read_text())
    assert (tmp_path / "a.json").read_text() == json.dumps(stated, sort_keys=True, indent=2) + "\n"
    assert read_run(tmp_path / "a.run").manifest["command"]["name"] == "validate"


def test_figures_of_a_detector(tmp_path: Path) -> None:
    stated = record_of(tmp_path)
    assert (stated["images"], stated["ground_truth_boxes"]) == (6, 10)
    assert stated["per_class"]["cat"] == figures(5, 5, 1)  # one in the empty picture
    bird = stated["per_class"]["bird"]
    assert (bird["false_positive"], bird["recall"], bird["reasons"]["recall"]) == (6, None, "no ground truth")
    micro = stated["micro"]
    assert micro["true_positive"] + micro["false_negative"] == 10
    assert stated["inference"]["thresholds"] == {"default": 0.35, "class": {"dog": 0.5}}
    assert stated["independent_test_set"] is False
    assert stated["evaluation_kind"] == "operating-point"
    assert stated["inference"]["backend"].endswith("BoxDetector")
    assert {"numpy", "onnxruntime", "pillow", "python"} <= stated["runtime"].keys()


def test_the_published_figures_follow_from_the_counts() -> None:
    micro = figures(767 + 445, 767, 251)
    assert micro["ground_truth"] == 1212
    assert micro["precision"] == pytest.approx(0.7534381139, abs=5e-11)
    assert micro["recall"] == pytest.approx(0.6328382838, abs=5e-11)
    assert micro["f1"] == pytest.approx(0.6878923767, abs=5e-11)
    assert figures(218, 165, 64)["false_negative"] == 53
    wolf = figures(4, 0, 0)
    assert (wolf["precision"], wolf["recall"], wolf["f1"]) == (None, 0.0, 0.0)
    assert wolf["reasons"] == {"precision": "no detections at or above the floor"}


def test_the_manifest_is_that_of_names_and_bytes(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data")
    support.put(data, "real_s0_0-b", [], seed=77)  # before real_s0_0.png by name, behind it by stem
    pictures = sorted((data / "images").iterdir(), key=lambda path: path.name)
    assert pictures[0].name == "real_s0_0-b.png"
    card = support.card(tmp_path)
    before = validate(card, data, detector=support.BoxDetector()).record["sha256"]["dataset_manifest"]
    assert before == manifest_by_hand(data, pictures)
    for part, suffix in (("images", "png"), ("labels", "txt")):
        (data / part / f"real_s0_0.{suffix}").rename(data / part / f"renamed.{suffix}")
    after = validate(card, data, detector=support.BoxDetector()).record["sha256"]["dataset_manifest"]
    assert after != before


def test_what_is_not_selected_is_neither_scored_nor_hashed_nor_read(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data")
    chosen = sorted((data / "images").iterdir())
    support.data_set(data, 3, prefix="made", seed=50)
    (data / "labels" / "made_s0_0.txt").write_text("no label at all")
    (data / "labels" / "made_s0_1.txt").unlink()
    found = validate(support.card(tmp_path), data, Asked(select="real_*"), detector=support.BoxDetector())
    assert found.record["selection"] == {"pattern": "real_*", "selected": 6, "left_out": 3}
    assert found.record["sha256"]["dataset_manifest"] == manifest_by_hand(data, chosen)
    assert not any(name.startswith("made") for name in found.record["files"])


def test_saved_detections_of_pictures_that_are_not_selected_are_left_out(tmp_path: Path) -> None:
    data = support.data_set(support.data_set(tmp_path / "data"), 3, prefix="made", seed=50)
    asked = Asked(select="real_*", predictions=support.saved(tmp_path, data))
    assert validate(support.card(tmp_path), data, asked).record["per_class"]["cat"] == figures(5, 5, 1)


def test_a_few_objects_get_exact_intervals_that_are_marked(tmp_path: Path) -> None:
    made = record_of(tmp_path)["intervals"]["per_class"]["cat"]
    # All 5 of 5: the bound is the 1/5-th power of 0.025.
    assert made["recall"] == {
        "low": pytest.approx(0.025**0.2, rel=1e-12),
        "high": 1.0,
        "method": "clopper-pearson",
        "optimistic": True,
    }
    assert "reason" in made["f1"]


def test_many_objects_are_resampled_unless_all_are_alike(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data", 30)
    found = validate(support.card(tmp_path), data, detector=support.BoxDetector()).record["intervals"]["per_class"]
    assert found["dog"]["recall"]["method"] == "student"
    assert found["cat"]["recall"]["method"] == "clopper-pearson"  # 29 of 29: no resample would say otherwise
    assert found["cat"]["recall"]["low"] < 0.9


REFUSED = {
    "no picture": (lambda data: [path.unlink() for path in (data / "images").iterdir()], "there is no picture"),
    "a missing label file": (lambda data: (data / "labels" / "real_s0_0.txt").unlink(), "no label file: real_s0_0.png"),
    "a malformed label": (
        lambda data: (data / "labels" / "real_s0_0.txt").write_text("0 2 0 1 1"),
        "real_s0_0.txt line 1",
    ),
    "no class names": (lambda data: (data / "data.yaml").unlink(), "nothing names its classes"),
    "a cut-off picture": (
        lambda data: (data / "images" / "real_s0_0.png").write_bytes(b"\x89PNG\r\n\x1a\n"),
        "real_s0_0.png",
    ),
}


@pytest.mark.parametrize(("spoil", "told"), REFUSED.values(), ids=REFUSED)
def test_data_that_are_refused(tmp_path: Path, spoil: Any, told: str) -> None:
    data = support.data_set(tmp_path / "data")
    spoil(data)
    detector = support.BoxDetector()
    with pytest.raises(InputError, match=told):
        validate(support.card(tmp_path), data, detector=detector)


@pytest.mark.parametrize("names", [["dog", "cat", "bird"], ["cat", "dog"], ["cat", "dog", "Bird"]])
def test_other_classes_than_the_cards_are_refused_with_both_lists(tmp_path: Path, names: list[str]) -> None:
    data = support.data_set(tmp_path / "data")
    for label in (data / "labels").iterdir():
        label.write_text("")
    (data / "data.yaml").write_text(support.data_yaml(names))
    with pytest.raises(InputError) as refused:
        validate(support.card(tmp_path), data, detector=support.BoxDetector())
    assert "0 'cat', 1 'dog', 2 'bird'" in str(refused.value)
    assert ", ".join(f"{number} {name!r}" for number, name in enumerate(names)) in str(refused.value)


def test_no_picture_matches(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of 6 pictures matches 'drawn_"):
        record_of(tmp_path, select="drawn_*")


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data")

    class Meddling(support.BoxDetector):
        def detect(self, pictures: Any) -> Any:
            (data / "labels" / "real_s1_2.txt").write_text("")
            return super().detect(pictures)

    with pytest.raises(InputError, match=r"real_s1_2\.txt was changed while"):
        validate(support.card(tmp_path), data, detector=Meddling())


def test_nothing_is_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, card = support.data_set(tmp_path / "data"), support.card(tmp_path)
    out, saved = str(tmp_path / "a.json"), str(support.saved(tmp_path, data))
    command = ["validate", str(card), str(data), "--out", out, "--predictions", saved]
    assert main(command) == 0
    assert main(command) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert main([*command, "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--fitted-on", "data"], "--fitted-on has no effect without --thresholds"),
        (["--twin-distance", "4"], "--twin-distance has no effect without --train"),
        (["--metadata", "a.csv"], "--metadata has no effect without --group-by or --require"),
        (["--group-regex", "("], "--group-regex '(' is no regular expression"),
        (["--ledger", "no/folder/looks.jsonl"], "there is no folder no/folder to keep"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    tmp_path: Path, options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data, card = support.data_set(tmp_path / "data"), support.card(tmp_path)
    saved = str(support.saved(tmp_path, data))
    command = ["validate", str(card), str(data), "--out", str(tmp_path / "a.json"), "--predictions", saved, *options]
    assert main(command) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "a.json").exists()


def test_detections_of_other_pictures_are_refused_with_a_way_out(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data")
    saved = support.saved(tmp_path, data)
    saved.write_text(saved.read_text().replace("real_s0_0.png", "other.png"))
    with pytest.raises(InputError, match=r"other\.png.*`boxscore convert --unknown-images drop`"):
        validate(support.card(tmp_path), data, Asked(predictions=saved))
