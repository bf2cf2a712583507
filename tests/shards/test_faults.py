"""What happens to parts: one is missing, cut off or changed; the process is killed; the store is damaged."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import boxscore
from boxscore.errors import InputError
from boxscore.io.shards import manifest
from boxscore.pipeline.convert import convert
from boxscore.pipeline.sharding import make
from boxscore.pipeline.sharding.engines import ThreadEngine
from boxscore.pipeline.sharding.store import PartStore
from tests.support.command import boxscore as command
from tests.support.command import refusal

IMAGES = 12


def data(images: int = IMAGES) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Two labels, an object of each an image, three detections that hit, miss and stray."""
    truth: dict[str, Any] = {
        "images": [{"id": image, "width": 99, "height": 99} for image in range(images)],
        "annotations": [
            {"id": 2 * image + label, "image_id": image, "category_id": label, "bbox": [9 * label, 9, 20, 20]}
            for image in range(images)
            for label in (0, 1)
        ],
        "categories": [{"id": 0, "name": "cat"}, {"id": 1, "name": "dog"}],
    }
    results = [
        {"image_id": image, "category_id": label, "bbox": [shift, 9, 20, 20], "score": (image * 7 + shift) % 11 / 11}
        for image in range(images)
        for label, shift in ((0, 0), (1, 10), (1, 60))
    ]
    return truth, results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    truth, results = data()
    (tmp_path / "gt.json").write_text(json.dumps(truth))
    (tmp_path / "dt.json").write_text(json.dumps(results))
    convert(tmp_path / "gt.json", tmp_path / "gt", to="shards", images_per_part=3)
    convert(tmp_path / "dt.json", tmp_path / "dt", to="shards", ground_truth=tmp_path / "gt")
    return tmp_path


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "missing":
        path.unlink()
    elif how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "changed":
        at = len(content) // 3
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    else:
        table = pq.read_table(path)
        pq.write_table(table.slice(1), path)


@pytest.mark.parametrize(
    ("arguments", "side"), [(("gt", "nowhere"), "predictions"), (("nowhere", "dt"), "ground truth")]
)
def test_a_path_that_leads_nowhere(folder: Path, arguments: tuple[str, str], side: str) -> None:
    told = refusal(command("eval", *arguments, cwd=folder))
    assert told == f"error: nowhere: there is no such file or folder; check the path of the {side}"


