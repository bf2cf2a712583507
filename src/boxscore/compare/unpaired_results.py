"""What a comparison of two data sets found: the gap of each figure, and what holds for all of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from boxscore.compare.results import ModelFigure
    from boxscore.model.measure import Measure
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.resampling import Resampling


class Side:
    """One of the two data sets: its name, images, and what was resampled of it (`unit`: `image` or `group`)."""

    __slots__ = ("images", "name", "unit", "units")

    def __init__(self, name: str, images: int, unit: str, units: int) -> None:
        self.name = name
        self.images = images
        self.unit = unit
        self.units = units

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return {"name": self.name, "images": self.images, "unit": self.unit, "units": self.units}

    def __repr__(self) -> str:
        return f"<Side {self.name}: {self.images} images>"


class Gap:
    """One measure, over labels (`label` None) or of one, in both data sets: the first minus the second.

    `figures` are those of the two sides, each with its interval. `low` and `high` bound the gap's; `reason` says why
    the gap or its interval does not exist, `undefined` in what share of the replicates there is none. `labels` are
    those that a mean over labels is of: of the shared ones those that have a figure on both sides; `lacking` names the
    rest.
    """

    __slots__ = ("excludes_zero", "figures", "gap", "high", "label", "labels", "lacking", "low", "measure", "reason",
                 "std_error", "undefined")  # fmt: skip

    def __init__(
        self,
        measure: Measure,
        label: str | None,
        labels: Sequence[str],
        lacking: Sequence[str],
        figures: tuple[ModelFigure, ModelFigure],
    ) -> None:
        self.measure = measure
        self.label = label
        self.labels = list(labels)
        self.lacking = list(lacking)
        self.figures = figures
        self.gap: float | None = None
        self.std_error: float | None = None
        self.low: float | None = None
        self.high: float | None = None
        self.excludes_zero: bool | None = None
        self.undefined = 0.0
        self.reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        order = ("gap", "low", "high", "std_error", "excludes_zero", "undefined", "reason", "labels", "lacking")
        return {
            "measure": str(self.measure),
            "label": self.label,
            "figures": [figure.to_dict() for figure in self.figures],
            **{name: getattr(self, name) for name in order},
        }

    def __repr__(self) -> str:
        of = "" if self.label is None else f" of {self.label}"
        return f"<Gap in {self.measure}{of}: {self.gap}, {self.low}..{self.high}>"


class Unpaired:
    """One model on two data sets.

    `sides` are the two; `labels` those that both have objects of; `left_out` says of every other label why it is none
    of them. `gaps` has one entry a measure, then one a measure and shared label.
    """

    __slots__ = ("gaps", "labels", "left_out", "notes", "protocol", "resampling", "sides")

    def __init__(
        self,
        sides: tuple[Side, Side],
        gaps: Sequence[Gap],
        *,
        labels: Sequence[str],
        left_out: Mapping[str, str],
        protocol: Protocol,
        resampling: Resampling,
        notes: Sequence[Note] = (),
    ) -> None:
        self.sides = sides
        self.gaps = list(gaps)
        self.labels = list(labels)
        self.left_out = dict(left_out)
        self.protocol = protocol
        self.resampling = resampling
        self.notes = list(notes)

    def find(self, measure: str, label: str | None = None) -> Gap:
        """The gap of a measure in its printed form, overall or of a label. Raises KeyError where there is none."""
        for gap in self.gaps:
            if (str(gap.measure), gap.label) == (measure, label):
                return gap
        raise KeyError((measure, label))

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "sides": [side.to_dict() for side in self.sides],
            "labels": self.labels,
            "left_out": self.left_out,
            "replicates": self.resampling.replicates,
            "seed": self.resampling.seed,
            "confidence": self.resampling.confidence,
            "interval": self.resampling.interval,
            "protocol": self.protocol.to_dict(),
            "notes": [note.to_dict() for note in self.notes],
            "gaps": [gap.to_dict() for gap in self.gaps],
        }

    def __repr__(self) -> str:
        return f"<Unpaired {self.sides[0].name} - {self.sides[1].name} over {len(self.labels)} labels>"
