"""The page of a validation: what came of it, for people, in Markdown."""

from __future__ import annotations

from boxscore.validate import page_rest
from boxscore.validate.page_cells import FIGURES, cell, counts, rates, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from boxscore.validate.validating import Validation

_SHORT = 12
_OPTIMISTIC = (
    "† Clopper and Pearson's interval, where fewer than 20 are too few to resample, or all resamples agree: "
    "**optimistic**, since it takes objects for independent, and those of one picture or session are not."
)


def page(validation: Validation) -> str:
    """The page. Latencies on it were measured in this run, so that it differs from run to run; the record doesn't."""
    stated = validation.record
    parts: list[Iterable[str]] = [
        _head(stated),
        _figures(stated),
        _independence(stated),
        page_rest.generalisation(stated),
        page_rest.training(stated),
        page_rest.coverage(stated),
        page_rest.latency(stated, validation.milliseconds),
        page_rest.errors(stated),
        ["## What the score says nothing about", "", *(f"- {one}" for one in stated["not_evaluated"]), ""],
        _provenance(stated),
    ]
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def _head(stated: dict[str, Any]) -> list[str]:
    inference, selection = stated["inference"], stated["selection"]
    pattern, floors = selection["pattern"], inference["thresholds"]
    chosen = "" if pattern is None else f", those that match `{pattern}` ({selection['left_out']} left out)"
    own = ", ".join(f"{cell(name)} {floor:g}" for name, floor in floors["class"].items())
    point = f"IoU {inference['matching_iou']:g}; lowest confidence {floors['default']:g}{f' ({own})' if own else ''}"
    return [
        f"# {cell(inference['card'])} at its operating point",
        "",
        f"{stated['images']} pictures{chosen}, {stated['ground_truth_boxes']} objects; {point}.",
        "",
        f"Independent test set: {'yes' if stated['independent_test_set'] else '**no**'}.",
        "",
    ]


def _figures(stated: dict[str, Any]) -> list[str]:
    made = stated["intervals"]
    rows = [["all", *counts(stated["micro"]), *rates(stated["micro"], made["micro"])]]
    for name, figure in stated["per_class"].items():
        rows.append([cell(name), *counts(figure), *rates(figure, made["per_class"][name])])
    units = f"{made['units']} {made['unit']}{'' if made['units'] == 1 else 's'}"
    drawn = f"Intervals at {100 * made['confidence']:g} %: {units} resampled ({made['method']}), cut at 0 and 1."
    told = [drawn, *([made["caution"]] if made["caution"] else [])]
    marked = any("†" in one for row in rows for one in row)
    return ["## Figures", "", *table(["class", *FIGURES], rows), *told, *([_OPTIMISTIC] if marked else []), ""]


def _independence(stated: dict[str, Any]) -> list[str]:
    words = {True: "yes", False: "no", None: "unknown, which counts as no"}
    rows = [[name.replace("_", " "), words[one["holds"]], cell(one["reason"])] for name, one in _conditions(stated)]
    lines = ["## Is it an independent test set?", "", *table(["condition", "holds", "why"], rows)]
    ledger = stated["ledger"]
    if ledger is None:
        return lines
    fitted = "were" if ledger["thresholds_fitted_on_these_pictures"] else "are not known to have been"
    told = (
        f"Line {ledger['line']} of the ledger; earlier looks at these pictures: {ledger['earlier_looks']}, at "
        f"{ledger['earlier_models']} different models. The thresholds {fitted} fitted on them."
    )
    return [*lines, told, ""]


def _conditions(stated: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    found: dict[str, dict[str, Any]] = stated["independence"]
    return found.items()


def _provenance(stated: dict[str, Any]) -> list[str]:
    digests = [f"{name.replace('_', ' ')} `{digest[:_SHORT]}`" for name, digest in stated["sha256"].items() if digest]
    versions = [f"{name} {version}" for name, version in stated["runtime"].items() if version]
    steps = [f"{number}. {step}" for number, step in enumerate(stated["inference"]["steps"], start=1)]
    unchecked = " (the model's bytes were not checked)" if "model_bytes" in stated["inputs"] else ""
    made = f"SHA-256: {', '.join(digests)} …{unchecked}; {', '.join(versions)}; {stated['inference']['backend']}."
    return ["## How it was made", "", *steps, "", made, ""]
