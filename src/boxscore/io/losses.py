"""What a form can't hold, in counted words."""

from __future__ import annotations

from boxscore.io.image_fields import held
from boxscore.model.notes import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from boxscore.model.tables import Dataset

FLAGS = ("crowd", "ignore", "difficult", "group_of")


def of_ground_truth(
    dataset: Dataset,
    *,
    flags: Collection[str] = (),
    attributes: Collection[str] | None = (),
    image_fields: bool = False,
    area: bool = False,
    integer_ids: bool = False,
    file_names: bool = False,
    sizes: bool = False,
    empty_images: bool = False,
    empty_labels: bool = False,
    label_ids: bool = False,
    label_order: bool = False,
    convention: str | None = "continuous",
) -> list[str]:
    """What of a data set is lost in a form that holds the `flags` named, the `attributes` named (None: any), and the
    things said to be True (`image_fields`: further fields of images, such as `weather`); `convention` is the one that
    its corners are read back with (None: it says which).
    """
    images, objects = dataset.images, dataset.ground_truth
    told = [(f"{flag} flags", sum(map(bool, objects.column(flag).to_list()))) for flag in FLAGS if flag not in flags]
    if attributes is not None:
        told += [(f"attribute {name}", dataset.num_objects) for name in dataset.attributes if name not in attributes]
    if not area:
        told.append(("areas that are not width x height", _areas_of_their_own(dataset)))
    lost = [f"{what} ({counted(count, 'object')})" for what, count in told if count]
    further = [] if image_fields else held(dataset)
    if further:
        lost.append(f"fields of images ({listed(further, 20)})")
    integers = sum(isinstance(id_, int) for id_ in dataset.image_ids)
    named = sum(name is not None for name in images.column("file_name").to_list())
    sized = sum(width is not None for width in images.column("width").to_list())
    empty = dataset.num_images - len(set(objects.column("image").to_list()))
    for kept, what, count in (
        (integer_ids, "image ids that are numbers", integers),
        (file_names, "file names", named),
        (sizes, "sizes of images", sized),
        (empty_images, "images without objects", empty),
    ):
        if count and not kept:
            lost.append(f"{what} ({counted(count, 'image')})")
    unused = len(dataset.labels) - len(set(objects.column("label").to_list()))
    if unused and not empty_labels:
        lost.append(f"labels without objects ({counted(unused, 'label')})")
    if not label_order and _first_seen(dataset) != sorted(_first_seen(dataset)):
        lost.append("the order of labels (keep it with --classes)")
    if not label_ids and list(dataset.labels.ids) != list(range(len(dataset.labels))):
        lost.append(f"ids of labels ({counted(len(dataset.labels), 'label')})")
    if convention is not None and convention != dataset.corner_convention:
        lost.append(f"that corners are {dataset.corner_convention} (this form's are read as {convention})")
    return lost


def _first_seen(dataset: Dataset) -> list[int]:
    """Numbers of labels in the order in which a reader of rows, image by image, meets them."""
    table = dataset.ground_truth
    columns: list[list[Any]] = [table.column(name).to_list() for name in ("image", "source_row", "label")]
    return list(dict.fromkeys(label for _, _, label in sorted(zip(*columns, strict=True))))


def _areas_of_their_own(dataset: Dataset) -> int:
    objects = dataset.ground_truth
    columns = (objects.column(name).to_list() for name in ("w", "h", "area"))
    return sum(area != w * h for w, h, area in zip(*columns, strict=True))
