"""The ledger: looks are appended whole, and what is torn or edited is refused by line."""

import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.validate import Asked, ledger, validate
from boxscore.validate.cases import Cases, find_cases
from tests.validate import support

ABOUT = {"data": "d", "manifest": "m", "model": "x", "card": "c", "thresholds": "t", "thresholds_fitted_on": None}


def three_looks(folder: Path) -> tuple[Path, Cases]:
    cases = find_cases(support.data_set(folder / "data"))
    path = folder / "looks.jsonl"
    for number in range(3):
        ledger.append(path, cases, ABOUT | {"model": str(number)}, "2025-01-01T00:00:00Z")
    return path, cases


def test_looks_are_counted_by_pictures(tmp_path: Path) -> None:
    path, cases = three_looks(tmp_path)
    assert len(ledger.Ledger.read(path).earlier(cases)) == 3
    some = find_cases(tmp_path / "data", select="*_s0_*")
    (tmp_path / "data" / "labels" / "real_s0_0.txt").write_text("")  # other labels, the same picture
    assert len(ledger.Ledger.read(path).earlier(some)) == 3
    others = find_cases(support.data_set(tmp_path / "others", seed=40))
    assert ledger.Ledger.read(path).earlier(others) == []


def test_pictures_are_listed_once(tmp_path: Path) -> None:
    path, _ = three_looks(tmp_path)
    listed = [json.loads(line)["pictures"] for line in path.read_text().splitlines()]
    assert [one is None for one in listed] == [False, True, True]
    assert len(listed[0]) == 6


def edited(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b'"model":"1"', b'"model":"9"'), lines[2]]


def resealed(lines: list[bytes]) -> list[bytes]:
    """Line 2 edited and given a digest that fits: the line after it doesn't follow any more."""
    from boxscore.validate import digests

    look = json.loads(lines[1]) | {"model": "9"}
    rest = {name: value for name, value in look.items() if name != "digest"}
    return [lines[0], digests.canonical(rest | {"digest": digests.of_content(rest)}), lines[2]]


Spoil = Callable[[list[bytes]], list[bytes]]
SPOILT: dict[str, tuple[Spoil, int, str]] = {
    "edited": (edited, 2, "was edited"),
    "edited and sealed again": (resealed, 3, "does not follow"),
    "a line removed": (lambda lines: [lines[0], lines[2]], 2, "does not follow"),
    "the first removed": (lambda lines: lines[1:], 1, "does not follow"),
    "two changed about": (lambda lines: [lines[0], lines[2], lines[1]], 2, "does not follow"),
    "a line twice": (lambda lines: [lines[0], lines[0], *lines[1:]], 2, "does not follow"),
    "blanks added": (lambda lines: [lines[0], lines[1].replace(b",", b", ", 1), lines[2]], 2, "was edited"),
    "another word": (lambda lines: [*lines, b'{"a":1}'], 4, "is no look"),
    "no JSON": (lambda lines: [lines[0], b"look", *lines[1:]], 2, "is torn"),
    "a blank line": (lambda lines: [*lines, b""], 4, "is torn"),
}


@pytest.mark.parametrize(("spoil", "line", "told"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_ledger_is_refused_by_line(tmp_path: Path, spoil: Spoil, line: int, told: str) -> None:
    path, cases = three_looks(tmp_path)
    lines = path.read_bytes()[:-1].split(b"\n")
    path.write_bytes(b"\n".join(spoil(lines)) + b"\n")
    before = path.read_bytes()
    with pytest.raises(InputError, match=rf"line {line} .*{told}"):
        ledger.Ledger.read(path)
    with pytest.raises(InputError, match=rf"line {line} .*{told}"):
        ledger.append(path, cases, ABOUT, "now")
    assert path.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 2, 50, 300])
def test_a_torn_ledger_is_refused_by_line(tmp_path: Path, cut: int) -> None:
    path, _ = three_looks(tmp_path)
    os.truncate(path, path.stat().st_size - cut)
    with pytest.raises(InputError, match="line 3 is torn"):
        ledger.Ledger.read(path)


def _append(path: Path, data: Path, name: str) -> None:
    for _ in range(10):
        ledger.append(path, find_cases(data), ABOUT | {"model": name}, "now")


def test_looks_at_a_time_all_stay(tmp_path: Path) -> None:
    data, path = support.data_set(tmp_path / "data"), tmp_path / "looks.jsonl"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_append, args=(path, data, name)) for name in "ab"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [look["number"] for look in ledger.Ledger.read(path).looks] == list(range(1, 21))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "looks.jsonl"]


def test_a_write_that_fails_leaves_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cases = three_looks(tmp_path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        ledger.append(path, cases, ABOUT, "now")
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "looks.jsonl"]


def test_a_validation_writes_its_look_down(tmp_path: Path) -> None:
    data, card, path = support.data_set(tmp_path / "data"), support.card(tmp_path), tmp_path / "looks.jsonl"
    stated = [validate(card, data, Asked(ledger=path), detector=support.BoxDetector()).record for _ in range(2)]
    assert [one["ledger"]["earlier_looks"] for one in stated] == [0, 1]
    assert [one["independence"]["no_earlier_look"]["holds"] for one in stated] == [True, False]
    look = ledger.Ledger.read(path).looks[1]
    assert look["model"] == stated[1]["sha256"]["model"]
    assert look["manifest"] == stated[1]["sha256"]["dataset_manifest"]


def test_a_spoilt_ledger_gives_no_figures(tmp_path: Path) -> None:
    data, card, path = support.data_set(tmp_path / "data"), support.card(tmp_path), tmp_path / "looks.jsonl"
    path.write_text("half a li")
    with pytest.raises(InputError, match="line 1 is torn"):
        validate(card, data, Asked(ledger=path), detector=support.BoxDetector())
