"""Run: one evaluation, held as matches from which every figure is derived when asked for."""

from __future__ import annotations

import time

from boxscore.model.measure import COUNTS, Measure
from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    import polars as pl

    from boxscore import _kernel
    from boxscore.measures.confusion import Confusion
    from boxscore.measures.curve import PrecisionRecall
    from boxscore.measures.figures import Figures
    from boxscore.measures.localisation import Overlaps
    from boxscore.measures.sweeps import Sweep
    from boxscore.model.floors import Floors
    from boxscore.model.labels import Id, LabelSet
    from boxscore.model.metrics import Metrics
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Matches, Predictions
    from boxscore.pipeline.groups import Groups
    from boxscore.pipeline.resampling import Resampling
    from boxscore.slices.slicing import Slicing


class Run:
    """The result of an evaluation.

    - `labels`, `reading`: what was evaluated, and how it was read.
    - `matches`: the outcome of matching, from which all figures come.
    - `dataset`, `predictions`: the tables that were matched; None where they were let go (`Evaluator`).
    - `label_agnostic`: labels were disregarded; there is one, `any label`, in all tables.
    - `floors`: the lowest confidences that count, of runs at an operating point; None for others.
    - `inputs`: paths of the files that were read, by role (`ground_truth`, `predictions`).
    - `created`: when it was made, in seconds since the epoch.
    - `resampled`: how the intervals in `metrics` were made (`with_intervals`); None where there are none.
    - `slices`: what the slices in `metrics` are (`with_slices`); None where there are none.
    - `metadata`, `attributes`: further columns of its images and of its objects, as data frames; None without any.

    Figures that do not exist are None; their row of `metrics` says why.
    """

    __slots__ = (
        "_curves",
        "_data_identity",
        "_file_names",
        "_groups",
        "_groups_of_some",
        "_groups_sought",
        "_image_ids",
        "_input_notes",
        "_metrics",
        "_notes",
        "_overlaps",
        "_overlaps_of",
        "_saved_pairs",
        "_steps",
        "attributes",
        "created",
        "dataset",
        "floors",
        "inputs",
        "label_agnostic",
        "labels",
        "matches",
        "metadata",
        "predictions",
        "reading",
        "resampled",
        "slices",
        "threads",
    )

    def __init__(
        self,
        matches: Matches,
        labels: LabelSet,
        *,
        dataset: Dataset | None = None,
        predictions: Predictions | None = None,
        image_ids: Sequence[Id] | None = None,
        file_names: Sequence[str | None] | None = None,
        groups: Groups | None = None,
        data_identity: str | None = None,
        label_agnostic: bool = False,
        floors: Floors | None = None,
        steps: Sequence[dict[str, Any]] | None = None,
        notes: Sequence[Note] = (),
        result_notes: Sequence[Note] | None = None,
        reading: Reading | None = None,
        inputs: Mapping[str, str] | None = None,
        metrics: Metrics | None = None,
        resampled: Mapping[str, Any] | None = None,
        slices: Mapping[str, Any] | None = None,
        metadata: pl.DataFrame | None = None,
        attributes: pl.DataFrame | None = None,
        overlaps: Callable[[int], Overlaps] | None = None,
        saved_pairs: Callable[[], pl.DataFrame] | None = None,
        threads: int = 1,
    ) -> None:
        self.matches = matches
        self.labels = labels
        self.dataset = dataset
        self.predictions = predictions
        self.label_agnostic = label_agnostic
        self.floors = floors or operating.default_floors(matches.protocol)
        self._steps = steps
        self.reading = reading
        self.inputs = dict(inputs or {})
        self.threads = threads
        self.created = time.time()
        self._image_ids = image_ids
        self._data_identity = data_identity
        self._input_notes = tuple(notes)
        self._notes: list[Note] | None = None if result_notes is None else [*notes, *result_notes]
        self._file_names = file_names
        self._groups = groups
        self._groups_of_some: Groups | None = None
        self._groups_sought = groups is not None
        self._metrics = metrics
        self.resampled = None if resampled is None else dict(resampled)
        self.slices = None if slices is None else dict(slices)
        self.metadata = metadata
        self.attributes = attributes
        self._overlaps: dict[int, Overlaps] = {}
        self._overlaps_of = overlaps
        self._saved_pairs = saved_pairs
        self._curves: dict[bool, _kernel.Curves] = {}

    @property
    def protocol(self) -> Protocol:
        """The protocol in effect, overrides included."""
        return self.matches.protocol

    @property
    def steps(self) -> list[dict[str, Any]]:
        """What was done to the detections before they were matched, in order."""
        if self._steps is not None:
            return list(self._steps)
        return [] if self.predictions is None else list(self.predictions.steps)

    @property
    def image_ids(self) -> list[Id]:
        """Ids of all images, in canonical order; the tables' `image` column counts in it."""
        if self._image_ids is None:
            self._image_ids = [] if self.dataset is None else self.dataset.image_ids
        return list(self._image_ids)

    @property
    def file_names(self) -> list[str | None]:
        """File names of all images as stated, None where there is none."""
        if self._file_names is None:
            stated = () if self.dataset is None else self.dataset.images.column("file_name").to_list()
            self._file_names = [None if name is None else str(name) for name in stated] or [None] * self.num_images
        return list(self._file_names)

    @property
    def groups(self) -> Groups | None:
        """The groups (clips, sessions, cameras) that the data declare, or intervals were made by; None without any.

        A COCO file is read a second time for them. Raises InputError where it holds other images by now.
        """
        if not self._groups_sought and self.dataset is not None:
            from boxscore.pipeline.groups import declared

            self._groups, self._groups_of_some = declared(self.dataset)
        self._groups_sought = True
        return self._groups

    @property
    def groups_of_some(self) -> Groups | None:
        """Groups by a field that some images have and others lack; None where the data declare groups, or none at all.

        Raises InputError as `groups` does.
        """
        return None if self.groups is not None else self._groups_of_some

    @property
    def num_images(self) -> int:
        """Number of images, those without objects included."""
        return self.matches.num_images

    @property
    def corner_convention(self) -> str:
        """What the ground truth's corners are: points (`continuous`), or the first and last pixel (`inclusive`)."""
        return "continuous" if self.dataset is None else self.dataset.corner_convention

    @property
    def out_of_range(self) -> tuple[int, str, str]:
        """Objects outside the range of all areas, which no figure counts; their file, and the first one's place."""
        if self.dataset is None:
            return 0, "", ""
        from boxscore.pipeline.run_notes import count_out_of_range

        count, row = count_out_of_range(self.dataset.kernel, self.protocol)
        return count, self.dataset.source or "the ground truth", f"entry {row}"

    @property
    def source_of_predictions(self) -> str | None:
        """What the predictions were read from, if that is known."""
        return None if self.predictions is None else self.predictions.source

    @property
    def data_identity(self) -> str | None:
        """Digest of the ground truth and its image ids: runs of equal ones were made on the same data.

        None where the ground truth was let go without one.
        """
        if self._data_identity is None and self.dataset is not None:
            from boxscore.runs import digests

            table, name_of = self.dataset.ground_truth, self.labels.names.__getitem__
            per_image = digests.object_digests(table, self.num_images, name_of)
            self._data_identity = digests.data_identity(self.image_ids, per_image, self.corner_convention)
        return self._data_identity

    @property
    def input_notes(self) -> list[Note]:
        """What was seen in the input, and what was done about it."""
        return list(self._input_notes)

    @property
    def notes(self) -> list[Note]:
        """What was seen in the input, then what is worth knowing about the result."""
        if self._notes is None:
            from boxscore.pipeline.run_notes import result_notes

            self._notes = [*self._input_notes, *result_notes(self)]
        return self._notes

    def add_note(self, note: Note) -> None:
        """Put a further note before those about the result."""
        self._input_notes = (*self._input_notes, note)
        if self._notes is not None:
            self._notes.insert(len(self._input_notes) - 1, note)

    @property
    def summary(self) -> dict[str, float | None]:
        """The protocol's headline figures by printed measure, for COCO the twelve in pycocotools' order."""
        return {str(measure): self.value(measure) for measure in self.protocol.headline}

    @property
    def metrics(self) -> Metrics:
        """All figures as tidy rows: headline, every threshold, counts, labels."""
        if self._metrics is None:
            from boxscore.model.metrics import Metrics

            self._metrics = Metrics(self._coco_rows() if self.floors is None else operating.rows(self))
        return self._metrics

    def value(self, measure: str | Measure, label: str | None = None) -> float | None:
        """One figure: `run.value("AP@0.75")`, `run.value("AR[max=10]", label="car")`; None where it does not exist.

        Raises MeasureError for text that is no measure, ProtocolError where the protocol has no such area range, limit
        or threshold, InputError for an unknown label.
        """
        return self.explain(measure, label)[0]

    def explain(self, measure: str | Measure, label: str | None = None) -> tuple[float | None, str | None]:
        """The figure, and the reason where it does not exist; exactly one of the two is None."""
        return self._figure(measure, range(len(self.labels)) if label is None else [self.labels.index(label)])

    def explain_over(self, measure: str | Measure, labels: Sequence[str]) -> tuple[float | None, str | None]:
        """The same over some labels alone: their mean, or all their rows together, as over all labels."""
        return self._figure(measure, [self.labels.index(label) for label in labels])

    def precision_recall(self, label: str, iou: float = 0.5, area: str = "all") -> PrecisionRecall:
        """Precision at each recall point of one label, with the score from which it holds.

        Raises InputError for an unknown label, ProtocolError for an area range or threshold that isn't the protocol's.
        """
        from boxscore.measures.curve import precision_recall

        return precision_recall(self.curves(scores=True), self.protocol, self.labels, label, iou=iou, area=area)

    def at_floors(self, floors: Floors) -> Run:
        """The same matches seen at other confidence floors."""
        return self.again(floors=floors)

    def with_intervals(self, resampling: Resampling | None = None) -> Run:
        """The same run with intervals in `metrics`, from resamples of its images or of groups of them.

        Each AP, AR, precision, recall and F-beta over all images, overall and by label, gets `low`, `high`, `mean`,
        `std_error` and `bias`, or an `interval_reason`; counts and parts of the images get none. `notes` tell what was
        resampled, and what the intervals can't say. Raises InputError, see `Resampling`.
        """
        from boxscore.pipeline.intervals import with_intervals

        return with_intervals(self, resampling)

    def with_slices(self, slicing: Slicing, resampling: Resampling | None = None) -> Run:
        """The same run with rows of slices in `metrics`, after all others, with intervals where `resampling` is given.

        `slices` says what they are, and `notes` what fell into none of them. Raises InputError, see `Slicing`.
        """
        from boxscore.pipeline.sliced_run import with_slices

        return with_slices(self, slicing, resampling)

    def again(self, **changes: Any) -> Run:  # noqa: ANN401  the constructor's arguments, each with its own type
        """The same matches as a run of its own, some arguments of the constructor changed; figures are derived anew."""
        given = {
            "dataset": self.dataset,
            "predictions": self.predictions,
            "image_ids": self._image_ids,
            "file_names": self._file_names,
            "groups": self._groups,
            "data_identity": self._data_identity,
            "label_agnostic": self.label_agnostic,
            "floors": self.floors,
            "steps": self._steps,
            "notes": self._input_notes,
            "reading": self.reading,
            "inputs": self.inputs,
            "metadata": self.metadata,
            "attributes": self.attributes,
            "overlaps": self._overlaps_of,
            "saved_pairs": self._saved_pairs,
            "threads": self.threads,
        }
        return self._like(given | changes)

    def _like(self, given: Mapping[str, Any]) -> Run:
        """A run of the same matches and kind."""
        return Run(self.matches, self.labels, **given)

    def sweep(self, label: str, iou: float | None = None) -> Sweep:
        """Counts, precision, recall and F-beta of one label at every confidence that occurs.

        `iou` is one of the protocol's thresholds (None: its only one). Raises InputError for an unknown label.
        """
        return operating.sweep(self, label, iou)

    def sweeps(self, beta: float = 1.0) -> list[dict[str, Any]]:
        """The sweeps of all labels at each IoU threshold, ready for JSON."""
        thresholds = self.protocol.iou_thresholds
        return [{"iou": iou, **self.sweep(label, iou).to_dict(beta)} for iou in thresholds for label in self.labels]

    def confusion(self, confidence: float | None = None) -> Confusion:
        """Which label was taken for which, at the protocol's first IoU threshold.

        `confidence` is the lowest that counts, for all labels (None: the floors of the run; without floors all count).
        A run folder gives it from its pairs. Raises InputError where the boxes were let go.
        """
        return operating.confusion(self, confidence)

    def curves(self, *, every_limit: bool = False, scores: bool = False) -> _kernel.Curves:
        """The kernel's precision, recall and (on request) score arrays; see `_kernel.Curves`."""
        from boxscore.measures.curves import accumulate

        if scores:
            return accumulate(
                self.matches, len(self.labels), every_limit=every_limit, scores=True, threads=self.threads
            )
        if every_limit not in self._curves:
            self._curves[every_limit] = accumulate(
                self.matches, len(self.labels), every_limit=every_limit, threads=self.threads
            )
        return self._curves[every_limit]

    def figures(self, *, every_limit: bool = False) -> Figures:
        """Figures read off `curves`."""
        from boxscore.measures.figures import Figures

        return Figures(self.curves(every_limit=every_limit), self.protocol)

    def detections_by_label(self) -> list[int]:
        """Detections of each label, those beyond the detection limit included."""
        return self.matches.detections_by_label(len(self.labels))

    def to_dict(self) -> dict[str, Any]:
        """`summary`, `metrics`, `notes` and the effective `protocol`, ready for JSON.

        With `floors`, `steps`, `intervals` (how these were made) and `slices` where the run has any.
        """
        return {
            "summary": self.summary,
            "metrics": self.metrics.rows,
            "notes": [note.to_dict() for note in self.notes],
            "protocol": self.protocol.to_dict(),
            **({} if self.floors is None else {"floors": self.floors.to_dict()}),
            **({"steps": self.steps} if self.steps else {}),
            **({} if self.resampled is None else {"intervals": self.resampled}),
            **({} if self.slices is None else {"slices": self.slices}),
        }

    def to_json(self) -> str:
        """`to_dict` as JSON text in ASCII; numbers are written so that reading gives the same bits."""
        from boxscore.model.json_text import to_json

        return to_json(self.to_dict())

    def pairs(self, min_overlap: float = 0.1) -> _kernel.Table | None:
        """Rows of detections and ground truth that overlap, any labels; None where boxes were let go."""
        if self.dataset is None or self.predictions is None:
            return None
        from boxscore import _kernel
        from boxscore.matching import pixel

        return _kernel.overlap_pairs(
            self.dataset.kernel,
            self.predictions.kernel,
            min_overlap=min_overlap,
            pixel=pixel(self.protocol, self.dataset.corner_convention),
            threads=self.threads,
        )

    def pair_columns(self, min_overlap: float = 0.1) -> pl.DataFrame | None:
        """The same as a data frame, of run folders too (from their least overlap of 0.1 on); None as above."""
        import polars as pl

        if self._saved_pairs is not None:
            pairs = self._saved_pairs()
            return pairs.filter(pl.col("overlap") >= min_overlap) if min_overlap >= 0.1 else None
        table = self.pairs(min_overlap)
        return None if table is None else pl.DataFrame(table)

    def overlaps(self, cell: int = 0) -> Overlaps:
        """The true positives at a cell of the matches (0: the first IoU threshold, all areas), with their overlaps.

        Raises MeasureError where the run has let its boxes go.
        """
        if cell not in self._overlaps:
            from boxscore.pipeline.localisation import overlaps

            self._overlaps[cell] = overlaps(self, cell) if self._overlaps_of is None else self._overlaps_of(cell)
        return self._overlaps[cell]

    def save(
        self, folder: str | PathLike[str], *, overwrite: bool = False, command: Mapping[str, Any] | None = None
    ) -> None:
        """Write the run folder, in one piece or not at all: run.json, metrics.json and the tables as Parquet.

        `overwrite` replaces a run folder that is there; `command` says in it what was run. Raises InputError.
        """
        from boxscore.runs import write_run

        write_run(self, folder, overwrite=overwrite, command=command)

    def __repr__(self) -> str:
        figures = ", ".join(f"{measure} {value}" for measure, value in list(self.summary.items())[:3])
        return f"<Run of protocol {self.protocol.name}: {figures}>"

    def _figure(self, measure: str | Measure, positions: Sequence[int]) -> tuple[float | None, str | None]:
        wanted = Measure.parse(measure) if isinstance(measure, str) else measure
        if wanted.kind in COUNTS:
            return self._count(wanted.kind, positions), None
        if wanted.at_point:
            return operating.point(self).figure(wanted, positions)
        limit = self.protocol.limit_index(wanted.max_detections)
        last = limit == len(self.protocol.max_detections) - 1
        return self.figures(every_limit=wanted.kind == "AP" and not last).figure(wanted, positions)

    def _coco_rows(self) -> list[dict[str, Any]]:
        from boxscore.measures import table
        from boxscore.pipeline import unranked

        rows = table.rows(
            self.figures(),
            self.protocol,
            self.labels.names,
            detections=self.detections_by_label(),
            images=self.num_images,
            label_agnostic=self.label_agnostic,
        )
        return [*rows, *unranked.rows(self)]

    def _count(self, kind: str, positions: Sequence[int]) -> int:
        if kind == "images":
            return self.num_images
        if kind == "detections":
            by_label = self.detections_by_label()
            return sum(by_label[label] for label in positions)
        figures = self.figures()
        return sum(figures.objects(label) for label in positions)
