"""docs/faces.md: its card is read, and its definitions are those that are printed."""

import re
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.faces.card import read_card
from boxscore.faces.written import DEFINITIONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "faces.md").read_text("utf-8")


def test_the_card_of_the_page_has_no_mistake_but_its_missing_model(tmp_path: Path) -> None:
    (example,) = re.findall(r"<!-- example -->\n```yaml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "card.yaml"
    path.write_text(example)
    with pytest.raises(InputError) as refused:
        read_card(path)
    assert str(refused.value).startswith(f"{path}: model.path: 'arcface.onnx' is not there")


def test_the_definitions_of_the_page_are_those_of_results() -> None:
    for name in ("TPI", "FPI"):
        sentence = DEFINITIONS[name].partition(": ")[2].partition(";")[0]
        assert sentence in PAGE
