"""What a report shows and the run folder lacks yet, derived and kept under RUN/derived."""

from __future__ import annotations

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.runs import SavedRun

    Content = dict[str, Any]

_MOST_VALUES = 12
"""Columns of metadata with more values are no slices by themselves."""


def make_views(options: argparse.Namespace) -> dict[str, str]:
    """Derive what is missing. Returns, by name, why what can't be had can't."""
    from boxscore.pipeline import derived_views
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.pipeline.saved import load_run
    from boxscore.runs import read_run

    saved = read_run(options.run)
    run = load_run(options.run, verify=False)
    run.threads = thread_count(options.threads)
    reasons = derived_views.make_views(saved, run)
    reasons |= _make(saved, "calibration", lambda: _calibration(run))
    reasons |= _make(saved, "triage", lambda: _triage(saved, run))
    reasons |= _make(saved, "gallery", lambda: _gallery(saved, run), _of_triage(saved))
    if _columns(run):
        reasons |= _make(saved, "slices", lambda: _slices(run))
    others = [*([] if options.baseline is None else [options.baseline]), *options.compare]
    if others:
        _compare(options, others)
    return reasons


def kept(saved: SavedRun, name: str) -> Content | None:
    """What was derived from this very run; None where it is missing, stale or damaged."""
    from boxscore.runs.derived import read_derived

    try:
        return read_derived(saved.folder, name)
    except InputError:
        return None


def _make(
    saved: SavedRun, name: str, derive: Callable[[], Content], fits: Callable[[Content], bool] = bool
) -> dict[str, str]:
    """Derive what isn't there, or does not fit what is."""
    from boxscore.runs.derived import write_derived

    found = kept(saved, name)
    if found is not None and fits(found):
        return {}
    try:
        write_derived(saved.folder, name, derive())
    except InputError as error:
        return {name: str(error)}
    return {}


def _calibration(run: Run) -> Content:
    from boxscore.pipeline.derived_views import reference_iou
    from boxscore.pipeline.sliced_calibration import calibration

    return calibration(run, iou=reference_iou(run))


def _triage(saved: SavedRun, run: Run) -> Content:
    """As `boxscore triage` does; without floors, at the confidence with the largest F1 instead of at none."""
    from boxscore.pipeline.derived_views import reference_floors
    from boxscore.triage import Options, triage

    confidence = reference_floors(run, saved)[0] if run.floors is None else None
    try:
        return triage(saved.folder, Options(confidence=confidence, clusters=True)).to_dict()
    except InputError:  # scikit-learn is missing: the modes are worth having without clusters
        return triage(saved.folder, Options(confidence=confidence)).to_dict()


def _gallery(saved: SavedRun, run: Run) -> Content:
    """Failures as triage sorted them; where it could not, at the confidence of the other views."""
    from boxscore.cli.report_gallery import gallery
    from boxscore.pipeline.derived_views import reference_floors, reference_iou

    sorted_ = kept(saved, "triage")
    if sorted_ is None or sorted_["iou"] is None:
        return gallery(saved, reference_iou(run), reference_floors(run, saved))
    return gallery(saved, sorted_["iou"], _floors(sorted_, saved), crowds=sorted_["crowds"])


def _of_triage(saved: SavedRun) -> Callable[[Content], bool]:
    """Whether a gallery is of the failures that triage sorted."""

    def fits(content: Content) -> bool:
        found = kept(saved, "triage")
        if found is None or found["iou"] is None:
            return True
        asked = (found["iou"], found["crowds"], _floors(found, saved))
        return (content["iou"], content["crowds"], content["floors"]) == asked

    return fits


def _floors(found: Content, saved: SavedRun) -> list[float] | None:
    if found["floors"] is not None:
        return [found["floors"][name] for name in saved.labels]
    return None if found["confidence"] is None else [found["confidence"]] * len(saved.labels)


def _columns(run: Run) -> list[str]:
    """Columns of metadata that make slices, of a run that has none."""
    if run.slices is not None or run.metadata is None:
        return []
    return [one.name for one in run.metadata.iter_columns() if 1 < one.drop_nulls().n_unique() <= _MOST_VALUES]


def _slices(run: Run) -> Content:
    from boxscore.pipeline.sliced import Slicing, sliced, slices_of

    found = slices_of(run, Slicing(by=_columns(run)))
    return {"rows": sliced(run, found), "slices": [one.to_dict() for one in found]}


def _compare(options: argparse.Namespace, others: Sequence[str]) -> None:
    """The comparison with other runs, made anew: what stands there may be with others."""
    from boxscore.compare import compare
    from boxscore.compare.loading import load_folders
    from boxscore.runs.derived import write_derived

    loaded = load_folders([options.run, *others], None)
    found = compare(loaded.runs, pairs="all", per_label=True, threads=options.threads)
    write_derived(options.run, "compare", found.to_dict())
