"""How awkward input is read: one policy for each kind."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import shown

CHOICES: dict[str, tuple[str | None, ...]] = {
    "unknown_images": ("error", "drop", "background"),
    "unknown_labels": ("error", "drop"),
    "label_match": ("exact", "fold"),
    "non_finite": ("error", "drop"),
    "degenerate": ("keep", "drop"),
    "area": (None, "field", "box"),
    "ignore_flag": (None, "crowd", "honour"),
    "boxes": ("xywh", "xyxy"),
}


class Reading:
    """Policies for input that isn't as it should be. The first choice of each is the default.

    - `unknown_images`: a detection names an image that the ground truth lacks: `error`, `drop` it, or take the image
      as `background`, one without objects.
    - `unknown_labels`: a row names a category that isn't declared: `error` or `drop` it.
    - `label_match`: names are compared `exact`, or with blanks trimmed and case folded (`fold`).
    - `non_finite`: a score or a box holds NaN or infinity: `error` or `drop` the row.
    - `degenerate`: a box with zero or negative width or height: `keep` it (it has no area) or `drop` it.
    - `area`: an object's size is its `area` `field` (width x height where that is missing) or always that of its
      `box`; None: as the protocol says.
    - `ignore_flag`: only `crowd` annotations are ignored, or `ignore` flags are taken at their word (`honour`); None:
      as the protocol says.
    - `boxes`: what the four numbers of a detection in a results file mean: `xywh`, COCO's, or corners, `xyxy`.

    Nothing is left out without a counted note. Raises InputError for an unknown choice.
    """

    __slots__ = tuple(sorted(CHOICES))

    area: str | None
    boxes: str
    degenerate: str
    ignore_flag: str | None
    label_match: str
    non_finite: str
    unknown_images: str
    unknown_labels: str

    def __init__(
        self,
        *,
        unknown_images: str = "error",
        unknown_labels: str = "error",
        label_match: str = "exact",
        non_finite: str = "error",
        degenerate: str = "keep",
        area: str | None = None,
        ignore_flag: str | None = None,
        boxes: str = "xywh",
    ) -> None:
        self.unknown_images = unknown_images
        self.unknown_labels = unknown_labels
        self.label_match = label_match
        self.non_finite = non_finite
        self.degenerate = degenerate
        self.area = area
        self.ignore_flag = ignore_flag
        self.boxes = boxes
        for field, allowed in CHOICES.items():
            value = getattr(self, field)
            if not isinstance(value, str | None) or value not in allowed:
                raise InputError(
                    f"reading: {field} is {shown(value)}; it must be one of {', '.join(map(str, allowed))}"
                )

    @staticmethod
    def of(given: object) -> Reading:
        """What is given as `reading=`; the default where nothing is. Raises InputError for anything but a Reading."""
        if given is None:
            return Reading()
        if not isinstance(given, Reading):
            raise InputError(f'reading is {shown(given)}; give a Reading, such as Reading(unknown_images="drop")')
        return given

    def option(self, field: str, choice: str) -> str:
        """How a user asks for another policy: `Reading(unknown_images="drop")`. Remedies name it so."""
        return f'Reading({field}="{choice}")'

    def to_dict(self) -> dict[str, str | None]:
        """The policies by name."""
        return {field: getattr(self, field) for field in CHOICES}

    def with_boxes(self, boxes: str) -> Reading:
        """The same policies, with boxes read another way."""
        other = type(self)()
        for field in CHOICES:
            setattr(other, field, getattr(self, field))
        other.boxes = boxes
        return other

    def __repr__(self) -> str:
        return f"Reading({', '.join(f'{field}={value!r}' for field, value in self.to_dict().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.to_dict().values()))
