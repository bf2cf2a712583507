"""A run of predictions: what is written, what is refused, and what later steps learn of pictures that failed."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from boxscore.errors import InputError
from boxscore.io.coco_write import write_ground_truth
from boxscore.predict.decode import Found
from boxscore.predict.read_picture import Picture
from boxscore.predict.run import predict_with
from boxscore.predict.run_output import Ids
from boxscore.predict.run_progress import Progress, line
from tests.predict.fake import CLASSES, PixelDetector, pictures, run
from tests.support.command import evaluate, refusal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return pictures(tmp_path / "images", 7)


def ground_truth(folder: Path, place: Path) -> Path:
    """The pictures' images with ids of their own, an object each."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))
    images = [{"id": 100 + i, "file_name": name, "width": 12, "height": 9} for i, name in enumerate(names)]
    objects = [
        {"id": i + 1, "image_id": image["id"], "category_id": 5, "bbox": [1, 2, 2, 2], "area": 4, "iscrowd": 0}
        for i, image in enumerate(images)
    ]
    categories = [{"id": 5 + i, "name": name} for i, name in enumerate(CLASSES)]
    write_ground_truth(place, images=images, annotations=objects, categories=categories)
    return place


def record(out: Path) -> dict[str, object]:
    found = json.loads((out.parent / f"{out.name}.run.json").read_text())
    assert isinstance(found, dict)
    return found


def test_all_from_one_hundredth_up_is_written_whatever_the_form(folder: Path, tmp_path: Path) -> None:
    done = run(folder, tmp_path / "out.json")
    rows = json.loads(done.out.read_text())
    assert done.detections == len(rows) == 14
    assert done.pictures == 7
    run(folder, tmp_path / "out.parquet")
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert table["score"].min() == 0.01
    assert table["file_name"].unique().sort().to_list() == sorted({row["image_id"] for row in rows})
    found = [(row["file_name"], row["label"], [row[side] for side in "xywh"], row["score"]) for row in table.to_dicts()]
    assert found == [(row["image_id"], row["category_name"], row["bbox"], row["score"]) for row in rows]
    assert found[1][2] == [1, 2, 2, 2]


def test_batches_and_threads_change_no_byte(folder: Path, tmp_path: Path) -> None:
    for suffix in ("json", "parquet"):
        seen = set()
        for number, (batch, workers) in enumerate(((1, 1), (2, 2), (3, 4), (50, 1))):
            out = run(folder, tmp_path / f"{number}.{suffix}", batch=batch, workers=workers).out
            seen.add(out.read_bytes())
        assert len(seen) == 1


def test_eval_reads_both_forms_by_name_and_json_by_ids(folder: Path, tmp_path: Path) -> None:
    truth = ground_truth(folder, tmp_path / "gt.json")
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))
    ids = Ids({name: 100 + i for i, name in enumerate(names)}, {name: 5 + i for i, name in enumerate(CLASSES)})
    outs = [run(folder, tmp_path / name).out for name in ("names.json", "names.parquet")]
    outs.append(run(folder, tmp_path / "ids.json", ids=ids).out)
    summaries = [evaluate(truth, out).report["summary"] for out in outs]
    assert summaries[0] == summaries[1] == summaries[2]
    assert summaries[0]["AP"] > 0
    assert json.loads(outs[2].read_text())[0]["image_id"] == 100


def test_ids_of_another_ground_truth_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no picture '001\.png'"):
        run(folder, tmp_path / "out.json", ids=Ids({}, {}))
    with pytest.raises(InputError, match="by names, not ids"):
        run(folder, tmp_path / "out.parquet", ids=Ids({}, {}))


