"""What is asked of a validation."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Path = str | os.PathLike[str]

TWIN_DISTANCE = 8
"""Bits of 64 by which perceptual hashes of near-duplicates differ at most (docs/validate.md says why)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Options of a validation; None where nothing is asked for.

    - `select`: pattern of the pictures to score, such as `real_*`; `classes`: a file that names the data set's classes.
    - `predictions`: detections that were saved, scored instead of the model's; `nms`: suppress them first at this IoU.
    - `thresholds`: file of confidence floors instead of the card's; `fitted_on`: the data set these were fitted on.
    - `train`: folder of the training pictures.
    - `group_by`: column of the table `metadata` that names a picture's session (`train_metadata`: those of the training
      pictures, by default the same table); `group_regex`: an expression that catches it in file names instead.
    - `require`: file of predicates that the pictures must cover; `ledger`: file of looks at held-out data.
    - `latency`: file of measured milliseconds that goes into the record.
    - `not_evaluated`: further things that the score says nothing about.
    - `twin_distance`: bits by which perceptual hashes of near-duplicates differ at most.
    - `replicates`, `seed`, `confidence`: of intervals.
    """

    select: str | None = None
    classes: Path | None = None
    predictions: Path | None = None
    nms: float | None = None
    thresholds: Path | None = None
    fitted_on: Path | None = None
    train: Path | None = None
    group_by: str | None = None
    group_regex: str | None = None
    metadata: Path | None = None
    train_metadata: Path | None = None
    require: Path | None = None
    ledger: Path | None = None
    latency: Path | None = None
    not_evaluated: tuple[str, ...] = ()
    twin_distance: int = TWIN_DISTANCE
    replicates: int = 1000
    seed: int = 0
    confidence: float = 0.95

    def to_dict(self) -> dict[str, Any]:
        """The fields that aren't at their defaults, ready for JSON."""
        found = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                plain = os.fspath(value) if isinstance(value, os.PathLike) else value
                found[field.name] = list(plain) if isinstance(plain, tuple) else plain
        return found

    @classmethod
    def from_dict(cls, stated: Mapping[str, Any]) -> Asked:
        """What `to_dict` gave. Raises TypeError for a field there is not."""
        given: dict[str, Any] = dict(stated)
        lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        return cls(**given | lists)
