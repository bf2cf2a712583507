"""More of the hardest conditions: what triage suggests to collect next, as weights on scenes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.scenes.rendering import LABELS


class Sampling(Protocol):
    """Weights for sampling, as `boxscore.triage.read_sampling` gives them."""

    content: dict[str, Any]

    def weight(self, image: Mapping[str, Any]) -> float:
        """How often to draw an image with this metadata."""


@dataclass(frozen=True)
class Steering:
    """How often to make a scene, by what its plan says of it.

    `weigh` gives the weight of a plan's metadata, `most` its largest value; `labels` are weights of labels against 1;
    `followed` is all of it as plain values, for the record; `notes` say what can't be followed.
    """

    weigh: Callable[[Mapping[str, Any]], float]
    most: float
    labels: dict[str, float]
    followed: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def steering_of(sampling: Sampling, columns: Mapping[str, Any]) -> Steering:
    """What can be followed of a suggestion; `columns` is the metadata of any plan.

    Conditions on other columns than those of a plan are noted and have no effect, and so have labels that no scene
    holds. Raises InputError where nothing is left.
    """
    conditions, notes = [], []
    for one in sampling.content["conditions"]:
        missing = [column for column in one["where"] if column not in columns]
        if one["where"] and not missing:
            conditions.append({name: one[name] for name in ("name", "where", "weight") if name in one})
            continue
        why = f"scenes have no {listed(missing)} before they are rendered" if missing else "it is a condition in SQL"
        notes.append(f"condition {one.get('name')!r} is not followed: {why}")
    labels = {name: float(weight) for name, weight in sampling.content["labels"].items() if name in LABELS}
    foreign = [name for name in sampling.content["labels"] if name not in LABELS]
    if foreign:
        notes.append(f"weights of labels that scenes don't have are not followed: {listed(foreign)}")
    if not conditions and not labels:
        raise InputError(
            "--weights: the suggestion names no condition and no label that scenes could follow"
            f"{''.join(f'; {note}' for note in notes)}; conditions may go by {', '.join(columns)}"
        )
    default = float(sampling.content["default"])
    most = max([default, *(float(one["weight"]) for one in conditions)])
    if most <= 0:
        raise InputError("--weights: the weights that scenes could follow are all 0; give one above 0")
    followed = {"default": default, "conditions": conditions, "labels": labels}
    return Steering(sampling.weight, most, labels, followed, notes)
