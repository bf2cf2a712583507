"""The kernel's findings in words: the fact with its place, what was done about it, and the remedy if it is refused."""

from __future__ import annotations

from boxscore.model.labels import found_id
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from boxscore._kernel import Finding
    from boxscore.io.places import Places
    from boxscore.model.reading import Reading


class Speaker:
    """Words findings about one file. `images_in` names the file that declares the images."""

    __slots__ = ("_background", "_images_in", "_places", "_reading")

    def __init__(self, places: Places, reading: Reading, images_in: str, *, background: bool = True) -> None:
        self._places = places
        self._reading = reading
        self._images_in = images_in
        self._background = background

    def fact(self, finding: Finding) -> str:
        """What was found, where, in which field, with which value, and how often."""
        word = FACTS.get(finding.code)
        return f"{self.row(finding)}: {finding.code} {finding.value}" if word is None else word(self, finding)

    def done(self, finding: Finding) -> str:
        """What was done about it, and what else can be asked for."""
        if finding.code == "degenerate":
            return self._worded(_DONE_DEGENERATE[self._reading.degenerate])
        if finding.code == "corner-suspect" and not self._of_detections:
            return "read as stated; if they are corners, write width and height instead"
        if finding.code == "area-far" and self._reading.area == "box":
            return "width x height is used, as asked for"
        if finding.code == "ignore-without-crowd" and self._reading.ignore_flag == "honour":
            return "they are ignored in matching, as asked for"
        return self._worded(DONE.get(finding.code, "kept as it is"))

    def remedy(self, finding: Finding) -> str:
        """What to do where the finding is refused."""
        if finding.code == "non-finite" and not self._of_detections:
            return self._worded(_CORRECT_ANNOTATION)
        if finding.code == "unknown-image" and not self._background:
            return self._worded(_NO_BACKGROUND)
        return self._worded(REMEDIES[finding.code])

    def _worded(self, text: str) -> str:
        """The text with `{non_finite=drop}` and the like as the user would ask for it."""
        return text.format_map(_Options(self._reading))

    @property
    def _of_detections(self) -> bool:
        return self._places.noun == "detection"

    def row(self, finding: Finding) -> str:
        """The first row that shows the finding, with its file's name."""
        return self._places.row(finding.row)

    def first(self, finding: Finding) -> str:
        """`first entry 3`."""
        return self._places.first(finding.row)

    def rows(self, finding: Finding) -> str:
        """`3 detections`."""
        return counted(finding.count, self._places.noun)

    @property
    def file(self) -> str:
        """The file's name."""
        return self._places.name

    @property
    def images_in(self) -> str:
        """The name of the file that declares the images."""
        return self._images_in


