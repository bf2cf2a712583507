"""Placeholders in Markdown: found, and filled without touching anything else.

    The best reaches <!-- boxscore: yolo26m/640 AP ±interval -->0.716 [0.704, 0.729]<!-- /boxscore -->.

A pair of HTML comments, which Markdown doesn't show, holds the text between them; filling again replaces that text
alone. Code, in fences or between backticks, is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MARK = re.compile(r"<!--[ \t]*(?:boxscore:[ \t]*(?P<asked>[^\n]*?)|(?P<end>/[ \t]*boxscore))[ \t]*-->")
_FENCE = re.compile(r"^ {0,3}(?P<ticks>`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}(?P=ticks)[`~]*[ \t]*\r?$|\Z)", re.M | re.S)
_SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What is asked for, where the text between the two comments starts and ends, and the line of the first comment.

    `line_start`: the first comment starts its line, which makes Markdown take the whole line for HTML.
    """

    asked: str
    start: int
    end: int
    line: int
    line_start: bool


def placeholders(text: str, shown: str) -> list[Placeholder]:
    """The placeholders of a document in order. Raises InputError that names file and line of one that doesn't end."""
    found = []
    opened: re.Match[str] | None = None
    for mark in _marks(text):
        line = text.count("\n", 0, mark.start()) + 1
        if mark["end"] is None:
            if opened is not None:
                _refuse_open(text, opened, shown)
            opened = mark
        elif opened is None:
            raise InputError(f"{shown} line {line}: `<!-- /boxscore -->` ends nothing; take it away")
        else:
            before = text[text.rfind("\n", 0, opened.start()) + 1 : opened.start()]
            at = text.count("\n", 0, opened.start()) + 1
            found.append(Placeholder(opened["asked"], opened.end(), mark.start(), at, not before.strip()))
            opened = None
    if opened is not None:
        _refuse_open(text, opened, shown)
    return found


def filled(
    text: str, shown: str, answer: Callable[[str], str | list[str]]
) -> tuple[str, list[tuple[Placeholder, str]]]:
    """The document with every placeholder filled, and those that held something else, with what they should hold.

    `answer` gives text, or lines that stand by themselves (a table). Raises InputError that names file and line.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    parts: list[str] = []
    stale: list[tuple[Placeholder, str]] = []
    at = 0
    for one in placeholders(text, shown):
        try:
            given = answer(one.asked)
        except InputError as error:
            raise InputError(f"{shown} line {one.line}: `{one.asked}`: {error}") from None
        wanted = given if isinstance(given, str) else newline.join(["", "", *given, "", ""])
        parts += [text[at : one.start], wanted]
        at = one.end
        if text[one.start : one.end] != wanted:
            stale.append((one, wanted))
    return "".join([*parts, text[at:]]), stale


def _marks(text: str) -> Iterator[re.Match[str]]:
    code = [match.span() for match in _FENCE.finditer(text)]
    code += [match.span() for match in _SPAN.finditer(text) if not _inside(match.start(), code)]
    return (mark for mark in _MARK.finditer(text) if not _inside(mark.start(), code))


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _refuse_open(text: str, opened: re.Match[str], shown: str) -> None:
    line = text.count("\n", 0, opened.start()) + 1
    raise InputError(f"{shown} line {line}: `{opened['asked']}` is not ended; write `<!-- /boxscore -->` behind it")
