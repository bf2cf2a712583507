"""How lines of text are read, and the tables that come of them: what YOLO's text and text folders have in common."""

from __future__ import annotations

from boxscore.io import text_sniff
from boxscore.io.text_files import TextPlaces, read_rows
from boxscore.io.whole_pixels import aligned, recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore import _kernel
    from boxscore.io.image_sizes import ImageSizes
    from boxscore.io.text_files import TextFiles
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading


class TextForm:
    """What the numbers of a line are: the place of the score (`none`, `second`, `last`), the four of the box (`xywh`,
    `xyxy`, `cxcywh`), in pixels or `relative` to the picture, behind a class number (`numbered`) or a name.
    """

    __slots__ = ("numbered", "numbers", "relative", "score")

    def __init__(self, *, score: str, numbers: str, relative: bool, numbered: bool) -> None:
        self.score = score
        # Relative x, y, w, h are the centre form in every tool that has them.
        self.numbers = "cxcywh" if relative and numbers == "xywh" else numbers
        self.relative = relative
        self.numbered = numbered

    def read(
        self, files: TextFiles, names: Sequence[str], sizes: ImageSizes | None, noun: str, threads: int
    ) -> StatedRows:
        """The rows of all files, boxes in pixels; `names` are those of their images, `noun` is what a row is.

        Raises InputError that names file, line and field, or the image whose size is needed and not known.
        """
        if self.relative and sizes is not None:
            sizes.refuse_unknown([bool(data) for data in files.data], names)
        rows = read_rows(
            files,
            score=self.score,
            numbers=self.numbers,
            relative=self.relative,
            numbered=self.numbered,
            sizes=aligned(sizes.values) if self.relative and sizes is not None else None,
            threads=threads,
        )
        return StatedRows(self, files, rows, sizes, noun)

    def __str__(self) -> str:
        place = "" if self.score == "none" else f", score {self.score} in the line"
        return f"{'relative' if self.relative else 'absolute'} {self.numbers}{place}"


class StatedRows:
    """Rows as read, and the tables that they make. `places` names them, `notes` tell what was done to their boxes."""

    __slots__ = ("_sizes", "_whole", "notes", "places", "rows")

    def __init__(
        self, form: TextForm, files: TextFiles, rows: _kernel.TextRows, sizes: ImageSizes | None, noun: str
    ) -> None:
        self.rows = rows
        self.places = TextPlaces(files, rows, noun)
        self._sizes = sizes
        self._whole = None
        if form.relative and sizes is not None and text_sniff.may_be_whole(files.data, sizes, form):
            self._whole = recovered(rows, sizes, files.name)
        self.notes: list[Note] = [] if self._whole is None else [self._whole.note]

    def build_dataset(
        self,
        image_ids: Sequence[Id],
        labels: Sequence[int],
        file_names: Sequence[str | None],
        reading: Reading,
    ) -> tuple[_kernel.Dataset, list[_kernel.Finding]]:
        """Ground truth: an image id and a file name for each file, a label number or -1 for each of `label_uses`."""
        sizes = None if self._sizes is None else aligned(self._sizes.values)
        drop = reading.degenerate == "drop"
        if self._whole is not None:
            return self._whole.build_dataset(
                image_ids, labels, self.places, file_names=file_names, sizes=sizes, drop_degenerate=drop
            )
        return self.rows.build_dataset(image_ids, labels, file_names=file_names, sizes=sizes, drop_degenerate=drop)

    def build_detections(
        self, dataset: _kernel.Dataset, image_ids: Sequence[Id], labels: Sequence[int], reading: Reading, threads: int
    ) -> tuple[_kernel.Detections, list[_kernel.Finding]]:
        """Detections, likewise, over the images of a data set."""
        drop = reading.degenerate == "drop"
        if self._whole is not None:
            return self._whole.build_detections(
                dataset, image_ids, labels, self.places, drop_degenerate=drop, threads=threads
            )
        return self.rows.build_detections(dataset, image_ids, labels, drop_degenerate=drop, threads=threads)