class _Options(dict[str, str]):
    """`non_finite=drop` to how that is asked for: as an option of the command line, or as a Reading."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading

    def __missing__(self, key: str) -> str:
        field, _, choice = key.partition("=")
        return self._reading.option(field, choice)


def _id(f: Finding) -> str:
    return found_id(f.value or "")


def _duplicate_annotation_id(s: Speaker, f: Finding) -> str:
    where = f"(entries {f.row} and {f.other})"
    if f.count == 1:
        return f"{s.file}: annotation id {_id(f)} is used 2 times {where}"
    return f"{s.file}: annotation id {_id(f)} is used again {where}; {f.count} annotations repeat an id"


def _image_repeated(s: Speaker, f: Finding) -> str:
    where = f"(images {f.row} and {f.other})"
    if f.count == 1:
        return f"image id {_id(f)} appears 2 times in {s.file} {where}"
    return f"image id {_id(f)} appears again in {s.file} {where}; {f.count} images repeat an id"


def _image_conflict(s: Speaker, f: Finding) -> str:
    return f"image id {_id(f)} appears twice in {s.file} (images {f.row} and {f.other}) with a different {f.field}"


def _unknown_image(s: Speaker, f: Finding) -> str:
    images = counted(int(f.extra or 1), "image")
    return f"{s.row(f)}: image_id {_id(f)} is not in {s.images_in} ({s.rows(f)}, {images})"


def _non_finite(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: {f.field} is {f.value} ({s.rows(f)} with a number that isn't finite)"


def _degenerate(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: {f.field} is {f.value} ({counted(f.count, 'box', 'boxes')} of zero or negative size)"


def _area_missing(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: area is missing ({s.rows(f)})"


def _area_far(s: Speaker, f: Finding) -> str:
    product = "" if f.extra is None else f" {f.extra:.10g}"
    return f"{s.row(f)}: area {f.value} is far from width x height{product} ({s.rows(f)})"


def _ignore_without_crowd(s: Speaker, f: Finding) -> str:
    flagged = counted(f.count, "annotation has", "annotations have")
    return f"{s.file}: {flagged} ignore=1 with iscrowd=0 ({s.first(f)})"


def _outside_image(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: box {f.value} reaches beyond its image ({counted(f.count, 'such box', 'such boxes')})"


def _corner_suspect(s: Speaker, f: Finding) -> str:
    return (
        f"{s.row(f)}: box {f.value} reaches beyond its image as x, y, width, height, but lies inside it as corners "
        f"x1, y1, x2, y2 ({counted(f.count, 'such box', 'such boxes')})"
    )


def _unit_boxes(s: Speaker, f: Finding) -> str:
    return f"{s.file}: no box reaches beyond {f.value} ({s.rows(f)}), as if they were shares of the image's size"


def _image_id_coerced(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: image_id {_id(f)} is a text here and a number in {s.images_in}, or the reverse ({s.rows(f)})"


def _image_id_ambiguous(s: Speaker, f: Finding) -> str:
    return f"{s.row(f)}: image_id {_id(f)} could be the number or the text of the same digits ({s.rows(f)})"


def _score_range(s: Speaker, f: Finding) -> str:
    most = "" if f.extra is None else f" to {f.extra:.10g}"
    return f"{s.file}: scores are outside 0..1, from {f.value}{most} ({s.rows(f)}, {s.first(f)})"


def _scores_equal(s: Speaker, f: Finding) -> str:
    return f"{s.file}: all scores are equal ({f.value})"


def _tied_scores(s: Speaker, f: Finding) -> str:
    return (
        f"{s.file}: {counted(f.count, 'detection has', 'detections have')} the score of another one of the same image "
        f"and label ({s.first(f)}, score {f.value})"
    )


FACTS: dict[str, Callable[[Speaker, Finding], str]] = {
    "duplicate-annotation-id": _duplicate_annotation_id,
    "image-repeated": _image_repeated,
    "image-conflict": _image_conflict,
    "annotation-unknown-image": _unknown_image,
    "unknown-image": _unknown_image,
    "non-finite": _non_finite,
    "degenerate": _degenerate,
    "area-missing": _area_missing,
    "area-far": _area_far,
    "ignore-without-crowd": _ignore_without_crowd,
    "outside-image": _outside_image,
    "corner-suspect": _corner_suspect,
    "unit-boxes": _unit_boxes,
    "image-id-coerced": _image_id_coerced,
    "image-id-ambiguous": _image_id_ambiguous,
    "score-range": _score_range,
    "scores-equal": _scores_equal,
    "tied-scores": _tied_scores,
}

_DONE_DEGENERATE = {
    "keep": "kept as it is, without area; {degenerate=drop} leaves such boxes out",
    "drop": "left out, as asked for",
}

DONE = {
    "duplicate-annotation-id": "every entry is kept as an object of its own; give annotations ids of their own",
    "image-repeated": "it counts once; list each image once",
    "annotation-unknown-image": "left out, as asked for",
    "unknown-image": "left out, as asked for",
    "non-finite": "left out, as asked for",
    "area-missing": "width x height is taken instead",
    "area-far": "the field is followed; {area=box} takes width x height",
    "ignore-without-crowd": "pycocotools' rule is followed: only iscrowd counts; {ignore_flag=honour} ignores them",
    "outside-image": "boxes are compared as they are, nothing is clipped",
    "unit-boxes": "read as pixels, as COCO means them; multiply by width and height if they are not",
    "corner-suspect": "read as stated; with {boxes=xyxy} corners are read",
    "image-id-coerced": "matched by the same digits; write image ids alike in both files",
    "score-range": "AP depends on their order alone and is right; a threshold such as 0.25 would mean nothing",
    "scores-equal": "AP depends on the order of the entries; counts, AR and precision at a threshold do not",
    "tied-scores": "ties are taken in file order, as by pycocotools, so AP can depend on that order",
}

_CORRECT_ANNOTATION = (
    "A number that isn't finite has no size and no overlap: correct the annotation, or leave such rows out with "
    "{non_finite=drop}."
)

_NO_BACKGROUND = (
    "Use the ground truth that these detections were made for, or leave them out with {unknown_images=drop}."
)

REMEDIES = {
    "image-conflict": "Keep one entry for each image.",
    "image-id-ambiguous": "Write image ids alike in both files, all as numbers or all as texts.",
    "non-finite": "A number that isn't finite has no rank and no overlap: mend the model's output, or leave such rows "
    "out with {non_finite=drop}.",
    "unknown-image": "Use the ground truth that these detections were made for, leave them out with "
    "{unknown_images=drop}, or count their images as empty with {unknown_images=background}.",
    "annotation-unknown-image": "Add the image to `images`, or leave such annotations out with {unknown_images=drop}.",
}
