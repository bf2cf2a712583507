"""Scores what a study declares: each set of predictions once for each protocol that is asked of it."""

from __future__ import annotations

from boxscore.errors import BoxscoreError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Predictions
    from boxscore.pipeline.run import Run
    from boxscore.study.declared import Scoring, Section, Study


_ROUTINE = "read-as"
"""Code of the note that says in which form a file was read."""


class Scorer:
    """Runs of a study's variants, and comparisons of them; nothing is read or matched twice."""

    __slots__ = ("_dataset", "_predictions", "_runs", "_study", "_threads")

    def __init__(self, study: Study, threads: int | None = None) -> None:
        from boxscore.pipeline.evaluate import thread_count

        self._study = study
        self._threads = thread_count(threads)
        self._dataset: Dataset | None = None
        self._predictions: dict[str, Predictions] = {}
        self._runs: dict[tuple[str, str], Run] = {}

    @property
    def dataset(self) -> Dataset:
        """The ground truth, under the study's taxonomy. Raises InputError that names the study."""
        if self._dataset is None:
            self._dataset = self._read_ground_truth()
        return self._dataset

    def run(self, ref: str, scoring: Scoring) -> Run:
        """One variant under a protocol. Raises BoxscoreError that names the variant."""
        key = (ref, scoring.key())
        if key not in self._runs:
            with _Named(self._study, f"{self._study.variants[ref].predictions.where} ({ref})"):
                self._runs[key] = self._evaluate(ref, scoring)
        return self._runs[key]

    def point(self, ref: str, section: Section, measure: str, label: str | None) -> float | None:
        """A variant's figure as a section measures; None where there is none."""
        return self.run(ref, section.scoring).value(measure, label)

    def compare(self, section: Section, variants: Sequence[str] | None = None) -> dict[str, Any]:
        """The comparison that a section asks for, as its `to_dict` gives it; `variants` in place of the section's."""
        from boxscore.compare import compare
        from boxscore.study.alone import alone
        from boxscore.study.resampled import StudyResampling

        refs = section.variants if variants is None else tuple(variants)
        runs = {ref: self.run(ref, section.scoring) for ref in refs}
        resampling = StudyResampling(**section.resampling)
        with _Named(self._study, f"{section.kind}s.{section.name}"):
            if len(refs) == 1:
                return alone(refs[0], runs[refs[0]], section, resampling)
            return compare(
                runs,
                measures=section.measures,
                resampling=resampling,
                pairs=section.pairs if section.pairs in ("adjacent", "all", *refs) else "adjacent",
                per_label=section.per_label,
                own_floors=any(self._study.variants[ref].thresholds is not None for ref in refs),
                threads=self._threads,
            ).to_dict()

    def notes(self) -> list[str]:
        """What was seen in the input of all that was scored: the ground truth, then each variant's.

        With it, where a variant's detections have no ranking, that AP is degenerate, and its operating point.
        """
        from boxscore.pipeline import unranked

        routine = {note.message for note in self.dataset.notes}
        told = [f"ground truth: {note}" for note in self.dataset.notes if note.code != _ROUTINE]
        for (ref, _), run in self._runs.items():
            told += [
                f"{ref}: {note}" for note in run.input_notes if note.code != _ROUTINE and note.message not in routine
            ]
            degenerate = unranked.note(run)
            if degenerate is not None:
                told.append(f"{ref}: {degenerate}")
        return list(dict.fromkeys(told))

    def _read_ground_truth(self) -> Dataset:
        from boxscore.pipeline.evaluate import read_ground_truth

        study, data = self._study, self._study.data
        taxonomy = study.taxonomy
        with _Named(study, "data"):
            return read_ground_truth(
                study.ground_truth.path,
                labels=data.get("labels"),
                format=data.get("format"),
                options=_options(data.get("options")),
                taxonomy=taxonomy if taxonomy is None or isinstance(taxonomy, dict) else taxonomy.path,
                reading=self._reading(),
                threads=self._threads,
            )

    def _evaluate(self, ref: str, scoring: Scoring) -> Run:
        from boxscore.audit.doubts import are_doubts
        from boxscore.audit.readings import settle
        from boxscore.pipeline.evaluate import evaluate, read_predictions

        variant = self._study.variants[ref]
        if ref not in self._predictions:
            self._predictions[ref] = read_predictions(
                variant.predictions.path,
                self.dataset,
                format=variant.format,
                options=_options(variant.options),
                reading=self._reading(),
                threads=self._threads,
            )
        floors = variant.thresholds
        run = evaluate(
            self.dataset,
            self._predictions[ref],
            protocol=scoring.protocol,
            thresholds=None if floors is None else floors.path,
            reading=self._reading(),
            threads=self._threads,
            **scoring.overrides,
        )
        return settle(run, "stated") if are_doubts(run) else run

    def _reading(self) -> Reading:
        from boxscore.study.resampled import StudyReading

        return StudyReading(**self._study.reading)


class _Named:
    """Puts file and key path before the errors of what happens inside."""

    __slots__ = ("_where",)

    def __init__(self, study: Study, where: str) -> None:
        self._where = f"{study.shown}: {where}"

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, BoxscoreError) and not str(error).startswith(self._where.partition(": ")[0] + ": "):
            raise InputError(f"{self._where}: {error}") from None


def _options(stated: dict[str, Any] | None) -> FormOptions | None:
    from boxscore.io.form_options import FormOptions

    return FormOptions(**stated) if stated else None
