"""Tables some rows at a time: files that need not fit in memory, read as they would be read whole."""

from __future__ import annotations

from pathlib import Path

from boxscore.io import class_list, flat, frames, table_reader
from boxscore.io.losses import FLAGS
from boxscore.io.table_columns import Named
from boxscore.io.table_reader import TableReader
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    import polars as pl

    from boxscore.io.form_options import FormOptions

ROWS = 100_000
"""Rows that are read at a time."""


class TableBatches:
    """A table in batches (see `pipeline.converting.flat_rows.Batches`).

    What only all rows show (whether ids are numbers, what further columns hold) is looked at
    first, column by column.

    Raises InputError for a file that is no such table.
    """

    corner_convention = "continuous"

    def __init__(
        self, path: str | PathLike[str], options: FormOptions, *, predictions: bool, rows: int | None = None
    ) -> None:
        self._path = path
        self._options = options
        self._predictions = predictions
        self._rows = rows or ROWS
        head = frames.head(path)
        if not head:
            frames.read(path)  # says what is wrong
        self.named = Named(head, options.boxes)
        self.named.check(str(path), score=predictions)
        self._kinds = self._kinds_of(head)
        self.survey = self._images()

    def columns(self) -> Iterator[flat.Columns]:
        """All rows, a batch at a time. Raises InputError that names line, column and value."""
        for reader in self._readers(None):
            yield reader.columns()

    def _images(self) -> flat.Columns:
        """The images of all rows, as they first appear. Raises InputError for a row without one."""
        named = self.named
        wanted = [named.image, named.file_name, named.width, named.height]
        wanted += [named.label, named.score, *(named.boxes or ())]
        found = flat.Columns(Path(self._path).name, noun="detection" if self._predictions else "annotation")
        found.add_file(found.name)
        known = [name for name in dict.fromkeys(wanted) if name is not None]
        for reader in self._readers(known):
            reader.images(found)
        return found

    def labels(self) -> LabelSet:
        """Those given, else in the order in which they appear; none of rows that state an image alone."""
        if (given := class_list.label_set(self._options)) is not None:
            return given
        name = str(self.named.label)
        found: dict[str, None] = {}
        for batch in frames.batches(self._path, self._rows, [name]):
            found |= dict.fromkeys(text for text in frames.texts(batch, name) if text is not None)
        return LabelSet.from_names(list(found))

    def notes(self, count: int) -> list[Note]:
        """How the table is read, in the words of one that is read whole."""
        message = (
            f"{self.survey.name}: a table of {counted(count, 'box', 'boxes')}, columns {', '.join(self.named.told())} "
            "(override: --boxes); pixels (override: --coords)"
        )
        message += "" if self._predictions else f"; labels {class_list.told(self._options)}"
        return [Note("read-as", message, count)]

    def _readers(self, columns: list[str] | None) -> Iterator[TableReader]:
        first = 0
        for batch in frames.batches(self._path, self._rows, columns):
            yield self._reader(batch, first)
            first += batch.height

    def _reader(self, batch: pl.DataFrame, first: int) -> TableReader:
        return TableReader(
            self._path, self._options, predictions=self._predictions, batch=batch, first=first, kinds=self._kinds
        )

    def _kinds_of(self, head: list[str]) -> dict[str, str]:
        """What the texts of columns are, where the rows of a batch alone could be taken for something else."""
        image = str(self.named.image)
        flags = [name for field, name in self.named.further.items() if field in FLAGS]
        others = [*flags, *([] if self._predictions else self.named.others)]
        kinds: dict[str, list[str]] = {name: [] for name in (image, *others) if name in head}
        for batch in frames.batches(self._path, self._rows, list(kinds)):
            for name, found in kinds.items():
                values = batch[name].to_list()
                found.append(table_reader.ids_kind(values) if name == image else table_reader.kind_of(values))
        joint = {name: table_reader.joint_kind(found) for name, found in kinds.items()}
        return {name: kind for name, kind in joint.items() if kind}


def readable(options: FormOptions) -> bool:
    """Whether a table can be read in batches: not where numbers are shares of sizes that stand in other rows."""
    return options.coords != "rel" and options.images is None
