"""`boxscore thresholds fit --by COLUMN`: floors for each slice, and what these gain on data they were not fitted on."""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.measures.thresholds import Aim
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sliced_thresholds import FittedBy

_OF_BY = (
    "metadata",
    "metadata_key",
    "folds",
    "seed",
    "group_by",
    "group_regex",
    "ungrouped",
    "unit",
    "replicates",
    "one_floor",
)


def add_by_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("floors by slice")
    add = group.add_argument
    add(
        "--by",
        metavar="SPEC",
        help="floors for each slice of images: weather, distance:0,3,5,inf, weather*hour:0,12,24",
    )
    add("--metadata", metavar="FILE", help="table (CSV, Parquet, …) of further columns, by image id or file name")
    add("--metadata-key", metavar="COLUMN", help="its column of image ids or file names (found by its name)")
    add("--one-floor", action="store_true", help="one floor for all labels of a slice, instead of one a label")
    add("--folds", metavar="N", type=int, help="parts of the data, each counted under floors fitted on the others (2)")
    add("--seed", metavar="N", type=int, help="which images, or groups, fall into which part (0)")
    add("--replicates", metavar="N", type=int, help="resamples for the intervals of gains (1000)")
    add("--group-by", metavar="FIELD", help="keep groups of images in one part: a field of the images, or column")
    add("--group-regex", metavar="RE", help="keep groups in one part by what a named group catches in file names")
    add("--ungrouped", choices=("error", "single"), help="an image without a group: refuse, or a group of its own")
    add(
        "--unit", choices=("image", "group"), help="what falls into parts (default: groups where the data declare them)"
    )


def is_asked_for(options: argparse.Namespace) -> bool:
    """Whether `--by` was given. Raises InputError where another option speaks of it without it."""
    if options.by is not None:
        return True
    given = next((name for name in _OF_BY if getattr(options, name) not in (None, False)), None)
    if given is not None:
        raise InputError(f"--{given.replace('_', '-')} is about floors by slice, and none are asked for; add --by")
    return False


def run(evaluated: Run, aim: Aim, options: argparse.Namespace) -> int:
    """Fit, write if asked to, print."""
    from boxscore.cli.interval_options import AskedResampling
    from boxscore.model.json_text import to_json
    from boxscore.model.whole_files import write_text
    from boxscore.pipeline.sliced_thresholds import FOLDS, fit_by
    from boxscore.slices.slicing import Slicing

    fields = ("seed", "replicates", "group_by", "group_regex", "ungrouped", "unit")
    given = {field: getattr(options, field) for field in fields}
    resampling = AskedResampling(**{field: value for field, value in given.items() if value is not None})
    slicing = Slicing([options.by], metadata=options.metadata, key=options.metadata_key)
    folds = FOLDS if options.folds is None else options.folds
    found = fit_by(evaluated, aim, slicing, by_label=not options.one_floor, folds=folds, resampling=resampling)
    if options.out is not None:
        write_text(options.out, _yaml(found))
    if options.json:
        notes = [note.to_dict() for note in [*evaluated.input_notes, *found.notes]]
        print(to_json(found.to_dict() | {"notes": notes}), flush=True)
    elif options.out is None:
        print(_yaml(found), end="", flush=True)
    else:
        print("\n".join(_lines(found, options.out)), flush=True)
    for note in (*evaluated.input_notes, *found.notes):
        print(f"note: {note}", file=sys.stderr)
    _tell_not_fitted(found)
    return 0


def _tell_not_fitted(found: FittedBy) -> None:
    from boxscore.model.notes import listed

    for label, reason in found.shared.not_fitted.items():
        print(f"note: {label}: the aim can't be met: {reason}", file=sys.stderr)
    for name, fitted in found.by_slice.items():
        own = [label for label in fitted.not_fitted if label not in found.shared.not_fitted]
        if own:
            print(
                f"note: {name}: the floor of all slices stays, where the aim can't be met: {listed(own)}",
                file=sys.stderr,
            )


def _yaml(found: FittedBy) -> str:
    from boxscore.io import yaml_files

    return yaml_files.dump(found.to_dict())


def _lines(found: FittedBy, path: str) -> list[str]:
    from boxscore.cli.tables import aligned, figure

    keys = {"precision": "precision", "recall": "recall"} | ({} if found.gained == "recall" else {"f": found.gained})
    sides = ("shared", "own")
    head = ["slice", "images", "objects", *(f"{name} {side}" for side in sides for name in keys.values())]
    body = []
    for row in found.gains:
        cells = [figure(row[side][key]) for side in sides for key in keys]
        bounds = figure(None) if row["low"] is None else f"{_signed(row['low'])}..{_signed(row['high'])}"
        body.append(
            [
                row["slice"] or "all slices",
                str(row["images"]),
                str(row["objects"]),
                *cells,
                _signed(row["gain"]),
                bounds,
            ]
        )
    return [
        *aligned([*head, "gain", f"{100 * found.confidence:g} % interval"], body),
        (
            f"cross-fitted in {found.folds} parts of {found.unit}s (seed {found.seed}): each image is counted under "
            "floors that did not see it; shared: one set of floors for all slices"
        ),
        f"written to {path}: floors by {found.by}, aim {found.shared.to_dict()['aim']}",
    ]


def _signed(value: float | None) -> str:
    """With its sign; rounded first, so that nothing is shown as -0.000."""
    return "n/a" if value is None else f"{round(value, 3) + 0.0:+.3f}"
