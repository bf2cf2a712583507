"""Text folders of ground truth and detections as tables over the same images: those of either folder."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io.arrays import column
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note, counted, listed
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from boxscore.io.voc_folders import Folder

_MOST_STEMS = 5


def tables(truth: Folder, detected: Folder, threads: int = 1) -> Predictions:
    """Predictions over the data set, corners inclusive; images without a file on one side have no boxes there.

    Labels are all that occur, by name. Raises InputError where there is no ground truth.
    """
    from boxscore import _kernel

    if truth.num_rows == 0:
        why = "has no .txt file" if not truth.stems else "holds no box"
        raise InputError(f"{truth.name} {why}, so that no class has ground truth; give the folder of the ground truth")
    labels = LabelSet.from_names(sorted({*truth.labels, *detected.labels}))
    images = sorted({*truth.stems, *detected.stems})
    dataset, _ = _kernel.dataset_from_columns(images, *_columns(truth, images, labels))
    known = Dataset(dataset, labels, source=truth.name, corner_convention="inclusive")
    scores = column(detected.column("score"), "float64")
    rows, _ = _kernel.detections_from_columns(
        dataset, images, *_columns(detected, images, labels), scores, threads=threads
    )
    return Predictions(rows, known, source=detected.name)


def _columns(folder: Folder, images: Sequence[str], labels: LabelSet) -> tuple[Buffer, Buffer, Buffer]:
    """Image, label and box of each row, as the kernel takes them."""
    import numpy as np

    position = {stem: i for i, stem in enumerate(images)}
    image = np.array([position[stem] for stem in folder.stems], dtype=np.uint32)
    label = np.array([labels.index(name) for name in folder.labels], dtype=np.uint32)
    return (
        column(image[folder.column("file")], "uint32"),
        column(label[folder.column("label")], "uint32"),
        column(folder.boxes, "float64"),
    )


def folder_notes(truth: Folder, detected: Folder) -> list[Note]:
    """Folders without files, files on one side only, classes that are detected but have no ground truth."""
    notes = [
        Note("no-text-files", f"{folder.name}: there is no .txt file in this folder", 0)
        for folder in (truth, detected)
        if not folder.stems
    ]
    missing = sorted({*truth.stems} - {*detected.stems})
    if missing and detected.stems:
        notes.append(
            Note(
                "stems-without-detections",
                f"{counted(len(missing), 'file')} of {truth.name} without a file of that name in {detected.name}: "
                f"{_stems(missing)}; nothing was detected in {'it' if len(missing) == 1 else 'them'}",
                len(missing),
            )
        )
    extra = sorted({*detected.stems} - {*truth.stems})
    if extra and truth.stems:
        notes.append(
            Note(
                "stems-without-ground-truth",
                f"{counted(len(extra), 'file')} of {detected.name} without a file of that name in {truth.name}: "
                f"{_stems(extra)}; each detection there is a false positive",
                len(extra),
            )
        )
    return [*notes, *_ignored_classes(truth, detected)]


def _stems(stems: Sequence[str]) -> str:
    more = len(stems) - _MOST_STEMS
    return ", ".join(stems[:_MOST_STEMS]) + (f" ... (+{more} more)" if more > 0 else "")


def ignored_classes(truth: Folder, detected: Folder) -> list[str]:
    """Classes with detections only, by name."""
    return sorted({*detected.labels} - {*truth.labels})


def _ignored_classes(truth: Folder, detected: Folder) -> list[Note]:
    ignored = ignored_classes(truth, detected)
    if not ignored:
        return []
    classes = counted(len(ignored), "class has", "classes have")
    rest = "it is ignored" if len(ignored) == 1 else "they are ignored"
    message = f"{classes} detections but no ground truth, so that {rest}: {listed(ignored, 10)}"
    return [Note("classes-without-ground-truth", message, len(ignored))]
