"""`validate`: from a card and a labelled data set to the record."""

from __future__ import annotations

from boxscore.validate import generalisation, independence, looks, record, saved
from boxscore.validate.asked import Asked
from boxscore.validate.detecting import Detected, detect
from boxscore.validate.figures import micro, per_class
from boxscore.validate.inputs import Inputs, files_of
from boxscore.validate.label_intervals import intervals
from boxscore.validate.scoring import detections, saved_detections, scored
from boxscore.validate.sessions import check_complete, sessions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from boxscore.model.notes import Note
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.predict.card import Card
    from boxscore.predict.detector import Detector
    from boxscore.validate.asked import Path
    from boxscore.validate.looks import Look
    from boxscore.validate.sessions import Sessions

    Looking = Callable[[Path, Any, dict[str, Any]], Look]
    Detecting = Callable[[Inputs, int, Callable[[int, int], None] | None], tuple[Detected, str]]


class Validation:
    """What came of a validation.

    `record` is the content of evaluation.json, `run` the evaluation, with boxes and intervals, `milliseconds` the times
    measured in this run (they differ every time, and are no part of the record), `notes` what was seen, `lacking` the
    requirements that the pictures don't meet.
    """

    __slots__ = ("inputs", "milliseconds", "notes", "record", "run")

    def __init__(
        self, record: dict[str, Any], run: Run, inputs: Inputs, milliseconds: list[float], notes: list[Note]
    ) -> None:
        self.record = record
        self.run = run
        self.inputs = inputs
        self.milliseconds = milliseconds
        self.notes = notes

    @property
    def text(self) -> str:
        """The text of evaluation.json: the same for the same inputs."""
        return record.text(self.record)

    @property
    def lacking(self) -> list[dict[str, Any]]:
        """Requirements that are not met."""
        return [one for one in self.record["coverage"] or () if one["lacks"]]


def validate(
    card: Card | Path,
    dataset: Path,
    asked: Asked | None = None,
    *,
    detector: Detector | None = None,
    threads: int | None = None,
    tell: Callable[[int, int], None] | None = None,
    detecting: Detecting | None = None,
    looking: Looking = looks.appended,
) -> Validation:
    """Score a model, at its operating point, on labelled pictures, and say what the score rests on.

    `card` is a model card or its file, `dataset` a YOLO data set (see `find_cases`). Boxes come from the card's model
    in ONNX Runtime, from `detector` (any object with the method of `predict.detector.Detector`), or from the file
    `asked.predictions`. `detecting` runs the card's model elsewhere: of the inputs, the threads of a run and `tell` it
    makes what is found of each case, and the name of what ran the model. `tell` is told how many pictures are done, of
    how many. With `asked.ledger` the look is appended to it, before any figure is given out.

    Raises InputError.
    """
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.pipeline.resampling import Resampling

    options = asked or Asked()
    workers = thread_count(threads)
    inputs = Inputs(card, dataset, options, workers)
    sessions = _sessions(inputs)
    requirements = None
    if options.require is not None:
        from boxscore.validate import coverage_file

        requirements = coverage_file.read(options.require)
    known = None
    if options.train is not None:
        from boxscore.validate.training import training

        known = training(options.train, options, inputs.cases)
    run, detected, backend = _run(inputs, sessions, detecting or _detecting_by(detector), workers, tell)
    for case in inputs.cases:
        case.check_unchanged()
    resampling = Resampling(replicates=options.replicates, seed=options.seed, confidence=options.confidence)
    run = run.with_intervals(resampling)
    content = _scores(inputs, run, resampling)
    content["generalisation"] = generalisation.generalisation(run, inputs.cases, sessions, known, options)
    content["coverage"] = None
    if requirements is not None:
        from boxscore.validate.coverage import Tables

        tables = Tables(run, inputs.cases, sessions, options.metadata)
        content["coverage"] = tables.held_to(requirements)
    sha256 = inputs.sha256()
    about = inputs.about(sha256, run.data_identity)
    fitted = independence.fitted_elsewhere(inputs.floors, run.data_identity, inputs.cases, sessions, options)
    disjoint = independence.disjoint_sessions(inputs.cases, sessions, known, _twins(content["generalisation"]))
    # Last of all that can fail: whoever sees a figure has been written down.
    look = None if options.ledger is None else looking(options.ledger, inputs.cases, about)
    if look is not None and look.fitted:
        fitted = independence.Condition("the ledger knows that the thresholds were fitted on these", holds=False)
    first = independence.first_look(None if look is None else len(look.earlier))
    conditions = dict(zip(independence.NAMES, (disjoint, fitted, first), strict=True))
    content |= {
        "format": record.FORMAT,
        "evaluation_kind": record.KIND,
        "independent_test_set": all(one.holds is True for one in conditions.values()),
        "independence": {name: one.to_dict() for name, one in conditions.items()},
        "ledger": None if look is None else look.to_dict(),
        "sha256": sha256,
        "files": files_of(inputs.cases),
        "inputs": record.inputs(inputs),
        "runtime": record.runtime(),
        "selection": record.selection(inputs),
        "inference": record.inference(inputs, run, backend),
        "not_evaluated": [*record.NOT_EVALUATED, *options.not_evaluated],
    }
    return Validation(content, run, inputs, detected.milliseconds, [*inputs.notes, *_odd(detected), *run.input_notes])


