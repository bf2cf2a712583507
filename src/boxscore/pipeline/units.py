"""Units of resampling: images, or groups of them."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted
from boxscore.pipeline import groups

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from boxscore.model.tables import Dataset
    from boxscore.pipeline.groups import Groups
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run


class Units:
    """What is drawn.

    - `kind`: `image` or `group`; `count`: how many there are.
    - `of_image`: uint32 [images], the unit of each image; units are numbered by their first image.
    - `names`: names of the groups; empty where images are drawn.
    - `groups`: what makes the groups, None where images are drawn.
    - `notes`: which units were taken, and why.
    """

    __slots__ = ("count", "groups", "kind", "names", "notes", "of_image")

    def __init__(
        self,
        kind: str,
        of_image: NDArray[np.uint32],
        count: int,
        *,
        names: list[str] | None = None,
        made_by: Groups | None = None,
        notes: list[Note] | None = None,
    ) -> None:
        self.kind = kind
        self.of_image = of_image
        self.count = count
        self.names = names or []
        self.groups = made_by
        self.notes = notes or []

    def __repr__(self) -> str:
        return f"<Units: {counted(self.count, self.kind)}>"


def units_of(run: Run, resampling: Resampling) -> Units:
    """The units of a run.

    Groups are taken where `group_by` or `group_regex` make them, or the data declare them: a column `group` that was
    read or kept with the run, or the first of the images' fields group, clip, clip_id, video, video_id, session, camera
    that all of them have. Else, and with `unit="image"`, images are.

    Raises InputError that names the image without a group (unless `ungrouped="single"`), and where groups are asked
    for and there are none.
    """
    if run.num_images == 0:
        raise InputError("there is no image in this evaluation, so there is nothing to resample")
    if resampling.unit == "image":
        return _images(run, resampling)
    made = _groups(run, resampling)
    if made is not None:
        return _grouped(run, made, resampling)
    if resampling.unit == "group":
        raise InputError(
            "groups are to be resampled, and the data declare none (no field of the images is named "
            f"{', '.join(groups.FIELDS)}); {_how_to_group(resampling)}"
        )
    return _images(run, resampling)


def _how_to_group(resampling: Resampling) -> str:
    by_field, by_name = resampling.option("group_by", "FIELD"), resampling.option("group_regex", "(?P<clip>…)")
    return f"name a field of the images with {by_field}, or catch the group in file names with {by_name}"


def _groups(run: Run, resampling: Resampling) -> Groups | None:
    if resampling.group_regex is not None:
        return groups.by_expression(run, resampling.group_regex)
    if resampling.group_by is not None:
        return groups.by_field(run, resampling.group_by)
    return run.groups


def _images(run: Run, resampling: Resampling) -> Units:
    import numpy as np

    known = run.groups if resampling.unit == "image" else None
    notes = []
    if resampling.unit is None and not _can_declare(run.dataset):
        message = (
            "images are resampled one by one: the ground truth can't be read a second time (it is a pipe, or gone), so "
            "that it isn't known whether its images declare groups"
        )
        notes.append(Note("groups-unknown", message, run.num_images))
    if known is not None:
        message = (
            f"images are resampled one by one, as asked for, though {known.words} groups them: images of a group are "
            "alike, and intervals come out too narrow by that"
        )
        notes.append(Note("groups-disregarded", message, len(set(known.of_image))))
    partly = run.groups_of_some if resampling.unit is None else None
    if partly is not None:
        notes.append(_of_some(run, partly, resampling))
    count = run.num_images
    return Units("image", np.arange(count, dtype=np.uint32), count, notes=notes)


def _of_some(run: Run, partly: Groups, resampling: Resampling) -> Note:
    lacking = [image for image, name in enumerate(partly.of_image) if name is None]
    more = "" if len(lacking) == 1 else f" (and {len(lacking) - 1} more of {run.num_images})"
    named = resampling.option("group_by", partly.rule["field"])
    single = resampling.option("ungrouped", "single")
    message = (
        f"images are resampled one by one: {partly.words} would group them, but {_image(run, lacking[0])}{more} "
        "has none; if images of a group are alike, intervals are too narrow: "
        f"{named}, once every image has one, or with {single}"
    )
    return Note("groups-incomplete", message, len(lacking))


def _image(run: Run, position: int) -> str:
    """`image 10 (clip1/frame_000.jpg)`."""
    file_name = run.file_names[position]
    return f"image {id_text(run.image_ids[position])}" + ("" if file_name is None else f" ({file_name})")


def _can_declare(dataset: Dataset | None) -> bool:
    """Whether groups would have been found if there are any. Forms other than COCO's JSON have none to declare."""
    from boxscore.io import image_fields

    return dataset is None or dataset.origin is None or image_fields.readable(dataset)


def _grouped(run: Run, made: Groups, resampling: Resampling) -> Units:
    import numpy as np

    # A group's name is a text; an image on its own is known by its number, which no name can equal.
    keys: list[str | int] = [position if name is None else name for position, name in enumerate(made.of_image)]
    alone = [key for key in keys if isinstance(key, int)]
    if alone and resampling.ungrouped != "single":
        raise InputError(_without_group(run, made, alone, resampling))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    ids = run.image_ids
    return Units(
        "group",
        np.array([numbers[key] for key in keys], dtype=np.uint32),
        len(numbers),
        names=[key if isinstance(key, str) else id_text(ids[key]) for key in numbers],
        made_by=made,
        notes=_notes(made, len(numbers) - len(alone), len(alone), resampling),
    )


def _without_group(run: Run, made: Groups, alone: list[int], resampling: Resampling) -> str:
    image = _image(run, alone[0])
    more = "" if len(alone) == 1 else f", nor have {len(alone) - 1} more of {len(made.of_image)}"
    if "expression" in made.rule:
        lacks, remedy = f"{made.words} finds no group in the name of {image}", "mend the expression"
        more = more.replace("nor have", "nor in those of")
    else:
        lacks, remedy = f"{image} has no group ({made.words})", "give it one"
    single = resampling.option("ungrouped", "single")
    return f"{lacks}{more}; {remedy}, or let each such image be a group of its own with {single}"


def _notes(made: Groups, grouped: int, alone: int, resampling: Resampling) -> list[Note]:
    which = counted(grouped, "group")
    if alone:
        which += f" and {counted(alone, 'image')} without one"
    message = f"whole groups are resampled: {which} by {made.words}"
    if resampling.group_by is None and resampling.group_regex is None:
        message += f" (images one by one: {resampling.option('unit', 'image')})"
    return [Note("grouped", message, grouped + alone)]
