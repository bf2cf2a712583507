"""What may be compared: runs of one protocol, one set of labels and one ground truth. All else is refused by name."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.model.labels import id_text
from boxscore.model.measure import threshold_text
from boxscore.model.notes import listed
from boxscore.runs import digests
from boxscore.runs.layout import ARITHMETIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from boxscore.model.labels import Id
    from boxscore.model.protocol import Protocol
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.units import Units
    from boxscore.runs import SavedRun

    Saved = Mapping[str, SavedRun]

_SAME_WAY = "evaluate all models in the same way"
_SAME_FLOORS = "evaluate all models at the same floors, or say that each has its own with --own-floors"
_SAME_DATA = "evaluate all models on the same ground truth"


def refuse_different(
    runs: Mapping[str, Run], saved: Saved | None = None, *, own_floors: bool = False, own_protocols: bool = False
) -> None:
    """Raises InputError that names the first field in which a run differs from the first one.

    Confidence floors must be the same, too, unless each model may have its own (`own_floors`), and protocols, unless
    whoever asks has seen to them (`own_protocols`). `saved` are the folders of runs that came from any, by name: they
    still hold the boxes, by which the image that differs is found.
    """
    folders = saved or {}
    refuse_other_protocol(runs, folders, own_floors=own_floors, own_protocols=own_protocols)
    (first, reference), *others = runs.items()
    for name, run in others:
        names = first, name
        _labels(names, reference, run)
        _images(names, reference.image_ids, run.image_ids)
        _ground_truth(names, reference, run, folders)
        if not own_floors:
            _floors(names, reference, run)


def refuse_other_protocol(
    runs: Mapping[str, Run], saved: Saved | None = None, *, own_floors: bool = False, own_protocols: bool = False
) -> None:
    """The same of the arithmetic and the protocol alone: what must be equal whatever the data."""
    _refuse_other_arithmetic(saved or {})
    (first, reference), *others = runs.items()
    for name, run in others:
        if not own_protocols:
            _protocols((first, name), reference.protocol, run.protocol, own_floors=own_floors)
        if reference.label_agnostic != run.label_agnostic:
            raise _differ((first, name), "label_agnostic", reference.label_agnostic, run.label_agnostic, _SAME_WAY)


def protocol_difference(
    one: Protocol, other: Protocol, *, own_floors: bool = False
) -> tuple[str, object, object] | None:
    """The first field that decides figures and differs, with its value in each; None where protocols agree."""
    ours, theirs = one.to_dict(), other.to_dict()
    for field in (*digests.DECIDING, *digests.DECIDING_LATER):
        # A protocol's floor is that of its labels without one of their own.
        if ours.get(field) == theirs.get(field) or (field == "confidence" and own_floors and _both(ours, theirs)):
            continue
        return field, _plain(ours.get(field)), _plain(theirs.get(field))
    return None


def refuse_other_groups(runs: Mapping[str, Run], units: Units) -> None:
    """Raises InputError where a folder keeps other groups of the images than those that are resampled."""
    if units.groups is None or "field" not in units.groups.rule:
        return
    (first, _), *others = runs.items()
    for name, run in others:
        kept = run.groups if run.dataset is None else None
        if kept is None or kept.of_image == units.groups.of_image:
            continue
        images = zip(run.image_ids, units.groups.of_image, kept.of_image, strict=True)
        image, ours, theirs = next(one for one in images if one[1] != one[2])
        raise _differ((first, name), f"the group of image {id_text(image)}", ours, theirs, _SAME_DATA)


def _refuse_other_arithmetic(folders: Saved) -> None:
    for name, folder in folders.items():
        stated = folder.manifest["arithmetic"]
        if stated != ARITHMETIC:
            raise InputError(
                f"{name} was matched by arithmetic version {stated}, and this boxscore has version {ARITHMETIC}: its "
                f"figures may differ for that alone; evaluate {folder.folder} again"
            )


def _protocols(names: tuple[str, str], one: Protocol, other: Protocol, *, own_floors: bool) -> None:
    found = protocol_difference(one, other, own_floors=own_floors)
    if found is None:
        return
    field, ours, theirs = found
    remedy = _SAME_FLOORS if field == "confidence" and _both(one.to_dict(), other.to_dict()) else _SAME_WAY
    raise _differ(names, f"protocol field {field}", ours, theirs, remedy)


def _plain(value: object) -> object:
    """A ladder of thresholds as people write it: 0.9 for its 0.8999999999999999."""
    if not isinstance(value, list):
        return value
    return [float(threshold_text(one)) if isinstance(one, float) else one for one in value]


def _both(ours: Mapping[str, object], theirs: Mapping[str, object]) -> bool:
    return "confidence" in ours and "confidence" in theirs


def _labels(names: tuple[str, str], one: Run, other: Run) -> None:
    ours, theirs = list(one.labels), list(other.labels)
    if ours == theirs:
        return
    first, second = names
    parts = []
    for holder, lacks in (
        (first, [n for n in ours if n not in theirs]),
        (second, [n for n in theirs if n not in ours]),
    ):
        if lacks:
            parts.append(f"only {holder} has {listed([id_text(n) for n in lacks])}")
    told = " and ".join(parts) or "the same names stand in another order"
    raise InputError(
        f"{first} and {second} can't be compared: labels differ: {told}; {_SAME_WAY} (--labels, --taxonomy), on ground "
        "truth that declares the same labels in the same order"
    )


def _images(names: tuple[str, str], ours: list[Id], theirs: list[Id]) -> None:
    if ours == theirs:
        return
    first, second = names
    if len(ours) != len(theirs):
        what = f"number of images: {len(ours)} of {first}, {len(theirs)} of {second}"
    else:
        what = "images"
    # 1 and "1" are two ids; 1 and True would be one, but ids are never booleans.
    in_ours, in_theirs = set(ours), set(theirs)
    only = next((i for i in ours if i not in in_theirs), None), next((i for i in theirs if i not in in_ours), None)
    told = [f"only {name} has image {id_text(one)}" for name, one in zip(names, only, strict=True) if one is not None]
    raise InputError(f"{first} and {second} can't be compared: {what} ({', '.join(told)}); {_SAME_DATA}")


def _ground_truth(names: tuple[str, str], one: Run, other: Run, folders: Saved) -> None:
    ours, theirs = one.data_identity, other.data_identity
    if ours is not None and ours == theirs:
        return
    for name, identity in zip(names, (ours, theirs), strict=True):
        if identity is None:
            raise InputError(
                f"{name} does not say on which ground truth it was made (it has no digest of the data), so that it "
                "can't be compared; evaluate its files again"
            )
    first, second = names
    corners = _corners(first, one, folders), _corners(second, other, folders)
    if corners[0] != corners[1]:
        raise _differ(names, "corner_convention", *corners, f"{_SAME_WAY}, with the same --gt-corners")
    told = "ground truth differs (digests.data)"
    in_first, in_second = _digests(first, one, folders), _digests(second, other, folders)
    if in_first is not None and in_second is not None:
        by_image = zip(one.image_ids, in_first, in_second, strict=True)
        differing = [image for image, mine, its in by_image if mine != its]
        told = (
            f"ground truth differs in {len(differing)} of {one.num_images} images, first image {id_text(differing[0])}"
        )
    raise InputError(f"{first} and {second} can't be compared: {told}; {_SAME_DATA}")


def _corners(name: str, run: Run, folders: Saved) -> str:
    return folders[name].corner_convention if name in folders else run.corner_convention


def _digests(name: str, run: Run, folders: Saved) -> list[bytes] | None:
    """One digest an image of its objects; None where their boxes were let go."""
    if run.dataset is not None:
        return digests.object_digests(run.dataset.ground_truth, run.num_images, run.labels.names.__getitem__)
    if name not in folders:
        return None
    objects = folders[name].table("ground_truth")
    if "area" not in objects.columns:
        return None
    return digests.object_digests(_Frame(objects), run.num_images, run.labels.names.__getitem__)


class _Frame:
    """A data frame behind the kernel tables' method."""

    def __init__(self, frame: object) -> None:
        self._frame = frame

    def column(self, name: str) -> object:
        return self._frame[name].to_numpy()  # type: ignore[index]


def _floors(names: tuple[str, str], one: Run, other: Run) -> None:
    if one.floors is None or other.floors is None:
        return  # both are, as their protocols have the same confidence
    for label, ours, theirs in zip(one.labels, one.floors.of(one.labels), other.floors.of(other.labels), strict=True):
        if ours != theirs:
            raise _differ(names, f"the confidence floor of {id_text(label)}", ours, theirs, _SAME_FLOORS)


def _differ(names: tuple[str, str], field: str, ours: object, theirs: object, remedy: str) -> InputError:
    first, second = names
    return InputError(
        f"{first} and {second} can't be compared: {field} is {shown(ours)} of {first} and {shown(theirs)} of {second}; "
        f"{remedy}"
    )
