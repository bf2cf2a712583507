"""Notes about rows that no image or category of the ground truth claims: pycocotools leaves them out unsaid."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boxscore.compat.sources import Row, category_ids, image_ids, rows_by_image
from boxscore.model.notes import Note, counted, listed


def notes(truth: Any, found: Any) -> Iterator[Note]:
    """Rows of unknown images or categories in either object, counted; those of known ones left out of `params` are not.

    A data set that declares no images, or no categories, is taken to know all.
    """
    known = {"image_id": set(image_ids(truth)), "category_id": set(category_ids(truth))}
    for role, coco, noun in (("cocoGt", truth, "annotation"), ("cocoDt", found, "detection")):
        index = rows_by_image(coco, role)
        for field, ids in known.items():
            unknown = _unknown(index, coco, field, ids) if ids else []
            if unknown:
                values = list(dict.fromkeys(repr(row[field]) for row in unknown))
                yield Note(
                    f"{'unknown-image' if field == 'image_id' else 'unknown-label'}",
                    f"{role}: {field} {listed(values)} is not in the ground truth; "
                    f"{counted(len(unknown), noun)} left out",
                    len(unknown),
                )


def _unknown(index: Mapping[Any, Sequence[Row]], coco: Any, field: str, known: set[Any]) -> list[Row]:
    if field == "image_id":
        return [row for image, rows in index.items() if image not in known for row in rows]
    # An index by category spares the walk over all rows, which a training loop would make at each step.
    if hasattr(coco, "catToImgs") and coco.catToImgs.keys() <= known:
        return []
    return [row for rows in index.values() for row in rows if row.get("category_id", None) not in known]
