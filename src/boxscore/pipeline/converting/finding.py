"""Which source takes a file, a folder or an address: one that streams where the form allows it, else a whole one."""

from __future__ import annotations

import os
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import coco_form, coco_pieces, shard_paths, table_batches
from boxscore.io.form_options import FormOptions
from boxscore.io.table_batches import TableBatches
from boxscore.pipeline import forms_found
from boxscore.pipeline.converting import coco_files, flat_rows, whole
from boxscore.pipeline.converting.filled import FilledBatches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import ExitStack
    from os import PathLike
    from types import ModuleType

    from boxscore.io.coco_pieces import CocoFile
    from boxscore.io.shards.layout import Shards
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset
    from boxscore.pipeline.converting.flat_rows import Batches
    from boxscore.pipeline.converting.sources import Source


class Opener:
    """Opens sources; files stay open until the stack is closed."""

    def __init__(self, stack: ExitStack, options: FormOptions, reading: Reading, threads: int) -> None:
        self._stack = stack
        self._options = options
        self._reading = reading
        self._threads = threads

    def truth(self, path: str | PathLike[str], named: str | None, option: str) -> Source:
        """Ground truth. Raises InputError for what is none."""
        return self._truth(path, named, option, self._options)

    def images(self, path: str | PathLike[str], named: str | None) -> Source:
        """The ground truth of predictions, of which images and labels alone are wanted."""
        return self._truth(path, named, "--gt-format", forms_found.of_both(self._options))

    def predictions(self, path: str | PathLike[str], named: str | None, dataset: Dataset) -> Source:
        """Predictions over a data set. Raises InputError."""
        if named in (None, "shards") and (shards := shards_at(path, "predictions")) is not None:
            return whole.ShardPredictions(shards, dataset, self._reading)
        path = forms_found.one_file(path, named, "read_predictions")
        name, module = forms_found.reader(path, named, "read_predictions", "--from")
        if (batches := self._batches_of_predictions(name, module, path, dataset)) is not None:
            return flat_rows.FlatResults(batches, dataset, self._reading, self._threads)
        if name == "coco" and (file := self._pieces_of(path)) is not None:
            found = coco_files.results_of(file, dataset, self._options, self._reading, self._threads)
            if found is not None:
                return found
            if (filling := coco_form.fill_scored(file, self._options, self._reading)) is not None:
                return flat_rows.FlatResults(FilledBatches(filling, self._stack), dataset, self._reading, self._threads)
        return whole.WholePredictions(
            module.read_predictions(path, dataset, self._options, self._reading, self._threads)
        )

    def _batches_of_predictions(
        self, name: str, module: ModuleType, path: str | PathLike[str], dataset: Dataset
    ) -> Batches | None:
        if name == "table" and table_batches.readable(self._options):
            return TableBatches(path, self._options, predictions=True)
        if hasattr(module, "fill_predictions"):
            filling = module.fill_predictions(path, dataset, self._options, self._reading, self._stack)
            return FilledBatches(filling, self._stack)
        return None

    def _pieces_of(self, path: str | PathLike[str]) -> CocoFile | None:
        return self._stack.enter_context(coco_pieces.open_pieces(path)) if Path(path).is_file() else None

    def _truth(self, path: str | PathLike[str], named: str | None, option: str, options: FormOptions) -> Source:
        if named in (None, "shards") and (shards := shards_at(path, "ground_truth")) is not None:
            return whole.ShardTruth(shards)
        path = forms_found.one_file(path, named, "read_ground_truth")
        name, module = forms_found.reader(path, named, "read_ground_truth", option)
        if name == "coco" and (file := self._pieces_of(path)) is not None:
            found = coco_files.truth_of(file, self._reading, self._threads)
            if found is not None:
                return found
        if name == "table" and table_batches.readable(options):
            return flat_rows.FlatTruth(TableBatches(path, options, predictions=False), self._reading)
        if hasattr(module, "fill_ground_truth"):
            return flat_rows.FlatTruth(
                FilledBatches(module.fill_ground_truth(path, options), self._stack), self._reading
            )
        return whole.WholeTruth(module.read_ground_truth(path, options, self._reading, self._threads))


def shards_at(path: str | PathLike[str], role: str) -> Shards | None:
    """The shards at a path; None where there are none. Raises InputError for those of the other role."""
    if not shard_paths.looks_sharded(path):
        return None
    from boxscore.pipeline.sharding.opened import shards_of

    if role == "ground_truth":
        return _truth_of(os.fspath(path))
    return shards_of(path, role)


def _truth_of(path: str) -> Shards:
    from boxscore.io.shards.opened import open_shards

    shards = open_shards(path, "ground_truth")
    if shards.role != "ground_truth":
        raise InputError(
            f"{path} holds predictions (shards), which need the images and labels of their ground truth; give it with "
            "--ground-truth"
        )
    return shards
