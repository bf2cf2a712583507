"""The whole measurement with embedders that need no weights: what is kept, what is reported, what is refused."""

import dataclasses
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from boxscore.errors import InputError
from boxscore.faces import MinSize, Options, min_size
from boxscore.faces.degrade import Recipe
from boxscore.faces.measuring import min_size as measure
from tests.faces.made import PatternEmbedder, people, picture

ASKED = Options(sizes=(1, 6, 12, 24, 48, 60), actors=8)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people(tmp_path_factory.mktemp("images"))


@pytest.fixture(scope="module")
def found(images: Path) -> MinSize:
    return min_size(images, [PatternEmbedder()], ASKED)


def test_sizes_at_or_above_the_own_one_are_native(found: MinSize) -> None:
    (one,) = found.embedders
    by_size = {at.size: at for at in one.sizes}
    assert list(by_size) == [None, 60, 48, 24, 12, 6, 1]
    for size in (60, 48):
        assert (by_size[size].native, by_size[size].tpi.trials, by_size[size].tpi.value) == (8, 0, None)
        assert by_size[size].tpi.reason == "no probe is larger than this"
    assert by_size[24].tpi.trials == 8
    assert not one.outcomes[48]
    assert 48 not in one.losses


def test_small_faces_are_identified_less(found: MinSize) -> None:
    """Patterns of 12 × 12 squares are whole at 12 pixels, and gone at 1."""
    (one,) = found.embedders
    values = [at.tpi.value for at in one.sizes if at.tpi.value is not None]
    assert values[:3] == [1, 1, 1]
    assert values[-1] == 0
    assert values == sorted(values, reverse=True)
    assert one.smallest.size == 6
    # Eight actors, none of whom is lost: as many as a third of such actors may be.
    assert one.smallest.sure is None
    assert "isn't excluded" in str(one.smallest.sure_reason)


def test_of_faces_of_uneven_size_the_larger_ones_are_degraded(tmp_path: Path) -> None:
    people(tmp_path, 6, 3, side=48)
    for actor in (2, 4):
        for number in range(3):
            Image.fromarray(picture(actor, number, 24)).save(tmp_path / f"actor-{actor:02}" / f"{number}.png")
    (one,) = min_size(tmp_path, [PatternEmbedder()], Options(sizes=(12, 36), threshold=0.5)).embedders
    native, large, small = one.sizes
    assert (native.tpi.trials, native.native) == (6, 0)
    assert (large.tpi.trials, large.native) == (4, 2)
    assert (small.tpi.trials, small.native) == (6, 0)


def test_a_few_large_faces_do_not_decide(tmp_path: Path) -> None:
    people(tmp_path, 7, 3, side=24)
    for number in range(3):
        Image.fromarray(picture(3, number, 48)).save(tmp_path / "actor-03" / f"{number}.png")
    (one,) = min_size(tmp_path, [PatternEmbedder()], Options(sizes=(36, 12), threshold=0.5)).embedders
    assert one.sizes[1].tpi.trials == 1
    assert set(one.losses) == {12}


