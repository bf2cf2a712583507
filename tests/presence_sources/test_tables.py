"""Any table of actor, start, end."""

from pathlib import Path

import polars as pl
import pytest

from boxscore.errors import InputError
from boxscore.presence.tables import read_table
from tests.presence_sources.written import told

TABLE = """actor,start,end,tmdb_id,character
Ann Lee,0,10.5,31,Mae
nm210,3,4,,
Ann  LEE,20,30,,
Cy Dow,5,6,32,Sam
"""


def written(tmp_path: Path, text: str, name: str = "truth.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path, duration: float | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read_table(path, duration)
    return str(caught.value).removeprefix(str(path))


def test_table(tmp_path: Path) -> None:
    found = read_table(written(tmp_path, TABLE))
    assert told(found) == [
        ("tmdb:31", 0.0, 10.5, None),
        ("tmdb:31", 20.0, 30.0, None),
        ("imdb:nm0000210", 3.0, 4.0, None),
        ("tmdb:32", 5.0, 6.0, None),
    ]
    assert [person.name for person in found.people] == ["Ann Lee", "imdb:nm0000210", "Cy Dow"]
    assert found.people[0].extra == {"character": "Mae"}
    assert (found.source, found.duration, found.notes, found.path) == ("table", None, (), "truth.csv")


@pytest.mark.parametrize("name", ["truth.tsv", "truth.parquet", "truth.arrow"])
def test_other_tables_read_alike(tmp_path: Path, name: str) -> None:
    csv = written(tmp_path, TABLE)
    frame = pl.read_csv(csv)
    path = tmp_path / name
    if name.endswith("tsv"):
        frame.write_csv(path, separator="\t")
    else:
        frame.write_parquet(path) if name.endswith("parquet") else frame.write_ipc(path)
    assert told(read_table(path)) == told(read_table(csv))


def test_overlaps_are_one_stretch_and_told(tmp_path: Path) -> None:
    found = read_table(written(tmp_path, "Person,Start,End\nA,0,10\nA,5,7\nA,30,30\n"), 60.0)
    assert len(found.windows) == 3
    assert found.duration == 60.0
    assert found.notes == (
        "windows that overlap another one of the same actor, together one stretch: 1",
        "windows that end where they start, and hold no moment since an end is not part of its window: 1",
    )


def test_windows_within_a_longer_one_are_all_told(tmp_path: Path) -> None:
    text = "actor,start,end\nA,0,10\nA,2,3\nA,5,6\nA,10,11\nB,4,5\nB,5,6\n"
    assert read_table(written(tmp_path, text)).notes == (
        "windows that overlap another one of the same actor, together one stretch: 2",
    )


MISTAKES = [
    ("actor,start,end\nA,5,1\n", " line 2: end 1 is before start 5; mend the times"),
    ("actor,start,end\nA,0,1\nB,NaN,5\n", " line 3: start is nan; it must be a number of seconds"),
    ("actor,start,end\nA,0,x\n", " line 2: end is 'x'; it must be a number"),
    ("actor,start,end\nA,0,\n", " line 2: end is missing; give seconds"),
    ("actor,start,end\nA,-1,2\n", " line 2: start is -1; a film starts at 0 s"),
    ("actor,start,end\nA,0,61\n", " line 2: end 61 is beyond the film's end at 60 s; mend the times"),
    ("actor,start,end\n,0,1\n", " line 2: actor is missing; give a name, or an id such as imdb:nm0000158"),
    ("actor,start,end\n…,0,1\n", " line 2: actor is '…'; give a name with letters in it, or an id"),
    ("actor,start,end,imdb\nA,0,1,tt7\n", " line 2: imdb is 'tt7'; it must be an IMDb id such as nm0000158, or empty"),
    (
        "actor,start,end,tmdb\nA,0,1,1\nA,0,1,2\nA,3,4,\n",
        ' line 4: the name "A" is that of tmdb:1 and tmdb:2; say which',
    ),
    (
        "who,start,end\nA,0,1\n",
        ": there is no column actor; the columns are who, start, end: a row is actor, start, end",
    ),
    ("actor,start\nA,0\n", ": there is no column end; the columns are actor, start"),
    ("actor,start,end\n", " has no rows; a row is actor, start, end, in seconds"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[message[:40] for _, message in MISTAKES])
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    assert refused(written(tmp_path, text), 60.0).startswith(message)


def test_no_table(tmp_path: Path) -> None:
    assert "there is no such file" in refused(tmp_path / "none.csv")
    assert "a table ends in .csv" in refused(written(tmp_path, TABLE, "truth.txt"))
