"""The forms that ground truth and predictions come in, by name; each is one module of this package.

A form's module may define any of

    looks_like(path) -> str | None
    read_ground_truth(path, options, reading, threads) -> Dataset
    read_predictions(path, dataset, options, reading, threads) -> Predictions
    fill_ground_truth(path, options) -> Filling
    fill_predictions(path, dataset, options, reading, stack) -> Filling
    write_ground_truth(dataset, path, options) -> list[str]
    write_predictions(predictions, path, options) -> list[str]

`looks_like` says in words what it recognised, or None; it reads little. Readers add a note `read-as` that tells in one
line how the files were read and which option overrules what was assumed. `fill_…` read step by step (`filling`), for
files that need not fit in memory. Writers return what the form can't hold.
"""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

FORMS: dict[str, str] = {
    "shards": "shards_form",
    "answers": "answers",
    "ultralytics": "ultralytics_json",
    "coco": "coco_form",
    "voc-xml": "voc_xml",
    "voc-results": "voc_results",
    "cvat": "cvat",
    "labelme": "labelme",
    "scenes": "scene_folder",
    "open-images": "open_images",
    "table": "table",
    "yolo": "yolo",
    "text": "text_folder",
}
"""Module of each form, in the order in which they are tried."""


def form(name: str) -> ModuleType:
    """The module of a form. Raises InputError that names those there are."""
    if name not in FORMS:
        raise InputError(f"there is no form {name!r}; known are {', '.join(FORMS)}")
    module: ModuleType = __import__(f"boxscore.io.{FORMS[name]}", fromlist=["x"])
    return module


def forms_with(part: str) -> list[str]:
    """Names of the forms that have a part, such as `write_predictions`."""
    return [name for name in FORMS if hasattr(form(name), part)]
