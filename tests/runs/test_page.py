"""docs/run-folder.md names every field and column that a run folder has, with its type, and no other."""

import re
from pathlib import Path

from boxscore.runs import read_run
from boxscore.runs.layout import IMAGE_COLUMNS, TABLES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "run-folder.md").read_text(encoding="utf-8")
SAVED = read_run(ROOT / "tests" / "fixtures" / "run_1_3")


def rows(text: str) -> list[list[str]]:
    """Cells of the lines of tables, heads left out."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def test_fields_of_run_json() -> None:
    section = PAGE.split("## run.json")[1].split("## Tables")[0]
    assert [name for row in rows(section) for name in names(row[0])] == list(SAVED.manifest)


def test_columns_of_the_tables() -> None:
    sections = re.split(r"\n\*\*(\w+)\*\*", PAGE.split("## Tables")[1].split("## Digests")[0])[1:]
    stated = dict(zip(sections[::2], sections[1::2], strict=True))
    assert sorted(stated) == sorted(TABLES)
    for table, text in stated.items():
        found = {name: row[1] for row in rows(text) for name in names(row[0])}
        schema = {name: str(kind) for name, kind in SAVED.table(table).schema.items()}
        if table == "images":  # further columns are metadata that this run was given
            schema = {name: kind for name, kind in schema.items() if name in IMAGE_COLUMNS}
        assert list(found) == list(schema), table
        for name, kind in schema.items():
            assert kind in re.split(", | or ", found[name]), f"{table}.{name}"


def test_the_current_format_is_named() -> None:
    assert f"format {SAVED.manifest['format']}." in PAGE
