"""docs/presence-formats.md: its files read as it says, and its tables are those of the code."""

import json
import re
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.presence import keys, names
from boxscore.presence.crosswalk_file import read_crosswalk
from boxscore.presence.prediction import read_prediction
from boxscore.presence.tables import read_table
from tests.presence_sources.written import prediction, told

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "presence-formats.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_predictions(tmp_path: Path) -> None:
    actors, scenes = (
        read_prediction(prediction(tmp_path / "pred.json", json.loads(block))) for block in blocks("json")
    )
    assert told(actors) == [
        ("imdb:nm0000158", 12.0, 15.5, None),
        ("imdb:nm0000158", 40.0, 41.2, None),
        ("tmdb:77", 0.0, 3.2, None),
    ]
    assert told(scenes) == [("imdb:nm0000158", 0.0, 65.2, "1"), ("tmdb:77", 0.0, 65.2, "1")]
    assert scenes.scenes.names == ("1", "2")


def test_tables(tmp_path: Path) -> None:
    table, crosswalk = blocks("csv")
    (tmp_path / "truth.csv").write_text(table)
    (tmp_path / "ids.csv").write_text(crosswalk)
    assert told(read_table(tmp_path / "truth.csv")) == [
        ("tmdb:31", 0.0, 10.5, None),
        ("tmdb:31", 20.0, 30.0, None),
        ("imdb:nm0000210", 3.0, 4.0, None),
    ]
    assert read_crosswalk(tmp_path / "ids.csv").linked["tmdb:31"] == {"imdb:nm0000158"}


def test_the_mistakes_shown_are_those_told(tmp_path: Path) -> None:
    content = {
        "duration": 120.0,
        "actors": [
            {"name": "Ann Lee", "ids": {"tmdb": 31}, "windows": [[0, 31.5], [30, 25]]},
            {"name": "Bo Ray", "window": [[44, 58]]},
            {"name": "bo ray", "windows": [[119, 131]]},
        ],
    }
    path = prediction(tmp_path / "wrong.json", content)
    with pytest.raises(InputError) as caught:
        read_prediction(path)
    shown = "".join(f"    {line}\n" for line in f"error: {caught.value}".replace(str(path), path.name).splitlines())
    assert shown in PAGE


def test_the_form_of_names_is_that_of_the_code() -> None:
    rows = [line for line in (names.__doc__ or "").splitlines() if line.startswith("|")]
    assert "\n".join(rows) in PAGE


def test_kinds_of_keys_are_listed_in_their_order() -> None:
    shown = re.findall(r"^\| `(\w+):[^`]*` \|", PAGE, re.MULTILINE)
    assert tuple(shown) == keys.KINDS
