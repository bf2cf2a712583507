"""Evaluation of sharded ground truth and predictions, by an engine: the figures of one process, whatever the parts."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import labelling
from boxscore.io.shards.unknown import unknown_images
from boxscore.model.labels import LabelSet, fold, id_order, id_text
from boxscore.model.notes import Note
from boxscore.model.parted import PartedMatches
from boxscore.model.reading import Reading
from boxscore.pipeline.sharding import findings, plan
from boxscore.pipeline.sharding.jobs import LabelUse, PlacedFinding, RowPlace, Settings
from boxscore.pipeline.sharding.sharded_run import Sharded, ShardedRun
from boxscore.pipeline.steps import suppressed_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np

    from boxscore.io.shards.layout import Shards
    from boxscore.io.shards.unknown import FirstRow
    from boxscore.io.taxonomy import Taxonomy
    from boxscore.model.floors import Floors
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.sharding.engines import Engine
    from boxscore.pipeline.sharding.jobs import Summary

    Rows = list[np.ndarray[Any, np.dtype[np.int64]]]


def evaluate_shards(
    truth: Shards,
    found: Shards,
    protocol: Protocol,
    engine: Engine,
    *,
    reading: Reading | None = None,
    labels: Sequence[str] | None = None,
    taxonomy: Taxonomy | None = None,
    label_agnostic: bool = False,
    floors: Floors | None = None,
    nms: float | None = None,
    keep: bool = False,
    identity: bool = False,
    threads: int = 1,
) -> ShardedRun:
    """Make all parts, and hold what they left as a Run. `keep` also makes the tables of its run folder;
    `identity` makes its `data_identity` without them, which comparisons ask for.

    Raises InputError that names file and row; a part that can't be read is an error, never left out.
    """
    reading = Reading.of(reading)
    if reading.unknown_images == "background":
        raise InputError(
            "images that the ground truth lacks can't be counted as empty in sharded data; leave them out "
            f"({reading.option('unknown_images', 'drop')}), or add them to the ground truth"
        )
    declared, kept, label_notes = label_sets(truth, labels, taxonomy)
    settings = Settings(
        truth=truth,
        found=found,
        protocol=protocol,
        reading=reading,
        num_labels=1 if label_agnostic else len(kept),
        labels={name: _number(kept, name) for name in declared.names},
        folded=_folded(declared, kept) if reading.label_match == "fold" else {},
        label_names=("any label",) if label_agnostic else kept.names,
        label_agnostic=label_agnostic,
        nms=nms,
        keep=keep,
        identity=identity,
    )
    jobs = plan.jobs_of(settings)
    summaries = list(engine.make(settings, jobs))
    placed = _rows(settings, summaries)
    notes = [*label_notes, *_notes(settings, summaries, declared, kept), *_suppressed(settings, summaries)]
    return _run(settings, engine, summaries, placed, notes, kept, floors=floors, threads=threads)


def label_sets(
    truth: Shards, labels: Sequence[str] | None, taxonomy: Taxonomy | None
) -> tuple[LabelSet, LabelSet, list[Note]]:
    """The labels that a data set declares, those of them that count, and notes. Raises InputError."""
    if truth.labels is None:
        raise InputError(f"{truth.source}: the data set declares no labels; write it again with boxscore convert")
    declared, kept, notes = labelling.label_sets(list(truth.labels), truth.name, taxonomy)
    return declared, kept if labels is None else kept.select(labels), notes


def _number(kept: LabelSet, name: str) -> int:
    number = kept.find(name)
    return -1 if number is None else number


def _folded(declared: LabelSet, kept: LabelSet) -> dict[str, int]:
    """Numbers by folded name, where only one name folds so."""
    alike: dict[str, list[str]] = {}
    for name in declared.names:
        alike.setdefault(fold(name), []).append(name)
    return {folded: _number(kept, names[0]) for folded, names in alike.items() if len(names) == 1}


def _notes(settings: Settings, parts: Sequence[Summary], declared: LabelSet, kept: LabelSet) -> list[Note]:
    """What is told of the input. Raises InputError for what may not be."""
    truth, found, reading = settings.truth, settings.found, settings.reading
    uses = [part.truth_uses for part in parts]
    told = findings.label_notes(declared, kept, Reading(), uses, truth.name, "annotation")
    told += findings.notes([part.truth_findings for part in parts], truth.name, "annotation", reading, truth.name)
    image_notes, unread = _of_images(settings, parts)
    told += image_notes
    uses = [*(part.found_uses for part in parts), unread]
    told += findings.label_notes(declared, kept, reading, uses, found.name, "detection")
    told += findings.notes([part.found_findings for part in parts], found.name, "detection", reading, truth.name)
    return told


def _suppressed(settings: Settings, parts: Sequence[Summary]) -> list[Note]:
    if settings.nms is None:
        return []
    counts = [part.suppressed or (0, 0) for part in parts]
    return [suppressed_note(settings.nms, sum(one for one, _ in counts), sum(other for _, other in counts))]


def _of_images(settings: Settings, parts: Sequence[Summary]) -> tuple[list[Note], list[LabelUse]]:
    """Rows of predictions that no part of the ground truth asked for, as their images are unknown; and their labels."""
    found, reading = settings.found, settings.reading
    read = sum(part.rows for part in parts)
    if read == found.rows:
        return [], []
    ids = {image_id for part in parts for image_id in part.image_ids}
    unknown = unknown_images(found, ids)
    if unknown.first is None or unknown.rows != found.rows - read:
        raise InputError(
            f"{found.source}: {found.rows - read} rows were not read, {unknown.rows} of unknown images; report this"
        )
    at, image_id = _place(unknown.first), str(unknown.first.image_id)
    placed = PlacedFinding("unknown-image", unknown.rows, at, None, image_id, float(unknown.images))
    uses = [LabelUse(name, rows, _place(first)) for name, (rows, first) in unknown.labels.items()]
    return findings.notes([[placed]], found.name, "detection", reading, settings.truth.name), uses


def _place(row: FirstRow) -> RowPlace:
    return RowPlace(row.image_id, row.within, row.words)


def _run(
    settings: Settings,
    engine: Engine,
    parts: Sequence[Summary],
    placed: tuple[Rows, list[tuple[int, int]]],
    notes: Sequence[Note],
    kept: LabelSet,
    *,
    floors: Floors | None,
    threads: int,
) -> ShardedRun:
    rows, order = placed
    num_images = len(order)
    num_cells = len(settings.protocol.area_ranges) * len(settings.protocol.iou_thresholds)
    detections = [sum(of_label) for of_label in zip(*(part.detections for part in parts), strict=True)]
    extremes = [part.scores for part in parts if part.scores is not None]
    same = len({score for pair in extremes for score in pair}) == 1 and sum(detections) > 1
    matches = PartedMatches(
        settings.protocol,
        num_images=num_images,
        detections_by_label=detections or [0] * settings.num_labels,
        over_limit=(sum(part.over_limit[0] for part in parts), sum(part.over_limit[1] for part in parts)),
        one_score=extremes[0][0] if same else None,
        each_label=lambda work, labels: engine.each_label(work, labels, rows, num_images, num_cells),
        whole=lambda: engine.whole(rows, num_images, num_cells),
    )
    return ShardedRun.of(
        matches,
        LabelSet([0], ["any label"]) if settings.label_agnostic else kept,
        Sharded(settings, engine, parts, rows, order),
        floors=floors,
        notes=notes,
        threads=threads,
    )


def _rows(settings: Settings, parts: Sequence[Summary]) -> tuple[Rows, list[tuple[int, int]]]:
    """The row of each part's images in canonical order, and part and position of each row.

    Raises InputError for an image that two parts hold.
    """
    from itertools import pairwise

    import numpy as np

    in_turn = _in_turn(parts)
    if in_turn is not None:
        ends = np.cumsum([len(parts[number].image_ids) for number in in_turn])
        rows = [np.empty(0, np.int64) for _ in parts]
        for number, end in zip(in_turn, ends.tolist(), strict=True):
            rows[number] = np.arange(end - len(parts[number].image_ids), end, dtype=np.int64)
        return rows, [(number, at) for number in in_turn for at in range(len(parts[number].image_ids))]
    places = [(number, at) for number, part in enumerate(parts) for at in range(len(part.image_ids))]
    key = [id_order(parts[number].image_ids[at]) for number, at in places]
    order = sorted(range(len(places)), key=key.__getitem__)
    for one, other in pairwise(order):
        if key[one] == key[other]:
            a, b = (settings.truth.parts[places[at][0]].files[-1].path for at in (one, other))
            shown = id_text(parts[places[one][0]].image_ids[places[one][1]])
            raise InputError(
                f"{settings.truth.source}: image_id {shown} stands in {a} and in {b}; keep all rows of an image in one "
                "part: boxscore convert writes them so"
            )
    rows = [np.empty(len(part.image_ids), np.int64) for part in parts]
    in_order = [places[at] for at in order]
    for row, (number, at) in enumerate(in_order):
        rows[number][at] = row
    return rows, in_order


def _in_turn(parts: Sequence[Summary]) -> list[int] | None:
    """Parts in the order of their images, where each begins after the last has ended; None where they mix.

    A part's own images are in canonical order: of many millions this saves sorting them.
    """
    from itertools import pairwise

    held = [number for number, part in enumerate(parts) if part.image_ids]
    held.sort(key=lambda number: id_order(parts[number].image_ids[0]))
    for one, other in pairwise(held):
        if id_order(parts[one].image_ids[-1]) >= id_order(parts[other].image_ids[0]):
            return None
    return held
