"""From cases and detections to a run at the operating point."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import arrays, image_sizes
from boxscore.io.findings import notes_of
from boxscore.io.text_files import TextFiles
from boxscore.io.text_form import TextForm
from boxscore.model.labels import LabelSet
from boxscore.model.notes import listed
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from boxscore.model.floors import Floors
    from boxscore.pipeline.run import Run
    from boxscore.predict.decode import Found
    from boxscore.validate.cases import Cases

PROTOCOL = "operating-point"


class _SavedReading(Reading):
    """The policies for saved detections; remedies name the command that makes another file of them."""

    __slots__ = ()

    def option(self, field: str, choice: str) -> str:
        """`boxscore convert --unknown-images drop`."""
        return f"`boxscore convert --{field.replace('_', '-')} {choice}`"


def ground_truth(cases: Cases, threads: int = 1) -> Dataset:
    """The cases' objects as `boxscore eval` reads them, image ids being the stems. Raises InputError."""
    reading = Reading()
    stems = [case.stem for case in cases]
    files = TextFiles([case.label_path for case in cases], cases.folder)
    pictures = {case.stem: case.picture_path for case in cases}
    sizes = image_sizes.of_pictures(stems, pictures, cases.folder)
    form = TextForm(score="none", numbers="cxcywh", relative=True, numbered=True)
    stated = form.read(files, stems, sizes, "label", threads)
    numbers = [int(value) for value, _, _ in stated.rows.label_uses]
    kernel, findings = stated.build_dataset(stems, numbers, [case.picture for case in cases], reading)
    labels = LabelSet(list(range(len(cases.classes))), cases.classes, cases.classes_from)
    notes = [*stated.notes, *notes_of(findings, stated.places, reading, files.name)]
    return Dataset(kernel, labels, source=files.name, notes=notes)


def detections(found: Sequence[Found], cases: Cases, dataset: Dataset, threads: int = 1) -> Predictions:
    """What a detector found of each case, over the data set. Raises InputError for a label that is none."""
    images = [{"boxes": one.boxes, "scores": one.scores, "labels": one.labels} for one in found]
    rows = arrays.Rows(images, "detections", "xyxy", ("labels", "scores"), ())
    return arrays.build_predictions(rows, dataset, [case.stem for case in cases], Reading(), threads)


def saved_detections(path: str | PathLike[str], cases: Cases, dataset: Dataset, threads: int = 1) -> Predictions:
    """Detections that were saved, in any form. Those of pictures that were not selected are left out.

    Raises InputError.
    """
    from boxscore.pipeline.evaluate import read_predictions

    if not cases.left_out:
        return read_predictions(path, dataset, reading=_SavedReading(), threads=threads)
    # Read against all pictures, as those of the others are no mistake, and then cut.
    read = read_predictions(path, _all_pictures(cases, dataset), reading=_SavedReading(), threads=threads)
    return _cut(read, cases, dataset, threads)


def _all_pictures(cases: Cases, dataset: Dataset) -> Dataset:
    """The pictures that were selected and those that were not, without objects."""
    import numpy as np

    from boxscore import _kernel

    none, no_box = arrays.column(np.empty(0), "uint32"), arrays.column(np.empty(0), "float64")
    pictures = [*((case.picture, case.stem) for case in cases), *cases.left_out]
    kernel, _ = _kernel.dataset_from_columns(
        [stem for _, stem in pictures], none, none, no_box, file_names=[name for name, _ in pictures]
    )
    return Dataset(kernel, dataset.labels, source=dataset.source)


def _cut(read: Predictions, cases: Cases, dataset: Dataset, threads: int) -> Predictions:
    """The detections of the selected pictures, over their data set."""
    import polars as pl

    from boxscore import _kernel

    stems = [case.stem for case in cases]
    place = {stem: number for number, stem in enumerate(stems)}
    numbers = [place.get(str(stem), -1) for stem in read.dataset.image_ids]
    table = pl.DataFrame(read.table).sort("source_row", maintain_order=True)
    table = table.with_columns(pl.Series("image", numbers, dtype=pl.Int64)[table["image"]]).filter(pl.col("image") >= 0)
    kernel, _ = _kernel.detections_from_columns(
        dataset.kernel,
        stems,
        arrays.column(table["image"].to_numpy(), "uint32"),
        arrays.column(table["label"].to_numpy(), "uint32"),
        arrays.column(table.select("x", "y", "w", "h").to_numpy(), "float64"),
        arrays.column(table["score"].to_numpy(), "float64"),
        threads=threads,
    )
    return Predictions(kernel, dataset, source=read.source, notes=read.notes)


def scored(predictions: Predictions, floors: Floors, nms: float | None = None, threads: int = 1) -> Run:
    """The run at the operating point: IoU 0.5, at these floors."""
    from boxscore.pipeline.evaluate import finish
    from boxscore.protocols import load

    return finish(predictions, load(PROTOCOL), thresholds=floors, nms=nms, threads=threads)


def check_classes(of_card: Sequence[str], cases: Cases, card: str) -> None:
    """Raise InputError, with both lists, where the classes of card and data set are not the same in the same order."""
    if list(of_card) == cases.classes:
        return
    same = sorted(of_card) == sorted(cases.classes)
    what = "name the same classes in another order" if same else "name other classes"
    at = next((i for i, (a, b) in enumerate(zip(of_card, cases.classes, strict=False)) if a != b), None)
    first = f"class {at} first" if at is not None else f"{len(of_card)} and {len(cases.classes)} of them"
    raise InputError(
        f"{card} and {cases.classes_from} {what} ({first}): the card has {_list(of_card)}; the data set has "
        f"{_list(cases.classes)}. Class numbers would mean other things: mend one of them"
    )


def _list(names: Sequence[str]) -> str:
    return listed([f"{number} {name!r}" for number, name in enumerate(names)], 200)
