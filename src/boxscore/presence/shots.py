"""Shot files of MovieNet: a line a shot, `start end key key key`, frame numbers, the end inclusive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.io.json_files import text_of
from boxscore.model.given import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

_LEAST = 3  # start, end, one key frame


@dataclass(frozen=True, slots=True)
class Shot:
    """Frame numbers: the first, the last (inclusive), and the key frames, ascending."""

    start: int
    end: int
    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shots:
    """All shots of a film in order, with its frames per second. `path` is where they were read."""

    shots: tuple[Shot, ...]
    fps: float
    path: str

    def __len__(self) -> int:
        """How many there are."""
        return len(self.shots)

    def seconds(self, frame: int) -> float:
        """When a frame begins to be shown."""
        return frame / self.fps

    def span(self, shot: int) -> tuple[float, float]:
        """Seconds of a shot: from its first frame to the end of its last."""
        return self.seconds(self.shots[shot].start), self.seconds(self.shots[shot].end + 1)

    @property
    def duration(self) -> float:
        """Seconds to the end of the last shot."""
        return self.span(len(self.shots) - 1)[1]

    def key_frame(self, shot: int, image: int, place: str) -> int:
        """The frame number of a shot's key frame. Raises InputError, at `place`, where there is none."""
        if not 0 <= shot < len(self.shots):
            raise InputError(
                f"{place}: shot {shot} is not in {self.path}, which has shots 0 to {len(self.shots) - 1}; is it the "
                "shot file of this film?"
            )
        keys = self.shots[shot].keys
        if not 0 <= image < len(keys):
            raise InputError(
                f"{place}: image {image} of shot {shot} is not in {self.path}, where the shot has key frames "
                f"0 to {len(keys) - 1}; is it the shot file of this film?"
            )
        return keys[image]


def read_shots(path: str | PathLike[str], fps: float) -> Shots:
    """The shots of a file. Raises InputError that names line, field and value; and for wrong frames per second."""
    if not (math.isfinite(fps) and fps > 0):
        raise InputError(f"fps is {fps}; give the film's frames per second, such as 23.976")
    found: list[Shot] = []
    for row, line in enumerate(text_of(path).splitlines(), 1):
        if line.strip():
            found.append(_shot(line.split(), f"{path} line {row}", found))
    if not found:
        raise InputError(f"{path} has no shots; a line a shot is expected: start end key key key")
    return Shots(tuple(found), fps, Path(path).name)


def _shot(fields: Sequence[str], place: str, before: Sequence[Shot]) -> Shot:
    if len(fields) < _LEAST:
        raise InputError(f"{place} is {shown(' '.join(fields))}; a shot is `start end key key key`, frame numbers")
    for field in fields:
        if not field.isascii() or not field.isdigit():
            raise InputError(f"{place}: {shown(field)} is no frame number; a shot is `start end key key key`")
    start, end, *keys = map(int, fields)
    if end < start:
        raise InputError(f"{place}: the end {end} is before the start {start}; mend the line")
    if before and start <= before[-1].end:
        raise InputError(
            f"{place}: the shot starts at frame {start}, and the one before ends at {before[-1].end}, inclusive; shots "
            "don't overlap: is the end meant to be exclusive?"
        )
    for key in keys:
        if not start <= key <= end:
            raise InputError(f"{place}: key frame {key} lies outside the shot, frames {start} to {end}; mend the line")
    if list(keys) != sorted(keys):
        raise InputError(f"{place}: key frames {keys} do not ascend; image 0 is the first of them")
    return Shot(start, end, tuple(keys))
