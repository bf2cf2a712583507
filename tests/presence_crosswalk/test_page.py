"""docs/crosswalk.md against the command."""

import argparse
import json
import re
from pathlib import Path

from boxscore.cli import presence_crosswalk
from boxscore.presence.crosswalk import answers

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "crosswalk.md").read_text()


def test_every_option_is_there_with_its_default() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    presence_crosswalk.add_arguments(parser)
    known = {option for action in parser._actions for option in action.option_strings}
    told = set(re.findall(r"--[a-z][a-z-]+", PAGE)) - {"--crosswalk"}
    assert told == known
    usual = vars(parser.parse_args(["--gallery", "g", "--out", "x"]))
    assert f"every {usual['every']} answers" in PAGE
    assert f"up to {usual['retries']} times" in PAGE
    assert f"within {usual['timeout']:g} s (`--timeout`)" in PAGE
    assert f"above {usual['longest_wait']:g} s (`--longest-wait`)" in PAGE
    waits = ", ".join(f"{usual['back_off'] * 2**n:g}" for n in range(usual["retries"]))
    assert f"after {waits} s (`--back-off` is the first" in PAGE


def test_the_file_that_it_shows_is_one(tmp_path: Path) -> None:
    shown = re.search(r"The file:\n\n((?:    .*\n)+)", PAGE)
    assert shown is not None
    path = tmp_path / "crosswalk.json"
    path.write_text(re.sub(r"^    ", "", shown[1], flags=re.MULTILINE))
    found = answers.read(path)
    assert len(found) == 5
    answers.write(tmp_path / "again.json", found)
    assert (tmp_path / "again.json").read_text() == path.read_text()
    assert json.loads(path.read_text())["people"]["4711"]["reason"] in PAGE
