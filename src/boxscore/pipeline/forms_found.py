"""Which form's module reads a source of `convert`."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import shard_paths
from boxscore.io.form_options import FormOptions
from boxscore.io.forms import FORMS, form, forms_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from types import ModuleType


def one_file(source: str | PathLike[str], named: str | None, part: str) -> str | PathLike[str]:
    """The file for which a folder stands that holds this one alone, as `eval` takes it; else the source itself."""
    from boxscore.io import detect

    if named is not None or not Path(source).is_dir() or any(detect.recognised(source, part)):
        return source
    return detect.only_file(os.fspath(source), part) or source


def reader(source: str | PathLike[str], named: str | None, part: str, option: str) -> tuple[str, ModuleType]:
    """Name and module of the form that is named, or that the source looks like most. Raises InputError."""
    name = named or _recognised(source, part, option)
    module = form(name)
    if hasattr(module, part):
        return name, module
    if part == "read_predictions":
        raise InputError(f"{source}: form {name} holds no predictions; those that do are {', '.join(forms_with(part))}")
    raise InputError(
        f"{source} holds predictions ({name}), which need the images and labels of their ground truth; give it with "
        "--ground-truth"
    )


def _recognised(source: str | PathLike[str], part: str, option: str) -> str:
    if shard_paths.looks_sharded(source):  # a pattern and an address are no path that exists
        return "shards"
    # Result files are text files, too, which a form that knows less would take for ground truth.
    for name in FORMS:
        looks_like = getattr(form(name), "looks_like", None)
        fits = hasattr(form(name), part) or part == "read_ground_truth"
        if fits and looks_like is not None and Path(source).exists() and looks_like(source) is not None:
            return name
    if not Path(source).exists():
        raise InputError(f"{source}: there is no such file or folder; check the path")
    raise InputError(
        f"{source} is of no form that is known; say which it is with {option} ({', '.join(forms_with(part))})"
    )


def of_both(options: FormOptions) -> FormOptions:
    """What options for predictions say of their ground truth, too: whence names and sizes are."""
    return FormOptions(classes=options.classes, images=options.images, img_size=options.img_size)
