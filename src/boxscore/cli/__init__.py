"""The command line: `boxscore COMMAND …`. One module a command, imported when it is called for.

Each command module has `add_arguments(parser)` and `run(args) -> int`, whose result is the exit status: 0 done, 1 a
check failed, 2 the input or the command is wrong.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (that of the process by default) and return the exit status. Never raises."""
    import sys

    from boxscore.cli.dispatch import run

    return run(sys.argv[1:] if arguments is None else list(arguments))
