"""Per-image arrays, as torchvision's models and torchmetrics take them: `{"boxes", "scores", "labels"}` an image."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import array_fields
from boxscore.io.findings import notes_of
from boxscore.io.places import ArrayPlaces
from boxscore.model.given import shown
from boxscore.model.labels import LabelSet, id_text
from boxscore.model.tables import Dataset, Predictions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from typing_extensions import Buffer

    from boxscore.model.labels import Id
    from boxscore.model.reading import Reading

    Array = np.ndarray[Any, np.dtype[Any]]
    Images = Sequence[Mapping[str, Any]]
    Labels = Sequence[str] | Mapping[int, str] | LabelSet

BOX_FORMATS = ("xyxy", "xywh", "cxcywh")


def read(
    targets: Images,
    predictions: Images,
    *,
    labels: Labels | None = None,
    box_format: str = "xyxy",
    reading: Reading,
    image_ids: Sequence[Id] | None = None,
    threads: int = 1,
) -> Predictions:
    """Tables from two lists with one dict an image, the predictions' with their Dataset.

    `boxes` (n, 4) in pixels by `box_format`, `labels` (n,) numbers or names, `scores` (n,); targets may bring
    `iscrowd` (n,) and `area` (n,). `labels` says what label numbers mean; without it, those that occur stand for
    themselves. `image_ids` default to 0, 1, ….

    Raises InputError that names image and field for a wrong shape, an unknown label or a refused value.
    """
    check_box_format(box_format)
    check_lists(targets, predictions, image_ids)
    truth = Rows(targets, "targets", box_format, ("labels",), ("iscrowd", "area"))
    found = Rows(predictions, "predictions", box_format, ("labels", "scores"), ())
    known = LabelSet.from_names(labels) if labels is not None else observed_labels([truth, found])
    ids = list(range(len(targets))) if image_ids is None else list(image_ids)
    dataset = build_dataset(truth, known, ids, reading)
    return build_predictions(found, dataset, ids, reading, threads)


class Rows:
    """The rows of all images of one list, one after another, in the kernel's types. Inputs are not changed."""

    __slots__ = ("boxes", "columns", "counts", "image", "name")

    def __init__(
        self, images: Images, name: str, box_format: str, needed: Sequence[str], optional: Sequence[str]
    ) -> None:
        import numpy as np

        self.name = name
        boxes = [array_fields.boxes(_field(image, "boxes", name, i), f"{name}[{i}]") for i, image in enumerate(images)]
        self.counts = [len(box) for box in boxes]
        self.boxes = to_xywh(np.concatenate([np.empty((0, 4)), *boxes]), box_format)
        self.image = np.repeat(np.arange(len(images), dtype=np.uint32), self.counts)
        self.columns: dict[str, Array] = {field: self._column(images, field) for field in needed}
        for field in optional:
            if any(field in image for image in images):
                self.columns[field] = self._column(images, field, np.nan if field == "area" else False)

    def _column(self, images: Images, field: str, default: float | None = None) -> Array:
        """The field of all images; where an image has none it is `default`, or refused."""
        import numpy as np

        parts: list[Array] = []
        for i, (image, count) in enumerate(zip(images, self.counts, strict=True)):
            if field not in image and default is not None:
                parts.append(np.full(count, default))
            else:
                given = _field(image, field, self.name, i)
                parts.append(array_fields.column(given, field, count, f"{self.name}[{i}]"))
        kept = {i: part for i, part in enumerate(parts) if part.size}
        if field == "labels":
            _refuse_mixed(kept, self.name)
        return np.concatenate(list(kept.values())) if kept else np.empty(0, dtype=np.float64)

    def places(self, noun: str) -> ArrayPlaces:
        """Names of these rows, for notes and errors."""
        return ArrayPlaces(self.name, noun, self.counts)


def build_dataset(rows: Rows, labels: LabelSet, image_ids: Sequence[Id], reading: Reading) -> Dataset:
    """The tables of targets. Raises InputError for what `reading` doesn't let pass."""
    from boxscore import _kernel

    area, crowd = rows.columns.get("area"), rows.columns.get("iscrowd")
    places = rows.places("object")
    kernel, findings = _kernel.dataset_from_columns(
        image_ids,
        column(rows.image, "uint32"),
        column(label_numbers(rows, labels), "uint32"),
        column(rows.boxes, "float64"),
        area=None if area is None else column(area, "float64"),
        crowd=None if crowd is None else column(crowd.astype(bool), "uint8"),
        drop_degenerate=reading.degenerate == "drop",
    )
    # Areas are optional in this form: that they come from the boxes needs no note.
    told = [finding for finding in findings if area is not None or finding.code != "area-missing"]
    return Dataset(kernel, labels, notes=notes_of(told, places, reading, "the targets"))