@pytest.mark.parametrize("suffix", ["json", "parquet"])
def test_unreadable_pictures_are_marked_and_eval_refuses_or_tells(folder: Path, tmp_path: Path, suffix: str) -> None:
    truth = ground_truth(folder, tmp_path / "gt.json")
    (folder / "001.png").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    whole = (folder / "004.png").read_bytes()
    (folder / "004.png").write_bytes(whole[: len(whole) // 2])
    done = run(folder, tmp_path / f"out.{suffix}")
    assert [one["file_name"] for one in done.unreadable] == ["001.png", "004.png"]
    assert "git lfs pull" in done.unreadable[0]["reason"]
    assert str(tmp_path) not in json.dumps(done.unreadable)
    assert record(done.out)["unreadable"] == done.unreadable
    message = refusal(evaluate(truth, done.out))
    assert "2 pictures of the ground truth could not be read" in message
    assert "001.png, 004.png" in message

    skipped = run(folder, tmp_path / f"skipped.{suffix}", skip_unreadable=True)
    notes = {note["code"]: note for note in evaluate(truth, skipped.out).report["notes"]}
    assert notes["unreadable-pictures"]["count"] == 2
    assert "001.png, 004.png" in notes["unreadable-pictures"]["message"]


def test_parquet_carries_its_marks_alone(folder: Path, tmp_path: Path) -> None:
    truth = ground_truth(folder, tmp_path / "gt.json")
    (folder / "001.png").write_bytes(b"")
    out = run(folder, tmp_path / "out.parquet").out
    moved = out.rename(tmp_path / "elsewhere.parquet")
    assert "001.png" in refusal(evaluate(truth, moved))


def test_a_record_of_other_bytes_is_refused(folder: Path, tmp_path: Path) -> None:
    truth = ground_truth(folder, tmp_path / "gt.json")
    out = run(folder, tmp_path / "out.json").out
    out.write_text(json.dumps(json.loads(out.read_text())[1:]))
    assert "speaks of other bytes" in refusal(evaluate(truth, out))
    (tmp_path / "out.json.run.json").unlink()
    assert evaluate(truth, out).status == 0


def test_eval_tells_that_fewer_pictures_were_predicted_on(folder: Path, tmp_path: Path) -> None:
    truth = ground_truth(folder, tmp_path / "gt.json")
    for path in list(folder.glob("*.png"))[:2]:
        path.unlink()
    notes = {note["code"]: note for note in evaluate(truth, run(folder, tmp_path / "out.json").out).report["notes"]}
    assert notes["pictures-not-predicted"]["count"] == 2


def test_an_output_that_exists_is_kept_unless_told(folder: Path, tmp_path: Path) -> None:
    run(folder, tmp_path / "out.json")
    with pytest.raises(InputError, match="--overwrite"):
        run(folder, tmp_path / "out.json")
    run(folder, tmp_path / "out.json", overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["images", "out.json", "out.json.run.json"]


def test_what_can_not_be_written_is_refused_before_anything_runs(folder: Path, tmp_path: Path) -> None:
    for out, said in (("out.csv", ".parquet or .json"), ("none/out.json", "there is no folder")):
        with pytest.raises(InputError, match=said):
            run(folder, tmp_path / out)
    (tmp_path / "empty").mkdir()
    for images, said in (("empty", "no pictures"), ("none", "no such folder")):
        with pytest.raises(InputError, match=said):
            run(tmp_path / images, tmp_path / "out.json")
    (folder / "001.jpg").write_bytes((folder / "001.png").read_bytes())
    with pytest.raises(InputError, match="share the stem 001"):
        run(folder, tmp_path / "out.json")


class Wrong:
    """A detector that gives what it is told to."""

    def __init__(self, *found: Found) -> None:
        self.found = found

    def detect(self, pictures: list[Picture]) -> list[Found]:  # noqa: ARG002  part of the protocol
        return list(self.found)


def one(box: tuple[float, ...] = (0, 0, 1, 1), score: float = 0.5, label: int = 0) -> Found:
    return Found(np.array([box], dtype=np.float64), np.array([score]), np.array([label]))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "answered 1 pictures with 0"),
        ([one((0, 0, np.nan, 1))], "not finite"),
        ([one(score=np.inf)], "not finite"),
        ([one(label=3)], "label 3, and there are 3 classes"),
        ([one(label=-1)], "label -1"),
        ([Found(np.zeros((2, 4)), np.zeros(1), np.zeros(1, int))], "2 boxes, 1 scores"),
    ],
)
def test_a_detector_that_answers_wrongly_is_told_so(
    folder: Path, tmp_path: Path, found: list[Found], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        predict_with(Wrong(*found), folder, tmp_path / "out.json", classes=CLASSES, identity={})


def test_the_record_has_times_of_each_picture_and_of_no_warm_up(folder: Path, tmp_path: Path) -> None:
    done = run(folder, tmp_path / "out.json", batch=1, workers=1)
    pictures_seen = done.record["by_picture"]
    assert [one.get("warm_up", False) for one in pictures_seen] == [True, True, *[False] * 5]
    assert done.record["latency_ms"] == [one["to_boxes_ms"] for one in pictures_seen[2:]]
    assert done.latency["to_boxes_ms"]["p50"].count == 5
    machine = done.record["machine"]
    assert machine["processor"]
    assert machine["processors"] >= 1
    assert {"boxscore", "python", "numpy", "pillow"} <= set(done.record["versions"])


def test_a_study_reads_the_latencies_of_a_record(folder: Path, tmp_path: Path) -> None:
    from boxscore.io.latencies import rows

    done = run(folder, tmp_path / "out.json", batch=1, workers=1)
    found = list(rows(tmp_path / "out.json.run.json"))
    assert [value for _, _, value in found] == done.record["latency_ms"]
    assert {device for _, device, _ in found} == {done.record["device"]}


def test_a_detector_of_one_method_is_asked_by_one_thread_at_a_time(folder: Path, tmp_path: Path) -> None:
    detector = PixelDetector()
    predict_with(detector, folder, tmp_path / "out.json", classes=CLASSES, identity={}, batch=2, workers=4)
    assert sorted(detector.calls) == [1, 2, 2, 2]


def test_progress_is_drawn_on_a_terminal_alone() -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    file, terminal = io.StringIO(), Terminal()
    for stream in (file, terminal):
        progress = Progress(stream, 4)
        for done in (0, 2, 4):
            progress.tell(done)
        progress.end()
    assert file.getvalue() == ""
    assert "\r4 of 4 pictures" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_rate_and_time_left_count_what_this_process_did() -> None:
    assert line(0, 10, 0, 0.0) == "0 of 10 pictures"
    assert line(60, 100, 20, 10.0) == "60 of 100 pictures, 2.0 a second, 20 s left"
    assert line(1, 1000, 1, 1.0).endswith("16 min 39 s left")
    assert line(1, 10001, 1, 1.0).endswith("2 h 46 min left")
