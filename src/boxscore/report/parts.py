"""What a report is made of, before it is HTML or Markdown: sections with text, tables and charts.

Both forms are written from these, so that they can't tell different numbers.
"""

from __future__ import annotations

from boxscore.report.wording import UNDEFINED, figure, span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

TEXT = "text"
NUMBER = "number"


class Cell:
    """One cell: `text` as shown, `value` by which it is sorted (None: last), `low` and `high` of an interval.

    `share` is how full a bar behind it is (0 to 1), `mark` one of `good`, `bad`, `unsure` (each also has words or a
    sign in the text: colour is never alone), `reason` why there is no figure.
    """

    __slots__ = ("high", "low", "mark", "reason", "share", "text", "value")

    def __init__(
        self,
        text: str,
        value: float | str | None = None,
        *,
        low: float | None = None,
        high: float | None = None,
        share: float | None = None,
        mark: str | None = None,
        reason: str | None = None,
    ) -> None:
        self.text = text
        self.value = text.casefold() if value is None and reason is None and text != UNDEFINED else value
        self.low = low
        self.high = high
        self.share = share
        self.mark = mark
        self.reason = reason

    @property
    def interval(self) -> str | None:
        """`0.412–0.587`, None without one."""
        return None if self.low is None or self.high is None else span(self.low, self.high)

    @property
    def sorted_by(self) -> str:
        """The value as HTML keeps it; empty: none."""
        return "" if self.value is None else self.value if isinstance(self.value, str) else repr(self.value)


class Column:
    """A column: its `name`, whether its cells are `text` or `number`, and a `hint` that explains it."""

    __slots__ = ("hint", "kind", "name")

    def __init__(self, name: str, kind: str = NUMBER, hint: str | None = None) -> None:
        self.name = name
        self.kind = kind
        self.hint = hint


class Table:
    """Rows of cells under columns. `title` names it for screen readers and above it.

    `filters`: it has a field in which rows are filtered by their text. `folded`: it is long, and Markdown folds it.
    """

    __slots__ = ("columns", "filters", "folded", "id", "rows", "title")

    def __init__(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Cell]],
        *,
        id: str,  # noqa: A002  as HTML calls it
        filters: bool = False,
        folded: bool = False,
    ) -> None:
        self.title = title
        self.columns = list(columns)
        self.rows = [list(row) for row in rows]
        self.id = id
        self.filters = filters
        self.folded = folded

    @property
    def reasons(self) -> list[str]:
        """Why figures do not exist, each reason once, with the number of cells."""
        counts: dict[str, int] = {}
        for row in self.rows:
            for cell in row:
                if cell.reason is not None:
                    counts[cell.reason] = counts.get(cell.reason, 0) + 1
        return [f"{UNDEFINED}: {reason} ({count})" for reason, count in sorted(counts.items())]


class Chart:
    """A Vega-Lite specification under an `id`, with words for those who can't see it."""

    __slots__ = ("description", "id", "spec", "title")

    def __init__(self, id: str, title: str, description: str, spec: Mapping[str, Any]) -> None:  # noqa: A002  as HTML
        self.id = id
        self.title = title
        self.description = description
        self.spec = dict(spec)


class Section:
    """A part of the report. `missing` says in one line why there is nothing to show; then there is nothing else.

    `widget` names a template of its own, which reads `data` (ready for JSON, put into the page under the section's id)
    or `extra` (drawn by the template alone). `charts` are made when HTML asks for them, as Markdown has none: a
    function that returns them. `drawn`: it is nothing without charts or pictures, and Markdown leaves it out.
    """

    __slots__ = ("_charts", "data", "drawn", "extra", "id", "lines", "missing", "tables", "title", "widget")

    def __init__(
        self,
        id: str,  # noqa: A002  as HTML calls it
        title: str,
        *,
        lines: Sequence[str] = (),
        tables: Sequence[Table] = (),
        charts: Any = None,  # noqa: ANN401  a function without arguments that gives charts
        widget: str | None = None,
        data: Mapping[str, Any] | None = None,
        extra: Any = None,  # noqa: ANN401  whatever the widget draws
        missing: str | None = None,
        drawn: bool = False,
    ) -> None:
        self.id = id
        self.title = title
        self.lines = list(lines)
        self.tables = list(tables)
        self.widget = widget
        self.data = None if data is None else dict(data)
        self.extra = extra
        self.missing = missing
        self.drawn = drawn
        self._charts = charts

    def charts(self) -> list[Chart]:
        """The section's charts, made now."""
        return [] if self._charts is None else list(self._charts())


def number(
    value: float | None, reason: str | None = None, *, low: float | None = None, high: float | None = None
) -> Cell:
    """A figure between 0 and 1, or so, with three places."""
    if value is None:
        return Cell(UNDEFINED, reason=reason or "not measured")
    return Cell(figure(value), value, low=low, high=high, share=value if 0.0 <= value <= 1.0 else None)


def count(value: float | None, reason: str | None = None) -> Cell:
    """A whole number."""
    if value is None:
        return Cell(UNDEFINED, reason=reason or "not measured")
    return Cell(f"{value:,.0f}", value)


def of_row(row: Mapping[str, Any], *, whole: bool = False) -> Cell:
    """The figure of a row of metrics, with its interval."""
    if whole:
        return count(row["value"], row["reason"])
    return number(row["value"], row["reason"], low=row["low"], high=row["high"])
