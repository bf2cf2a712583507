"""How far the making of scenes is, drawn on standard error while it lasts."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boxscore.predict.run_progress import Progress


@contextmanager
def scenes_progress(what: str = "pictures") -> Iterator[Callable[[int, int], None]]:
    """Gives the function to tell how many are done, of how many; at the end, and at an error, the line is left free."""
    from boxscore.predict.run_progress import Progress

    # Begun when it is first told: the total is not known before, and the time until then counts for no rate.
    drawn: list[Progress] = []

    def told(done: int, total: int) -> None:
        if not drawn:
            drawn.append(Progress(sys.stderr, total, what))
        drawn[0].tell(done)

    try:
        yield told
    finally:
        for progress in drawn:
            progress.end()
