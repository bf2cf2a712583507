"""What held-out pictures cover, held to what they must."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.notes import listed
from boxscore.slices.cutting import expression
from boxscore.slices.spec import Condition
from boxscore.validate.coverage_file import LEASTS
from boxscore.validate.sessions import columns_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import polars as pl

    from boxscore.pipeline.run import Run
    from boxscore.validate.asked import Path
    from boxscore.validate.cases import Cases
    from boxscore.validate.coverage_file import Requirement
    from boxscore.validate.sessions import Sessions


class Tables:
    """What predicates are asked of.

    `pictures`: columns file_name, width, height, objects (how many), labels (of how many classes), session, and those
    of the metadata. `objects`: label, x, y, w, h, area, side (the shorter one), and all columns of their picture.
    """

    __slots__ = ("has_sessions", "objects", "pictures")

    def __init__(self, run: Run, cases: Cases, sessions: Sessions | None, metadata: Path | None) -> None:
        import polars as pl

        self.has_sessions = sessions is not None
        pictures = pl.DataFrame(run.dataset.images if run.dataset is not None else None)
        objects = pl.DataFrame(run.dataset.ground_truth if run.dataset is not None else None)
        own = objects.group_by("image").agg(pl.len().alias("objects"), pl.col("label").n_unique().alias("labels"))
        pictures = pictures.select("image", "file_name", "width", "height").join(
            own, on="image", how="left", maintain_order="left"
        )
        pictures = pictures.with_columns(pl.col("objects", "labels").fill_null(0).cast(pl.Int64))
        by_name = {name: number for number, name in enumerate([case.picture for case in cases])}
        order = [by_name[name] for name in pictures["file_name"].to_list()]
        brought = {} if metadata is None else columns_of(metadata, [c.picture for c in cases], [c.stem for c in cases])
        brought = {name: column for name, column in brought.items() if name not in pictures.columns}
        if sessions is not None:
            brought["session"] = list(sessions.of_picture)
        for name, column in brought.items():
            pictures = pictures.with_columns(pl.Series(name, [column[i] for i in order], strict=False))
        names = dict(enumerate(run.labels.names))
        objects = objects.select("image", "label", "x", "y", "w", "h", "area").with_columns(
            pl.col("label").replace_strict(names, return_dtype=pl.String),
            pl.min_horizontal("w", "h").alias("side"),
        )
        self.pictures = pictures
        self.objects = objects.join(pictures, on="image", how="left", maintain_order="left")

    def held_to(self, requirements: Sequence[Requirement]) -> list[dict[str, Any]]:
        """What there is of each requirement, and what it lacks (empty where it is met). Raises InputError."""
        return [one for requirement in requirements for one in self._of(requirement)]

    def _of(self, requirement: Requirement) -> list[dict[str, Any]]:
        if "sessions" in requirement.least and not self.has_sessions:
            raise InputError(
                f"requirement {requirement.name!r} counts sessions, and none are named; name them with --group-by or "
                "--group-regex"
            )
        if requirement.kind == "each":
            return self._each(requirement)
        table = self.objects if requirement.kind == "objects" else self.pictures
        chosen = self._where(table, requirement)
        return [self._held(requirement, requirement.name, chosen)]

    def _where(self, table: pl.DataFrame, requirement: Requirement) -> pl.DataFrame:
        import polars as pl

        condition = Condition(requirement.name, requirement.sql, f"{requirement.name} = {requirement.sql}")
        asked = expression(condition)
        unknown = [name for name in asked.meta.root_names() if name not in table.columns]
        if unknown:
            raise InputError(self._no_column(requirement, unknown[0], table))
        try:
            return table.filter(asked)
        except pl.exceptions.PolarsError as error:
            problem = str(error).strip().splitlines()[0]
            raise InputError(
                f"requirement {requirement.name!r}: {requirement.sql!r} can't be used: {problem}"
            ) from None

    def _each(self, requirement: Requirement) -> list[dict[str, Any]]:
        import polars as pl

        column = requirement.sql
        table = self.pictures if column in self.pictures.columns else self.objects
        if column not in table.columns:
            raise InputError(self._no_column(requirement, column, table))
        text = pl.col(column).cast(pl.String)
        values = sorted({*table.select(text).to_series().drop_nulls().to_list(), *requirement.values})
        return [self._held(requirement, f"{requirement.name}: {v}", table.filter(text == v)) for v in values]

    def _held(self, requirement: Requirement, name: str, chosen: pl.DataFrame) -> dict[str, Any]:
        of_objects = "side" in chosen.columns
        there = {
            "pictures": chosen["image"].n_unique(),
            "objects": chosen.height if of_objects else int(chosen["objects"].sum()),
        }
        if self.has_sessions:
            there["sessions"] = chosen["session"].drop_nulls().n_unique()
        lacks = {
            kind: requirement.least[kind] - there[kind]
            for kind in LEASTS
            if kind in requirement.least and there[kind] < requirement.least[kind]
        }
        return {"name": name, "of": requirement.sql, "least": requirement.least, "there": there, "lacks": lacks}

    def _no_column(self, requirement: Requirement, column: str, table: pl.DataFrame) -> str:
        kind = "objects" if "side" in table.columns else "pictures"
        has = listed([name for name in table.columns if name != "image"], 40)
        return (
            f"requirement {requirement.name!r}: there is no column {column!r}; {kind} have {has}. Mend the name, or "
            "bring the column with --metadata"
        )
