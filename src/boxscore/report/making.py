"""A report written, or held against what the run gives."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from boxscore.report.contents import Contents
    from boxscore.report.parts import Section

_FORMS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}


def form_of(path: str | PathLike[str]) -> str:
    """`html` or `markdown`, by the file's name. Raises InputError for others."""
    form = _FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise InputError(f"{os.fspath(path)}: a report is HTML or Markdown; name the file .html or .md")
    return form


def sections_of(contents: Contents) -> list[Section]:
    """All sections, in the order of reading; those of another kind of run are left out."""
    from boxscore.report.registry import SECTIONS

    return [section for make in SECTIONS if (section := make(contents)) is not None]


def render(contents: Contents, form: str = "html") -> str:
    """The report as text; the same contents give the same text. Raises InputError where Altair is missing (HTML)."""
    version = str(contents.saved.manifest["versions"].get("boxscore", ""))
    sections = sections_of(contents)
    if form == "markdown":
        from boxscore.report.markdown import to_markdown

        return to_markdown(contents.title, sections, version)
    from boxscore.report.html import to_html

    return to_html(contents.title, sections, version)


def check(text: str, path: str | PathLike[str]) -> str | None:
    """None where the file holds the text; else what is wrong with it, in words with the first place that differs."""
    target = Path(path)
    try:
        kept = target.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return f"{target} is missing"
    except UnicodeDecodeError:
        return f"{target} is not text"
    except OSError as error:
        raise InputError(f"{target} can't be read: {error.strerror or error}; check its rights") from None
    if kept.replace("\r\n", "\n") == text:
        return None
    place = next(
        (
            line
            for line, (one, other) in enumerate(zip(kept.splitlines(), text.splitlines(), strict=False), 1)
            if one != other
        ),
        None,
    )
    return f"{target} is not what the run gives" + ("" if place is None else f" (first difference: line {place})")
