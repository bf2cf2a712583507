"""Measures as values: `AP`, `AP[area=small]`, `recall[conf=0.25]@0.5`. Parsing and printing are inverse."""

from __future__ import annotations

from boxscore.errors import MeasureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

MEANS = ("AP", "AR")
COUNTS = ("objects", "detections", "images")
SHARES = ("precision", "recall")
TALLIES = ("TP", "FP", "FN", "ignored")
FALSE_PER_IMAGE = "FPPI"
MEAN_IOU = "meanIoU"
KINDS = (*MEANS, *SHARES, "F1", *TALLIES, FALSE_PER_IMAGE, MEAN_IOU, *COUNTS)
"""Also `F2`, `F0.5` and so on: any beta."""

BEST = "best"
"""The confidence at which F is the largest on the very data that are measured."""


class Measure:
    """One measure. Its printed form is its identity: the key in JSON, on the command line and in reports.

    `kind` is one of

    - `AP`, `AR`; `objects`, `detections`, `images`: counts;
    - at an operating point: `precision`, `recall`, `F1` (F-beta: `F2`, `F0.5`), `TP`, `FP`, `FN`, `ignored`,
      `FPPI`, false positives per image, and `meanIoU`, the mean overlap of true positives with what they found.

    `area` names an area range of the protocol (None: the first, `all`), `max_detections` is one of its detection limits
    (None: the largest), `iou` one of its thresholds (None: the mean over all of them; at an operating point the
    protocol's only one). At an operating point, `conf` is the lowest confidence that counts, inclusive, or `best`, the
    one with the largest F-beta on the same data (None: the floors of the run), and `average` says how labels are
    joined: over all their rows (None, micro), or as the mean over labels (`macro`). Raises MeasureError for anything
    else.
    """

    __slots__ = ("area", "average", "conf", "iou", "kind", "max_detections")

    def __init__(
        self,
        kind: str,
        *,
        area: str | None = None,
        max_detections: int | None = None,
        conf: float | str | None = None,
        average: str | None = None,
        iou: float | None = None,
    ) -> None:
        beta = beta_of(kind)
        if kind not in KINDS and beta is None:
            raise MeasureError(f"there is no measure {kind!r}; known are {', '.join(KINDS)}")
        self.kind = kind if beta is None else f"F{beta:.9g}"
        self.area = None if area == "all" else area
        self.max_detections = max_detections
        self.conf = conf
        self.average = None if average == "micro" else average
        self.iou = iou
        self._check()

    @property
    def beta(self) -> float | None:
        """Beta of an F-beta, None for other kinds."""
        return beta_of(self.kind)

    @property
    def at_point(self) -> bool:
        """Whether this is a figure at an operating point: at one threshold and one confidence."""
        return self.kind not in MEANS and self.kind not in COUNTS

    def replaced(self, **fields: Any) -> Measure:  # noqa: ANN401  each field has its own type
        """The same with some fields changed."""
        return Measure(**({name: getattr(self, name) for name in self.__slots__} | fields))

    @staticmethod
    def parse(text: str) -> Measure:
        """Read the printed form. Raises MeasureError that quotes the text."""
        try:
            body, iou = _split_threshold(text.strip())
            kind, options = _split_options(body)
            limit = options.pop("max", None)
            area = options.pop("area", None)
            conf = options.pop("conf", None)
            average = options.pop("average", None)
            if options:
                raise MeasureError(
                    f"{next(iter(options))!r} is no option of {kind}; known are area, max, conf and average"
                )
            return Measure(
                kind,
                area=area,
                max_detections=None if limit is None else int(limit),
                conf=conf if conf in (None, BEST) else float(conf or ""),
                average=average,
                iou=iou,
            )
        except MeasureError as error:
            raise MeasureError(f"{text!r} can't be used: {error}") from None
        except ValueError:
            raise MeasureError(
                f"measure {text!r} can't be read; write it like AP, AP@0.5, AP[area=small], AR[max=10] or "
                "recall[conf=0.25]@0.5"
            ) from None

    def _check(self) -> None:
        if self.kind in COUNTS and (self.area, self.max_detections, self.iou) != (None, None, None):
            raise MeasureError(f"measure {self.kind} is a count: it takes no area, limit or IoU threshold")
        if not self.at_point and (self.conf, self.average) != (None, None):
            raise MeasureError(f"measure {self.kind} takes no conf and no average: it is at no confidence")
        if isinstance(self.conf, str) and self.conf != BEST:
            raise MeasureError(f"conf is {self.conf!r}; give a confidence, or best")
        if isinstance(self.conf, float) and not abs(self.conf) < float("inf"):
            raise MeasureError("conf must be a finite number, or best")
        if self.average not in (None, "macro"):
            raise MeasureError(f"average is {self.average!r}; it is micro or macro")
        if self.average is not None and self.kind not in (*SHARES, MEAN_IOU) and self.beta is None:
            raise MeasureError(f"measure {self.kind} is a count: it has no macro average")

    def __str__(self) -> str:
        options = [] if self.area is None else [f"area={self.area}"]
        if self.max_detections is not None:
            options.append(f"max={self.max_detections}")
        if self.conf is not None:
            options.append(f"conf={self.conf if isinstance(self.conf, str) else exact_text(self.conf)}")
        if self.average is not None:
            options.append(f"average={self.average}")
        inside = f"[{','.join(options)}]" if options else ""
        return self.kind + inside + ("" if self.iou is None else f"@{threshold_text(self.iou)}")

    def __repr__(self) -> str:
        return f"Measure.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def weighed(measures: Iterable[Measure], beta: float) -> tuple[Measure, ...]:
    """The measures with each F-beta as that of another beta. Raises MeasureError for a beta there is not."""
    return tuple(
        measure if measure.beta is None else measure.replaced(kind=f"F{exact_text(beta)}") for measure in measures
    )


def at_thresholds(measures: Iterable[Measure], thresholds: Sequence[float]) -> tuple[Measure, ...]:
    """The measures, those at an operating point without a threshold given at each of these instead."""
    spread: list[Measure] = []
    for measure in measures:
        alone = not measure.at_point or measure.iou is not None
        spread += [measure] if alone else [measure.replaced(iou=iou) for iou in thresholds]
    return tuple(spread)


def beta_of(kind: str) -> float | None:
    """2.0 of `F2`; None for what is no F-beta."""
    digits = kind[1:]
    if kind[:1] != "F" or not digits[:1].isdecimal() or not digits.replace(".", "", 1).isdecimal():
        return None
    beta = float(digits)
    return beta if 0.001 <= beta <= 1000.0 else None


def threshold_text(iou: float) -> str:
    """The shortest form that tells thresholds apart: `0.9` also for the 0.8999999999999999 of a computed ladder."""
    return f"{iou:.9g}"


def exact_text(value: float) -> str:
    """The shortest form that reads back to the same bits: `0.25`, `1`, `0.30000000000000004`."""
    short = f"{value:.9g}"
    return short if float(short) == value else repr(float(value))


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
