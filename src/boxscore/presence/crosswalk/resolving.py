"""From people to answers: only new ids are asked, and what was answered is on disk every few ids."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.notes import counted
from boxscore.presence.crosswalk import answers as files
from boxscore.presence.crosswalk.asking import TryAgainError, UnansweredError, UnreachedError, service
from boxscore.presence.crosswalk.options import Asking
from boxscore.presence.crosswalk.retrying import is_too_long, retrying
from boxscore.presence.crosswalk.telling import Told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from boxscore.presence.crosswalk.answers import Answer
    from boxscore.presence.crosswalk.asking import Service
    from boxscore.presence.crosswalk.key import Key

_UNREACHED = 3
"""People in a row for whom there was no connection, after which the server is taken to be away."""


@dataclass(frozen=True)
class Resolved:
    """What is known now, by TMDB id.

    Attributes:
        answers: All that the file holds.
        answered: The ids that this run got an answer for.
        unresolved: Why the others have none; a later run asks for them again.
    """

    answers: Mapping[int, Answer]
    answered: tuple[int, ...]
    unresolved: Mapping[int, str]


def resolve(
    people: Iterable[int], out: Path, key: Callable[[], Key], how: Asking | None = None, told: Told | None = None
) -> Resolved:
    """Ask TMDB for the IMDb ids of people, given by TMDB id, and keep the answers in the file `out`.

    What `out` holds already is not asked again, and `key` is called only where there is something to ask. The file is
    replaced whole: every few answers, before a wait, and at the end, however this ends.

    Raises InputError where `out` is something else or can't be written, and where TMDB refuses the key; what was
    answered until then is in the file.
    """
    if not out.parent.is_dir():
        raise InputError(f"{out} can't be written: there is no folder {out.parent}; make it, or give another --out")
    known = files.read_if_there(out)
    new = sorted(set(people) - set(known))
    if not new:
        return Resolved(known, (), {})
    run = _Run(known, out, key(), how or Asking(), told or Told())
    asyncio.run(run.ask_for(new))
    return Resolved(run.answers, tuple(run.answered), run.unresolved)


class _Run:
    """One run: what is known so far, and how much of it is not on disk yet."""

    def __init__(self, known: Mapping[int, Answer], out: Path, key: Key, how: Asking, told: Told) -> None:
        self.answers = dict(known)
        self.answered: list[int] = []
        self.unresolved: dict[int, str] = {}
        self._out = out
        self._key = key
        self._how = how
        self._told = told
        self._unwritten = 0
        self._unreached = 0

    async def ask_for(self, people: list[int]) -> None:
        """Ask for one person after the other."""
        try:
            async with service(self._how.base.rstrip("/"), self._key, self._how.timeout) as asked:
                for place, person in enumerate(people):
                    self._told.done(place, len(people))
                    if not await self._ask_for_one(asked, person):
                        reason = f"not asked, after {person}: {self.unresolved[person]}"
                        self.unresolved |= dict.fromkeys(people[place + 1 :], reason)
                        break
        finally:
            self._checkpoint()

    async def _ask_for_one(self, asked: Service, person: int) -> bool:
        """Ask for a person, again where that may help. Returns whether the next may be asked for."""

        def before_wait(reason: str, seconds: float) -> None:
            self._checkpoint()
            self._told.waiting(person, self._key.hide(reason), seconds)

        try:
            answer: Answer = await retrying(self._how, before_wait)(asked.ask, person)
        except UnansweredError as error:
            self._unreached = self._unreached + 1 if isinstance(error, UnreachedError) else 0
            self.unresolved[person] = self._key.hide(self._why(error))
            return self._unreached < _UNREACHED and not is_too_long(error, self._how)
        self._unreached = 0
        self._keep(person, answer)
        return True

    def _keep(self, person: int, answer: Answer) -> None:
        self.answers[person] = answer
        self.answered.append(person)
        self._unwritten += 1
        if self._unwritten >= self._how.every:
            self._checkpoint()

    def _checkpoint(self) -> None:
        if self._unwritten:
            files.write(self._out, self.answers)
            self._unwritten = 0

    def _why(self, error: UnansweredError) -> str:
        if isinstance(error, TryAgainError):
            if is_too_long(error, self._how):
                return f"{error}, and no question for {error.wait:.0f} s; run it again then"
            return f"{error} ({counted(self._how.retries + 1, 'try', 'tries')})"
        return str(error)
