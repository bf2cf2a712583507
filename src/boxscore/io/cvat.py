"""CVAT for images: one XML file, `<image>` with `<box label xtl ytl xbr ybr>`.

Corners are continuous. Flags such as `difficult` stand as `<attribute>` of a box, as CVAT keeps what its users define.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from boxscore.errors import InputError
from boxscore.io import class_list, filling, flat, image_names, losses, table_rows, xml_files
from boxscore.io.field_values import flag_in, name_in, number_in, number_text, size_in
from boxscore.io.shapes import box_around
from boxscore.model.notes import Note, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from boxscore.io.filling import Filling
    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset

ATTRIBUTES = ("occluded",)
_BOX = ("xtl", "ytl", "xbr", "ybr")
_MASK = ("left", "top", "width", "height")
_SHAPES = ("box", "polygon", "mask", "polyline", "points", "ellipse", "cuboid", "skeleton")


def looks_like(path: str | PathLike[str]) -> str | None:
    """Says so of an XML file whose root is `<annotations>`, and of a folder that holds such an `annotations.xml`."""
    file = _file(Path(path))
    if not file.is_file() or file.suffix.lower() != ".xml" or xml_files.root_tag(file) != "annotations":
        return None
    return "CVAT XML: <annotations> with <image><box xtl ytl xbr ybr>"


def read_ground_truth(
    path: str | PathLike[str],
    options: FormOptions,
    reading: Reading,
    threads: int = 1,  # noqa: ARG001  part of the interface of forms
) -> Dataset:
    """Every `<image>` is one, also without boxes; ids are names without suffix. Labels are in the order of `<labels>`.

    Polygons and masks become the boxes around them; other shapes are left out, counted. Raises InputError that names
    file, image, box, field and value.
    """
    return filling.dataset_of(_Filling(path, options), reading)


def fill_ground_truth(path: str | PathLike[str], options: FormOptions) -> Filling:
    """The same an image at a time."""
    return _Filling(path, options)


def write_ground_truth(
    dataset: Dataset,
    path: str | PathLike[str],
    options: FormOptions,  # noqa: ARG001  part of the interface of forms
) -> list[str]:
    """Write one file. Returns what is lost."""
    root = ET.Element("annotations")
    ET.SubElement(root, "version").text = "1.1"
    labels = ET.SubElement(ET.SubElement(ET.SubElement(root, "meta"), "task"), "labels")
    for name in dataset.labels:
        ET.SubElement(ET.SubElement(labels, "label"), "name").text = name
    objects = table_rows.objects_by_image(dataset)
    images = {name: dataset.images.column(name).to_list() for name in ("file_name", "width", "height")}
    for image, stem in enumerate(image_names.stems_of(dataset)):
        element = ET.SubElement(root, "image", id=str(image), name=str(images["file_name"][image] or stem))
        for side in ("width", "height"):
            if isinstance(size := images[side][image], int | float):
                element.set(side, number_text(size))
        for row in objects.get(image, ()):
            element.append(_box(row))
    ET.indent(root)
    Path(path).write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")
    return losses.of_ground_truth(
        dataset,
        flags=losses.FLAGS,
        attributes=None,
        file_names=True,
        sizes=True,
        empty_images=True,
        empty_labels=True,
        label_order=True,
    )


def _file(path: Path) -> Path:
    return path / "annotations.xml" if path.is_dir() else path


class _Filling:
    """See `filling.Filling`."""

    corner_convention = "continuous"

    def __init__(self, path: str | PathLike[str], options: FormOptions) -> None:
        self._path, self._options = path, options
        self._reader = _Reader(_file(Path(path)))
        self.columns = self._reader.columns
        self.labels = class_list.label_set(options)

    def steps(self) -> Iterator[None]:
        """An image each."""
        reader = self._reader
        for event, element in xml_files.elements(reader.file):
            reader.take(event, element)
            if event == "end" and element.tag == "image":
                yield
        if not reader.seen:
            raise InputError(f"{reader.file}: there is no <image>; export the task as `CVAT for images`")

    def notes(self) -> list[Note]:
        """How many images there are, whence the labels, and shapes that are no boxes."""
        reader = self._reader
        images = len(self.columns.image_ids)
        declared = self.labels is None and reader.declared
        order = "as <labels> declares them" if declared else class_list.told(self._options)
        message = f"{self.columns.name}: CVAT XML, {counted(images, 'image')}; labels {order}"
        return [Note("read-as", message, images), *reader.notes()]


class _Reader:
    """Takes the elements of one file in turn."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.columns = flat.Columns(file.name, unit="shape")
        self.declared = False
        self.seen = False
        self.around: dict[str, int] = {}
        self.left_out: dict[str, int] = {}
        self.rotated = 0
        self._parents: list[str] = []
        self._image: int | None = None
        self._shape = 0

    def take(self, event: str, element: ET.Element) -> None:
        """An element's start (its attributes are there) or end (all that it holds is)."""
        if event == "start":
            if element.tag == "track":
                raise InputError(
                    f"{self.file}: <track> is found, which is `CVAT for video`; export the task as `CVAT for images`"
                )
            if element.tag == "image":
                self._start_image(element)
            self._parents.append(element.tag)
            return
        self._parents.pop()
        if element.tag == "name" and self._parents[-2:] == ["labels", "label"]:
            self.columns.add_label(name_in(element.text, "name", f"{self.file} <label>"))
            self.declared = True
        elif self._image is not None and self._parents[-1:] == ["image"] and element.tag in _SHAPES:
            self._add(element, self._image)
        elif element.tag == "image":
            self._image = None
            element.clear()

    def notes(self) -> list[Note]:
        """Of shapes that are no boxes."""
        found = [
            Note(f"{shape}-box", f"{self.columns.name}: {counted(n, shape)} read as the box around it", n)
            for shape, n in self.around.items()
        ]
        found += [
            Note("shape-left-out", f"{self.columns.name}: {counted(n, shape)} left out: it has no box", n)
            for shape, n in self.left_out.items()
        ]
        if self.rotated:
            message = f"{self.columns.name}: {counted(self.rotated, 'box', 'boxes')} rotated; read as if they were not"
            found.append(Note("rotated-box", message, self.rotated))
        return found

    def _start_image(self, element: ET.Element) -> None:
        name = name_in(element.get("name"), "name", f"{self.file} <image id={element.get('id')!r}>")
        size = (size_in(element.get("width")), size_in(element.get("height")))
        self._image = self.columns.add_image(image_names.stem(name), name, *size)
        self._shape = 0
        self.seen = True
        self.columns.add_file(f"{self.columns.name} image {name}")

    def _add(self, element: ET.Element, image: int) -> None:
        self._shape += 1
        place = f"{self.columns.files[-1]} shape {self._shape}"
        label = name_in(element.get("label"), "label", place)
        box = self._box(element, place)
        if box is None:
            self.left_out[element.tag] = self.left_out.get(element.tag, 0) + 1
            return
        stated = {item.get("name", ""): (item.text or "").strip() for item in element.iterfind("attribute")}
        flags = [flag for flag in losses.FLAGS if flag_in(stated.pop(flag, None), flag, place)]
        attributes: dict[str, object] = dict(stated)
        if element.get("occluded") is not None:
            attributes["occluded"] = flag_in(element.get("occluded"), "occluded", place)
        self.columns.add(image, label, box, self._shape, flags=flags, attributes=attributes)

    def _box(self, element: ET.Element, place: str) -> tuple[float, float, float, float] | None:
        if element.tag == "box":
            self.rotated += float(element.get("rotation") or 0) != 0
            x1, y1, x2, y2 = (number_in(element.get(field), field, place) for field in _BOX)
            return x1, y1, x2 - x1, y2 - y1
        if element.tag not in ("polygon", "mask"):
            return None
        self.around[element.tag] = self.around.get(element.tag, 0) + 1
        if element.tag == "mask":
            x, y, w, h = (number_in(element.get(field), field, place) for field in _MASK)
            return x, y, w, h
        points = [pair.split(",") for pair in (element.get("points") or "").split(";") if pair]
        if not points or any(len(pair) != 2 for pair in points):
            raise InputError(f"{place}: points is {element.get('points')!r}; it must be x1,y1;x2,y2;…")
        return box_around([(number_in(x, "points", place), number_in(y, "points", place)) for x, y in points])


def _box(row: table_rows.Object) -> ET.Element:
    x, y, w, h = row.box
    occluded = "1" if row.attributes.get("occluded") else "0"
    element = ET.Element("box", label=row.label, occluded=occluded, source="manual")
    for field, value in zip(_BOX, (x, y, x + w, y + h), strict=True):
        element.set(field, number_text(value))
    element.set("z_order", "0")
    further = {name: value for name, value in row.attributes.items() if name != "occluded" and value is not None}
    for name, stated in {**dict.fromkeys(row.flags, True), **further}.items():
        text = str(stated).lower() if isinstance(stated, bool) else str(stated)
        ET.SubElement(element, "attribute", name=name).text = text
    return element
