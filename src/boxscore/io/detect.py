"""Which form the input has, found from the files themselves."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from boxscore.errors import InputError

    Recognised = Callable[[str, str], Iterator[tuple[str, str]]]

_JSON = (".json", ".json.gz")


def are_arrays(gt: object, pred: object) -> bool:
    """Whether the input is per-image arrays: a list (or tuple) of dicts of which one has `boxes`."""
    return _are_arrays(gt) or _are_arrays(pred)


def is_plain_coco(given: object) -> bool:
    """Whether COCO's reader is to be tried first, by name alone: a JSON file, or the parsed content of one.

    No other form is looked at, nor imported, for input that COCO's reader takes.
    """
    if not isinstance(given, str | os.PathLike):
        return True
    return os.fspath(given).lower().endswith(_JSON)


def recognised(given: Any, part: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  a path
    """Names of the forms that a path looks like, each with what it was recognised by; most particular forms first.

    `part` (`read_ground_truth`, `read_predictions`) is what the form must be able to do.
    """
    from boxscore.io.forms import FORMS, form

    if not isinstance(given, str | os.PathLike) or not os.path.exists(given):  # noqa: PTH110  pathlib costs start-up
        return
    for name in FORMS:
        module = form(name)
        if hasattr(module, "looks_like") and hasattr(module, part):
            words = module.looks_like(os.fspath(given))
            if words is not None:
                yield name, str(words)


def only_file(folder: str, part: str) -> str | None:
    """The one file right inside a folder that a form recognises; None where there is none, or more than one."""
    from boxscore.io import no_form

    files = no_form.readable_files(folder, recognised, part)
    return files[0] if len(files) == 1 else None


def of_no_form(folder: str, role: str) -> InputError:
    """The error for a folder of which no form is known: what is in it, and what to do."""
    from boxscore.io import no_form

    return no_form.refusal(folder, role, recognised)


def _are_arrays(given: object) -> bool:
    if not isinstance(given, list | tuple) or not given:
        return False
    return isinstance(given[0], dict) and "boxes" in given[0]
