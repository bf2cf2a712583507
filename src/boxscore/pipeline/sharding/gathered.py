"""Blocks of parts as matches again."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np

    from boxscore import _kernel

    Rows = Sequence[np.ndarray[Any, np.dtype[np.int64]]]


def whole_of(
    parts: Sequence[Mapping[int, bytes | memoryview]],
    image_rows: Rows,
    num_images: int,
    num_cells: int,
    *,
    threads: int = 1,
) -> _kernel.Matches:
    """The matches of some labels out of all parts: `parts[p]` holds blocks by the label that their rows get.

    Raises InputError for a block that was cut off or changed.
    """
    from boxscore import _kernel
    from boxscore.errors import InputError

    rows: list[Any] = list(image_rows)
    given = [(number, label, block) for number, blocks in enumerate(parts) for label, block in blocks.items()]
    try:
        return _kernel.Matches.from_blocks(given, rows, num_images, num_cells, threads=threads)
    except ValueError as error:
        raise InputError(f"matches of a part: {error}; run the command again") from None