def build_predictions(
    rows: Rows, dataset: Dataset, image_ids: Sequence[Id], reading: Reading, threads: int = 1
) -> Predictions:
    """The tables of predictions. Raises InputError for what `reading` doesn't let pass."""
    from boxscore import _kernel

    kernel, findings = _kernel.detections_from_columns(
        dataset.kernel,
        image_ids,
        column(rows.image, "uint32"),
        column(label_numbers(rows, dataset.labels), "uint32"),
        column(rows.boxes, "float64"),
        column(rows.columns["scores"], "float64"),
        drop_degenerate=reading.degenerate == "drop",
        threads=threads,
    )
    notes = notes_of(findings, rows.places("detection"), reading, "the targets")
    return Predictions(kernel, dataset, notes=notes)


def observed_labels(lists: Sequence[Rows]) -> LabelSet:
    """The labels that occur, named by their own numbers or texts. Raises InputError where the lists differ in kind."""
    import numpy as np

    occurring = {value for rows in lists for value in np.unique(rows.columns["labels"]).tolist()}
    if len({isinstance(value, str) for value in occurring}) > 1:
        raise InputError(
            f"labels of {' and '.join(rows.name for rows in lists)} are texts here and numbers there; "
            "write them alike, or say with labels= which number has which name"
        )
    return LabelSet([*occurring] or [0], [str(value) for value in occurring] or ["0"], "labels")


def label_numbers(rows: Rows, labels: LabelSet) -> Array:
    """Position in `labels` of each row's label. Raises InputError that names the first unknown one."""
    import numpy as np

    values, inverse = np.unique(rows.columns["labels"], return_inverse=True)
    position = {i: n for n, i in enumerate(labels.ids)} | {name: n for n, name in enumerate(labels.names)}
    numbers = np.zeros(len(values), dtype=np.uint32)
    for n, value in enumerate(values.tolist()):
        if value not in position:
            row = int(np.flatnonzero(inverse == n)[0])
            known = ", ".join(f"{i} ({name})" for i, name in list(zip(labels.ids, labels.names, strict=True))[:10])
            raise InputError(
                f"{rows.places('box').row(row)}: label {id_text(value)} is not among the labels {known}; "
                "add it to labels=, or correct it"
            )
        numbers[n] = position[value]
    return numbers[inverse.reshape(-1)]


def to_xywh(boxes: Array, box_format: str) -> Array:
    """Boxes as x, y, width, height, float64, contiguous; a copy, in 64 bits whatever came in."""
    import numpy as np

    converted = np.array(boxes, dtype=np.float64, order="C")
    # Numbers that aren't finite are told with their place, later on.
    with np.errstate(invalid="ignore", over="ignore"):
        if box_format == "xyxy":
            converted[:, 2:] = boxes[:, 2:] - boxes[:, :2]
        elif box_format == "cxcywh":
            converted[:, :2] = boxes[:, :2] - boxes[:, 2:] / 2
    return converted


def column(values: Array, kind: str) -> Buffer:
    """Values in one piece and in the type that the kernel takes."""
    from typing import cast

    import numpy as np

    # NumPy's types declare the buffer protocol from Python 3.12 on.
    return cast("Buffer", np.ascontiguousarray(values, dtype=kind))


def check_lists(targets: Images, predictions: Images, image_ids: Sequence[Id] | None) -> None:
    """Refuse what isn't two lists with a dict an image, alike in length. Raises InputError."""
    for name, images in (("targets", targets), ("predictions", predictions)):
        meant = "per-image arrays are a list with a dict an image, also where it has no boxes"
        if not isinstance(images, list | tuple):
            raise InputError(f"{name} is {shown(images)}; {meant}")
        for i, image in enumerate(images):
            if not isinstance(image, dict):
                raise InputError(f"{name}[{i}] is {shown(image)}; {meant}")
    if len(targets) != len(predictions):
        raise InputError(
            f"there are {len(targets)} targets and {len(predictions)} predictions; they must be one an image, alike"
        )
    if image_ids is not None and len(image_ids) != len(targets):
        raise InputError(f"there are {len(image_ids)} image_ids for {len(targets)} images; give one an image")


def check_box_format(box_format: object) -> None:
    """Refuse an unknown format. Raises InputError."""
    if not isinstance(box_format, str) or box_format not in BOX_FORMATS:
        raise InputError(f"box_format is {shown(box_format)}; it must be one of {', '.join(BOX_FORMATS)}")


def _field(image: Mapping[str, Any], field: str, name: str, position: int) -> object:
    if field not in image:
        has = ", ".join(map(str, image)) or "nothing"
        raise InputError(f"{name}[{position}]: {field} is missing; it has {has}: add {field}, one a box")
    return image[field]


def _refuse_mixed(parts: Mapping[int, Array], name: str) -> None:
    """NumPy would make texts of the numbers."""
    words = {i: "texts" if part.dtype.kind == "U" else "numbers" for i, part in parts.items()}
    first = next(iter(words), 0)
    for i, kind in words.items():
        if kind != words[first]:
            raise InputError(f"{name}[{i}]: labels are {kind}, those of {name}[{first}] {words[first]}; give one kind")
