"""A protocol: everything that decides how detections are matched and measured, apart from the data."""

from __future__ import annotations

from boxscore.errors import ProtocolError
from boxscore.model.measure import Measure, at_thresholds, threshold_text, weighed
from boxscore.model.protocol_checks import INTERPOLATIONS, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Protocol:
    """How matching and measuring is done.

    - `rule`: how detections take objects. `pixels`: edges of boxes are points on the plane (`continuous`), or the first
      and the last pixel, so that a box is 1 wider than they lie apart (`inclusive`; added only where the data set's
      corners are meant so).
    - `iou_thresholds`: ascending, in (0, 1]. `area_ranges`: (name, least, most) in square pixels, both ends included;
      the first is the one used when none is named. Ranges x thresholds may be at most 64.
    - `max_detections`: detections an image and label that count, ascending.
    - `interpolation`: `101-point`, `11-point` or `every-point`.
    - `headline`: the measures of the summary. `ignore_flag`, `object_area`: as in Reading; the flag `difficult` stands
      for difficult objects and crowds.
    - `confidence`: of protocols at an operating point, the lowest confidence that counts where a label has no floor of
      its own (inclusive); None for all others. `least_support`: figures of a label with fewer objects are marked.
    - `modified`: fields that were overridden.

    Raises ProtocolError that names protocol and field.
    """

    __slots__ = (
        "_area_positions",
        "_iou_positions",
        "area_ranges",
        "confidence",
        "description",
        "headline",
        "ignore_flag",
        "interpolation",
        "iou_thresholds",
        "least_support",
        "max_detections",
        "modified",
        "name",
        "object_area",
        "pixels",
        "rule",
        "version",
    )

    def __init__(
        self,
        name: str,
        version: str,
        *,
        rule: str,
        pixels: str,
        iou_thresholds: Sequence[float],
        area_ranges: Sequence[tuple[str, float, float]],
        max_detections: Sequence[int],
        interpolation: str,
        headline: Sequence[str],
        ignore_flag: str,
        object_area: str,
        confidence: float | None = None,
        least_support: int | None = None,
        description: str = "",
        modified: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.version = version
        self.description = description
        self.rule = rule
        self.pixels = pixels
        self.iou_thresholds = tuple(iou_thresholds)
        self.area_ranges = tuple(area_ranges)
        self.max_detections = tuple(max_detections)
        self.interpolation = interpolation
        self.headline = tuple(Measure.parse(text) for text in headline)
        self.ignore_flag = ignore_flag
        self.object_area = object_area
        self.confidence = confidence
        self.least_support = least_support
        self.modified = tuple(modified)
        self._area_positions = {area[0]: i for i, area in enumerate(self.area_ranges)}
        self._iou_positions = {threshold_text(iou): i for i, iou in enumerate(self.iou_thresholds)}
        check(self)

    @property
    def recall_points(self) -> list[float]:
        """Recalls at which precision is read, from 0 to 1, with NumPy's `linspace` arithmetic."""
        count = INTERPOLATIONS[self.interpolation]
        return evenly_spaced(0.0, 1.0, count)

    def area_index(self, name: str | None) -> int:
        """Position of an area range; None is the first. Raises ProtocolError naming those there are."""
        if name is None:
            return 0
        position = self._area_positions.get(name)
        if position is None:
            names = ", ".join(self._area_positions)
            raise ProtocolError(f"protocol {self.name} has no area range {name!r}; its area_ranges are {names}")
        return position

    def iou_index(self, iou: float) -> int:
        """Position of an IoU threshold, found by its printed form. Raises ProtocolError naming those there are."""
        text = threshold_text(iou)
        position = self._iou_positions.get(text)
        if position is None:
            known = ", ".join(self._iou_positions)
            raise ProtocolError(f"protocol {self.name} has no IoU threshold {text}; its iou_thresholds are {known}")
        return position

    def limit_index(self, limit: int | None) -> int:
        """Position of a detection limit; None is the largest. Raises ProtocolError naming those there are."""
        if limit is None:
            return len(self.max_detections) - 1
        if limit not in self.max_detections:
            raise ProtocolError(
                f"protocol {self.name} has no detection limit {limit}; "
                f"its max_detections are {', '.join(map(str, self.max_detections))}"
            )
        return self.max_detections.index(limit)

    def gives(self, measure: Measure) -> bool:
        """Whether the measure's area range, limit and threshold are among this protocol's."""
        try:
            self.area_index(measure.area)
            self.limit_index(measure.max_detections)
            if measure.iou is not None:
                self.iou_index(measure.iou)
            elif measure.at_point and len(self.iou_thresholds) > 1:
                return False
        except ProtocolError:
            return False
        return True

    def override(
        self,
        *,
        iou_thresholds: Sequence[float] | None = None,
        max_detections: Sequence[int] | None = None,
        ignore_flag: str | None = None,
        object_area: str | None = None,
        confidence: float | None = None,
        beta: float | None = None,
    ) -> Protocol:
        """This protocol with fields changed; those that differ are named in `modified`.

        `beta` is that of the headline's F. Headline measures that the changed protocol can't give are left out of its
        headline; those at an operating point are given at each of several thresholds.
        """
        asked = {
            "iou_thresholds": None if iou_thresholds is None else tuple(sorted(float(t) for t in iou_thresholds)),
            "max_detections": None if max_detections is None else tuple(sorted(max_detections)),
            "ignore_flag": ignore_flag,
            "object_area": object_area,
            "confidence": confidence,
            "headline": None if beta is None else weighed(self.headline, beta),
        }
        changed = {k: v for k, v in asked.items() if v is not None and v != getattr(self, k)}
        if not changed:
            return self
        fields: dict[str, Any] = {slot: getattr(self, slot) for slot in self.__slots__ if slot[0] != "_"}
        fields |= changed
        fields["modified"] = tuple(dict.fromkeys((*self.modified, *changed)))
        headline = fields["headline"]
        fields["headline"] = ["AP"]
        changed_protocol = Protocol(**fields)
        if len(changed_protocol.iou_thresholds) > 1:
            headline = at_thresholds(headline, changed_protocol.iou_thresholds)
        # A summary without a figure would say nothing: AP exists under every protocol of these.
        kept = tuple(m for m in headline if changed_protocol.gives(m))
        changed_protocol.headline = kept or changed_protocol.headline
        return changed_protocol

    def to_dict(self) -> dict[str, Any]:
        """The effective protocol, in the words of its file."""
        later = {"confidence": self.confidence, "least_support": self.least_support}
        return {
            "name": self.name,
            "version": self.version,
            "modified": list(self.modified),
            "rule": self.rule,
            "pixels": self.pixels,
            "iou_thresholds": list(self.iou_thresholds),
            "area_ranges": {name: [least, most] for name, least, most in self.area_ranges},
            "max_detections": list(self.max_detections),
            "interpolation": self.interpolation,
            "ignore_flag": self.ignore_flag,
            "object_area": self.object_area,
            "headline": [str(measure) for measure in self.headline],
            **{field: value for field, value in later.items() if value is not None},
        }

    def __repr__(self) -> str:
        changed = f", modified: {', '.join(self.modified)}" if self.modified else ""
        return f"<Protocol {self.name} {self.version}{changed}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Protocol) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.modified))


def evenly_spaced(start: float, stop: float, count: int) -> list[float]:
    """`count` numbers from `start` to `stop`, bit for bit those of `numpy.linspace`."""
    if count == 1:
        return [start]
    step = (stop - start) / (count - 1)
    return [*(start + i * step for i in range(count - 1)), stop]
