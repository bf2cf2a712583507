"""Groups of images: clips, sessions, cameras, whose images are alike and were not sampled one by one."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.model.given import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boxscore.model.tables import Dataset
    from boxscore.pipeline.run import Run

FIELDS = ("group", "clip", "clip_id", "video", "video_id", "session", "camera")
"""Fields of a COCO file's images that declare groups without being asked; the first that all images have is taken."""


class Groups:
    """The group of each image, None where it has none, and what says so.

    `rule` is `{"field": NAME}` (a field of the images) or `{"expression": TEXT}` (over file names), as a run folder
    keeps it.
    """

    __slots__ = ("of_image", "rule")

    def __init__(self, of_image: Sequence[str | None], rule: Mapping[str, str]) -> None:
        self.of_image = list(of_image)
        self.rule = dict(rule)

    @property
    def words(self) -> str:
        """What makes the groups: `field 'clip' of the images`."""
        field = self.rule.get("field")
        return f"expression {self.rule['expression']}" if field is None else f"field {field!r} of the images"


def declared(dataset: Dataset) -> tuple[Groups | None, Groups | None]:
    """The groups that a data set brings along: asked for at reading, or a field by one of the known names.

    Where no such field is one that all images have, the second are those of the first field that some images have.

    Raises InputError where the file can't be read again.
    """
    from boxscore.io import image_fields

    read = _read(dataset)
    if read is not None or dataset.origin is None or not image_fields.readable(dataset):
        return read, None
    return of_fields(image_fields.by_image(dataset, FIELDS))


def of_fields(found: Mapping[str, Sequence[object]]) -> tuple[Groups | None, Groups | None]:
    """The groups by the first of the known names that all images have a value of, and those that some have."""
    partly = None
    for field in FIELDS:
        names = [None if value is None else str(value) for value in found.get(field, ())]
        if names and None not in names:
            return Groups(names, {"field": field}), None
        if partly is None and any(name is not None for name in names):
            partly = Groups(names, {"field": field})
    return None, partly


def by_field(run: Run, field: str) -> Groups:
    """Groups by a field of the images. Raises InputError where there is none of that name."""
    known = run.groups
    if known is not None and known.rule == {"field": field}:
        return known
    if run.metadata is not None and field in run.metadata.columns:
        return Groups([None if value is None else str(value) for value in run.metadata[field]], {"field": field})
    if run.dataset is None:
        has = "has no groups" if known is None else f"has the groups of {known.words} alone"
        raise InputError(
            f"group_by is {shown(field)}, and this run {has}; evaluate the files anew, or group by file names "
            "with a regular expression"
        )
    from boxscore.io import image_fields

    stated = image_fields.by_image(run.dataset, [field])[field]
    if all(value is None for value in stated):
        name = run.dataset.source or "the ground truth"
        raise InputError(f"{name}: no image has a field {field!r} to group by")
    return Groups([None if value is None else str(value) for value in stated], {"field": field})


def by_expression(run: Run, text: str) -> Groups:
    """Groups by what the one named group of an expression catches in file names (ids where there are none)."""
    expression = re.compile(text)
    names = [name or str(id_) for name, id_ in zip(run.file_names, run.image_ids, strict=True)]
    matches = (expression.search(name) for name in names)
    caught = [None if match is None else next(iter(match.groupdict().values())) for match in matches]
    return Groups(caught, {"expression": text})


def _read(dataset: Dataset) -> Groups | None:
    """What stands in the column `group`."""
    stated = dataset.images.column("group").to_list()
    if all(value is None for value in stated):
        return None
    names = [None if value is None else str(value) for value in stated]
    return Groups(names, {"field": dataset.grouped_by or "group"})
