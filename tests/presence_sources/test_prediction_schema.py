"""The shipped schema and the reader agree on what has the right shape."""

import copy
import importlib
import json
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore.errors import InputError
from boxscore.presence.prediction import read_prediction
from tests.presence_sources.test_prediction import ACTORS, SCENES
from tests.presence_sources.written import prediction

# Published without types.
Draft202012Validator: Any = importlib.import_module("jsonschema").Draft202012Validator
SCHEMA = json.loads(resources.files("boxscore.presence").joinpath("prediction.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

WRONG: list[Any] = [None, True, -1, 7, 2.5, "", " ", "nm158", "text", [], [1], [1, 2], {}, {"name": "Zed"}, "tmdb:9"]
FIELDS = [
    "name",
    "ids",
    "windows",
    "actors",
    "scenes",
    "start",
    "end",
    "duration",
    "imdb",
    "tmdb",
    "jf",
    "extra",
    "other",
]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("content", [ACTORS, SCENES, {"actors": []}, {"scenes": []}])
def test_what_is_documented_is_valid(content: object) -> None:
    VALIDATOR.validate(content)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all values in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in places(inner, (*path, key)))]


@st.composite
def altered(draw: st.DrawFn) -> Any:
    """A document with one place replaced, taken out, or given a further field."""
    content = copy.deepcopy(draw(st.sampled_from([ACTORS, SCENES])))
    path = draw(st.sampled_from([path for path in places(content) if path and path[0] != "extra"]))
    above = content
    for key in path[:-1]:
        above = above[key]
    how = draw(st.sampled_from(["replace", "remove", "add"]))
    if how == "remove":
        del above[path[-1]]
    elif how == "add" and isinstance(above[path[-1]], dict):
        above[path[-1]][draw(st.sampled_from(FIELDS))] = draw(st.sampled_from(WRONG))
    else:
        above[path[-1]] = draw(st.sampled_from(WRONG))
    return content


BEYOND_THE_SCHEMA = (
    "overlaps", "before", "beyond", "already", "elsewhere in the file", "nothing tells who", "neither a name nor an id",
    "say which by an id",
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(altered())
def test_reader_and_schema_agree(content: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = prediction(Path(folder) / "pred.json", content)
        try:
            read_prediction(path)
        except InputError as error:
            message = str(error)
        else:
            message = ""
    valid = VALIDATOR.is_valid(content)
    if not message:
        assert valid, f"read, but not valid: {content}"
    elif valid:
        told = [line for line in message.splitlines() if not line.endswith("mistakes:")]
        assert all(any(words in line for words in BEYOND_THE_SCHEMA) for line in told), f"{message}: {content}"