def test_the_same_seed_gives_the_same_bytes(images: Path, found: MinSize, tmp_path: Path) -> None:
    found.write(tmp_path / "a")
    min_size(images, [PatternEmbedder()], ASKED).write(tmp_path / "b")
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["gallery_size.csv", "min_size.csv", "min_size.json", "probes.csv"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    other = min_size(images, [PatternEmbedder()], dataclasses.replace(ASKED, seed=1))
    assert other.to_dict()["probes"] != found.to_dict()["probes"]


def test_tables_and_json_say_the_same(found: MinSize, tmp_path: Path) -> None:
    import polars as pl

    found.write(tmp_path)
    content = json.loads((tmp_path / "min_size.json").read_text())
    sizes, probes = (pl.read_csv(tmp_path / name) for name in ("min_size.csv", "probes.csv"))
    assert sizes["TPI"].to_list() == [at["TPI"]["value"] for at in content["embedders"][0]["sizes"]]
    for at in content["embedders"][0]["sizes"]:
        name = "native" if at["size"] is None else str(at["size"])
        rows = probes.filter(pl.col("size") == name)
        assert len(rows) == at["TPI"]["trials"]
        assert (rows["outcome"] == "TPI").sum() == at["TPI"]["count"]
        assert (rows["outcome"] == "FPI").sum() == at["FPI"]["count"]
    assert content["options"]["recipe"] == "area"
    assert {"TPI", "FPI", "native", "threshold"} <= set(content["definitions"])


def test_nothing_is_embedded_twice(images: Path, tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache.sqlite"
    first, again = PatternEmbedder(), PatternEmbedder()
    one = min_size(images, [first], ASKED, cache=cache)
    # 12 people × 4 native pictures, and 8 probes at each size below 48.
    assert first.faces == 48 + 8 * 4
    other = min_size(images, [again], ASKED, cache=cache)
    assert again.faces == 0
    assert one.to_dict() == other.to_dict()
    min_size(images, [again], dataclasses.replace(ASKED, sizes=(1, 3)), cache=cache)
    assert again.faces == 8


@pytest.mark.parametrize("changes", [{"recipe": Recipe.parse("jpeg:30")}, {"recipe": Recipe.parse("noise:3")}])
def test_another_degradation_is_another_embedding(images: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
    cache = tmp_path / "cache.sqlite"
    min_size(images, [PatternEmbedder()], ASKED, cache=cache)
    again = PatternEmbedder()
    min_size(images, [again], dataclasses.replace(ASKED, **changes), cache=cache)
    assert again.faces == 8 * 4


def test_another_model_or_picture_is_another_embedding(tmp_path: Path) -> None:
    home = people(tmp_path / "images", 6, 2)
    asked = Options(sizes=(12,), actors=4)
    cache = tmp_path / "cache.sqlite"
    min_size(home, [PatternEmbedder()], asked, cache=cache)
    other = PatternEmbedder(squares=6)
    min_size(home, [other], asked, cache=cache)
    assert other.faces == 12 + 4
    Image.fromarray(picture(0, 9)).save(home / "actor-00" / "0.png")
    again = PatternEmbedder()
    min_size(home, [again], asked, cache=cache)
    assert 1 <= again.faces <= 2


def test_an_interrupted_run_goes_on(images: Path, tmp_path: Path, found: MinSize) -> None:
    cache = tmp_path / "cache.sqlite"
    stopped = PatternEmbedder()
    stopped.left = 2
    with pytest.raises(KeyboardInterrupt):
        min_size(images, [stopped], ASKED, cache=cache)
    again = PatternEmbedder()
    assert min_size(images, [again], ASKED, cache=cache).to_dict() == found.to_dict()
    assert stopped.faces + again.faces == 48 + 8 * 4


@pytest.mark.parametrize("seconds", [0.0, 0.15, 0.4])
def test_a_killed_run_goes_on(images: Path, tmp_path: Path, seconds: float) -> None:
    """Killed at any point the file is whole, and what it holds is not computed again."""
    cache = tmp_path / "cache.sqlite"
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faces.made", str(images), str(cache), "0.3"], cwd=root, env=os.environ
    ) as run:
        begin = time.monotonic()
        while _kept(cache) < 60 and run.poll() is None and time.monotonic() < begin + 60:
            time.sleep(0.01)
        time.sleep(seconds)
        run.send_signal(signal.SIGKILL)
    asked = Options(sizes=tuple(range(4, 40, 2)), actors=8)
    whole = 48 + 8 * 18
    before = _kept(cache) - 48  # less what is known of each picture: its square
    again = PatternEmbedder()
    found = min_size(images, [again], asked, cache=cache)
    assert 0 < before < whole
    assert again.faces == whole - before
    assert found.to_dict() == min_size(images, [PatternEmbedder()], asked).to_dict()


def _kept(cache: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{cache}?mode=ro", uri=True)
    except sqlite3.Error:
        return 0
    try:
        return int(connection.execute("SELECT COUNT(*) FROM kept").fetchone()[0])
    except sqlite3.Error:
        return 0
    finally:
        connection.close()


def test_a_cache_that_is_none_is_refused(images: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no SQLite file, but a text that is long enough to be looked at" * 20)
    with pytest.raises(InputError, match=r"can't be used \(file is not a database\); check space and rights, or del"):
        min_size(images, [PatternEmbedder()], ASKED, cache=tmp_path / "cache")
    with pytest.raises(InputError, match="can't be used"):
        min_size(images, [PatternEmbedder()], ASKED, cache=tmp_path / "cache" / "below")


def test_pictures_that_can_not_be_read_are_left_out_and_named(tmp_path: Path) -> None:
    people(tmp_path, 5, 3)
    (tmp_path / "actor-00" / "torn.png").write_bytes((tmp_path / "actor-00" / "0.png").read_bytes()[:200])
    found = min_size(tmp_path, [PatternEmbedder()], Options(sizes=(12,), actors=3))
    assert any("1 picture left out (actor-00/torn.png: it is damaged or cut off" in note for note in found.notes)
    for path in tmp_path.rglob("*.png"):
        path.write_bytes(b"")
    with pytest.raises(InputError, match=r"one and the same picture|can be used"):
        min_size(tmp_path, [PatternEmbedder()], Options(sizes=(12,), actors=3))


def test_what_can_not_be_read_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decoder that is missing today may be installed tomorrow; the cache remembers faces alone."""
    from boxscore.predict import read_picture

    home, cache = people(tmp_path / "images", 5, 3), tmp_path / "cache.sqlite"
    asked = Options(sizes=(12,), actors=3)
    read = read_picture.read

    def without_decoder(path: Path) -> object:
        if path.parent.name == "actor-00":
            raise InputError(f"{path}: no decoder of its form is installed")
        return read(path)

    with monkeypatch.context() as patched:
        patched.setattr(read_picture, "read", without_decoder)
        first = min_size(home, [PatternEmbedder()], asked, cache=cache)
    assert any("3 pictures left out (actor-00/0.png: no decoder" in note for note in first.notes)
    again = min_size(home, [PatternEmbedder()], asked, cache=cache)
    assert again.to_dict() == min_size(home, [PatternEmbedder()], asked).to_dict()
    assert not any("left out" in note for note in again.notes)


def test_embedders_are_compared_on_the_same_probes(images: Path) -> None:
    fine, coarse = PatternEmbedder("fine"), PatternEmbedder("coarse", squares=2)
    found = min_size(images, [fine, coarse], dataclasses.replace(ASKED, threshold=-1.0))
    assert [one.name for one in found.embedders] == ["fine", "coarse"]
    probes = [[row["probe"] for row in one.outcomes[12]] for one in found.embedders]
    assert probes[0] == probes[1]
    assert found.comparison is not None


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"sizes": ()}, "--sizes '': give one or more"),
        ({"sizes": (0,)}, "--sizes 0: give one or more, each from 1"),
        ({"actors": 0}, "--actors 0: give 1 or more"),
        ({"probes": 0}, "--probes 0"),
        ({"gallery_pictures": 0}, "--gallery-pictures 0"),
        ({"replicates": 19}, "--replicates 19: give 20 or more"),
        ({"replicates": 0}, "--replicates 0: give 20 or more"),
        ({"threshold": 1.5}, "--threshold 1.5: give a cosine"),
        ({"margin": -0.1}, "--margin -0.1"),
        ({"target_fpi": 1.0}, "--target-fpi 1"),
        ({"seed": -1}, "--seed -1"),
        ({"confidence": 1.0}, "confidence of an interval"),
    ],
)
def test_options_that_make_no_sense_are_named(changes: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError) as refused:
        Options(**changes)
    assert part in str(refused.value)


def test_somebody_must_compete(tmp_path: Path) -> None:
    people(tmp_path, 1, 3)
    with pytest.raises(InputError, match="nobody competes"):
        measure(tmp_path, [PatternEmbedder()], Options(threshold=0.5))
