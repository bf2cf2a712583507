"""What a study declares, as read from its file: nothing here has been computed."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

TABLE = "table"
COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class Pinned:
    """A file or folder: its path, the path as the study states it, its declared SHA-256 and the key path of both."""

    path: Path
    stated: str
    sha256: str | None
    where: str


@dataclass(frozen=True, slots=True)
class Latency:
    """A file of measured latencies, and the device where the file doesn't name it."""

    file: Pinned
    device: str | None


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of predictions. `ref` (`yolo26m/640`) is how the study and its documents call it.

    `format` and `options` say how the predictions are read; `thresholds` holds the floors of its operating point.
    """

    ref: str
    title: str
    predictions: Pinned
    format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    latencies: tuple[Latency, ...] = ()
    thresholds: Pinned | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """How detections are scored: a protocol and what overrides it (arguments of `evaluate`)."""

    protocol: str
    overrides: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"protocol": self.protocol, **self.overrides}

    def key(self) -> str:
        """Equal for equal scorings."""
        return repr(sorted(self.to_dict().items()))


@dataclass(frozen=True, slots=True)
class Section:
    """A table or a comparison: variants under some measures, with the pairs that are compared.

    `resampling` holds arguments of `Resampling`, those of the study included.
    """

    name: str
    kind: str
    title: str
    variants: tuple[str, ...]
    measures: tuple[str, ...]
    pairs: str
    per_label: bool
    resampling: dict[str, Any]
    scoring: Scoring

    def draws_as(self, other: Section) -> bool:
        """Whether the figures of a variant, intervals included, are the same in both."""
        return self.resampling == other.resampling and self.scoring == other.scoring


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a figure of a variant, or of a pair of them, must be.

    `refs` holds one variant or two, `hashes` the SHA-256 of the predictions that the anchor belongs to (or None), in
    the same order. `values` maps `point`, `low`, `high`, `difference` to a value and its tolerance.
    """

    where: str
    section: str
    refs: tuple[str, ...]
    hashes: tuple[str | None, ...]
    measure: str
    label: str | None
    values: dict[str, tuple[float, float]]
    verdict: str | None = None
    excludes_zero: bool | None = None

    @property
    def is_pair(self) -> bool:
        """Whether it speaks of a difference."""
        return len(self.refs) == 2

    def __str__(self) -> str:
        label = "" if self.label is None else f" of {self.label}"
        return f"{' vs '.join(self.refs)} {self.measure}{label} ({self.section})"


@dataclass(frozen=True, slots=True)
class Study:
    """A whole study. Paths are resolved against the folder of its file."""

    path: Path
    title: str
    ground_truth: Pinned
    reading: dict[str, Any]
    data: dict[str, Any]
    taxonomy: dict[str, Any] | Pinned | None
    variants: dict[str, Variant]
    sections: dict[str, Section]
    anchors: tuple[Anchor, ...]
    results: Pinned
    report: Pinned
    documents: tuple[Pinned, ...]
    digits: int
    device: str | None
    band: tuple[float, float]

    @property
    def shown(self) -> str:
        """The study's path, as messages name it."""
        return str(self.path)
