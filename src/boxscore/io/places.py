"""Where a row stands, in words: what notes and errors call it."""

from __future__ import annotations

from boxscore.model.labels import found_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore import _kernel


class Places:
    """Names of the rows of one file: `name` is the file's, `row(n)` that of its entry n (from 0).

    For ground truth that is `gt.json annotation 7 (entry 3)`; for results, `dt.json entry 3`.
    """

    __slots__ = ("_dataset", "_source_rows", "name", "noun")

    def __init__(self, name: str, noun: str = "detection", dataset: _kernel.Dataset | None = None) -> None:
        self.name = name
        self.noun = noun
        self._dataset = dataset
        self._source_rows: list[object] | None = None

    def row(self, row: int) -> str:
        """The row with its file's name."""
        annotation = self._annotation_id(row)
        return (
            f"{self.name} entry {row}" if annotation is None else f"{self.name} annotation {annotation} (entry {row})"
        )

    def first(self, row: int) -> str:
        """The row inside a sentence that has named the file: `first entry 3`."""
        return f"first entry {row}"

    def _annotation_id(self, row: int) -> str | None:
        """The id that the file gives the annotation; rows that were left out are found by their entry alone."""
        if self._dataset is None:
            return None
        table = self._dataset.ground_truth
        if self._source_rows is None:
            self._source_rows = [*table.column("source_row").to_list()]
        if row not in self._source_rows:
            return None
        annotation = table.column("source_id").to_list()[self._source_rows.index(row)]
        return None if annotation is None else found_id(str(annotation))


class ArrayPlaces(Places):
    """Names of rows that came as per-image arrays: `predictions[3] box 2`."""

    __slots__ = ("_starts",)

    def __init__(self, name: str, noun: str, counts: list[int]) -> None:
        super().__init__(name, noun)
        self._starts = [0]
        for count in counts:
            self._starts.append(self._starts[-1] + count)

    def row(self, row: int) -> str:
        """The row as position of its image and position in it."""
        import bisect

        image = bisect.bisect_right(self._starts, row) - 1
        return f"{self.name}[{image}] box {row - self._starts[image]}"

    def first(self, row: int) -> str:
        """The row inside a sentence: `first predictions[3] box 2`."""
        return f"first {self.row(row)}"
