"""Equality to the last bit."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def same_bits(left: Mapping[str, Array], right: Mapping[str, Array], names: Sequence[str] | None = None) -> None:
    """Fail unless the arrays have equal shapes and equal bits (so that 0.0 and -0.0 differ)."""
    for name in names or sorted(set(left) & set(right)):
        one, two = np.ascontiguousarray(left[name]), np.ascontiguousarray(right[name])
        assert one.shape == two.shape, f"{name}: {one.shape} and {two.shape}"
        assert one.dtype.itemsize == two.dtype.itemsize, f"{name}: {one.dtype} and {two.dtype}"
        if one.tobytes() != two.tobytes():
            differ = np.argwhere(one.view(np.uint64) != two.view(np.uint64))[0]
            at = tuple(differ.tolist())
            message = f"{name}{list(at)}: {one[at]!r} and {two[at]!r}"
            raise AssertionError(message)