@pytest.mark.parametrize("how", ["missing", "cut", "changed", "another"])
@pytest.mark.parametrize("name", ["gt/images", "gt/ground_truth", "dt/detections"])
def test_a_part_that_cannot_be_read(folder: Path, name: str, how: str) -> None:
    path = folder / name / "part-00002.parquet"
    damage(path, how)
    told = refusal(command("eval", "gt", "dt", cwd=folder))
    assert f"{name}/part-00002.parquet" in told
    words = {
        "missing": "this part is missing",
        "cut": "the file was cut off or changed",
        "changed": "its SHA-256 is not the one that the manifest states",
        "another": "the file was cut off or changed",
    }
    assert words[how] in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[: len(text) // 2], "manifest.json is not valid JSON"),
        (lambda text: text[:1], "manifest.json is not valid JSON"),
        (lambda text: text.replace('"format": "1.0"', '"format": "2.0"'), "format is 2.0; this boxscore reads 1.x"),
        (lambda text: text.replace('"role": "ground_truth"', '"role": "truth"'), "role is 'truth'"),
        (lambda text: text.replace('"sha256"', '"sha"', 1), "a part is not described as it should be"),
        (lambda text: text.replace('"first": 3', '"first": 2'), "the images of part 1 don't lie behind"),
    ],
)
def test_a_damaged_manifest(folder: Path, change: Any, told: str) -> None:
    path = folder / "gt" / "manifest.json"
    before = path.read_text()
    path.write_text(change(before))
    assert path.read_text() != before
    assert told in refusal(command("eval", "gt", "dt", cwd=folder))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("dt", "gt"), "dt: this is predictions, not ground truth; give them in the other order"),
        (("gt", "dt.json"), "dt.json: this is no sharded predictions"),
        (("gt.json", "dt"), "gt.json: this is no sharded ground truth"),
        (("gt", "dt", "--pred-format", "coco"), "leave out options of forms"),
        (("gt", "dt", "--unknown-images", "background"), "can't be counted as empty in sharded data"),
        (("gt", "dt", "--engine", "spark"), "--engine is spark; there are threads, ray"),
    ],
)
def test_what_is_not_sharded(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    assert told in refusal(command("eval", *arguments, cwd=folder))


# The store of parts


def shards(folder: Path) -> tuple[Any, Any]:
    found = manifest.read(str(folder / "gt")), manifest.read(str(folder / "dt"))
    assert None not in found
    return found


def counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the parts that are made."""
    made: list[int] = []
    real = make.make_part

    def counted(settings: Any, job: Any, **given: Any) -> Any:
        made.append(job.number)
        return real(settings, job, **given)

    monkeypatch.setattr(make, "make_part", counted)
    return made


def kept_parts(folder: Path) -> list[Path]:
    return sorted((folder / "parts").glob("*.part"))


def test_parts_are_taken_up_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = counting(monkeypatch)
    given: dict[str, Any] = {"parts": folder / "parts", "threads": 1}
    first = boxscore.evaluate(folder / "gt", folder / "dt", **given)
    assert made == [0, 1, 2, 3]
    again = boxscore.evaluate(folder / "gt", folder / "dt", **given)
    assert made == [0, 1, 2, 3]
    assert again.to_dict() == first.to_dict()
    assert len(kept_parts(folder)) == 4
    boxscore.evaluate(folder / "gt", folder / "dt", max_detections=[1], **given)
    assert made == [0, 1, 2, 3] * 2, "other settings make other parts"
    convert(folder / "dt.json", folder / "dt", to="shards", ground_truth=folder / "gt", overwrite=True)
    boxscore.evaluate(folder / "gt", folder / "dt", **given)
    assert made == [0, 1, 2, 3] * 2, "the same content makes the same parts"


@pytest.mark.parametrize("how", ["missing", "cut", "changed"])
def test_a_damaged_part_is_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    given: dict[str, Any] = {"parts": folder / "parts", "threads": 1}
    plain = boxscore.evaluate(folder / "gt", folder / "dt", **given).to_dict()
    damage(kept_parts(folder)[1], how)
    made = counting(monkeypatch)
    assert boxscore.evaluate(folder / "gt", folder / "dt", **given).to_dict() == plain
    assert len(made) == 1


def test_a_changed_source_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"parts": folder / "parts", "threads": 1}
    boxscore.evaluate(folder / "gt", folder / "dt", **given)
    truth, results = data()
    results[-1]["score"] = 0.987
    (folder / "dt.json").write_text(json.dumps(results))
    convert(folder / "dt.json", folder / "dt", to="shards", ground_truth=folder / "gt", overwrite=True)
    made = counting(monkeypatch)
    parts = boxscore.evaluate(folder / "gt", folder / "dt", **given)
    assert made == [3]
    assert parts.to_dict()["metrics"] == boxscore.evaluate(truth, results).to_dict()["metrics"]


def test_a_part_that_goes_while_it_is_used(folder: Path) -> None:
    run = boxscore.evaluate(folder / "gt", folder / "dt", parts=folder / "parts")
    damage(kept_parts(folder)[0], "cut")
    with pytest.raises(InputError, match="this part is gone, or was changed; run the command again"):
        _ = run.summary


def test_the_folder_of_parts(folder: Path) -> None:
    (folder / "file").write_text("")
    told = refusal(command("eval", "gt", "dt", "--parts", "file", cwd=folder))
    assert "file: parts can't be written there" in told
    engine = ThreadEngine(PartStore(folder / "parts"), remove=True)
    boxscore.evaluate(folder / "gt", folder / "dt", engine=engine)
    (folder / "parts" / "mine.txt").write_text("")
    engine.close()
    assert [path.name for path in (folder / "parts").iterdir()] == ["mine.txt"]


KILLED = """
import os, signal, sys
from boxscore.pipeline.sharding import make
real, made = make.make_part, []
def make_part(settings, job, **given):
    if len(made) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    made.append(job.number)
    return real(settings, job, **given)
make.make_part = make_part
from boxscore.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_killed_process_leaves_its_parts(folder: Path) -> None:
    arguments = ["eval", "gt", "dt", "--threads", "1", "--out", "run"]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], cwd=folder, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (folder / "run").exists()
    left = sorted((folder / "run.parts").glob("*.part"))
    assert 2 <= len(left) <= 3
    before = {path: path.stat().st_mtime_ns for path in left}
    done = command(*arguments, "--parts", "run.parts", cwd=folder)
    assert done.status == 0, done.errors
    after = {path: path.stat().st_mtime_ns for path in (folder / "run.parts").glob("*.part")}
    assert len(after) == 4
    assert before.items() <= after.items(), "what was finished is not made again"
    plain = boxscore.evaluate(folder / "gt", folder / "dt")
    kept = json.loads((folder / "run" / "metrics.json").read_text())
    assert kept["metrics"] == plain.to_dict()["metrics"]


CONVERTING = """
import os, signal, sys
from boxscore.io.shards import write
real = write.ShardWriter.finish
write.ShardWriter.finish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
from boxscore.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_killed_conversion_leaves_nothing_to_read(folder: Path) -> None:
    arguments = ["convert", "gt.json", "new", "--to", "shards", "--images-per-part", "2"]
    killed = subprocess.run(
        [sys.executable, "-c", CONVERTING, *arguments], cwd=folder, capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert not (folder / "new").exists()
    stale = [path for path in folder.iterdir() if path.name.endswith(".unfinished")]
    assert len(stale) == 1
    deadline = time.monotonic() + 5
    while _runs(int(stale[0].name.split("-")[-1].split(".")[0])) and time.monotonic() < deadline:
        time.sleep(0.01)
    done = command(*arguments, cwd=folder)
    assert done.status == 0, done.errors
    assert not stale[0].exists(), "what a process of this host left is taken away"
    assert command("eval", "new", "dt", cwd=folder).status == 0


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
