"""What is read of a COCO object: this package's, pycocotools', or any other that has a `dataset` or an index."""

from collections.abc import Mapping, Sequence
from typing import Any

from boxscore.errors import InputError

Row = Mapping[str, Any]


def table_of(coco: Any) -> Any:
    """The table (`tabled.Tabled`) of an object whose dicts were not made yet, else None."""
    return getattr(coco, "_tabled", None)


def image_ids(coco: Any) -> list[Any]:
    """Ids of all images; none where it names no images."""
    table = table_of(coco)
    if table is not None:
        return list(table.image_ids)
    if hasattr(coco, "getImgIds"):
        return list(coco.getImgIds())
    return [image["id"] for image in (getattr(coco, "dataset", None) or {}).get("images", ())]


def category_ids(coco: Any) -> list[Any]:
    """Ids of all categories; none where it has no categories."""
    table = table_of(coco)
    if table is not None:
        return list(table.category_ids)
    dataset = getattr(coco, "dataset", None)
    # pycocotools' getCatIds stops at a data set without categories.
    if hasattr(coco, "getCatIds") and (dataset is None or "categories" in dataset):
        return list(coco.getCatIds())
    return [category["id"] for category in (dataset or {}).get("categories", ())]


def rows_by_image(coco: Any, role: str) -> Mapping[Any, Sequence[Row]]:
    """Annotations by image id, each image's in file order. Raises InputError for an object without annotations.

    `imgToAnns` is preferred to `dataset`: a training loop evaluates a few images at a time and must not walk all
    annotations each time. It lists every row, also those that share an id. An empty one may be an index that was
    forgotten to be made.
    """
    index: Mapping[Any, Sequence[Row]] = getattr(coco, "imgToAnns", {})
    if index:
        return index
    if hasattr(coco, "dataset"):
        return _by_image(coco.dataset.get("annotations", ()), role)
    if hasattr(coco, "anns"):
        return _by_image(coco.anns.values(), role)
    raise InputError(
        f"{role}: {'none was given' if coco is None else f'{type(coco).__name__} is no COCO object'}; give "
        "boxscore.compat.COCO, pycocotools' COCO, or an object with a COCO `dataset`"
    )


def _by_image(rows: Any, role: str) -> dict[Any, list[Row]]:
    """Rows by their image id. Raises InputError for a row without one."""
    grouped: dict[Any, list[Row]] = {}
    for place, row in enumerate(rows):
        if "image_id" not in row:
            raise InputError(f"{role} annotation {row.get('id')!r} (entry {place}): image_id is missing; add it")
        grouped.setdefault(row["image_id"], []).append(row)
    return grouped
