"""Measures as values: `AP`, `AP@0.5`, `AP[area=small]`, `AR[max=10]`. Parsing and printing are inverse."""

from __future__ import annotations

from boxscore.errors import MeasureError

KINDS = ("AP", "AR", "objects", "detections", "images")
COUNTS = ("objects", "detections", "images")


class Measure:
    """One measure. Its printed form is its identity: the key in JSON, on the command line and in reports.

    `kind` is `AP`, `AR` or a count (`objects`, `detections`, `images`). `area` names an area range of the protocol
    (None: the first, `all`), `max_detections` is one of its detection limits (None: the largest), `iou` one of its
    thresholds (None: the mean over all of them). Raises MeasureError for anything else.
    """

    __slots__ = ("area", "iou", "kind", "max_detections")

    def __init__(
        self, kind: str, *, area: str | None = None, max_detections: int | None = None, iou: float | None = None
    ) -> None:
        if kind not in KINDS:
            raise MeasureError(f"there is no measure {kind!r}; known are {', '.join(KINDS)}")
        if kind in COUNTS and (area, max_detections, iou) != (None, None, None):
            raise MeasureError(f"measure {kind} is a count: it takes no area, limit or IoU threshold")
        self.kind = kind
        self.area = None if area == "all" else area
        self.max_detections = max_detections
        self.iou = iou

    @staticmethod
    def parse(text: str) -> Measure:
        """Read the printed form. Raises MeasureError that quotes the text."""
        try:
            body, iou = _split_threshold(text.strip())
            kind, options = _split_options(body)
            limit = options.pop("max", None)
            area = options.pop("area", None)
            if options:
                raise MeasureError(f"{next(iter(options))!r} is no option of {kind}; known are area and max")
            return Measure(kind, area=area, max_detections=None if limit is None else int(limit), iou=iou)
        except MeasureError as error:
            raise MeasureError(f"{text!r} can't be used: {error}") from None
        except ValueError:
            raise MeasureError(
                f"measure {text!r} can't be read; write it like AP, AP@0.5, AP[area=small] or AR[max=10]"
            ) from None

    def __str__(self) -> str:
        options = [] if self.area is None else [f"area={self.area}"]
        if self.max_detections is not None:
            options.append(f"max={self.max_detections}")
        inside = f"[{','.join(options)}]" if options else ""
        return self.kind + inside + ("" if self.iou is None else f"@{threshold_text(self.iou)}")

    def __repr__(self) -> str:
        return f"Measure.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def threshold_text(iou: float) -> str:
    """The shortest form that tells thresholds apart: `0.9` also for the 0.8999999999999999 of a computed ladder."""
    return f"{iou:.9g}"


def _split_threshold(text: str) -> tuple[str, float | None]:
    body, at, threshold = text.partition("@")
    return body, float(threshold) if at else None


def _split_options(body: str) -> tuple[str, dict[str, str]]:
    kind, bracket, inside = body.partition("[")
    if not bracket:
        return kind, {}
    if not inside.endswith("]"):
        raise ValueError(body)
    options: dict[str, str] = {}
    for option in inside[:-1].split(","):
        key, equals, value = option.partition("=")
        if not equals or not value or key in options:
            raise ValueError(option)
        options[key.strip()] = value.strip()
    return kind, options
