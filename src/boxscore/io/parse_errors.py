"""A file that can't be read: which file, which entry, which field, what stands there, and what to do."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from boxscore._kernel import ParseError
    from boxscore.io.source import Source


def refuse_ground_truth(error: ParseError, source: Source) -> NoReturn:
    """Raise the InputError for ground truth that the kernel could not read."""
    if error.section is None and _starts_with(source, b"["):
        raise InputError(
            f"{_shown(source)}: a list is found where COCO ground truth (an object with images, annotations and "
            "categories) is expected; it looks like results: were the two files swapped? Ground truth comes first, "
            "then results"
        ) from None
    raise InputError(_told(error, source)) from None


def refuse_results(error: ParseError, source: Source) -> NoReturn:
    """Raise the InputError for results that the kernel could not read."""
    if error.section is None and _starts_with(source, b"{"):
        raise InputError(f"{_shown(source)}: {_object_instead(source)}") from None
    raise InputError(_told(error, source)) from None


def _object_instead(source: Source) -> str:
    expected = "an object is found where a list of detections is expected"
    sections = _sections(source)
    if {"images", "categories"} & set(sections):
        return (
            f"{expected}; it looks like ground truth: were the two files swapped? Ground truth comes first, "
            "then results"
        )
    for section in ("annotations", "predictions", "detections", "results"):
        if section in sections:
            return f"{expected}; give the list under `{section}` alone, as [{{image_id, category_id, bbox, score}}, …]"
    return f"{expected}; COCO results are [{{image_id, category_id, bbox, score}}, …], also for a single detection"


def _sections(source: Source) -> list[str]:
    """Top-level keys of an object, as far as it can be read."""
    from boxscore import _kernel

    try:
        return _kernel.parse_ground_truth(source.data, 1).sections
    except _kernel.ParseError as error:
        return [] if error.section is None else [error.section]


def _starts_with(source: Source, first: bytes) -> bool:
    return source.head().removeprefix(b"\xef\xbb\xbf").lstrip().startswith(first)


def _shown(source: Source) -> str:
    return source.path or source.name


def _told(error: ParseError, source: Source) -> str:
    where = "" if error.section is None else f" {error.section}"
    if error.row is not None:
        where = f" entry {error.row}" if error.section == "results" else f"{where} entry {error.row}"
    named = error.field is None or error.problem.startswith(error.field)
    field = "" if named else f" {error.field}:"
    found = f", found {error.found!r}" if error.found and not error.problem.endswith("is missing") else ""
    return f"{_shown(source)}{where}:{field} {error.problem}{found} (byte {error.byte}); {_remedy(error)}"


def _remedy(error: ParseError) -> str:
    if not error.found:
        return "the file is cut off: write or fetch it again"
    if "missing" in error.problem:
        return "add the field to every entry"
    if error.section is None or error.row is None:
        return "the file must be valid JSON in COCO's form"
    return "correct the entry"
