"""Detections as text, one file an image: the files of a folder, each with its image in the ground truth."""

# ruff: noqa: PTH100, PTH112, PTH113, PTH118, PTH119  pathlib costs a fifth of the start-up

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.io import stems
from boxscore.io.text_files import TextFiles
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset


class ResultFiles:
    """The text files of a folder and the image of each, over `dataset` (with further images where these were asked for
    as background). `notes` say which files and images have no partner.

    Raises InputError for a folder that is missing, and, as `reading` says, for files without an image.
    """

    __slots__ = ("dataset", "files", "folder", "image_ids", "notes", "stems")

    def __init__(self, path: str, dataset: Dataset, reading: Reading) -> None:
        self.folder, found = _label_files(path, dataset)
        self.notes: list[Note] = []
        lookup = stems.ImageLookup(dataset)
        images = dict(zip(found, lookup.find(found), strict=True))
        if lookup.by_name:
            self.notes.append(_by_name(self.name, dataset))
        self.dataset = self._settle(images, dataset, reading)
        self.stems = [stem for stem, image in images.items() if image is not None]
        self.image_ids: list[Id] = [image for image in images.values() if image is not None]
        self._refuse_shared()
        if not found:
            message = f"{self.folder}: there is no .txt file; all images count as without detections"
            self.notes.append(Note("no-text-files", message))
        else:
            self._tell_missing()
        self.files = TextFiles([os.path.join(self.folder, found[stem]) for stem in self.stems], self.name)

    @property
    def name(self) -> str:
        """What messages call the folder."""
        return folder_name(self.folder)

    def _settle(self, images: dict[str, Id | None], dataset: Dataset, reading: Reading) -> Dataset:
        """Deal with files that have no image, as the reading says."""
        unknown = [stem for stem, image in images.items() if image is None]
        if not unknown:
            return dataset
        images_in = dataset.source or "the ground truth"
        fact = (
            f"{os.path.join(self.folder, unknown[0])}.txt: there is no image {unknown[0]} in {images_in} "
            f"({counted(len(unknown), 'file')}: {stems.named(unknown, '.txt')})"
        )
        if reading.unknown_images == "error":
            known = ", ".join(str(i) for i in dataset.image_ids[:3])
            raise InputError(
                f"{fact}; its images are {known}, …. Use the ground truth that these detections were made for, leave "
                f"them out with {reading.option('unknown_images', 'drop')}, or count their images as empty with "
                f"{reading.option('unknown_images', 'background')}."
            )
        if reading.unknown_images == "drop":
            self.notes.append(Note("unknown-image", f"{fact}; left out, as asked for", len(unknown)))
            return dataset
        images.update({stem: stem for stem in unknown})
        self.notes.append(Note("background-images", f"{fact}; counted as empty, as asked for", len(unknown)))
        return dataset.with_kernel(dataset.kernel.with_images(unknown))

    def _refuse_shared(self) -> None:
        """Two files can meet at one image where it goes by its id and by its file name."""
        if len(set(self.image_ids)) == len(self.image_ids):
            return
        first: dict[Id, str] = {}
        for stem, image in zip(self.stems, self.image_ids, strict=True):
            if first.setdefault(image, stem) != stem:
                raise InputError(
                    f"{self.folder}: {first[image]}.txt and {stem}.txt both are of image {image}; remove one of them"
                )

    def _tell_missing(self) -> None:
        present = set(self.image_ids)
        missing = [str(i) for i in self.dataset.image_ids if i not in present]
        if missing:
            message = (
                f"{self.name}: {counted(len(missing), 'image')} without a file, taken to be without detections: "
                f"{stems.named(missing)}"
            )
            self.notes.append(Note("images-without-detections-file", message, len(missing)))


def folder_name(path: str) -> str:
    """A folder's own name with a slash, as messages call it."""
    return f"{os.path.basename(os.path.abspath(path))}/"


def _label_files(path: str, dataset: Dataset) -> tuple[str, dict[str, str]]:
    """The folder that holds the files and these by stem: `labels/` inside the given one, where that has none itself."""
    if os.path.isfile(path):
        raise InputError(f"{path} is a file; detections as text are a folder with one .txt an image")
    known = {i for i in dataset.image_ids if isinstance(i, str)}
    inner = os.path.join(path, "labels")
    if os.path.isdir(inner) and not any(entry.name.endswith(".txt") for entry in os.scandir(path)):
        path = inner
    return path, stems.labels_among(stems.walk(path), known)


def _by_name(name: str, dataset: Dataset) -> Note:
    message = (
        f"{name}: files meet the images of {dataset.source or 'the ground truth'} by the last part of their names "
        "alone; their folders differ"
    )
    return Note("stems-without-folders", message)
