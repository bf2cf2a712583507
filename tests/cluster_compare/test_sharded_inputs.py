"""`boxscore compare` of sharded data, by threads: what it says of the same data in plain files."""

from pathlib import Path

import pytest

from boxscore.compare import loading, sharded
from boxscore.pipeline.identity import refuse_different
from boxscore.pipeline.sharding.opened import thread_engine
from tests.cluster_compare import in_shards
from tests.compare import made
from tests.support import command

ASKED = ("--replicates", "150", "--json", "--per-label", "--pairs", "all")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--protocol", "operating-point", "--conf", "0.4", "--measure", "F1@0.5", "--measure", "FPPI@0.5"),
        ("--label-agnostic", "--nms", "0.6"),
        ("--labels", "van", "--measure", "AR[max=10]"),
    ],
    ids=["coco", "operating point", "agnostic after suppression", "one label"],
)
def test_the_results_are_those_of_plain_files(tmp_path: Path, options: tuple[str, ...]) -> None:
    plain = command.boxscore("compare", *made.files(tmp_path, 30), *ASKED, *options)
    parts = command.boxscore("compare", *in_shards.write(tmp_path / "shards", 30, 7), *ASKED, *options)
    assert parts.status == 0, parts.errors
    expected = plain.report
    assert parts.report == expected | {"notes": parts.report["notes"]}
    codes = [note["code"] for note in expected["notes"] if note["code"] != "read-as"]
    assert [note["code"] for note in parts.report["notes"]] == codes


def test_groups_are_those_of_the_column(tmp_path: Path) -> None:
    by_clip = ("--replicates", "100", "--json")
    plain = command.boxscore("compare", *made.files(tmp_path, 24, 12), *by_clip).report
    parts = command.boxscore("compare", *in_shards.write(tmp_path / "shards", 24, 5, 12), *by_clip).report
    assert (parts["unit"], parts["units"]) == ("group", 12)
    assert parts["results"] == plain["results"]


def test_two_sharded_data_sets(tmp_path: Path) -> None:
    gt, good, fair, _ = made.files(tmp_path, 20)
    one = in_shards.write(tmp_path / "one", 20, 6)
    other = in_shards.write(tmp_path / "other", 20, 20)
    asked = ("--replicates", "60", "--json", "--name", "a", "--name", "b", "--unpaired")
    plain = command.boxscore("compare", gt, good, gt, fair, *asked)
    parts = command.boxscore("compare", one[0], one[1], other[0], other[2], *asked)
    assert parts.status == 0, parts.errors
    assert parts.report["gaps"] == plain.report["gaps"]
    assert [note["code"] for note in parts.report["notes"]] == [note["code"] for note in plain.report["notes"]]


def test_runs_of_parts_and_of_files_are_on_the_same_data(tmp_path: Path) -> None:
    gt, *predictions = map(str, made.files(tmp_path, 16))
    shards = list(map(str, in_shards.write(tmp_path / "shards", 16, 5)))
    plain = loading.load_files(gt, predictions).runs
    parts = sharded.load_shards(shards[0], shards[1:], None, lambda: thread_engine(None, 2)).runs
    assert list(parts) == list(plain)
    assert [run.data_identity for run in parts.values()] == [run.data_identity for run in plain.values()]
    assert [run.matches.kernel.state() for run in parts.values()] == [
        run.matches.kernel.state() for run in plain.values()
    ]
    refuse_different({"of files": plain["good"], "of parts": parts["fair"]})


def test_parts_are_kept_for_another_time(tmp_path: Path) -> None:
    paths = in_shards.write(tmp_path / "shards", 20, 6)
    first = command.boxscore("compare", *paths, *ASKED, "--parts", tmp_path / "kept")
    kept = sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "kept").iterdir())
    assert len(kept) == 3 * 4
    again = command.boxscore("compare", *paths, *ASKED, "--parts", tmp_path / "kept")
    assert again.output == first.output
    assert kept == sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "kept").iterdir())


def test_what_is_refused(tmp_path: Path) -> None:
    gt, good, *_ = made.files(tmp_path, 6)
    shards, of_good, of_fair, _ = in_shards.write(tmp_path / "shards", 6, 4)

    def refused(*arguments: str | Path) -> str:
        return command.refusal(command.boxscore("compare", *arguments))

    assert "--engine is spark; there are threads, ray" in refused(gt, good, good, "--engine", "spark")
    assert "--parts keeps what was made of sharded data" in refused(gt, good, good, "--parts", "kept")
    assert f"{good}: this is no sharded predictions" in refused(shards, of_good, good)
    assert f"{gt}: this is no sharded ground truth" in refused(gt, of_good, of_fair)
    assert "this is ground truth, not predictions" in refused(shards, shards, of_good)
    assert "give the ground truth and two sets of predictions or more" in refused(shards, of_good)
    assert "leave out options of forms" in refused(shards, of_good, of_fair, "--pred-format", "coco")
    assert "no Ray cluster answers there" in refused(gt, good, good, "--engine", "ray://127.0.0.1:1")


def test_a_part_that_was_cut_off_is_named(tmp_path: Path) -> None:
    paths = in_shards.write(tmp_path / "shards", 12, 4)
    part = next((paths[2] / "detections").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-10])
    message = command.refusal(command.boxscore("compare", *paths, *ASKED))
    assert str(part) in message
