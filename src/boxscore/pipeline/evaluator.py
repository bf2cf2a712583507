"""Evaluator: the streaming form of `evaluate`, for validation loops and distributed ranks."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.io import arrays
from boxscore.model.labels import LabelSet
from boxscore.model.reading import Reading
from boxscore.model.tables import Matches
from boxscore.pipeline.batches import ANY_LABEL, Batch, Settings
from boxscore.pipeline.evaluate import effective_protocol, thread_count
from boxscore.pipeline.held_images import HeldImages, image_id_of, record_of
from boxscore.pipeline.parts import Parts, with_dense_labels, with_own_labels, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import Any, Self

    from boxscore import _kernel
    from boxscore.io.arrays import Images, Labels
    from boxscore.model.labels import Id
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.seen import Seen

_WORTH_THREADS = 20_000
"""Detections in a batch from which threads gain more than they cost to start."""


class Evaluator:
    """Evaluates batch by batch. Boxes are matched as they come and let go; what is kept are matches and digests.

    `labels` says what label numbers mean: names by position, or a mapping from number to name. Without it those numbers
    that occur stand for themselves, whole numbers from 0 on. A label that isn't among `labels` is refused, or with
    `Reading(unknown_labels="drop")` left out with a counted note. The other settings are those of `evaluate`.

    With image ids, one update, batches in any order, and merged evaluators give the same bytes of everything in the
    result. An image given again with the same content is dropped and counted, since distributed samplers fill up their
    last batch so; with other content it is refused. Without ids, images are numbered as they come.

    `len()` is the number of images held. Evaluators can be pickled, which is how ranks send them.
    Raises InputError and ProtocolError for settings that make no sense.
    """

    __slots__ = ("_images", "_label_numbers", "_parts", "_protocol", "_seen", "_settings", "_threads", "_with_ids")

    def __init__(
        self,
        labels: Labels | None = None,
        *,
        protocol: str | PathLike[str] | Protocol = "coco",
        label_agnostic: bool = False,
        iou: Sequence[float] | float | None = None,
        max_detections: Sequence[int] | int | None = None,
        box_format: str = "xyxy",
        reading: Reading | None = None,
        threads: int | None = None,
    ) -> None:
        if box_format not in arrays.BOX_FORMATS:
            raise InputError(f"box_format is {box_format!r}; it must be one of {', '.join(arrays.BOX_FORMATS)}")
        policies = Reading.of(reading)
        known = None if labels is None else LabelSet.from_names(labels)
        self._protocol = effective_protocol(protocol, policies, iou=iou, max_detections=max_detections)
        self._settings = Settings(known, self._protocol, policies, box_format, label_agnostic=label_agnostic)
        self._threads = thread_count(threads)
        self._images = HeldImages()
        self._parts = Parts()
        self._label_numbers: set[int] = set()
        self._seen: dict[Id, list[Seen]] = {}
        self._with_ids: bool | None = None

    def __len__(self) -> int:
        return len(self._images)

    def update(self, predictions: Images, targets: Images, image_ids: Iterable[Any] | None = None) -> None:
        """Match a batch: two lists with a dict an image, as torchvision's models and torchmetrics have them.

        Predictions: `boxes` (n, 4) in pixels by `box_format`, `scores` (n,), `labels` (n,). Targets: `boxes`, `labels`,
        and if wanted `iscrowd` (n,) and `area` (n,), else the box's. Torch tensors, NumPy arrays or lists; none is
        changed or kept. `image_ids`: one an image, whole numbers or texts.

        Raises InputError that names the entry or the image, and then holds what it held before.
        """
        arrays.check_lists(targets, predictions, None)
        ids = self._ids(image_ids, len(targets))
        batch = Batch.read(self._settings, targets, predictions, ids)
        records = _records(batch)
        new = self._images.new_among(records)
        if len(new) < len(ids):
            batch = batch.of_images(new)
        matches, seen = self._match(batch), batch.seen()
        # From here on nothing can fail, so that an update counts in full or not at all.
        self._with_ids = image_ids is not None if ids else self._with_ids
        self._label_numbers.update(batch.own_labels or ())
        self._images.take(records)
        self._seen |= seen
        if batch.ids:
            self._parts.add(matches, batch.ids)

    def merge(self, other: Evaluator) -> Self:
        """Take in the images of another evaluator, which is left as it is; returns this one.

        Without ids, the other's images are numbered behind this one's. Raises InputError where the two differ in
        settings or in whether images have ids, and for an image that they hold with different content.
        """
        self._check_alike(other)
        shift = 0 if other._with_ids else len(self)
        self._images.new_among(other._images.records(shift))
        repeated = set(self._images.take_all(other._images, shift))
        for matches, ids in other._parts.all():
            own: list[Id] = [i + shift if isinstance(i, int) else i for i in ids]
            part = without(matches, own, repeated) if repeated.intersection(own) else (matches, own)
            if part[1]:
                self._parts.add(*part)
        for image_id, seen in list(other._seen.items()):
            self._seen.setdefault(image_id + shift if isinstance(image_id, int) else image_id, seen)
        self._label_numbers |= other._label_numbers
        self._with_ids = other._with_ids if self._with_ids is None else self._with_ids
        return self

    def result(self) -> Run:
        """The evaluation of all images held. The evaluator can go on: a later result covers what has come by then.

        The run has no boxes: `dataset` and `predictions` are None, and tables saved from it lack them.
        """
        from boxscore.pipeline.run import Run
        from boxscore.runs import digests

        ids = self._images.in_order()
        merged = self._parts.merged({image_id: row for row, image_id in enumerate(ids)})
        labels, matches = self._labelled(self._match(self._empty()) if merged is None else merged)
        return Run(
            Matches(matches, self._protocol),
            labels,
            image_ids=ids,
            data_identity=digests.data_identity(ids, self._images.object_digests(ids)),
            label_agnostic=self._settings.label_agnostic,
            notes=self._notes(matches),
            reading=self._settings.reading,
            threads=self._threads,
        )

    def __repr__(self) -> str:
        return f"<Evaluator of {len(self)} images, protocol {self._protocol.name}>"

    def _ids(self, image_ids: Iterable[Any] | None, count: int) -> list[Id]:
        if count and self._with_ids is not None and self._with_ids != (image_ids is not None):
            before, now = ("with", "without") if self._with_ids else ("without", "with")
            raise InputError(f"image_ids: earlier images came {before} ids, these come {now}; give ids always or never")
        if image_ids is None:
            return list(range(len(self), len(self) + count))
        if isinstance(image_ids, str):
            raise InputError(f"image_ids is the text {image_ids!r}; give a list with one id an image")
        ids = [image_id_of(value) for value in image_ids]
        if len(ids) != count:
            raise InputError(f"there are {len(ids)} image_ids for {count} images")
        return ids

    def _match(self, batch: Batch) -> _kernel.Matches:
        from boxscore.matching import match

        threads = self._threads if batch.detections.num_rows >= _WORTH_THREADS else 1
        matches = match(batch.dataset, batch.detections, self._protocol, threads=threads).kernel
        if batch.own_labels is None or self._settings.label_agnostic:
            return matches
        # Batches number their labels each for itself.
        return with_own_labels(matches, batch.own_labels)

    def _empty(self) -> Batch:
        return Batch.read(self._settings, [], [], [])

    def _labelled(self, matches: _kernel.Matches) -> tuple[LabelSet, _kernel.Matches]:
        """Labels of the result, and matches that count in them."""
        if self._settings.label_agnostic:
            return LabelSet([0], [ANY_LABEL]), matches
        if self._settings.labels is not None:
            return self._settings.labels, matches
        numbers = sorted(self._label_numbers) or [0]
        labels = LabelSet(numbers, [str(number) for number in numbers])
        return labels, with_dense_labels(matches, numbers)

    def _notes(self, matches: _kernel.Matches) -> list[Note]:
        from boxscore.pipeline.seen import notes

        return [*self._images.notes(), *notes(self._seen, self._settings.reading, self._protocol, matches)]

    def _check_alike(self, other: Evaluator) -> None:
        mine, theirs = self._settings, other._settings
        pairs: list[tuple[str, object, object]] = [
            ("protocol", self._protocol.to_dict(), other._protocol.to_dict()),
            ("labels", mine.labels, theirs.labels),
            ("label_agnostic", mine.label_agnostic, theirs.label_agnostic),
            ("reading", mine.reading, theirs.reading),
        ]
        for name, one, two in pairs:
            if one != two:
                raise InputError(f"these evaluators differ in {name}: {one} here, {two} there; make them alike")
        if None not in (self._with_ids, other._with_ids) and self._with_ids != other._with_ids:
            raise InputError("one evaluator's images have ids, the other's have none; give image_ids on every rank")


def _records(batch: Batch) -> list[tuple[Id, bytes]]:
    each = zip(batch.ids, batch.digests(), batch.counts(), strict=True)
    return [(image_id, record_of(digest, counts)) for image_id, digest, counts in each]
