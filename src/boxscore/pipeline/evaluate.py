"""`evaluate`: ground truth and predictions in, a Run out."""

from __future__ import annotations

import os

from boxscore.errors import InputError, ProtocolError
from boxscore.io import detect, shard_paths
from boxscore.model.given import flag, numbers, one_number, shown, whole_number, whole_numbers
from boxscore.model.labels import LabelSet
from boxscore.model.notes import Note
from boxscore.model.reading import Reading
from boxscore.model.tables import Dataset, Predictions
from boxscore.pipeline.files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.io.arrays import Labels
    from boxscore.io.form_options import FormOptions
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.floors import Floors
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sharding.engines import Engine
    from boxscore.pipeline.thresholds import Thresholds

    TaxonomyInput = str | PathLike[str] | Mapping[str, object] | Taxonomy

_MOST_THREADS = 1024
"""More would cost memory and gain nothing; the result is the same."""


def evaluate(
    gt: Any,  # noqa: ANN401  any of the forms below
    pred: Any,  # noqa: ANN401  likewise
    *,
    protocol: str | PathLike[str] | Protocol = "coco",
    labels: Labels | None = None,
    label_agnostic: bool = False,
    iou: Sequence[float] | float | None = None,
    max_detections: Sequence[int] | int | None = None,
    confidence: float | None = None,
    thresholds: Thresholds | None = None,
    nms: float | None = None,
    beta: float | None = None,
    box_format: str = "xyxy",
    gt_format: str | None = None,
    pred_format: str | None = None,
    gt_options: FormOptions | None = None,
    pred_options: FormOptions | None = None,
    taxonomy: TaxonomyInput | None = None,
    reading: Reading | None = None,
    threads: int | None = None,
    engine: Engine | None = None,
    parts: str | PathLike[str] | None = None,
    keep: bool = False,
) -> Run:
    """Evaluate detections against ground truth.

    `gt` and `pred` are, both in the same way:

    - paths of files or folders of any form (COCO JSON, YOLO, VOC XML, …), or the content of COCO's JSON as a dict and
      a list. The form is found out and told in a note `read-as`; `gt_format` and `pred_format` name it, `gt_options`
      and `pred_options` (FormOptions) overrule what a form's reader would assume. `taxonomy` (a YAML file, or its
      content as a dict) merges, renames and drops labels of both;
    - what `read_ground_truth` and `read_predictions` gave;
    - per-image arrays, as torchvision's models and torchmetrics take them: two lists with a dict an image,
      `{"boxes": (n, 4), "labels": (n,)}` with optional `iscrowd` and `area`, and `{"boxes", "scores", "labels"}`;
      NumPy arrays, torch tensors or lists. `box_format` (`xyxy`, `xywh`, `cxcywh`; pixels) speaks of these alone.

    `labels`: for files, the names to evaluate, all else left out; for arrays, what the label numbers mean: names by
    position, or a mapping from number to name (None: the numbers that occur). `label_agnostic` disregards labels.
    `iou` and `max_detections` override the protocol's thresholds and limits, `reading` says how awkward input is read,
    `threads` is the number of threads (None: the processors this process may use); the result doesn't depend on it.

    For protocols at an operating point: `confidence` is the lowest that counts, in place of the protocol's;
    `thresholds` gives floors to labels (a YAML file, a mapping from name to floor, or one floor for all), and `beta` is
    that of F-beta. `nms` first takes away detections that overlap a better one of their image and label by as much or
    more.

    Sharded data (`boxscore convert --to shards`; a folder, a pattern of Parquet files, an address) are evaluated by
    parts, by `engine` (None: in threads), in bounded memory. `parts` is a folder that keeps what was made of each, so
    that a second attempt takes it up; `keep` also makes the tables that `Run.save` needs.

    Raises InputError for input that is refused, ProtocolError for a protocol or an override that makes no sense.
    """
    policies = Reading.of(reading)
    effective = effective_protocol(
        protocol, policies, iou=iou, max_detections=max_detections, confidence=confidence, beta=beta
    )
    workers = thread_count(threads)
    agnostic = flag(label_agnostic, "label_agnostic")
    if isinstance(gt, Dataset) or isinstance(pred, Predictions):
        _refuse_box_format(box_format)
        predictions = _prepared(gt, pred, policies, labels, workers)
        inputs: dict[str, str] = {}
    elif detect.are_arrays(gt, pred):
        from boxscore.io import arrays

        predictions = arrays.read(gt, pred, labels=labels, box_format=box_format, reading=policies, threads=workers)
        inputs = {}
    elif engine is not None or shard_paths.looks_sharded(gt) or shard_paths.looks_sharded(pred):
        _refuse_box_format(box_format)
        from boxscore.pipeline.sharding import asked

        asked.refuse_options(gt_format, pred_format, gt_options, pred_options)
        return asked.evaluate(
            gt,
            pred,
            effective,
            engine=engine,
            parts=parts,
            keep=keep,
            labels=names_to_keep(labels),
            taxonomy=_taxonomy(taxonomy),
            label_agnostic=agnostic,
            thresholds=thresholds,
            confidence=confidence,
            nms=nms,
            reading=policies,
            threads=workers,
        )
    else:
        _refuse_box_format(box_format)
        files = Files(
            gt_format=gt_format,
            pred_format=pred_format,
            gt_options=gt_options,
            pred_options=pred_options,
            labels=names_to_keep(labels),
            taxonomy=_taxonomy(taxonomy),
            reading=policies,
            threads=workers,
        )
        predictions = _of_files(gt, pred, effective, files)
        inputs = _paths(ground_truth=gt, predictions=pred)
    return finish(
        predictions,
        effective,
        label_agnostic=agnostic,
        thresholds=thresholds,
        confidence=confidence,
        nms=nms,
        reading=policies,
        inputs=inputs | _paths(thresholds=thresholds),
        threads=workers,
    )


