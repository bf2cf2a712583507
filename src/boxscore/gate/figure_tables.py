"""Tables of figures as the sides of a gate: tidy metrics, or a folder of `metrics_*.csv`, without any run."""

from __future__ import annotations

import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.gate.rules import FIXED
from boxscore.gate.sides import Sides
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    import polars as pl

    from boxscore.gate.checks import Key, Point
    from boxscore.gate.rules import Rule

    Table = Mapping[Key, Point]

_FILE = re.compile(r"metrics_(.+)\.csv")
_MEASURES = {"ap": "AP", "map": "AP", "f1": "F1", "tp": "TP", "fp": "FP", "fn": "FN"}
"""Columns of a harness's tables by the names of measures; others keep theirs."""

_OVERALL, _CLASS = "overall", "class"
EMPTY = "the table has no value"


class FigureSides(Sides):
    """Two tables of figures. Without images there is no noise to judge, so that all rules must be fixed."""

    def __init__(self, baseline: Table, current: Table) -> None:
        self._tables = baseline, current

    @property
    def labels(self) -> tuple[Sequence[str], Sequence[str]]:
        """Labels of both tables."""
        baseline, current = (_distinct(key[1] for key in table) for table in self._tables)
        return baseline, current

    @property
    def slices(self) -> tuple[Sequence[str], Sequence[str]]:
        """Slices of both tables."""
        baseline, current = (_distinct(key[2] for key in table) for table in self._tables)
        return baseline, current

    def check(self, rule: Rule) -> None:
        """Raises InputError for a rule that needs images, or a measure that neither table has."""
        if rule.judge != FIXED:
            raise InputError(
                f"{rule.place}: judge {rule.judge} needs the images behind the figures, and a table of figures has "
                "none; give run folders, a table with one row a sample (--sample-id), or judge it as fixed"
            )
        known = list(dict.fromkeys(key[0] for table in self._tables for key in table))
        if rule.measure not in known:
            raise InputError(
                f"{rule.place}: neither table has a measure {rule.measure!r}; they have {listed(known, 20)}"
            )

    def missing(self, key: Key) -> str | None:
        """Why a check can't be made at all."""
        for name, table in zip(("the baseline", "the current table"), self._tables, strict=True):
            if key not in table:
                return f"{name} has no such figure"
        return None

    def point(self, side: int, key: Key) -> Point:
        """The figure of a side."""
        return self._tables[side].get(key, (None, "there is no such figure"))


def is_figures(path: str | PathLike[str]) -> bool:
    """Whether a path is a folder of `metrics_*.csv`, or a table (or JSON) of tidy metrics."""
    place = Path(path)
    if place.is_dir():
        return any(_FILE.fullmatch(entry.name) for entry in place.iterdir())
    if place.suffix.lower() == ".json":
        return True
    from boxscore.io import frames

    return {"measure", "value"} <= set(frames.head(place))


def read(path: str | PathLike[str]) -> dict[Key, Point]:
    """Figures by measure, label and slice. Raises InputError that names file and row."""
    place = Path(path)
    if place.is_dir():
        return dict(_of_folder(place))
    if place.suffix.lower() == ".json":
        return dict(_of_json(place))
    from boxscore.io import frames

    return dict(_of_tidy(frames.read(place), str(place)))


def _of_folder(folder: Path) -> Iterator[tuple[Key, Point]]:
    from boxscore.io import frames

    for file in sorted(folder.iterdir()):
        found = _FILE.fullmatch(file.name)
        if found is not None:
            yield from _of_file(frames.read(file), file, found[1])


def _of_file(frame: pl.DataFrame, file: Path, what: str) -> Iterator[tuple[Key, Point]]:
    """`metrics_class.csv` has a label a row, `metrics_overall.csv` one row, others a slice a row of their column."""
    from boxscore.io import frames

    if what != _OVERALL and what not in frame.columns:
        raise InputError(
            f"{file}: there is no column {what!r}, by which the file is named; it has {listed(frame.columns)}"
        )
    names = [None] * frame.height if what == _OVERALL else frames.texts(frame, what)
    if what == _OVERALL and frame.height != 1:
        raise InputError(f"{file} has {frame.height} rows; figures over all are one row")
    if len(set(names)) != len(names) or (what != _OVERALL and None in names):
        raise InputError(f"{file}: each row of {what} must be named, and once; give the table anew")
    for column in frame.columns:
        if column in (what, "tier"):
            continue
        values, _ = frames.numbers(frame, column, file)
        measure = _MEASURES.get(column, column)
        for name, value in zip(names, values, strict=True):
            label = name if what == _CLASS else None
            part = None if name is None or what == _CLASS else f"{what}={name}"
            yield (measure, label, part), _point(value)


def _of_tidy(frame: pl.DataFrame, shown: str) -> Iterator[tuple[Key, Point]]:
    from boxscore.io import frames

    texts = {
        name: frames.texts(frame, name) if name in frame.columns else [None] * frame.height
        for name in ("measure", "label", "slice", "reason")
    }
    values, _ = frames.numbers(frame, "value", shown)
    measures = texts["measure"]
    if None in measures:
        raise InputError(f"{shown} line {measures.index(None) + 2}: measure is missing; name the figure")
    names = (measure or "" for measure in measures)
    rows = zip(names, texts["label"], texts["slice"], values, texts["reason"], strict=True)
    yield from _once(((measure, label, part), _point(value, reason)) for measure, label, part, value, reason in rows)


def _of_json(path: Path) -> Iterator[tuple[Key, Point]]:
    from boxscore.io import json_files

    content = json_files.load(path)
    rows = content.get("metrics") if isinstance(content, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "measure" in row for row in rows):
        raise InputError(f"{path} has no list of metrics; give what `boxscore eval --json` prints")
    keyed = (((row["measure"], row.get("label"), row.get("slice")), row) for row in rows)
    yield from _once((key, _point(row.get("value"), row.get("reason"))) for key, row in keyed)


def _once(rows: Iterator[tuple[Key, Point]]) -> Iterator[tuple[Key, Point]]:
    seen = set()
    for key, point in rows:
        if key in seen:
            raise InputError(f"the table has two rows of {', '.join(filter(None, key))}; keep one of them")
        seen.add(key)
        yield key, point


def _point(value: float | None, reason: str | None = None) -> Point:
    # NaN is how tables without nulls write what does not exist.
    absent = value is None or value != value  # noqa: PLR0124
    return (None, reason or EMPTY) if absent else (value, None)


def _distinct(names: Iterator[str | None]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))
