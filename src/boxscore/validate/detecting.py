"""Running a detector over the cases, one picture at a time, as it would run where it is used."""

from __future__ import annotations

import time

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from boxscore.predict.decode import Found
    from boxscore.predict.detector import Detector
    from boxscore.predict.read_picture import Picture
    from boxscore.validate.cases import Cases

WARM_UP = 1
"""Pictures whose time is not kept: the first run of a session sets things up."""


class Detected:
    """What was found of each case, in order; `milliseconds` from decoded picture to boxes, the warm-up left out.

    `odd` are pictures that had to be read in a special way, with what was done, by name.
    """

    __slots__ = ("found", "milliseconds", "odd")

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.milliseconds: list[float] = []
        self.odd: dict[str, list[str]] = {}


def detect(detector: Detector, cases: Cases, tell: Callable[[int, int], None] | None = None) -> Detected:
    """Ask a detector for each picture; the next one is read meanwhile. `tell` is told how many are done, of how many.

    Raises InputError for a picture that can't be read, and for a detector that answers with another number of results.
    """
    from concurrent.futures import ThreadPoolExecutor

    from boxscore.predict.read_picture import read

    done = Detected()
    with ThreadPoolExecutor(max_workers=1) as ahead:
        waiting = ahead.submit(read, cases[0].picture_path)
        for number, case in enumerate(cases):
            picture = waiting.result()
            if number + 1 < len(cases):
                waiting = ahead.submit(read, cases[number + 1].picture_path)
            if picture.notes:
                done.odd[case.picture] = list(picture.notes)
            took = _ask(detector, picture, done, case.picture)
            if number >= WARM_UP:
                done.milliseconds.append(took)
            if tell is not None:
                tell(number + 1, len(cases))
    return done


def _ask(detector: Detector, picture: Picture, done: Detected, name: str) -> float:
    start = time.perf_counter()
    answer = detector.detect([picture])
    took = (time.perf_counter() - start) * 1000
    if len(answer) != 1:
        raise InputError(f"{name}: the detector gave {len(answer)} results for one picture; it must give one a picture")
    done.found += answer
    return took
