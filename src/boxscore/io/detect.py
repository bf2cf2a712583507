"""Which form the input has."""

from __future__ import annotations


def are_arrays(gt: object, pred: object) -> bool:
    """Whether the input is per-image arrays: a list (or tuple) of dicts of which one has `boxes`."""
    return _are_arrays(gt) or _are_arrays(pred)


def _are_arrays(given: object) -> bool:
    if not isinstance(given, list | tuple) or not given:
        return False
    return isinstance(given[0], dict) and "boxes" in given[0]
