"""Files of latencies, and the bands and devices made of them."""

import json
from pathlib import Path

import pytest

import boxscore
from boxscore.io.latencies import percentile
from boxscore.study import read
from boxscore.study.latency import bands
from tests.study import made


def test_percentiles_interpolate() -> None:
    values = [4.0, 1.0, 3.0, 2.0]
    # Type 7: the place of percentile p is (n - 1) p / 100, counted from 0 in sorted order.
    assert [percentile(values, p) for p in (0, 50, 90, 100)] == pytest.approx([1.0, 2.5, 3.7, 4.0])
    assert percentile([7.0], 95) == 7.0


def bands_of(folder: Path, files: object, **changes: object) -> list[tuple[str, float, float, bool]]:
    made.write(folder)
    study = made.content(folder) | changes
    study["models"]["poor"]["latency"] = files
    found = bands(read(made.save(folder, study)))["poor"]
    return [(band.device, band.low, band.high, band.cross_check) for band in found]


def test_forms(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[1, 2, 3]")
    assert bands_of(tmp_path, {"file": "a.json", "device": "Orin"}) == [("Orin", 2.0, 2.9, False)]
    (tmp_path / "b.json").write_text(json.dumps([{"device": "Orin", "ms": [1, 3]}, {"device": "desk", "ms": [2.5]}]))
    assert bands_of(tmp_path, "b.json") == [("Orin", 2.0, 2.9, False), ("desk", 2.5, 2.5, True)]
    (tmp_path / "c.csv").write_text("run, Latency_ms\n1,0\n2,2\n\n")
    assert bands_of(tmp_path, [{"file": "c.csv", "device": "cpu"}]) == [("cpu", 1.0, 1.9, True)]


def test_the_study_says_which_device_is_the_main_one(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps([{"device": "Orin", "ms": [1, 3]}, {"device": "desk", "ms": [2, 4]}]))
    found = bands_of(tmp_path, "b.json", latency={"device": "desk", "band": [0, 100]})
    assert found == [("desk", 2.0, 4.0, False), ("Orin", 1.0, 3.0, True)]
    with pytest.raises(boxscore.InputError, match=r"latency\.device is 'dsk', and no latency file speaks of it"):
        bands_of(tmp_path, "b.json", latency={"device": "dsk"})


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", "[1, 2]", "names no device"),
        ("a.json", '{"device": "x"}', "there is no field 'latency_ms'"),
        ("a.json", '{"device": "x", "ms": 3}', "3 is no list of milliseconds"),
        ("a.json", '{"device": "x", "ms": [1, "2"]}', "[1]: '2' is no latency"),
        ("a.json", '{"device": "x", "ms": []}', "holds no latencies"),
        ("a.json", "[1", "no valid JSON"),
        ("a.csv", "1.5\n2.5\n", "a head is missing"),
        ("a.csv", "device,time\nx,1\n", "has no column latency_ms"),
        ("a.csv", "device,ms\nx,1\nx\n", "line 3: it has 1 cells, the head 2"),
        ("a.csv", "device,ms\nx,fast\n", "line 2: 'fast' is no latency"),
        ("a.csv", "device,ms\nx,-1\n", "line 2: -1.0 is no latency"),
        ("a.csv", "device,ms\nx,nan\n", "line 2: nan is no latency"),
        ("a.csv", "device,ms\n", "holds no latencies"),
        ("a.csv", "", "has no column"),
    ],
)
def test_files_that_can_not_be_used(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(boxscore.InputError) as caught:
        bands_of(tmp_path, name)
    assert name in str(caught.value)
    assert words in str(caught.value)


def test_two_devices_that_disagree(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("device,ms\nOrin,1\n")
    with pytest.raises(boxscore.InputError, match="line 2: the device is 'Orin', and the study says 'desk'"):
        bands_of(tmp_path, {"file": "a.csv", "device": "desk"})
