"""What triage found, in one piece."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

    import polars as pl

    from boxscore.model.notes import Note
    from boxscore.triage.breakdown import Breakdown
    from boxscore.triage.clusters import Clustering
    from boxscore.triage.findings import Searched
    from boxscore.triage.suggest import Sampling

    Row = dict[str, Any]


class Triage:
    """Failures by mode, cluster and condition.

    - `source`: a run folder, a table, or `run`; `view`: the IoU, `confidence` (None unless one for all), `floors`
      (by label, else), `average_precision` of what counts there, `images`, `objects`, `found`, `false_detections`.
    - `breakdown`: the modes; `searched`: conditions (None: not asked for); `sampling`: weights from both.
    - `clustering` and `clusters`: how failures cluster, and a row a cluster (None: not asked for).
    - `notes`: what is worth knowing about all this.
    """

    def __init__(
        self,
        source: str,
        breakdown: Breakdown,
        *,
        view: Row,
        searched: Searched | None,
        sampling: Sampling,
        notes: Sequence[Note],
        cases: Callable[[], pl.DataFrame],
    ) -> None:
        self.source = source
        self.breakdown = breakdown
        self.view = view
        self.searched = searched
        self.sampling = sampling
        self.notes = list(notes)
        self.clustering: Clustering | None = None
        self.clusters: list[Row] | None = None
        self._make_cases = cases
        self._cases: pl.DataFrame | None = None

    @property
    def cases(self) -> pl.DataFrame:
        """One row a hit, miss and false detection, see `cases.COLUMNS`."""
        if self._cases is None:
            self._cases = self._make_cases()
        return self._cases

    @property
    def failures(self) -> pl.DataFrame:
        """The cases that are no hits."""
        import polars as pl

        return self.cases.filter(pl.col("match_type") != "tp")

    def write(self, folder: str | Path) -> list[Path]:
        """Write the tables of matches, failures and (where they were asked for) clusters. Raises InputError."""
        from boxscore.triage.written import write_tables

        labels = None if self.clustering is None else self.clustering.labels.tolist()
        return write_tables(folder, self.cases, labels)

    def to_dict(self) -> Row:
        """All of it but the cases, ready for JSON."""
        searched, clustering = self.searched, self.clustering
        return {
            "source": self.source,
            **self.view,
            "modes": self.breakdown.rows,
            "totals": self.breakdown.totals,
            "search": None if searched is None else searched.to_dict(),
            "clusters": None if clustering is None else clustering.to_dict() | {"rows": self.clusters},
            "sampling": self.sampling.content,
            "notes": [note.to_dict() for note in self.notes],
        }
