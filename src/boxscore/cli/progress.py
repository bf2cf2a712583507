"""Progress of stages on a terminal; nothing where standard error is no terminal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_WIDTH = 30


def stage_progress(stream: TextIO) -> Callable[[str, int, int], None] | None:
    """Draws `parts  [=====     ]  12 of 100` in place, a line a stage; None where nobody looks."""
    if not stream.isatty():
        return None

    def draw(stage: str, done: int, total: int) -> None:
        filled = _WIDTH * done // max(total, 1)
        end = "\n" if done == total else ""
        stream.write(f"\r{stage:8} [{'=' * filled:{_WIDTH}}] {done} of {total}{end}")
        stream.flush()

    return draw
