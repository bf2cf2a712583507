"""A report as one HTML file that needs nothing else: templates, style, scripts and data in one text."""

from __future__ import annotations

import json
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.report.parts import Section

_HOME = Path(__file__).parent
_SCRIPTS = ("theme.js", "tables.js", "charts.js", "curves.js", "explorer.js")
_STYLES = ("colours.css", "page.css", "tables.css", "widgets.css")


def to_html(title: str, sections: Sequence[Section], version: str) -> str:
    """The whole file. Texts of the run (labels, names, notes) are escaped, wherever they stand."""
    import jinja2

    from boxscore.report import charts

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HOME / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"coded": coded, "as_script": as_script}
    drawn = {section.id: section.charts() for section in sections}
    specs = {chart.id: chart.spec for found in drawn.values() for chart in found}
    return environment.get_template("page.html").render(
        title=title,
        sections=sections,
        charts=drawn,
        data={"charts": specs} | {section.id: section.data for section in sections if section.data is not None},
        style="\n".join(_text("static", name) for name in _STYLES),
        scripts=[*([charts.scripts()] if specs else []), *(_text("static", name) for name in _SCRIPTS)],
        version=version,
    )


def as_script(value: Any) -> str:  # noqa: ANN401  whatever JSON can hold
    """JSON that may stand in a script element: nothing in it ends the element, or opens a comment."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def coded(text: str) -> Any:  # noqa: ANN401  jinja's Markup
    """A sentence whose parts between backticks are code."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def _text(*place: str) -> str:
    return _HOME.joinpath(*place).read_text(encoding="utf-8")
