"""Each row of `docs/quirks.md` about `boxscore.compat` names tests that exist, and each such test stands in its row."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
DOCUMENT = TESTS.parent.parent / "docs" / "quirks.md"
FIRST = "Q44"


def test_rows_and_tests() -> None:
    rows = re.findall(r"^\| (Q\d+) \|.*\| ([^|]*) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    stated = {name for row, cell in rows if row >= FIRST for name in re.findall(r"`(test_\w+)`", cell)}
    written = {
        name for path in TESTS.glob("test_*.py") for name in re.findall(r"^def (test_q\d+\w+)", path.read_text(), re.M)
    }
    assert stated == written
    assert all(f"test_{row.lower()}_" in cell for row, cell in rows if row >= FIRST)
