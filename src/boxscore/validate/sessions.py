"""Sessions of pictures: which were taken together, by a column of a table or by an expression over file names."""

from __future__ import annotations

import os
import re
from collections import Counter

from boxscore.errors import InputError
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.validate.asked import Asked, Path


class Sessions:
    """The session of each picture, in order (None: not known), and the rule that named them.

    `rule` is `{"field": NAME}` or `{"expression": TEXT}`, as groups of a run have it.
    """

    __slots__ = ("of_picture", "rule")

    def __init__(self, of_picture: Sequence[str | None], rule: dict[str, str]) -> None:
        self.of_picture = list(of_picture)
        self.rule = rule

    @property
    def names(self) -> list[str]:
        """All sessions, sorted."""
        return sorted({name for name in self.of_picture if name is not None})

    @property
    def unknown(self) -> int:
        """Pictures whose session is not known."""
        return sum(name is None for name in self.of_picture)

    def sizes(self) -> dict[str, int]:
        """Pictures of each session, by name."""
        counts = Counter(name for name in self.of_picture if name is not None)
        return {name: counts[name] for name in sorted(counts)}


def pattern(text: str) -> re.Pattern[str]:
    """An expression with one named group, compiled. Raises InputError."""
    from boxscore.pipeline.resampling import check_regex

    check_regex(text, "--group-regex")
    return re.compile(text)


def sessions_of(names: Sequence[str], stems: Sequence[str], asked: Asked, table: Path | None) -> Sessions | None:
    """Sessions of pictures by what is asked; None where nothing is. `table` is where a column is looked for.

    Raises InputError for an expression that is none, a missing table or column, and rows that fit no picture.
    """
    if asked.group_regex is not None and asked.group_by is not None:
        raise InputError("group_by and group_regex both name sessions; leave one out")
    if asked.group_regex is not None:
        expression = pattern(asked.group_regex)
        caught = (expression.search(name) for name in names)
        found = [None if one is None else next(iter(one.groupdict().values())) for one in caught]
        return Sessions(found, {"expression": asked.group_regex})
    if asked.group_by is None:
        return None
    if table is None:
        raise InputError(
            f"sessions are to be named by column {asked.group_by!r}, and YOLO labels have none; give a table with that "
            "column and one of file names (--metadata), or catch sessions in file names (--group-regex)"
        )
    column = columns_of(table, names, stems).get(asked.group_by)
    if column is None:
        raise InputError(f"{os.fspath(table)}: there is no column {asked.group_by!r} to name sessions by")
    return Sessions([None if value is None else str(value) for value in column], {"field": asked.group_by})


def columns_of(table: Path, names: Sequence[str], stems: Sequence[str]) -> dict[str, list[Any]]:
    """The columns of a table in the order of the pictures, None where a picture has no row. Raises InputError."""
    from boxscore.io import frames
    from boxscore.pipeline.sliced_metadata import typed
    from boxscore.slices.metadata import join

    joined, _ = join(typed(frames.read(table)), list(stems), list(names), source=os.fspath(table))
    return {name: joined[name].to_list() for name in joined.columns}


def check_complete(sessions: Sessions, names: Sequence[str]) -> None:
    """Raise InputError that names the pictures whose session is not known."""
    if sessions.unknown:
        lacking = [name for name, one in zip(names, sessions.of_picture, strict=True) if one is None]
        raise InputError(
            f"{counted(len(lacking), 'picture has', 'pictures have')} no session by {words(sessions.rule)}: "
            f"{listed(lacking)}; name one for each, so that shared sessions can be told"
        )


def words(rule: dict[str, str]) -> str:
    """What names sessions: `column session`."""
    return f"column {rule['field']!r}" if "field" in rule else f"expression {rule['expression']}"
