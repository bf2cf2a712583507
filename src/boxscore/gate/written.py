"""What the run folder keeps of a verdict."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.result import GateResult

DERIVED = "gate"


def save(folder: str, result: GateResult) -> None:
    """Keep the verdict under RUN/derived/gate.json. Raises InputError where it can't be written."""
    from boxscore.runs.derived import write_derived

    write_derived(folder, DERIVED, result.to_dict())
