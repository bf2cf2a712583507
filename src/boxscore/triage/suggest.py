"""Sampling weights for the next collection, or for scenes to generate, from where failures gather."""

from __future__ import annotations

import math

from boxscore.errors import InputError
from boxscore.model.given import number, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from boxscore.triage.findings import Finding

FORMAT, VERSION = "boxscore-sampling", 1
MOST = 4.0
"""The largest weight: a rate that is ten times as high is no reason to collect nothing else."""
_LEAST = 1.1
_NUMBERS = ("at_most", "above")
_PRIOR = 10.0
"""Objects with which a label's rate of misses is drawn towards that of all labels."""


class Sampling:
    """Weights for sampling images or scenes.

    `conditions`: each with `where` (column to `{is: value}`, `{at_most: x}`, `{above: x}`), `weight`, and what it was
    made of; `labels`: weights by label, 1 for all others; `content` is all of it.
    """

    __slots__ = ("content",)

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content

    @property
    def conditions(self) -> list[dict[str, Any]]:
        """Conditions, the one with the most AP at stake first."""
        found: list[dict[str, Any]] = self.content["conditions"]
        return found

    @property
    def labels(self) -> dict[str, float]:
        """Weights above 1, by label."""
        found: dict[str, float] = self.content["labels"]
        return found

    def weight(self, image: Mapping[str, Any]) -> float:
        """How often to draw an image with this metadata: the largest weight of the conditions that it meets, else 1."""
        met = [one["weight"] for one in self.conditions if one["where"] and _meets(image, one["where"])]
        return max(met, default=float(self.content["default"]))

    def write(self, path: str | PathLike[str]) -> None:
        """Write the YAML, whole or not at all."""
        from boxscore.io.yaml_files import dump
        from boxscore.model.whole_files import write_text

        write_text(path, dump(self.content))


def suggest(
    findings: Sequence[Finding],
    labels: Sequence[str],
    objects: NDArray[np.int64],
    misses: NDArray[np.int64],
    *,
    source: str,
) -> Sampling:
    """Weights from findings whose effect the held-out half shows too, and from `misses` of `objects` by label.

    A condition's weight is its rate over that of the rest, both held out; a label's is its rate of misses over that of
    all labels, drawn towards 1 by ten objects. Both lie from 1 to 4.
    """
    overall = float(misses.sum() / objects.sum()) if objects.sum() else 0.0
    by_label = {}
    for name, count, lost in zip(labels, objects.tolist(), misses.tolist(), strict=True):
        rate = (lost + _PRIOR * overall) / (count + _PRIOR)
        weight = min(rate / overall, MOST) if overall and count else 1.0
        if weight >= _LEAST:
            by_label[name] = round(weight, 3)
    by_label = dict(sorted(by_label.items(), key=lambda item: -item[1]))
    rest = [name for name, count in zip(labels, objects.tolist(), strict=True) if count and name not in by_label]
    return Sampling(
        {
            "format": FORMAT,
            "version": VERSION,
            "source": source,
            "default": 1.0,
            "conditions": [row for finding in findings for row in _condition(finding)],
            "labels": by_label,
            # SceneSpec draws the labels that stand first most often.
            "scene_spec": {"labels": [*by_label, *rest]},
        }
    )


def read_sampling(path: str | PathLike[str]) -> Sampling:
    """What `Sampling.write` wrote. Raises InputError that names the field."""
    from boxscore.io.yaml_files import load

    content = load(path)
    if not isinstance(content, dict) or content.get("format") != FORMAT or content.get("version") != VERSION:
        raise InputError(
            f"{path}: format must be {FORMAT}, version {VERSION}; give a file of `boxscore triage --suggest`"
        )
    for field, kind in (("conditions", list), ("labels", dict)):
        if not isinstance(content.get(field), kind):
            raise InputError(f"{path}: {field} is {shown(content.get(field))}; write the file again")
    for place, one in enumerate(content["conditions"]):
        where = one.get("where") if isinstance(one, dict) else None
        if not isinstance(where, dict) or not all(_is_limit(limits) for limits in where.values()):
            raise InputError(
                f"{path}: conditions[{place}].where is {shown(where)}; give each column `is` a value, or `at_most` and "
                "`above` numbers"
            )
    weights = [one.get("weight") for one in content["conditions"]]
    for weight in [*weights, *content["labels"].values(), content.get("default")]:
        stated = number(weight)
        if stated is None or not 0 <= stated < float("inf"):
            raise InputError(f"{path}: a weight is {shown(weight)}; it must be a number from 0 on")
    return Sampling(content)


def _condition(finding: Finding) -> list[dict[str, Any]]:
    """One entry, or none where the held-out half doesn't show the effect."""
    rate, rest = finding.held_out.get("rate"), finding.held_out.get("rest")
    if rate is None or rest is None or rate <= rest:
        return []
    where = {column: _limit(value) for part in finding.parts for column, value in part.condition}
    return [
        {
            "name": finding.name,
            "where": where,
            "weight": round(min(rate / rest, MOST) if rest else MOST, 3),
            "outcome": finding.outcome,
            "rate": round(rate, 6),
            "elsewhere": round(rest, 6),
        }
    ]


def _is_limit(limits: object) -> bool:
    if not isinstance(limits, dict) or not limits or not limits.keys() <= {"is", *_NUMBERS}:
        return False
    return all(number(limits[name]) is not None for name in _NUMBERS if name in limits)


def _limit(value: str) -> dict[str, Any]:
    if value.startswith("(") and value.endswith("]"):
        return _ends(value) or {"is": value}
    if value.startswith("<="):
        return {"at_most": float(value[2:])}
    if value.startswith(">"):
        return {"above": float(value[1:])}
    return {"is": value}


def _ends(value: str) -> dict[str, float]:
    """Limits of a bin, `(0.25,0.7]`; none of what only looks like one."""
    try:
        above, at_most = map(float, value[1:-1].split(","))
    except ValueError:
        return {}
    return {name: end for name, end in (("above", above), ("at_most", at_most)) if math.isfinite(end)}


def _meets(image: Mapping[str, Any], where: Mapping[str, Mapping[str, Any]]) -> bool:
    for column, limits in where.items():
        value = image.get(column)
        stated = number(value)
        if value is None or ("is" in limits and str(value) != str(limits["is"])):
            return False
        if "at_most" in limits and not (stated is not None and stated <= limits["at_most"]):
            return False
        if "above" in limits and not (stated is not None and stated > limits["above"]):
            return False
    return True
