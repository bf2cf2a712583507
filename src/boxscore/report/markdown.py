"""A report as Markdown, for pull requests and docs: the same sections and figures, without charts."""

from __future__ import annotations

import re

from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boxscore.report.parts import Cell, Column, Section, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_MOST_ROWS = 40
"""Rows of a table that a comment can bear; the HTML has all."""


def to_markdown(title: str, sections: Sequence[Section], version: str) -> str:
    """The whole text, in GitHub's flavour."""
    lines = [f"# {escaped(title)}", ""]
    for section in sections:
        if section.drawn:
            continue
        lines += [f"## {section.title}", ""]
        if section.missing is not None:
            lines += [_sentence(section.missing), ""]
            continue
        for line in section.lines:
            lines += [_sentence(line), ""]
        for table in section.tables:
            lines += [*_table(table), ""]
    return "\n".join([*lines, f"Made by boxscore {version}.", ""])


def escaped(text: str) -> str:
    """Text that Markdown takes as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _sentence(text: str) -> str:
    """Code between backticks stays code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return "".join(f"`{part}`" if place % 2 else _SPECIAL.sub(r"\\\1", part) for place, part in enumerate(parts))


def _table(table: Table) -> Iterator[str]:
    if table.folded:
        yield f"<details><summary>{escaped(table.title)} ({counted(len(table.rows), 'row')})</summary>"
        yield ""
    else:
        yield f"**{escaped(table.title)}**"
        yield ""
    yield _line([escaped(column.name) for column in table.columns])
    yield _line(["---:" if column.kind == "number" else "---" for column in table.columns])
    for row in table.rows[:_MOST_ROWS]:
        yield _line([_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)])
    if len(table.rows) > _MOST_ROWS:
        yield ""
        yield f"{_MOST_ROWS} of {len(table.rows)} rows; the HTML report has all."
    for reason in table.reasons:
        yield ""
        yield escaped(reason)
    if table.folded:
        yield ""
        yield "</details>"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell, column: Column) -> str:
    text = escaped(cell.text)
    if cell.interval is not None:
        return f"{text} ({cell.interval})"
    return text or (" " if column.kind == "text" else "")
