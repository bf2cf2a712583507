"""Splits keep sessions whole, come near the shares, and are the same everywhere for a seed."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import read_ground_truth
from boxscore.cli import main
from boxscore.errors import InputError
from boxscore.validate.splitting import shares_of, split
from tests.validate import support


def coco(folder: Path, sizes: list[int]) -> Path:
    """A COCO file of sessions of these sizes, a box an image."""
    images = [
        {"id": 100 * number + i, "file_name": f"s{number}_{i}.jpg", "width": 9, "height": 9, "clip": f"s{number}"}
        for number, size in enumerate(sizes)
        for i in range(size)
    ]
    boxes = [{"id": i, "image_id": one["id"], "category_id": 1, "bbox": [0, 0, 4, 4]} for i, one in enumerate(images)]
    boxes = [one | {"area": 16, "iscrowd": 0} for one in boxes]
    path = folder / "gt.json"
    content = {"images": images, "annotations": boxes, "categories": [{"id": 1, "name": "a"}], "info": {"year": 2025}}
    path.write_text(json.dumps(content))
    return path


@given(sizes=st.lists(st.integers(1, 9), min_size=3, max_size=25), seed=st.integers(0, 99))
def test_sessions_stay_whole_and_shares_are_kept(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], seed: int
) -> None:
    dataset = read_ground_truth(coco(tmp_path_factory.mktemp("coco"), sizes))
    found = split(dataset, group_by="clip", seed=seed)
    by_session: dict[str, set[str]] = {}
    for session, part in zip(found.session_of, found.of_image, strict=True):
        by_session.setdefault(session, set()).add(part)
    assert all(len(parts) == 1 for parts in by_session.values())
    about = found.to_dict()["splits"]
    assert sum(one["images"] for one in about.values()) == sum(sizes)
    assert all(one["images"] for one in about.values())
    # No split is beyond its share by more than the session that went over it (or the one that it had to get).
    for name, one in about.items():
        assert one["images"] <= found.shares[name] * sum(sizes) + max(sizes)
    assert split(dataset, group_by="clip", seed=seed).of_session == found.of_session


def test_a_seed_means_the_same_splits_for_ever(tmp_path: Path) -> None:
    dataset = read_ground_truth(coco(tmp_path, [4] * 10))
    assert split(dataset, group_by="clip", seed=7).of_session == {
        "s0": "train",
        "s1": "train",
        "s2": "test",
        "s3": "train",
        "s4": "train",
        "s5": "train",
        "s6": "train",
        "s7": "val",
        "s8": "val",
        "s9": "test",
    }
    assert len({tuple(split(dataset, group_by="clip", seed=seed).of_session.values()) for seed in range(8)}) > 4


def test_coco_files_of_each_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = coco(tmp_path, [3, 5, 2, 4, 6, 1]), tmp_path / "splits"
    options = ["--group-by", "clip", "--seed", "3", "--shares", "train=0.6,test=0.4"]
    assert main(["split", str(source), "--out", str(out), *options]) == 0
    assert "train" in capsys.readouterr().out
    parts = {name: json.loads((out / f"{name}.json").read_text()) for name in ("train", "test")}
    clips = {name: {one["clip"] for one in part["images"]} for name, part in parts.items()}
    assert not clips["train"] & clips["test"]
    assert sum(len(part["annotations"]) for part in parts.values()) == 21
    assert parts["test"]["info"] == {"year": 2025}
    listed = (out / "train.txt").read_text().split()
    assert listed == [one["file_name"] for one in parts["train"]["images"]]
    assert json.loads((out / "split.json").read_text())["seed"] == 3
    assert read_ground_truth(out / "test.json").num_images == len(parts["test"]["images"])


def test_yolo_splits_are_read_back_as_data_sets(tmp_path: Path) -> None:
    data = support.data_set(tmp_path / "data", 10)
    out = tmp_path / "splits"
    options = ["--group-regex", r"_(?P<session>s\d+)_", "--shares", "0.6,0.4"]
    assert main(["split", str(data), "--out", str(out), *options]) == 0
    names = [line.rpartition("/")[2] for part in ("train", "val") for line in (out / f"{part}.txt").read_text().split()]
    assert sorted(names) == sorted(path.name for path in (data / "images").iterdir())
    assert all((out / line).is_file() for line in (out / "val.txt").read_text().split())
    read = read_ground_truth(out / "data.yaml")
    assert read.num_images == len((out / "val.txt").read_text().split())
    assert list(read.labels) == list(support.CLASSES)


def test_what_cannot_be_split_is_refused(tmp_path: Path) -> None:
    dataset = read_ground_truth(coco(tmp_path, [5, 5]))
    with pytest.raises(InputError, match="2 sessions by column 'clip', too few for 3 splits"):
        split(dataset, group_by="clip")
    with pytest.raises(InputError, match="10 images have no session"):
        split(dataset, group_regex=r"(?P<s>clip\d)")
    with pytest.raises(InputError, match="one of them"):
        split(dataset)
    with pytest.raises(InputError, match="share above 0"):
        split(dataset, group_by="clip", shares={"train": 1.0, "test": 0.0})
    out = tmp_path / "there"
    out.mkdir()
    assert main(["split", str(tmp_path / "gt.json"), "--out", str(out), "--group-by", "clip", "--shares", "1,1"]) == 2


@pytest.mark.parametrize("text", ["", "0.5", "train", "train=0.5,train=0.5", "a=x,b=1", "1,2,3,4", "a/b=1,c=1"])
def test_shares_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--shares"):
        shares_of(text)
