"""What came of logging a run, and what both trackers are asked for."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    Item = TypeVar("Item")


class Logged:
    """A run as a tracker has it now: its `run_id`, the `url` to look at it (None: there is none), and counts.

    `folder` is where an offline tracker keeps it until it is sent, None for one that has it already.
    """

    __slots__ = ("counts", "folder", "name", "project", "run_id", "tracker", "url")

    def __init__(
        self,
        tracker: str,
        *,
        project: str,
        name: str,
        run_id: str,
        counts: Mapping[str, int],
        url: str | None = None,
        folder: str | None = None,
    ) -> None:
        self.tracker = tracker
        self.project = project
        self.name = name
        self.run_id = run_id
        self.counts = dict(counts)
        self.url = url
        self.folder = folder

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return {
            name: getattr(self, name) for name in ("tracker", "project", "name", "run_id", "url", "folder", "counts")
        }


def missing(tracker: str, package: str) -> InputError:
    """What is told where a tracker's package isn't installed."""
    return InputError(
        f"logging to {tracker} needs the package {package}, which is not installed; install it with "
        f"`pip install 'boxscore[{package.partition('-')[0]}]'`"
    )


def batches(items: Sequence[Item], most: int) -> Iterator[Sequence[Item]]:
    """The items in order, at most so many at a time."""
    for start in range(0, len(items), most):
        yield items[start : start + most]
