"""Readers that fill columns step by step, so that a file's rows need not all be held."""

from __future__ import annotations

from boxscore.io import flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from boxscore.model.labels import LabelSet
    from boxscore.model.notes import Note
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions

    class Filling(Protocol):
        """A form's reader at work. `columns` are what it has filled; after any step their rows may be taken away."""

        columns: flat.Columns

        @property
        def labels(self) -> LabelSet | None:
            """Those that were given; None: those of the columns."""

        @property
        def corner_convention(self) -> str:
            """See `Dataset`."""

        def steps(self) -> Iterator[None]:
            """Fill. Raises InputError that names file, line (or entry, or object), field and value."""

        def notes(self) -> list[Note]:
            """How everything was read, after the last step."""


def dataset_of(filling: Filling, reading: Reading) -> Dataset:
    """Ground truth, all of it in memory. Raises InputError."""
    _exhaust(filling)
    return flat.build_dataset(
        filling.columns,
        reading,
        labels=filling.labels,
        notes=filling.notes(),
        corner_convention=filling.corner_convention,
    )


def predictions_of(filling: Filling, dataset: Dataset, reading: Reading, threads: int) -> Predictions:
    """Predictions, likewise."""
    _exhaust(filling)
    return flat.build_predictions(filling.columns, dataset, reading, notes=filling.notes(), threads=threads)


def _exhaust(filling: Filling) -> None:
    for _ in filling.steps():
        pass
