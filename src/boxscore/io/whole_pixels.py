"""Whole pixels, recovered from shares of the picture that were written with six digits.

Most tools write a box of whole pixels as shares with six digits, and 162 of 486 pixels come back as 161.99999 or
162.0002. Against the same box in pixels an IoU of exactly 0.5 or 0.75 then falls to either side. Where all boxes of a
folder come as near to whole pixels as six digits allow, which chance can't do, they are taken to be whole.
"""

from __future__ import annotations

from array import array

from boxscore.model.notes import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from boxscore import _kernel
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.io.text_files import TextPlaces
    from boxscore.model.labels import Id

_NEAR = 0.76e-6
"""Half a unit of the sixth digit of a centre, and a quarter of it from half the width, as a share of the side."""


class WholeBoxes:
    """Boxes of all rows in whole pixels, ready for the kernel in place of what `rows` would build by itself."""

    __slots__ = ("_boxes", "_rows", "note")

    def __init__(self, rows: _kernel.TextRows, boxes: array[float], name: str) -> None:
        self._rows = rows
        self._boxes = boxes
        message = (
            f"{name}: all boxes ({rows.num_rows}) lie on whole pixels as near as six digits can say, "
            "and are read as these"
        )
        self.note = Note("whole-pixels", message, rows.num_rows)

    def build_dataset(
        self,
        image_ids: Sequence[Id],
        labels: Sequence[int],
        places: TextPlaces,
        *,
        file_names: Sequence[str | None],
        sizes: Buffer | None,
        drop_degenerate: bool,
    ) -> tuple[_kernel.Dataset, list[_kernel.Finding]]:
        """As `TextRows.build_dataset`; `places` are told which rows are left."""
        from boxscore import _kernel

        image, label, boxes, _ = self._columns(labels, places)
        kernel, findings = _kernel.dataset_from_columns(
            image_ids,
            image,
            label,
            boxes,
            file_names=file_names,
            sizes=sizes,
            drop_degenerate=drop_degenerate,
        )
        return kernel, [finding for finding in findings if finding.code != "area-missing"]

    def build_detections(
        self,
        dataset: _kernel.Dataset,
        image_ids: Sequence[Id],
        labels: Sequence[int],
        places: TextPlaces,
        *,
        drop_degenerate: bool,
        threads: int,
    ) -> tuple[_kernel.Detections, list[_kernel.Finding]]:
        """As `TextRows.build_detections`; `places` are told which rows are left."""
        from boxscore import _kernel

        image, label, boxes, score = self._columns(labels, places)
        return _kernel.detections_from_columns(
            dataset, image_ids, image, label, boxes, score, drop_degenerate=drop_degenerate, threads=threads
        )

    def _columns(self, labels: Sequence[int], places: TextPlaces) -> tuple[Buffer, Buffer, Buffer, Buffer]:
        """Image, label, box and score of the rows whose label is kept."""
        table = self._rows.table
        numbers = [labels[int(use or 0)] for use in table.column("label").to_list()]
        image = [int(file or 0) for file in table.column("file").to_list()]
        score = [float(value or 0) for value in table.column("score").to_list()]
        kept = [row for row, number in enumerate(numbers) if number >= 0]
        places.kept = kept
        return (
            aligned(array("I", [image[row] for row in kept])),
            aligned(array("I", [numbers[row] for row in kept])),
            aligned(array("d", [side for row in kept for side in self._boxes[4 * row : 4 * row + 4]])),
            aligned(array("d", [score[row] for row in kept])),
        )


def aligned(values: array[int] | array[float]) -> Buffer:
    """The values as the kernel takes them: an empty array has no memory, and what stands for it lies anywhere."""
    return memoryview(values if len(values) else array(values.typecode, [0]))[: len(values)]


def recovered(rows: _kernel.TextRows, sizes: ImageSizes, name: str) -> WholeBoxes | None:
    """The boxes in whole pixels, None where one of them isn't near enough to any; `name` is what messages say."""
    table = rows.table
    columns = [table.column(column).to_list() for column in ("file", "x", "y", "w", "h")]
    boxes = array("d")
    for file, x, y, w, h in zip(*columns, strict=True):
        box = whole_box(x, y, w, h, sizes.values[2 * file], sizes.values[2 * file + 1])
        if box is None:
            return None
        boxes.extend(box)
    return WholeBoxes(rows, boxes, name) if len(boxes) else None


def whole_box(
    x: float, y: float, w: float, h: float, width: float, height: float
) -> tuple[float, float, float, float] | None:
    """A box whose edges are whole, where the given one's are within what six digits can say of a picture's sides."""
    edges: list[int] = []
    for edge, side in ((x, width), (y, height), (x + w, width), (y + h, height)):
        if not abs(edge) < _MOST or abs(edge - round(edge)) > _NEAR * side:
            return None
        edges.append(round(edge))
    left, top, right, bottom = map(float, edges)
    return left, top, right - left, bottom - top


_MOST = 1e9
"""Pixels; beyond are infinities and mistakes, which are told elsewhere."""
