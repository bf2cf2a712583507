"""A gate's verdict in Markdown, as a comment of a pull request."""

from __future__ import annotations

from boxscore.gate import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.gate.checks import Check
    from boxscore.gate.result import GateResult

_NUMBERS = 3
"""Columns from here on are numbers, to the right."""

_MOST = 200
"""Rows of a table; GitHub refuses comments of more than 65,536 characters."""


def markdown(result: GateResult) -> str:
    """Verdict, the checks that fail, all checks behind a fold."""
    parts = [f"### {result.headline}", f"`{result.current}` against `{result.baseline}`"]
    if result.failed:
        parts.append(_table(result.failed))
        parts += _listed(told.reasons(result.failed))
    parts += told.power_lines(result)
    passed = [check for check in result.checks if not check.failed]
    if passed:
        title = f"<details><summary>{len(passed)} checks pass</summary>"
        parts += [title, _table(passed), *_listed(told.reasons(passed)), "</details>"]
    parts += [f"<sub>{escaped(line)}</sub>" for line in told.method(result)]
    parts += _listed([str(note) for note in result.notes])
    return "\n\n".join(parts) + "\n"


def _table(checks: Sequence[Check]) -> str:
    head = told.head(checks)
    rows = [_row(head), _row([":--" if at < _NUMBERS else "--:" for at in range(len(head))])]
    for check in checks[:_MOST]:
        row = [escaped(cell) for cell in told.cells(check)]
        row[-1] = f"**{row[-1]}**" if check.failed else row[-1]
        rows.append(_row(row))
    more = len(checks) - _MOST
    return "\n".join(rows) + (f"\n\n… and {more} more" if more > 0 else "")


def _row(row: Sequence[str]) -> str:
    return f"| {' | '.join(row)} |"


def _listed(lines: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {escaped(line)}" for line in lines)] if lines else []


def escaped(text: str) -> str:
    """Text as Markdown shows it: names may hold what would make tables, tags or emphasis of it."""
    for letter in "\\|*_`[]<>":
        text = text.replace(letter, f"&#{ord(letter)};" if letter in "<>" else f"\\{letter}")
    return " ".join(text.split())
