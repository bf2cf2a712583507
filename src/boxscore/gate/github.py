"""A gate's verdict as GitHub Actions' workflow commands, which mark the run and the pull request."""

from __future__ import annotations

from boxscore.gate import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.result import GateResult

_MOST = 10
"""GitHub shows ten errors a step; the last line tells how many there are."""


def workflow_commands(result: GateResult) -> list[str]:
    """An error a failing check, and a notice of the verdict."""
    failed = result.failed
    shown = failed if len(failed) <= _MOST else failed[: _MOST - 1]
    lines = [
        f"::error title={_property(f'gate: {check.name}')}::{_data(told.sentence(check, result.rules.level))}"
        for check in shown
    ]
    more = len(failed) - len(shown)
    if more:
        lines.append(f"::error title=gate::{_data(f'{more} more checks fail; the log lists them')}")
    return [*lines, f"::notice title=gate::{_data(result.headline)}"]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
