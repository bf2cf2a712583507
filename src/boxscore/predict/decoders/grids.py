"""Grids of cells over a model's input: where each row of an output belongs."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@lru_cache(maxsize=64)
def cells(columns: int, rows: int) -> Floats:
    """Column and row [columns * rows, 2] of each cell, row by row."""
    import numpy as np

    y, x = np.divmod(np.arange(columns * rows), columns)
    found = np.stack([x, y], axis=1).astype(np.float32)
    found.flags.writeable = False  # it is shared
    return found


@lru_cache(maxsize=64)
def levels(sizes: tuple[tuple[int, int], ...], strides: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Cells [n, 2] of several grids, one after the other, and the stride [n, 1] of each cell."""
    import numpy as np

    places = np.concatenate([cells(columns, rows) for columns, rows in sizes])
    counts = [columns * rows for columns, rows in sizes]
    steps = np.repeat(np.array(strides, np.float32), counts)[:, None]
    places.flags.writeable = steps.flags.writeable = False
    return places, steps
