"""Files of confidence floors, and choosing floors on a split."""

from __future__ import annotations

import os

from boxscore.errors import InputError
from boxscore.measures.thresholds import Aim, fit_floors
from boxscore.model.floors import Floors
from boxscore.model.given import number, shown
from boxscore.model.labels import id_text
from boxscore.model.notes import Note, counted, listed
from boxscore.pipeline import operating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any

    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset
    from boxscore.pipeline.run import Run

    Thresholds = str | PathLike[str] | Mapping[str, float] | float | Floors

_FITTED = ("aim", "iou", "nms", "fitted_on")
_OF_SLICES = ("by", "slices", "gain")
_FIELDS = ("default", "labels", *_FITTED, "not_fitted", *_OF_SLICES)


class Fitted:
    """Floors that were chosen, and the labels for which the aim can't be met, with the reasons."""

    __slots__ = ("floors", "not_fitted")

    def __init__(self, floors: Floors, not_fitted: dict[str, str]) -> None:
        self.floors = floors
        self.not_fitted = not_fitted

    def to_dict(self) -> dict[str, Any]:
        """The content of a file of floors."""
        content = {**(self.floors.fitted or {}), "default": self.floors.default, "labels": dict(self.floors.by_label)}
        return content | ({"not_fitted": dict(self.not_fitted)} if self.not_fitted else {})

    def to_yaml(self) -> str:
        """The text of a file of floors."""
        from boxscore.io import yaml_files

        return yaml_files.dump(self.to_dict())

    def write(self, path: str | PathLike[str]) -> None:
        """Write them as YAML. Raises InputError where that can't be done."""
        from boxscore.model.whole_files import write_text

        write_text(path, self.to_yaml())


def fit(run: Run, aim: Aim) -> Fitted:
    """Choose a floor for each label of a run by an aim. Labels without one keep the run's default.

    The run's own floors don't matter: all its detections are looked at. Raises InputError for runs that disregard
    labels, ProtocolError where the protocol is none at an operating point.
    """
    if run.floors is None:
        raise InputError(_NOT_AT_A_POINT.format("thresholds are fitted", run.protocol.name))
    if run.label_agnostic:
        raise InputError("floors are chosen label by label, and this run disregards labels; evaluate it with labels")
    iou = run.protocol.iou_thresholds[0]
    sweeps = [operating.sweep(run, label, iou) for label in run.labels]
    by_label, not_fitted = fit_floors(sweeps, aim, run.num_images)
    fitted = {"aim": str(aim), "iou": iou, "nms": operating.suppressed_at(run), "fitted_on": run.data_identity}
    return Fitted(Floors(run.floors.default, by_label, fitted=fitted), not_fitted)


def fit_one(run: Run, aim: Aim) -> Fitted:
    """Choose one floor for all labels of a run by an aim over their joint counts; the run's default where none can be.

    Raises InputError, ProtocolError as `fit` does.
    """
    from boxscore.measures.sweeps import joined

    by_label = fit(run, aim)  # refuses what can't be fitted, and says how it was
    iou = run.protocol.iou_thresholds[0]
    swept = joined(operating.sweep(run, label, iou) for label in run.labels)
    found, missing = fit_floors([swept], aim, run.num_images)
    floors = by_label.floors.replaced(by_label={}, default=found.get("", run.floors.default if run.floors else 0.0))
    reason = next(iter(missing.values()), None)
    return Fitted(floors, {} if reason is None else {"all labels": reason})


def floors_for(
    given: Thresholds,
    protocol: Protocol,
    dataset: Dataset,
    reading: Reading,
    *,
    asked: float | None = None,
    agnostic: bool = False,
) -> tuple[Floors, list[Note]]:
    """The floors of an evaluation, and what is worth saying about them.

    `given`: a path of a YAML file, floors by label, or one floor for all. `asked` is a default that goes before that of
    a file; `agnostic`: labels are disregarded. Raises InputError, which names all labels that the data set doesn't
    declare, unless the reading lets unknown labels be dropped.
    """
    if protocol.confidence is None:
        raise InputError(_NOT_AT_A_POINT.format("thresholds are given", protocol.name))
    floors = _read(given, protocol.confidence)
    if asked is not None:
        floors = floors.replaced(default=asked)
    if agnostic and floors.by_label:
        raise InputError(
            "thresholds by label and label_agnostic exclude each other: give one floor for all, or neither"
        )
    notes = _of_slices(floors)
    unknown = floors.unknown(dataset.labels, dataset.declared)
    if not unknown:
        return floors, notes
    kept = {name: floor for name, floor in floors.by_label.items() if name not in unknown}
    return floors.replaced(by_label=kept), [_unknown(floors, unknown, dataset, reading), *notes]


def _of_slices(floors: Floors) -> list[Note]:
    """That a file's floors of slices take no part."""
    by = (floors.fitted or {}).get("by")
    if by is None:
        return []
    message = (
        f"{floors.source}: its floors by slice of {by} are for whoever runs the detector; all images are evaluated at "
        "the floors that they share"
    )
    return [Note("thresholds-of-slices", message)]


_NOT_AT_A_POINT = (
    "{}, and protocol {} has no confidence floor: its figures run over all confidences; "
    "use the protocol operating-point, or one of your own with the field confidence"
)


def _unknown(floors: Floors, names: list[str], dataset: Dataset, reading: Reading) -> Note:
    where = floors.source or "thresholds"
    quoted = listed([id_text(name) for name in names], 20)
    which = f"{where}: {counted(len(names), 'label has a floor', 'labels have floors')} that the ground truth doesn't "
    if reading.unknown_labels != "drop":
        raise InputError(
            f"{which}declare: {quoted}{dataset.declared.suggest(names[0])} mend the names, or leave such floors out "
            f"with {reading.option('unknown_labels', 'drop')}"
        )
    return Note("thresholds-unknown-labels", f"{which}declare, left out: {quoted}", len(names))


def _read(given: Thresholds, default: float) -> Floors:
    if isinstance(given, Floors):
        return given
    if isinstance(given, str | os.PathLike):
        return _of_file(os.fspath(given), default)
    if hasattr(given, "items"):
        return Floors(default, _names(given, "thresholds"))
    if number(given) is not None:
        return Floors(float(given))
    raise InputError(
        f"thresholds is {shown(given)}; give the path of a YAML file, a mapping from label to floor, or one floor"
    )


def _of_file(path: str, default: float) -> Floors:
    from boxscore.io import yaml_files

    content = yaml_files.load(path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: it holds {shown(content)}; a file of floors has `default` and `labels`")
    unknown = [key for key in content if key not in _FIELDS]
    if unknown:
        raise InputError(
            f"{path}: {shown(unknown[0])} is not a field of floors; fields are {', '.join(_FIELDS)} "
            "(floors of labels stand under `labels`)"
        )
    stated = content.get("labels")
    fitted = {field: content.get(field) for field in _FITTED} if "fitted_on" in content else None
    if fitted is not None and content.get("by") is not None:
        fitted["by"] = content["by"]
    own = content.get("default", default)
    return Floors(own, {} if stated is None else _names(stated, path), source=path, fitted=fitted)


def _names(stated: Any, where: str) -> dict[str, float]:  # noqa: ANN401  what a file or a user states
    if not hasattr(stated, "items"):
        raise InputError(f"{where}: labels is {shown(stated)}; it must be a mapping from label to floor")
    names = dict(stated.items())
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"{where}: {shown(name)} is no name of a label; put names that look like numbers in quotes"
            )
    return names
