"""Confidence floors: the lowest score of each label that counts."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import number, shown
from boxscore.model.labels import id_text
from boxscore.model.notes import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.model.labels import LabelSet


class Floors:
    """Floors by label name, inclusive; `default` is that of all labels that aren't named.

    `source` is the file they came from. `fitted` says how they were chosen, None where they weren't fitted: `aim`,
    `iou`, `nms` (None: no suppression), `fitted_on` (the digest of the ground truth). A floor is a view on matches made
    once: a detection under it leaves its object a miss. Raises InputError for a floor that is no finite number.
    """

    __slots__ = ("by_label", "default", "fitted", "source")

    def __init__(
        self,
        default: float,
        by_label: Mapping[str, float] | None = None,
        *,
        source: str | None = None,
        fitted: Mapping[str, Any] | None = None,
    ) -> None:
        where = source or "thresholds"
        self.default = _finite(default, f"{where}: default")
        self.by_label = {
            name: _finite(floor, f"{where}: the floor of {id_text(name)}") for name, floor in (by_label or {}).items()
        }
        self.source = source
        self.fitted = None if fitted is None else dict(fitted)

    def of(self, labels: LabelSet) -> list[float]:
        """A floor for each label, in order."""
        return [self.by_label.get(name, self.default) for name in labels]

    def unknown(self, *known: LabelSet) -> list[str]:
        """Names with a floor that none of the label sets holds."""
        return [name for name in self.by_label if not any(name in labels for labels in known)]

    def replaced(self, **fields: Any) -> Floors:  # noqa: ANN401  each field has its own type
        """The same with some fields changed."""
        given = {name: getattr(self, name) for name in self.__slots__} | fields
        return Floors(given.pop("default"), given.pop("by_label"), **given)

    def to_dict(self) -> dict[str, Any]:
        """`default`, `labels`, `source` and `fitted`, ready for JSON."""
        return {
            "default": self.default,
            "labels": dict(self.by_label),
            "source": self.source,
            "fitted": self.fitted,
        }

    @staticmethod
    def from_dict(stated: Mapping[str, Any]) -> Floors:
        """What `to_dict` gave."""
        return Floors(stated["default"], stated["labels"], source=stated["source"], fitted=stated["fitted"])

    def __repr__(self) -> str:
        own = f", {listed([f'{name} {floor:g}' for name, floor in self.by_label.items()])}" if self.by_label else ""
        return f"<Floors {self.default:g}{own}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Floors) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.default, tuple(self.by_label.items())))


def _finite(value: object, what: str) -> float:
    stated = number(value)
    if stated is None or not abs(stated) < float("inf"):
        raise InputError(f"{what} is {shown(value)}; it must be a finite number, the lowest confidence that counts")
    return float(stated)
