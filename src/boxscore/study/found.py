"""Figures and pairs looked up in the results of a study."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_SIGNED = ("difference", "mean")


def section_of(results: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The comparison of a table or comparison by name."""
    found: Mapping[str, Any] = results["tables"].get(name) or results["comparisons"][name]
    return found


def result(section: Mapping[str, Any], measure: str, label: str | None = None) -> Mapping[str, Any] | None:
    """What a section holds of a measure, over all labels or of one."""
    for one in section["results"]:
        if (one["measure"], one["label"]) == (measure, label):
            found: Mapping[str, Any] = one
            return found
    return None


def figure(section: Mapping[str, Any], ref: str, measure: str, label: str | None = None) -> Mapping[str, Any] | None:
    """A variant's point, bounds and the rest."""
    of_measure = result(section, measure, label)
    return next((one for one in of_measure["models"] if one["model"] == ref), None) if of_measure else None


def pair(
    section: Mapping[str, Any], refs: tuple[str, str], measure: str, label: str | None = None
) -> Mapping[str, Any] | None:
    """The pair of two variants, as the first minus the second; None where these two were not compared."""
    of_measure = result(section, measure, label)
    for one in of_measure["pairs"] if of_measure else ():
        if (one["a"], one["b"]) == refs:
            found: Mapping[str, Any] = one
            return found
        if (one["b"], one["a"]) == refs:
            return turned(one)
    return None


def turned(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """A pair seen from its other side: differences change their sign, bounds their places too."""
    negated = {name: _negative(one[name]) for name in _SIGNED}
    bounds = {"low": _negative(one["high"]), "high": _negative(one["low"])}
    return {**one, "a": one["b"], "b": one["a"], **negated, **bounds}


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
