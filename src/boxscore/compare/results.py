"""What a comparison found, as values: models, pairs, and what holds for all of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.model.measure import Measure
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.resampling import Resampling

SEPARATED = "separated"
TIE = "tie"
UNDECIDABLE = "undecidable"


class ModelFigure:
    """One model's figure with its interval.

    `point` is the figure on the data as they are; `mean`, `std_error` and `bias` (mean - point) are those of the
    replicates; `low` and `high` bound the interval. `reason` says why the figure or its interval (then `low` and `high`
    are None) does not exist.
    """

    __slots__ = ("bias", "high", "low", "mean", "model", "point", "reason", "std_error")

    def __init__(self, model: str, point: float | None, reason: str | None = None) -> None:
        self.model = model
        self.point = point
        self.reason = reason
        self.mean: float | None = None
        self.std_error: float | None = None
        self.low: float | None = None
        self.high: float | None = None
        self.bias: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        order = ("model", "point", "mean", "std_error", "low", "high", "bias", "reason")
        return {name: getattr(self, name) for name in order}

    def __repr__(self) -> str:
        return f"<ModelFigure {self.model}: {self.point}, {self.low}..{self.high}>"


class PairResult:
    """The difference of two models, `a` minus `b`, and whether these data separate them.

    `low` and `high` bound its interval, which is not adjusted for the number of pairs; `excludes_zero` says whether 0
    is outside. `p` is that of this pair by itself, `p_adjusted` allows for all pairs of the measure. `separated`
    follows `p_adjusted` alone; None where the data can't decide, or there is no difference to judge, with a `reason`.
    `detectable` is the smallest true difference that such data would separate with 80 % power; `units_to_separate` how
    many units would do for a true difference as large as the observed one. Both are for the pair by itself.
    """

    __slots__ = (
        "a",
        "b",
        "detectable",
        "difference",
        "excludes_zero",
        "high",
        "low",
        "mean",
        "p",
        "p_adjusted",
        "reason",
        "separated",
        "std_error",
        "units_to_separate",
        "verdict",
    )

    def __init__(self, a: str, b: str, difference: float | None, reason: str | None = None) -> None:
        self.a = a
        self.b = b
        self.difference = difference
        self.reason = reason
        self.mean: float | None = None
        self.std_error: float | None = None
        self.low: float | None = None
        self.high: float | None = None
        self.p: float | None = None
        self.p_adjusted: float | None = None
        self.separated: bool | None = None
        self.verdict = UNDECIDABLE
        self.excludes_zero: bool | None = None
        self.detectable: float | None = None
        self.units_to_separate: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        order = ("a", "b", "difference", "mean", "std_error", "low", "high", "p", "p_adjusted", "separated", "verdict")
        rest = ("excludes_zero", "detectable", "units_to_separate", "reason")
        return {name: getattr(self, name) for name in (*order, *rest)}

    def __repr__(self) -> str:
        return f"<PairResult {self.a} - {self.b}: {self.difference}, {self.verdict}>"


class Result:
    """One measure, over all labels (`label` None) or of one.

    `models` are in the order of the leaderboard over all labels; `pairs` those that were asked for; `groups` names sets
    of models that these data do not separate; `absent` the share of replicates without ground truth of a label, of
    those labels (of the measure's mean) that any may lack.
    """

    __slots__ = ("absent", "groups", "label", "measure", "models", "pairs")

    def __init__(
        self,
        measure: Measure,
        label: str | None,
        models: Sequence[ModelFigure],
        pairs: Sequence[PairResult],
        groups: Sequence[Sequence[str]],
        absent: dict[str, float],
    ) -> None:
        self.measure = measure
        self.label = label
        self.models = list(models)
        self.pairs = list(pairs)
        self.groups = [list(group) for group in groups]
        self.absent = absent

    def to_dict(self) -> dict[str, Any]:
        """The result, ready for JSON."""
        return {
            "measure": str(self.measure),
            "label": self.label,
            "models": [model.to_dict() for model in self.models],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "groups": self.groups,
            "absent": self.absent,
        }

    def __repr__(self) -> str:
        return f"<Result of {self.measure}{'' if self.label is None else f' of {self.label}'}>"


class Comparison:
    """Several models over one ground truth.

    `unit` is what was resampled (`image` or `group`), `units` how many there are, `images` those of the data;
    `replicates` and `exact` (all there are, not drawn) are of the intervals, `swaps` and `swaps_exact` those of the
    tests. `results` has one entry a measure, then, where asked for, one a measure and label.
    """

    __slots__ = (
        "exact",
        "images",
        "models",
        "notes",
        "protocol",
        "replicates",
        "resampling",
        "results",
        "swaps",
        "swaps_exact",
        "unit",
        "units",
    )

    def __init__(
        self,
        models: Sequence[str],
        results: Sequence[Result],
        *,
        protocol: Protocol,
        resampling: Resampling,
        images: int,
        unit: str,
        units: int,
        replicates: int,
        exact: bool,
        swaps: int,
        swaps_exact: bool,
        notes: Sequence[Note] = (),
    ) -> None:
        self.models = list(models)
        self.results = list(results)
        self.protocol = protocol
        self.resampling = resampling
        self.images = images
        self.unit = unit
        self.units = units
        self.replicates = replicates
        self.exact = exact
        self.swaps = swaps
        self.swaps_exact = swaps_exact
        self.notes = list(notes)

    def find(self, measure: str, label: str | None = None) -> Result:
        """The result of a measure in its printed form, overall or of a label. Raises KeyError where there is none."""
        for result in self.results:
            if (str(result.measure), result.label) == (measure, label):
                return result
        raise KeyError((measure, label))

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "models": self.models,
            "unit": self.unit,
            "units": self.units,
            "replicates": self.replicates,
            "exact": self.exact,
            "swaps": self.swaps,
            "swaps_exact": self.swaps_exact,
            "seed": self.resampling.seed,
            "confidence": self.resampling.confidence,
            "interval": self.resampling.interval,
            "images": self.images,
            "protocol": self.protocol.to_dict(),
            "notes": [note.to_dict() for note in self.notes],
            "results": [result.to_dict() for result in self.results],
        }

    def to_json(self) -> str:
        """`to_dict` as JSON text in ASCII; numbers are written so that reading gives the same bits."""
        from boxscore.model.json_text import to_json

        return to_json(self.to_dict())

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.models)} over {self.units} {self.unit}s>"
