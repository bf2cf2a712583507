"""A run whose matches stay in parts."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.io.shards.batches import image_fields
from boxscore.model.labels import id_text
from boxscore.model.parted import PartedMatches
from boxscore.pipeline.run import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    import numpy as np
    import polars as pl

    from boxscore.model.labels import LabelSet
    from boxscore.pipeline.groups import Groups
    from boxscore.pipeline.sharding.engines import Engine
    from boxscore.pipeline.sharding.jobs import Settings, Summary

    Rows = list[np.ndarray[Any, np.dtype[np.int64]]]


@dataclass(frozen=True)
class Sharded:
    """What a run of parts rests on: how they were made, by what, what each left, and the rows of each one's images.

    `order` gives part and position of each image, in canonical order.
    """

    settings: Settings
    engine: Engine
    parts: Sequence[Summary]
    rows: Rows
    order: Sequence[tuple[int, int]]


class ShardedRun(Run):
    """A Run of parts: figures are added up label by label by the engine that holds them; boxes were let go.

    Intervals, slices and whatever else looks at all matches bring them together in memory first.
    """

    __slots__ = ("_brought", "sharded")

    def __init__(self, matches: PartedMatches, labels: LabelSet, *, sharded: Sharded, **given: Any) -> None:  # noqa: ANN401  those of Run
        self.sharded = sharded
        self._brought: pl.DataFrame | None = None
        super().__init__(matches, labels, **given)

    @staticmethod
    def of(matches: PartedMatches, labels: LabelSet, sharded: Sharded, **given: Any) -> ShardedRun:  # noqa: ANN401  those of Run
        """The run of parts that were made; what these say of images, groups and steps is gathered."""
        settings, parts, order = sharded.settings, sharded.parts, sharded.order
        return ShardedRun(
            matches,
            labels,
            sharded=sharded,
            image_ids=[parts[number].image_ids[at] for number, at in order],
            file_names=[parts[number].file_names[at] for number, at in order],
            data_identity=_data_identity(settings, parts, order),
            label_agnostic=settings.label_agnostic,
            steps=_steps(settings, parts),
            reading=settings.reading,
            inputs={"ground_truth": settings.truth.told_by, "predictions": settings.found.told_by},
            metadata=_metadata(parts, order),
            **given,
        )

    @property
    def metadata(self) -> pl.DataFrame | None:
        """Further columns of the images; where the parts didn't keep them they are read when they are asked for."""
        if self._brought is None:
            self._brought = _frame(image_fields(self.sharded.settings.truth))
        return self._brought

    @metadata.setter
    def metadata(self, given: pl.DataFrame | None) -> None:
        self._brought = given

    @property
    def groups(self) -> Groups | None:
        """The groups of the images: by the first field of a known name that all of them have, as of a COCO file."""
        if not self._groups_sought:
            from boxscore.pipeline.groups import FIELDS, of_fields

            parts, order = self.sharded.parts, self.sharded.order
            fields = image_fields(self.sharded.settings.truth, FIELDS)
            own = [None if (of := parts[number].groups) is None else of[at] for number, at in order]
            self._groups, self._groups_of_some = of_fields(fields | {"group": own})
        self._groups_sought = True
        return self._groups

    @property
    def corner_convention(self) -> str:
        """What the ground truth's corners are."""
        return self.sharded.settings.truth.corner_convention

    @property
    def out_of_range(self) -> tuple[int, str, str]:
        """Objects outside the range of all areas, where they stand, and the first of them."""
        count = sum(part.out_of_range[0] for part in self.sharded.parts)
        places = [place for _, place in (part.out_of_range for part in self.sharded.parts) if place is not None]
        first = min(places, key=lambda place: place.order, default=None)
        words = "" if first is None else f"image {id_text(first.image_id)} annotation {first.within}"
        return count, self.sharded.settings.truth.name, words

    @property
    def source_of_predictions(self) -> str | None:
        """What the predictions were read from."""
        return self.sharded.settings.found.name

    def save(
        self, folder: str | PathLike[str], *, overwrite: bool = False, command: Mapping[str, Any] | None = None
    ) -> None:
        """Write the run folder, a part's tables at a time. Raises InputError as `Run.save` does."""
        if not self.sharded.settings.keep:
            raise InputError("this run keeps no tables: evaluate with keep=True (the command line's --out does)")
        from boxscore.runs.parted import write_parted_run

        engine, rows = self.sharded.engine, self.sharded.rows
        write_parted_run(self, folder, engine.table, rows, overwrite=overwrite, command=command)

    def _like(self, given: Mapping[str, Any]) -> Run:
        return ShardedRun(self._parted, self.labels, sharded=self.sharded, **given)

    @property
    def _parted(self) -> PartedMatches:
        matches = self.matches
        assert isinstance(matches, PartedMatches)  # noqa: S101  its own constructor takes no other
        return matches


def _metadata(parts: Sequence[Summary], order: Sequence[tuple[int, int]]) -> pl.DataFrame | None:
    """The images' further columns, where parts have any."""
    names = list(dict.fromkeys(name for part in parts for name in part.metadata))

    def value(name: str, number: int, at: int) -> object:
        values = parts[number].metadata.get(name)
        return None if values is None else values[at]

    return _frame({name: [value(name, number, at) for number, at in order] for name in names})


def _frame(columns: Mapping[str, Sequence[Any]]) -> pl.DataFrame | None:
    if not columns:
        return None
    import polars as pl

    return pl.DataFrame([pl.Series(name, values, strict=False) for name, values in columns.items()])


def _data_identity(settings: Settings, parts: Sequence[Summary], order: Sequence[tuple[int, int]]) -> str | None:
    if any(part.digests is None for part in parts):
        return None
    from boxscore.runs import digests

    ids = [parts[number].image_ids[at] for number, at in order]
    per_image = [bytes.fromhex((parts[number].digests or [])[at]) for number, at in order]
    return digests.data_identity(ids, per_image, settings.truth.corner_convention)


def _steps(settings: Settings, parts: Sequence[Summary]) -> list[dict[str, Any]]:
    if settings.nms is None:
        return []
    counts = [part.suppressed or (0, 0) for part in parts]
    before, after = (sum(pair[side] for pair in counts) for side in (0, 1))
    return [{"step": "nms", "iou": settings.nms, "before": before, "after": after}]