def read_ground_truth(
    gt: Any,  # noqa: ANN401  a path of any form, or COCO's content
    *,
    labels: Sequence[str] | None = None,
    group_by: str | None = None,
    format: str | None = None,  # noqa: A002  the word that users look for
    options: FormOptions | None = None,
    taxonomy: TaxonomyInput | None = None,
    reading: Reading | None = None,
    threads: int | None = None,
) -> Dataset:
    """Ground truth from a file or folder of any form (or COCO's dict), of these labels only where any are given.

    `format`, `options`, `taxonomy`: as in `evaluate`. `group_by` names a field of a COCO file's images (a column of a
    table) that says which belong together (a clip, a session, a camera): it becomes the column `group`. Raises
    InputError.
    """
    files = Files(
        gt_format=format,
        gt_options=options,
        labels=names_to_keep(labels),
        taxonomy=_taxonomy(taxonomy),
        reading=reading,
        threads=thread_count(threads),
    )
    dataset = files.ground_truth(gt)
    if group_by is None:
        return dataset
    from boxscore.io.image_fields import with_groups

    return with_groups(dataset, group_by)


def read_predictions(
    pred: Any,  # noqa: ANN401  a path of any form, or COCO's list
    dataset: Dataset,
    *,
    format: str | None = None,  # noqa: A002  as above
    options: FormOptions | None = None,
    reading: Reading | None = None,
    threads: int | None = None,
) -> Predictions:
    """Predictions from a file or folder of any form (or COCO's list) over a data set's images and labels.

    Raises InputError.
    """
    files = Files(pred_format=format, pred_options=options, reading=reading, threads=thread_count(threads))
    return files.predictions(pred, dataset)


def effective_protocol(
    protocol: str | PathLike[str] | Protocol,
    reading: Reading,
    *,
    iou: Sequence[float] | float | None = None,
    max_detections: Sequence[int] | int | None = None,
    confidence: float | None = None,
    beta: float | None = None,
) -> Protocol:
    """The protocol with all overrides applied. Raises ProtocolError, and InputError for what is no Reading."""
    from boxscore.protocols import load

    policies = Reading.of(reading)
    loaded = load(protocol)
    if loaded.confidence is None and (confidence, beta) != (None, None):
        raise ProtocolError(
            f"protocol {loaded.name} has no confidence floor, so that confidence and beta decide nothing; use the "
            "protocol operating-point, or one of your own with the field confidence"
        )
    return loaded.override(
        iou_thresholds=numbers(iou, "iou"),
        max_detections=whole_numbers(max_detections, "max_detections"),
        ignore_flag=policies.ignore_flag,
        object_area=policies.area,
        confidence=one_number(confidence, "confidence"),
        beta=one_number(beta, "beta"),
    )


def thread_count(threads: int | None) -> int:
    """The number asked for, or that of the processors this process may use. Raises InputError for less than 1."""
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    count = whole_number(threads)
    if count is None or count < 1:
        raise InputError(f"threads is {shown(threads)}; it must be a whole number from 1 on")
    return min(count, _MOST_THREADS)


