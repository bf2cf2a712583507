"""A session without Ray: everything travels as bytes, tasks run here, in the order that the test wants."""

import itertools
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from boxscore.cluster.session import Session


@dataclass(frozen=True)
class Reference:
    """What `put` gives."""

    number: int
    content: bytes

    def hex(self) -> str:
        """Its name, which no other object ever has."""
        return f"object {self.number}"


_NUMBERS = itertools.count()


class StandIn:
    """Takes the place of a Session."""

    def __init__(self, processors: int) -> None:
        self.processors = processors
        self.objects: list[Reference] = []
        self.tasks: list[str] = []

    @property
    def session(self) -> Session:
        """This, to the type checker."""
        return cast("Session", self)

    def put(self, value: object) -> Reference:
        """Keep it as bytes."""
        self.objects.append(Reference(next(_NUMBERS), pickle.dumps(value)))
        return self.objects[-1]

    def in_order(
        self, work: Any, calls: Iterator[tuple[Any, ...]], names: Sequence[str], **asked: Any
    ) -> Iterator[tuple[Any, list[Any]]]:
        """Each call in a world of its own."""
        for name, call in zip(names, calls, strict=True):
            self.tasks.append(name)
            given = [one.content if isinstance(one, Reference) else pickle.dumps(one) for one in call]
            yield pickle.loads(pickle.dumps(work(*map(pickle.loads, given)))), []
            if asked.get("progress") is not None:
                asked["progress"](asked["stage"], len(self.tasks), len(names))