def _scores(inputs: Inputs, run: Run, resampling: Resampling) -> dict[str, Any]:
    overall, by_class = micro(run), per_class(run)
    return {
        "images": len(inputs.cases),
        "ground_truth_boxes": inputs.cases.objects,
        "micro": overall,
        "per_class": by_class,
        "intervals": intervals(run, overall, by_class, resampling),
    }


def _sessions(inputs: Inputs) -> Sessions | None:
    names = [case.picture for case in inputs.cases]
    stems = [case.stem for case in inputs.cases]
    found = sessions_of(names, stems, inputs.asked, inputs.asked.metadata)
    if found is not None:
        check_complete(found, names)
    return found


def _run(
    inputs: Inputs,
    sessions: Sessions | None,
    detecting: Detecting,
    threads: int,
    tell: Callable[[int, int], None] | None,
) -> tuple[Run, Detected, str]:
    detected = Detected()
    if inputs.asked.predictions is not None:
        backend = "saved detections"
        inputs.notes += saved.check(inputs.asked.predictions, inputs.cases, inputs.card)
        found = saved_detections(inputs.asked.predictions, inputs.cases, inputs.truth, threads)
    else:
        detected, backend = detecting(inputs, threads, tell)
        found = detections(detected.found, inputs.cases, inputs.truth, threads)
    run = scored(found, inputs.floors, inputs.asked.nms, threads)
    return run if sessions is None else _grouped(run, inputs, sessions), detected, backend


def _detecting_by(given: Detector | None) -> Detecting:
    """Here, by a detector that was given, else by the card's model."""

    def detecting(inputs: Inputs, threads: int, tell: Callable[[int, int], None] | None) -> tuple[Detected, str]:
        detector, backend = _detector(inputs, given, threads)
        return detect(detector, inputs.cases, tell), backend

    return detecting


def _detector(inputs: Inputs, given: Detector | None, threads: int) -> tuple[Detector, str]:
    if given is not None:
        return given, f"{type(given).__module__}.{type(given).__qualname__}"
    from boxscore.predict.detector import OnnxDetector

    made = OnnxDetector.of(inputs.card, threads=threads, lanes=1)
    return made, f"ONNX Runtime, {made.session.providers[0]}"


def _grouped(run: Run, inputs: Inputs, sessions: Sessions) -> Run:
    """The run with its images grouped by session, so that intervals draw sessions."""
    from boxscore.pipeline.groups import Groups

    of_stem = dict(zip([case.stem for case in inputs.cases], sessions.of_picture, strict=True))
    return run.again(groups=Groups([of_stem[str(stem)] for stem in run.image_ids], sessions.rule))


def _twins(found: dict[str, Any]) -> int | None:
    return None if found["training"] is None else int(found["training"]["twins"]["pictures_with_twin"])


def _odd(detected: Detected) -> list[Note]:
    from boxscore.model.notes import Note, counted, listed

    if not detected.odd:
        return []
    told = [f"{name}: {'; '.join(notes)}" for name, notes in detected.odd.items()]
    message = f"{counted(len(told), 'picture was', 'pictures were')} read in a special way: {listed(told)}"
    return [Note("odd-pictures", message, len(told))]
