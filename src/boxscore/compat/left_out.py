"""Notes about rows that no image or category of the ground truth claims: pycocotools leaves them out unsaid."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from boxscore.compat.sources import Row, category_ids, image_ids, rows_by_image, table_of
from boxscore.model.notes import Note, counted, listed


def notes(truth: Any, found: Any) -> Iterator[Note]:
    """Rows of unknown images or categories in either object, counted; those of known ones left out of `params` are not.

    A data set that declares no images, or no categories, is taken to know all.
    """
    if table_of(truth) is not None and table_of(found) is not None:
        return  # Tables hold no row that nothing claims.
    images = truth.imgs.keys() if hasattr(truth, "imgs") else set(image_ids(truth))
    known: dict[str, AbstractSet[Any]] = {"image_id": images, "category_id": set(category_ids(truth))}
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


def _unknown(index: Mapping[Any, Sequence[Row]], coco: Any, field: str, known: AbstractSet[Any]) -> list[Row]:
    # A training loop asks at each step: indices are compared, not walked.
    if field == "image_id":
        return [] if index.keys() <= known else [row for i, rows in index.items() if i not in known for row in rows]
    if hasattr(coco, "catToImgs") and coco.catToImgs.keys() <= known:
        return []
    return [row for rows in index.values() for row in rows if row.get("category_id", None) not in known]