def names_to_keep(labels: object) -> list[str] | None:
    """Names of the labels to evaluate, checked to be a list of texts."""
    if labels is None:
        return None
    if isinstance(labels, list | tuple | set | frozenset | LabelSet):
        names = list(labels)
        if all(isinstance(name, str) for name in names):
            return names
    raise InputError(f"labels is {shown(labels)}; for files it must be a list of label names to evaluate")


def finish(
    predictions: Predictions,
    protocol: Protocol,
    *,
    label_agnostic: bool = False,
    thresholds: Thresholds | None = None,
    confidence: float | None = None,
    nms: float | None = None,
    reading: Reading | None = None,
    inputs: Mapping[str, str] | None = None,
    threads: int = 1,
) -> Run:
    """Match predictions to the ground truth of their data set and hold the outcome as a Run."""
    from boxscore.matching import match
    from boxscore.pipeline.run import Run

    floors: Floors | None = None
    floor_notes: list[Note] = []
    if thresholds is not None:
        from boxscore.pipeline.thresholds import floors_for

        floors, floor_notes = floors_for(
            thresholds, protocol, predictions.dataset, Reading.of(reading), asked=confidence, agnostic=label_agnostic
        )
    if nms is not None:
        from boxscore.pipeline.steps import suppress

        predictions = suppress(predictions, nms, protocol, threads=threads)
    if label_agnostic:
        predictions = _without_labels(predictions)
    dataset = predictions.dataset
    return Run(
        match(
            dataset.kernel,
            predictions.kernel,
            protocol,
            corner_convention=dataset.corner_convention,
            threads=threads,
        ),
        dataset.labels,
        dataset=dataset,
        predictions=predictions,
        label_agnostic=label_agnostic,
        floors=floors,
        notes=[*dataset.notes, *predictions.notes, *floor_notes],
        reading=reading,
        inputs=inputs,
        threads=threads,
    )


def _refuse_box_format(box_format: object) -> None:
    """COCO's files are xywh. Raises InputError for a format that would be passed over, unsaid."""
    if box_format not in ("xyxy", "xywh"):
        raise InputError(
            f"box_format is {shown(box_format)}; it speaks of per-image arrays alone: files hold x, y, width, height "
            '(or corners, with Reading(boxes="xyxy")), so leave it out'
        )


def _without_labels(predictions: Predictions) -> Predictions:
    dataset = predictions.dataset.with_kernel(predictions.dataset.kernel.merge_labels(), LabelSet([0], ["any label"]))
    return Predictions(
        predictions.kernel.merge_labels(),
        dataset,
        source=predictions.source,
        notes=predictions.notes,
        steps=predictions.steps,
    )


def _prepared(gt: object, pred: Any, reading: Reading, labels: object, threads: int) -> Predictions:  # noqa: ANN401  results in any form
    if not isinstance(gt, Dataset):
        raise InputError("predictions that were read already need the Dataset that they were read against")
    if labels is not None and names_to_keep(labels) != list(gt.labels):
        raise InputError("labels: this ground truth was read already; give labels to read_ground_truth instead")
    if not isinstance(pred, Predictions):
        return read_predictions(pred, gt, reading=reading, threads=threads)
    if pred.dataset is not gt and pred.dataset.image_ids != gt.image_ids:
        raise InputError("these predictions were read against another Dataset; read them against this one")
    return pred


def _of_files(gt: object, pred: object, protocol: Protocol, files: Files) -> Predictions:
    # One file after the other: the first one's bytes and stated rows are let go before the next is opened.
    dataset = files.ground_truth(gt)
    predictions = files.predictions(pred, dataset)
    if any(note.code == "corner-suspect" for note in predictions.notes):
        from boxscore.io.box_readings import with_reading

        corners = with_reading(predictions, "corners")
        _tell_other_reading(predictions, finish(corners, protocol, threads=files.threads).value("AP"))
    return predictions


def _paths(**given: object) -> dict[str, str]:
    """Those that are paths, by role."""
    return {role: os.fspath(path) for role, path in given.items() if isinstance(path, str | os.PathLike)}


def _taxonomy(given: TaxonomyInput | None) -> Taxonomy | None:
    if given is None:
        return None
    from boxscore.io.taxonomy import Taxonomy

    return Taxonomy.of(given)


def _tell_other_reading(predictions: Predictions, value: float | None) -> None:
    """Add to the suspicion that boxes are corners what AP would be then."""
    if value is None:
        return
    predictions.notes = [
        Note(note.code, f"{note.message}, and AP would be {value:.3f}", note.count)
        if note.code == "corner-suspect"
        else note
        for note in predictions.notes
    ]
