"""Slicing: which slices are asked for."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.model.given import shown, whole_number
from boxscore.slices.spec import Condition, Cross

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any

SUPPORT = 20
"""Slices of fewer images (of objects: fewer objects) are marked."""


class Slicing:
    """Slices as they are asked for.

    - `by`: columns (`weather`), columns with bins (`distance:0,3,5,inf`, right-closed; `=near,mid,far` names them), and
      crosses (`weather*distance:0,3,5,inf`).
    - `where`: named conditions in SQL: `night = hour >= 20 OR hour < 6`.
    - `metadata`: a table (CSV, TSV, Parquet, Arrow) of images by id or file name, whose columns come before fields of
      the data set; `key` names its column of ids or file names (None: found by its name).
    - `support`: slices of fewer images (those of objects: of fewer objects) are marked.

    Columns are those of the metadata, then fields of the data set's images, then fields of its objects. Raises
    InputError for what can't be read.
    """

    __slots__ = ("by", "conditions", "crosses", "key", "metadata", "support", "where")

    def __init__(
        self,
        by: Sequence[str] | str = (),
        where: Sequence[str] | str = (),
        *,
        metadata: str | PathLike[str] | None = None,
        key: str | None = None,
        support: int = SUPPORT,
    ) -> None:
        self.by = _texts(by)
        self.where = _texts(where)
        self.crosses = [Cross.parse(text) for text in self.by]
        self.conditions = [Condition.parse(text) for text in self.where]
        self.metadata = None if metadata is None else os.fspath(metadata)
        self.key = key
        least = whole_number(support)
        if least is None or least < 0:
            raise InputError(f"support is {shown(support)}; it must be a whole number from 0 on")
        self.support = least
        self._check_names()

    @property
    def columns(self) -> list[str]:
        """Names of the columns that `by` names, each once."""
        return list(dict.fromkeys(column for cross in self.crosses for column in cross.columns))

    def __bool__(self) -> bool:
        return bool(self.crosses or self.conditions)

    def to_dict(self) -> dict[str, Any]:
        """What was asked for, ready for JSON."""
        return {"by": self.by, "where": self.where, "metadata": self.metadata, "support": self.support}

    def _check_names(self) -> None:
        for what, given in (("slice-by", self.by), ("slice", [one.name for one in self.conditions])):
            twice = next((text for text in given if given.count(text) > 1), None)
            if twice is not None:
                raise InputError(f"{what} {twice!r} is given twice; leave one out, or name it otherwise")

    def __repr__(self) -> str:
        return f"Slicing(by={self.by!r}, where={self.where!r}, metadata={self.metadata!r}, support={self.support})"


def _texts(given: Sequence[str] | str) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
