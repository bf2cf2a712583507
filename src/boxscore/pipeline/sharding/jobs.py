"""What a part is made of, and what it leaves: both travel between processes."""

from __future__ import annotations

from dataclasses import dataclass, field

from boxscore.model.labels import id_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.io.shards.layout import Part, Shards
    from boxscore.model.labels import Id
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading


@dataclass(frozen=True)
class Settings:
    """What holds for all parts.

    `labels` gives the number of each declared label name (-1: left out without a word), `folded` that of names without
    case and blanks, where they are compared so; other names are unknown. `keep` also makes the tables of a run folder,
    `identity` only the digests by which ground truths are told apart.
    """

    truth: Shards
    found: Shards
    protocol: Protocol
    reading: Reading
    num_labels: int
    labels: dict[str, int]
    folded: dict[str, int]
    label_names: tuple[str, ...]
    label_agnostic: bool = False
    nms: float | None = None
    keep: bool = False
    identity: bool = False


@dataclass(frozen=True)
class PartJob:
    """One part of the ground truth, with the parts of the predictions that may speak of its images.

    `key` is a digest of all that decides the outcome.
    """

    number: int
    key: str
    truth: Part
    found: tuple[Part, ...]


@dataclass(frozen=True)
class RowPlace:
    """Where a row stands: among which image's rows, as which of them (from 0), and in which file.

    The first two are the same however images are cut into parts; `words` name file and row.
    """

    image_id: Id
    within: int
    words: str

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key: canonical order of images, then order of rows."""
        return (*id_order(self.image_id), self.within)


@dataclass(frozen=True)
class PlacedFinding:
    """What the kernel noticed in a part, with the place of the first row that shows it."""

    code: str
    count: int
    place: RowPlace
    field: str | None = None
    value: str | None = None
    extra: float | None = None


@dataclass(frozen=True)
class LabelUse:
    """How many rows state a label, and the first of them."""

    name: str
    rows: int
    place: RowPlace


@dataclass(frozen=True)
class Summary:
    """What the driver knows of a part once it is made: ids, counts, what was noticed; no boxes."""

    image_ids: list[Id]
    file_names: list[str | None]
    groups: list[str | None] | None
    metadata: dict[str, list[Any]]
    objects: list[int]  # by label
    detections: list[int]  # by label
    rows: int  # of the predictions, that were read
    over_limit: tuple[int, int]
    scores: tuple[float, float] | None  # least and greatest
    out_of_range: tuple[int, RowPlace | None]
    truth_uses: list[LabelUse] = field(default_factory=list)
    found_uses: list[LabelUse] = field(default_factory=list)
    truth_findings: list[PlacedFinding] = field(default_factory=list)
    found_findings: list[PlacedFinding] = field(default_factory=list)
    suppressed: tuple[int, int] | None = None  # before and after
    digests: list[str] | None = None  # of each image's objects


@dataclass(frozen=True)
class PartOutcome:
    """A part that was made: summary, a block of matches a label, and the tables of a run folder as Parquet."""

    summary: Summary
    blocks: list[bytes]
    tables: dict[str, bytes] = field(default_factory=dict)
