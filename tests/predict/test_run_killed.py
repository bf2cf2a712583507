"""A run that is killed goes on where it was and ends in the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from boxscore.errors import InputError
from boxscore.predict.resume import Journal, place_of
from boxscore.predict.run import predict_with
from tests.predict.fake import CLASSES, PixelDetector, pictures, run

ROOT = Path(__file__).resolve().parents[2]
PICTURES, BATCH = 20, 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return pictures(tmp_path / "images", PICTURES)


def start(folder: Path, out: Path, seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.predict.fake", str(folder), str(out), str(seconds)]
    return subprocess.Popen(command, cwd=ROOT)


def killed_after_batches(folder: Path, out: Path, batches: int) -> int:
    """Kill -9 as soon as so many batches more are in the journal; returns how many it holds then."""
    journal = place_of(out)
    before = whole_batches(journal)
    with start(folder, out, 0.05) as process:
        deadline = time.monotonic() + 60
        while whole_batches(journal) < before + batches:
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()
    return whole_batches(journal)


def whole_batches(journal: Path) -> int:
    lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    return sum(b'"batch":' in line.partition(b" ")[2][:12] for line in lines)


@pytest.mark.parametrize("suffix", ["json", "parquet"])
def test_kill_9_at_any_moment_loses_the_batches_in_flight_alone(folder: Path, tmp_path: Path, suffix: str) -> None:
    expected = run(folder, tmp_path / f"whole.{suffix}").out.read_bytes()
    out = tmp_path / f"out.{suffix}"
    kept = 0
    for batches in (1, 3, 2):
        held = killed_after_batches(folder, out, batches)
        assert held >= kept + batches
        kept = held
    with start(folder, out, 0.0) as process:
        assert process.wait(60) == 0
    assert out.read_bytes() == expected
    assert sorted(path.name for path in tmp_path.iterdir() if "whole" not in path.name) == [
        "images",
        out.name,
        f"{out.name}.run.json",
    ]
    record = json.loads((tmp_path / f"{out.name}.run.json").read_text())
    assert record["continued"] == 3
    assert len(record["by_picture"]) == PICTURES


def test_what_is_done_is_not_done_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    held = killed_after_batches(folder, out, 4)
    detector = PixelDetector()
    done = predict_with(detector, folder, out, classes=CLASSES, identity={"name": "pixels"}, batch=BATCH)
    assert done.continued == 1
    assert len(detector.calls) == PICTURES // BATCH - held
    assert detector.calls


def journal_of_a_killed_run(folder: Path, tmp_path: Path) -> tuple[Path, Path]:
    out = tmp_path / "out.json"
    killed_after_batches(folder, out, 3)
    return out, place_of(out)


def test_a_torn_or_damaged_journal_is_taken_up_to_the_damage(folder: Path, tmp_path: Path) -> None:
    expected = run(folder, tmp_path / "whole.json").out.read_bytes()
    out, journal = journal_of_a_killed_run(folder, tmp_path)
    data = journal.read_bytes()
    random = np.random.default_rng(3)
    for number in range(12):
        cut = int(random.integers(0, len(data)))
        torn = data[:cut] if number % 2 else data[:cut] + bytes([data[cut] ^ 1]) + data[cut + 1 :]
        journal.write_bytes(torn)
        done = run(folder, out, overwrite=True)
        assert done.out.read_bytes() == expected
        assert not journal.exists()


def test_a_run_killed_between_output_and_journal_has_only_to_end(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    _, journal = journal_of_a_killed_run(folder, tmp_path)
    kept = journal.read_bytes()
    expected = run(folder, out).out.read_bytes()
    journal.write_bytes(kept)
    assert run(folder, out).out.read_bytes() == expected


def test_a_journal_of_another_run_is_refused_by_what_differs(folder: Path, tmp_path: Path) -> None:
    out, _ = journal_of_a_killed_run(folder, tmp_path)
    with pytest.raises(InputError, match=r"differs in batch \(there 2, now 3\).*--restart"):
        run(folder, out, batch=3)
    with pytest.raises(
        InputError, match=r'differs in detector \(there \{"name": "pixels"\}, now \{"name": "other"\}\)'
    ):
        run(folder, out, identity={"name": "other"})
    (folder / "001.png").write_bytes((folder / "002.png").read_bytes())
    with pytest.raises(InputError, match="differs in listing"):
        run(folder, out)
    assert run(folder, out, batch=3, restart=True).continued == 0


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "out.json.journal", {"a": 1})
    with pytest.raises(InputError, match="another process"):
        Journal(tmp_path / "out.json.journal", {"a": 1})
    journal.close()
    Journal(tmp_path / "out.json.journal", {"a": 1}).close(remove=True)
    assert list(tmp_path.iterdir()) == []
