"""Runs to compare, from files (the ground truth read once for all models) or from run folders."""

from __future__ import annotations

import os

from boxscore.compare.names import names_of
from boxscore.errors import InputError
from boxscore.pipeline.evaluate import evaluate, read_ground_truth, read_predictions
from boxscore.runs.layout import MANIFEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from boxscore.io.form_options import FormOptions
    from boxscore.model.reading import Reading
    from boxscore.pipeline.evaluate import TaxonomyInput
    from boxscore.pipeline.run import Run
    from boxscore.runs import SavedRun


class Loaded:
    """Runs by the names of their models; `saved` are the folders of those that came from any."""

    __slots__ = ("runs", "saved")

    def __init__(self, runs: dict[str, Run], saved: dict[str, SavedRun] | None = None) -> None:
        self.runs = runs
        self.saved = saved or {}


def are_folders(paths: Sequence[str]) -> bool:
    """Whether these are run folders. Raises InputError where some are and some aren't."""
    folders = [os.path.isfile(os.path.join(path, MANIFEST)) for path in paths]  # noqa: PTH113, PTH118  as everywhere
    if any(folders) and not all(folders):
        folder, file = paths[folders.index(True)], paths[folders.index(False)]
        raise InputError(
            f"{folder} is a run folder and {file} is none; give run folders alone (`boxscore eval --out` writes them), "
            "or the ground truth and files of predictions"
        )
    return all(folders)


def load_folders(paths: Sequence[str], names: Sequence[str] | None = None) -> Loaded:
    """Runs that `boxscore eval --out` wrote. Raises InputError for fewer than two, and for damaged ones."""
    from boxscore.pipeline.saved import load_run
    from boxscore.runs import read_run

    if len(paths) < 2:
        raise InputError(f"{paths[0]} is one run; give two run folders or more to compare")
    called = names_of(paths, names)
    saved = {name: read_run(path, verify=False) for name, path in zip(called, paths, strict=True)}
    return Loaded({name: load_run(path) for name, path in zip(called, paths, strict=True)}, saved)


def load_files(
    gt: Any,  # noqa: ANN401  a path of any form, or COCO's content
    predictions: Sequence[Any],
    names: Sequence[str] | None = None,
    *,
    labels: Sequence[str] | None = None,
    gt_format: str | None = None,
    pred_format: str | None = None,
    gt_options: FormOptions | None = None,
    pred_options: FormOptions | None = None,
    taxonomy: TaxonomyInput | None = None,
    reading: Reading | None = None,
    threads: int | None = None,
    examined: Callable[[Run], Run] | None = None,
    **asked: Any,  # noqa: ANN401  the other arguments of `evaluate`
) -> Loaded:
    """Every file of predictions evaluated against one ground truth, which is read once; arguments as in `evaluate`.

    `examined` may exchange each run (for one of another reading). Raises InputError.
    """
    if len(predictions) < 2:
        what = f"{predictions[0]} is the only file of predictions" if predictions else f"there is nothing but {gt}"
        raise InputError(
            f"{what}; give the ground truth and two files of predictions or more (for one model: "
            "`boxscore eval GT PRED --interval`)"
        )
    called = names_of([os.fspath(one) for one in predictions], names)
    dataset = read_ground_truth(
        gt, labels=labels, format=gt_format, options=gt_options, taxonomy=taxonomy, reading=reading, threads=threads
    )
    runs: dict[str, Run] = {}
    for name, path in zip(called, predictions, strict=True):
        found = read_predictions(
            path, dataset, format=pred_format, options=pred_options, reading=reading, threads=threads
        )
        run = evaluate(dataset, found, reading=reading, threads=threads, **asked)
        run.inputs |= {"ground_truth": os.fspath(gt), "predictions": os.fspath(path)}
        runs[name] = run if examined is None else examined(run)
    return Loaded(runs)


def load_sides(
    sides: Sequence[tuple[str, str]],
    names: Sequence[str] | None = None,
    *,
    threads: int | None = None,
    examined: Callable[[Run], Run] | None = None,
    **asked: Any,  # noqa: ANN401  the other arguments of `evaluate`
) -> Loaded:
    """Ground truth and predictions of several data sets, which give the names; arguments as in `evaluate`.

    `examined` may exchange each run. Raises InputError.
    """
    runs: dict[str, Run] = {}
    for name, (gt, predictions) in zip(names_of([gt for gt, _ in sides], names), sides, strict=True):
        run = evaluate(gt, predictions, threads=threads, **asked)
        runs[name] = run if examined is None else examined(run)
    return Loaded(runs)
