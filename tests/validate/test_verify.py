"""A record is held to the bytes that it names, and to its own figures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.validate import validate, verify
from tests.validate import support


@pytest.fixture
def made(tmp_path: Path) -> Path:
    data, card = support.data_set(tmp_path / "data"), support.card(tmp_path)
    options = ["--predictions", str(support.saved(tmp_path, data)), "--ledger", str(tmp_path / "looks.jsonl")]
    assert main(["validate", str(card), str(data), "--out", str(tmp_path / "a.json"), *options]) == 0
    return tmp_path


def test_a_record_holds_to_the_byte(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (made / "looks.jsonl").read_bytes()
    assert main(["validate", "--verify", str(made / "a.json")]) == 0
    assert "to the byte" in capsys.readouterr().out
    assert (made / "looks.jsonl").read_bytes() == before  # to check a look is none


def _edit(record: Path, change: Callable[[dict[str, Any]], None]) -> None:
    stated = json.loads(record.read_text())
    change(stated)
    record.write_text(json.dumps(stated, sort_keys=True, indent=2) + "\n")


def _set(*path: str, to: object) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        def change(stated: dict[str, Any]) -> None:
            for name in path[:-1]:
                stated = stated[name]
            stated[path[-1]] = to

        _edit(folder / "a.json", change)

    return spoil


SPOILT = {
    "a figure": (_set("micro", "true_positive", to=9), "micro.true_positive: 9 in the record, 5 now"),
    "independence": (_set("independent_test_set", to=True), "independent_test_set: True in the record, False now"),
    "a digest": (_set("sha256", "model", to="0" * 64), "sha256.model"),
    "an interval": (_set("intervals", "micro", "recall", "low", to=0.9), "intervals: 1 value differs"),
    "a picture's bytes": (
        lambda folder: support.put(folder / "data", "real_s0_0", [], seed=99),
        "real_s0_0.png: its bytes are not those",
    ),
    "a label's bytes": (
        lambda folder: (folder / "data" / "labels" / "real_s0_0.txt").write_text("0 .25 .5 .25 .5\n1 .75 .5 .25 .5\n"),
        "real_s0_0.txt: its bytes are not those",
    ),
    "a picture more": (lambda folder: support.put(folder / "data", "new", [], seed=98), "new.png is new"),
    "a picture less": (
        lambda folder: [(folder / "data" / part).unlink() for part in ("images/real_s0_0.png", "labels/real_s0_0.txt")],
        "real_s0_0.png is gone",
    ),
    "a missing label": (
        lambda folder: (folder / "data" / "labels" / "real_s0_0.txt").unlink(),
        "can't be scored again",
    ),
    "the model": (lambda folder: (folder / "sample.onnx").write_bytes(b"another"), "can't be scored again"),
    "the card's floors": (
        lambda folder: (folder / "card.yaml").write_text(support.CARD.replace("0.35", "0.95")),
        "sha256.thresholds",
    ),
    "the detections": (lambda folder: (folder / "predictions.json").write_text("[]"), "sha256.predictions"),
    "the ledger without the look": (lambda folder: (folder / "looks.jsonl").write_bytes(b""), "has 0 lines"),
}


@pytest.mark.parametrize(("spoil", "told"), SPOILT.values(), ids=SPOILT)
def test_what_no_longer_holds_is_told(
    made: Path, spoil: Callable[[Path], object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(made)
    assert main(["validate", "--verify", str(made / "a.json")]) == 1
    assert told in capsys.readouterr().out


def test_another_version_is_noted_and_no_failure(made: Path) -> None:
    _set("runtime", "pillow", to="9.0.0")(made)
    found = verify(made / "a.json")
    assert (found.failed, found.same_bytes) == ([], False)
    assert [note.split(":")[0] for note in found.noted] == ["runtime.pillow"]


def test_files_that_moved_are_found_where_they_are_said_to_be(made: Path) -> None:
    (made / "data").rename(made / "elsewhere")
    (made / "predictions.json").rename(made / "p.json")
    assert any("can't be scored again" in one for one in verify(made / "a.json").failed)
    found = verify(made / "a.json", dataset=made / "elsewhere", predictions=str(made / "p.json"))
    assert found.failed == []
    assert all(note.startswith("inputs.") for note in found.noted)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"evaluation_kind": "operating-point"}', "{" * 9])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"boxscore validate --out"):
        verify(tmp_path / "a.json")


def test_saved_detections_need_no_weights_and_the_answer_says_so(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made with the weights and verified without, made without and verified with: notes, and no failure."""
    capsys.readouterr()
    (made / "sample.onnx").rename(made / "away.onnx")
    assert main(["validate", "--verify", str(made / "a.json")]) == 0
    told = capsys.readouterr()
    assert "but for the notes: everything but the model's bytes was hashed" in told.out
    assert "the model's bytes were not checked: sample.onnx is not there" in told.err
    data, predictions = made / "data", str(made / "predictions.json")
    without = ["validate", str(made / "card.yaml"), str(data), "--out", str(made / "b.json")]
    assert main([*without, "--predictions", predictions]) == 0
    assert "the model's bytes were not checked" in capsys.readouterr().err
    stated = json.loads((made / "b.json").read_text())
    assert stated["inputs"]["model_bytes"] == "not checked"
    assert stated["sha256"]["model"] == json.loads((made / "a.json").read_text())["sha256"]["model"]
    assert "(the model's bytes were not checked)" in (made / "b.md").read_text()
    assert main(["validate", "--verify", str(made / "b.json")]) == 0
    assert "to the byte: everything but the model's bytes" in capsys.readouterr().out
    (made / "away.onnx").rename(made / "sample.onnx")
    found = verify(made / "b.json")
    assert (found.failed, found.model_checked) == ([], True)
    assert [note.split(":")[0] for note in found.noted] == ["inputs.model_bytes"]


def test_weights_that_are_there_are_checked_and_a_pointer_is_none(made: Path) -> None:
    (made / "sample.onnx").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    assert (verify(made / "a.json").failed, verify(made / "a.json").model_checked) == ([], False)
    _set("sha256", "model", to="0" * 64)(made)
    assert any("sha256.model" in one for one in verify(made / "a.json").failed)
    (made / "sample.onnx").write_bytes(b"another model")
    assert any("it is another model" in one for one in verify(made / "a.json").failed)


def test_running_the_model_needs_its_weights(made: Path) -> None:
    (made / "sample.onnx").unlink()
    with pytest.raises(InputError, match=r"model\.path: 'sample\.onnx' is not there"):
        validate(made / "card.yaml", made / "data")
