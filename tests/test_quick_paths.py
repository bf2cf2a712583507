"""The quick readers and writers of the start-up path agree with the standard library's, which they stand in for."""

import argparse
import json
import math
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxscore import protocols
from boxscore.cli import eval as eval_command
from boxscore.cli.quick import GiveUp, QuickParser
from boxscore.model.json_text import to_json
from boxscore.protocols import plain

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)

PLAIN_LINES = [
    "gt.json pred.json",
    "gt.json pred.json --json",
    "--json gt.json --iou 0.5,0.75 pred.json",
    "gt.json pred.json --iou=0.5 --max-detections=5 --threads 2",
    "gt.json pred.json --labels a,b --labels c --label-agnostic --per-label",
    "gt.json pred.json --pr-points 0.5 --out runs/a --protocol coco",
    "gt.json pred.json --unknown-images background --unknown-labels drop --label-match fold --non-finite drop",
    "gt.json pred.json --degenerate drop --area box --ignore-flag honour --boxes xyxy",
]
OTHER_LINES = [
    "",
    "gt.json",
    "gt.json pred.json third.json",
    "--help",
    "gt.json pred.json --threads many",
    "gt.json pred.json --boxes cxcywh",
    "gt.json pred.json --json=yes",
    "gt.json pred.json --iou",
    "gt.json pred.json --iou -1",
    "gt.json pred.json --no-such-option",
    "gt.json pred.json -- --json",
]


@pytest.mark.parametrize("name", protocols.shipped())
def test_shipped_protocols_are_plain_toml(name: str) -> None:
    text = protocols.source_text(name)
    expected = tomllib.loads(text)
    found = plain.read(text)
    assert found == expected
    assert json.dumps(found) == json.dumps(expected), "the order and the kinds of numbers too"


@pytest.mark.parametrize("text", ['a = "x', "a = [1,", 'a = "\\n"', "a = 2020-01-01", "a.b = 1", "a = 1\na = 2", "a"])
def test_what_is_not_plain_is_left_to_tomllib(text: str) -> None:
    assert plain.read(text) is None


@given(VALUES)
def test_json_reads_back_the_same(value: Any) -> None:
    assert json.loads(to_json(value)) == value
    assert json.dumps(json.loads(to_json(value))) == json.dumps(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_json_has_no_form_for_numbers_that_are_not_finite(value: float) -> None:
    with pytest.raises(ValueError, match="no form"):
        to_json({"value": [value]})


@pytest.mark.parametrize("line", PLAIN_LINES)
def test_plain_command_lines_are_read_as_argparse_reads_them(line: str) -> None:
    slow, quick = argparse.ArgumentParser(), QuickParser()
    eval_command.add_arguments(slow)
    eval_command.add_arguments(quick)
    assert vars(quick.parse_args(line.split())) == vars(slow.parse_args(line.split()))


@pytest.mark.parametrize("line", OTHER_LINES)
def test_other_command_lines_are_left_to_argparse(line: str) -> None:
    quick = QuickParser()
    eval_command.add_arguments(quick)
    with pytest.raises(GiveUp):
        quick.parse_args(line.split())
