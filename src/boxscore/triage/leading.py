"""Slices in which a mode is more frequent than elsewhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from boxscore.slices.slice import Slice
    from boxscore.triage.view import Booleans

LEADING = 3
"""Slices, labels and pairs of labels that are told of a mode."""
_LEAST = 3.0
"""Standard errors of counts by which an excess must lie beyond none: the search, not this, is a test."""


class Sliced:
    """Slices with a base of at least `support`: objects to find where `counts` [objects] says which, else images.

    `image` is that of each row (object or detection). Slices of objects have no part where the rows are detections.
    """

    __slots__ = ("_images", "_of_image", "_of_object", "_total")

    def __init__(
        self,
        image: NDArray[Any],
        num_images: int,
        counts: Booleans | None,
        slices: Sequence[Slice],
        support: int,
    ) -> None:
        import numpy as np

        self._images = (image, num_images)
        by_image = np.ones(num_images) if counts is None else np.bincount(image[counts], minlength=num_images)
        self._total = int(by_image.sum())
        of_image = [(one, int(by_image[one.mask].sum())) for one in slices if one.kind == "image"]
        objects = [] if counts is None else [one for one in slices if one.kind == "object"]
        of_object = [(one, int((one.mask & counts).sum())) for one in objects] if counts is not None else []
        self._of_image = [(one, base) for one, base in of_image if support <= base < self._total]
        self._of_object = [(one, base) for one, base in of_object if support <= base < self._total]

    def leading(self, own: Booleans) -> list[dict[str, Any]]:
        """The slices with the largest excess of these rows over their rate elsewhere, one of each column.

        `count` of `base` is the `rate`, `rest` that outside. Excesses within three standard errors (of independent
        counts) are not told.
        """
        import numpy as np

        image, number = self._images
        by_image, every = np.bincount(image[own], minlength=number), int(own.sum())
        found = [(one, base, int(by_image[one.mask].sum())) for one, base in self._of_image]
        found += [(one, base, int((own & one.mask).sum())) for one, base in self._of_object]
        rows: list[tuple[float, str, dict[str, Any]]] = []
        for one, base, count in found:
            rate, rest = count / base, (every - count) / (self._total - base)
            error = (every / self._total * (1 / base + 1 / (self._total - base))) ** 0.5
            if rate - rest > _LEAST * error:
                row = {"slice": one.name, "count": count, "base": base, "rate": rate, "rest": rest}
                rows.append(((rate - rest) * base, one.column, row))
        rows.sort(key=lambda row: -row[0])
        first: dict[str, dict[str, Any]] = {}
        for _, column, row in rows:
            first.setdefault(column, row)
        return list(first.values())[:LEADING]
