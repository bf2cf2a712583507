"""PASCAL VOC annotations: a folder with one XML file an image.

Corners are the first and the last pixel, counted from 1. They are read as they stand (x = xmin, w = xmax - xmin) and
the data set records that they are inclusive, so that a protocol with inclusive pixels adds its 1; `corners="pixels"`
gives the area they mean instead (x = xmin - 1, w = xmax - xmin + 1).
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, file_lists, filling, flat, image_names, losses, table_rows, xml_files
from boxscore.io.field_values import flag_in, name_in, number_in, number_text, size_in
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset

ATTRIBUTES = ("truncated", "occluded")
_CORNERS = ("xmin", "ymin", "xmax", "ymax")


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of a folder (or its Annotations) whose first XML file is an `<annotation>`, and of such a file."""
    first = file_lists.first_file(_root(Path(path)), ".xml")
    if first is None or xml_files.root_tag(first) != "annotation":
        return None
    return "VOC XML: <annotation> with <object><bndbox>, a file an image"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """Every `.xml` below the folder (its `Annotations`, where it has one) is an image, also one without objects.

    Image ids are paths of the files without suffix. Raises InputError that names file, object, field and value.
    """
    return filling.dataset_of(_Filling(path, options), reading)


def fill_ground_truth(path: str | PathLike[str], options: FormOptions) -> Filling:
    """The same a file at a time."""
    return _Filling(path, options)


def write_ground_truth(dataset: Dataset, path: str | PathLike[str], options: FormOptions) -> list[str]:
    """Write a folder with a file an image. Corners stand as x and x + w; `corners="pixels"` writes continuous ones as
    pixels counted from 1. Returns what is lost.
    """
    pixels = options.corners == "pixels" and dataset.corner_convention == "continuous"
    root = Path(path)
    root.mkdir(parents=True, exist_ok=True)
    objects = table_rows.objects_by_image(dataset)
    images = dataset.images
    names = images.column("file_name").to_list()
    sizes = list(zip(images.column("width").to_list(), images.column("height").to_list(), strict=True))
    for image, stem in enumerate(image_names.stems_of(dataset)):
        element = _annotation(str(names[image] or stem), sizes[image])
        for row in objects.get(image, ()):
            element.append(_object(row, pixels=pixels))
        file = root / f"{stem}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        ET.indent(element, "\t")
        file.write_bytes(ET.tostring(element, encoding="utf-8") + b"\n")
    return losses.of_ground_truth(
        dataset,
        flags=("difficult",),
        attributes=ATTRIBUTES,
        file_names=True,
        sizes=True,
        empty_images=True,
        convention=dataset.corner_convention if pixels else "inclusive",
    )


class _Filling:
    """See `filling.Filling`."""

    def __init__(self, path: str | PathLike[str], options: FormOptions) -> None:
        self._path, self._options = path, options
        self._files = file_lists.files_below(_root(Path(path)), ".xml", "VOC annotations")
        self._pixels = options.corners == "pixels"
        self.columns = flat.Columns(Path(path).name or str(path), unit="object")
        self.labels = class_list.label_set(options)
        self.corner_convention = "continuous" if self._pixels else "inclusive"

    def steps(self) -> Iterator[None]:
        """A file each."""
        for file, name in self._files:
            _read_file(file, name, self.columns, pixels=self._pixels)
            yield

    def notes(self) -> list[Note]:
        """How corners are read."""
        how = (
            "corners are pixels counted from 1: x = xmin - 1, w = xmax - xmin + 1, as asked for"
            if self._pixels
            else "corners read as they stand, w = xmax - xmin, and inclusive (override: --corners pixels)"
        )
        files, labels = counted(len(self._files), "file"), class_list.told(self._options)
        return [Note("read-as", f"{self.columns.name}: VOC XML, {files}; {how}; labels {labels}", len(self._files))]


def _root(path: Path) -> Path:
    inner = path / "Annotations"
    return inner if inner.is_dir() else path


def _read_file(file: Path, name: str, columns: flat.Columns, *, pixels: bool) -> None:
    root = xml_files.root_of(file)
    if root.tag != "annotation":
        raise InputError(f"{file}: <{root.tag}> is found where VOC's <annotation> is expected; leave this file out")
    columns.add_file(f"{name}.xml")
    width, height = (size_in(root.findtext(f"size/{side}")) for side in ("width", "height"))
    image = columns.add_image(name, (root.findtext("filename") or "").strip() or None, width, height)
    for number, element in enumerate(root.iterfind("object"), 1):
        place = f"{file} object {number}"
        label = name_in(element.findtext("name"), "name", place)
        box = element.find("bndbox")
        if box is None:
            raise InputError(f"{place} ({label}): bndbox is missing; add xmin, ymin, xmax and ymax")
        x1, y1, x2, y2 = (number_in(box.findtext(field), field, place) for field in _CORNERS)
        grown = 1.0 if pixels else 0.0
        columns.add(
            image,
            label,
            (x1 - grown, y1 - grown, x2 - x1 + grown, y2 - y1 + grown),
            number,
            flags=("difficult",) if flag_in(element.findtext("difficult"), "difficult", place) else (),
            attributes={
                field: flag_in(stated, field, place)
                for field in ATTRIBUTES
                if (stated := element.findtext(field)) is not None
            },
        )


def _annotation(file_name: str, size: tuple[object, object]) -> ET.Element:
    element = ET.Element("annotation")
    ET.SubElement(element, "filename").text = file_name
    if isinstance(size[0], int | float) and isinstance(size[1], int | float):
        inner = ET.SubElement(element, "size")
        for side, value in zip(("width", "height"), size, strict=True):
            ET.SubElement(inner, side).text = number_text(float(str(value)))
    return element


def _object(row: table_rows.Object, *, pixels: bool) -> ET.Element:
    element = ET.Element("object")
    ET.SubElement(element, "name").text = row.label
    for field in ATTRIBUTES:
        if row.attributes.get(field) is not None:
            ET.SubElement(element, field).text = str(int(bool(row.attributes[field])))
    ET.SubElement(element, "difficult").text = str(int("difficult" in row.flags))
    x, y, w, h = row.box
    grown = 1.0 if pixels else 0.0
    box = ET.SubElement(element, "bndbox")
    for field, value in zip(_CORNERS, (x + grown, y + grown, x + w, y + h), strict=True):
        ET.SubElement(box, field).text = number_text(value)
    return element
