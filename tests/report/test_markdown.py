"""Markdown: a snapshot, the same figures as the HTML, and tables that stay tables."""

import re
from html import unescape
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from boxscore import __version__
from boxscore.cli import main
from boxscore.report import read_contents, render
from boxscore.report.making import sections_of
from boxscore.report.markdown import escaped
from tests.runs import samples


@pytest.mark.parametrize("protocol", ["coco", "operating-point"])
def test_snapshot(tmp_path: Path, snapshot: SnapshotAssertion, protocol: str) -> None:
    samples.run(protocol=protocol).save(tmp_path / "run")
    out = tmp_path / "report.md"
    assert main(["report", str(tmp_path / "run"), "--title", "A run", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").replace(__version__, "VERSION") == snapshot


def test_figures_are_those_of_the_page(page: Path, runs: Path) -> None:
    """Every cell of every table that both show."""
    contents = read_contents(runs / "candidate")
    markdown, html = render(contents, "markdown"), page.read_text(encoding="utf-8")
    shown = 0
    for section in sections_of(contents):
        for table in section.tables:
            for row in table.rows[:40]:
                figures = [cell for cell in row if isinstance(cell.value, float)]
                for cell in figures:
                    assert escaped(cell.text) in markdown
                    assert cell.text in unescape(html)
                    shown += 1
    assert shown > 300


def test_rows_have_as_many_cells_as_their_head(runs: Path) -> None:
    text = render(read_contents(runs / "candidate"), "markdown")
    widths = []
    for line in text.splitlines():
        if line.startswith("|"):
            widths.append(len(re.findall(r"(?<!\\)\|", line)))
        elif widths:
            assert len(set(widths)) == 1, line
            widths = []
    assert text.count("<details>") == text.count("</details>") >= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a|b", r"a\|b"), ("<b>", r"\<b\>"), ("AP[area=small]", r"AP\[area=small\]"), ("two\nlines", "two lines")],
)
def test_escapes(text: str, shown: str) -> None:
    assert escaped(text) == shown
