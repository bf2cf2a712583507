"""AP and AR of the two sides of `parity`, over the pictures that both ran on."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.model.tables import Dataset
    from boxscore.predict.decode import Found
    from boxscore.predict.parity_result import Parity

Figures = dict[str, list[float | None]]


def figures(ground_truth: str, parity: Parity, classes: Sequence[str], taxonomy: str | None = None) -> Figures:
    """Headline figures by measure, of A and of B, by the protocol `coco`.

    Labels are those of the card; `taxonomy` is a YAML file that renames those of the ground
    truth. Raises InputError where the ground truth lacks a picture or one of its labels is not
    among the card's classes.
    """
    import boxscore

    dataset = boxscore.read_ground_truth(ground_truth, taxonomy=taxonomy)
    missing = [name for name in dataset.labels.names if name not in classes]
    if missing:
        raise InputError(
            f"{ground_truth} has labels that the card lacks: {', '.join(missing[:5])}; correct the card's classes, or "
            "give them its names with --taxonomy FILE"
        )
    targets = _targets(dataset, parity.pictures, classes, ground_truth)
    names = list(classes)
    found = [
        boxscore.evaluate(targets, [_arrays(one) for one in side], labels=names, box_format="xywh").summary
        for side in parity.found
    ]
    return {measure: [side[measure] for side in found] for measure in found[0]}


def _arrays(found: Found) -> dict[str, Any]:
    boxes = found.boxes.copy()
    boxes[:, 2:] -= boxes[:, :2]
    return {"boxes": boxes, "scores": found.scores, "labels": found.labels}


def _targets(dataset: Dataset, pictures: Sequence[str], classes: Sequence[str], source: str) -> list[dict[str, Any]]:
    import polars as pl

    from boxscore.io.image_names import Names

    known = Names(dataset)
    rows = {id_: number for number, id_ in enumerate(dataset.image_ids)}
    objects = pl.DataFrame(dataset.ground_truth).partition_by("image", as_dict=True)
    numbers = [list(classes).index(name) for name in dataset.labels.names]
    targets = []
    for name in pictures:
        id_ = known.find(name)
        if id_ is None:
            raise InputError(f"{source} has no picture {name}; give the ground truth of these pictures")
        targets.append(_target(objects.get((rows[id_],)), numbers))
    return targets


def _target(objects: Any, numbers: Sequence[int]) -> dict[str, Any]:  # noqa: ANN401  a data frame, or None
    import numpy as np

    if objects is None:
        return {"boxes": np.empty((0, 4)), "labels": np.empty(0, np.int64)}
    boxes = np.stack([objects[side].to_numpy() for side in ("x", "y", "w", "h")], axis=1)
    return {
        "boxes": boxes,
        "labels": np.array(numbers, np.int64)[objects["label"].to_numpy()],
        "iscrowd": objects["crowd"].to_numpy().astype(np.int64),
        "area": objects["area"].to_numpy(),
    }
