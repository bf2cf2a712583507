"""The page's sections on what a score rests on: pictures, sessions, training, coverage, latency, errors."""

from __future__ import annotations

from boxscore.model.notes import listed
from boxscore.validate.page_cells import FIGURES, cell, counts, plain_rates, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_PARTS = {
    "all": "all pictures",
    "without_twins": "without near-duplicates",
    "twins_alone": "near-duplicates alone",
}
_MOST_SESSIONS = 30


def generalisation(stated: dict[str, Any]) -> list[str]:
    """Sentences, false positives, support of each class, sessions."""
    found = stated["generalisation"]
    wrong, sessions = found["false_positives"], found["sessions"]
    empty = wrong["on_pictures_without_objects"]
    told = (
        f"False positives: {wrong['total']}, {wrong['per_picture']:.3g} a picture, in {wrong['pictures_with_one']} of "
        f"{found['pictures']} pictures{'' if empty is None else f'; {empty} in pictures without objects'}."
    )
    head = ["class", "objects", "pictures", *([] if sessions is None else ["sessions"])]
    rows = [[cell(name), *(str(one[kind]) for kind in head[1:])] for name, one in found["support"].items()]
    lines = ["## What it rests on", "", *(f"- {one}" for one in found["statements"]), "", told, "", *table(head, rows)]
    if sessions is None:
        return lines
    sizes = [f"{cell(name)} {count}" for name, count in sessions["pictures"].items()]
    return [*lines, f"Pictures of each session: {listed(sizes, _MOST_SESSIONS)}.", ""]


def training(stated: dict[str, Any]) -> list[str]:
    """Repeats and near-duplicates, with the score with and without these."""
    found = stated["generalisation"]["training"]
    if found is None:
        return []
    twins = found["twins"]
    repeats = ", ".join(f"{count} × {times}" for times, count in found["repeats"].items())
    near = (
        f"Near-duplicates ({twins['hash']}, at most {twins['distance']} bits apart): {twins['pictures_with_twin']} of "
        f"{stated['images']} pictures, {100 * twins['share']:.1f} %."
    )
    trained = f"{found['pictures']} pictures, {found['unique_pictures']} different (pictures × times: {repeats})."
    rows = [[_PARTS[name], *_score(one)] for name, one in twins["score"].items()]
    lines = ["## Training pictures", "", trained, near, "", *table(["pictures", *FIGURES], rows)]
    if not twins["nearest"]:
        return lines
    pairs = [[cell(one["picture"]), cell(one["training_picture"]), str(one["distance"])] for one in twins["nearest"]]
    return lines + table(["picture", "training picture", "bits apart"], pairs)


def _score(figure: dict[str, Any] | None) -> list[str]:
    return ["–"] * len(FIGURES) if figure is None else [*counts(figure), *plain_rates(figure)]


def coverage(stated: dict[str, Any]) -> list[str]:
    """What was required, and what lacks."""
    if stated["coverage"] is None:
        return []
    rows = [
        [cell(one["name"]), _numbers(one["least"]), _numbers(one["there"]), _numbers(one["lacks"]) or "nothing"]
        for one in stated["coverage"]
    ]
    return ["## What the pictures cover", "", *table(["requirement", "least", "there", "lacks"], rows)]


def _numbers(stated: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in stated.items())


def latency(stated: dict[str, Any], milliseconds: Sequence[float]) -> list[str]:
    """Percentiles, of the file that was given or else of this run."""
    from boxscore.predict.latency import percentiles

    given = stated["generalisation"]["latency"]
    if given is None and not milliseconds:
        return []
    told = given["milliseconds"] if given else {name: one.to_dict() for name, one in percentiles(milliseconds).items()}
    number = given["runs"] if given else len(milliseconds)
    source = "from the file that was given" if given else "measured in this run, the first picture left out"
    rows = [[name, _ms(one["value"]), f"{_ms(one['low'])} to {_ms(one['high'])}"] for name, one in told.items()]
    return ["## Latency", "", f"{number} pictures, {source}; milliseconds.", "", *table(["", "ms", "95 %"], rows)]


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def errors(stated: dict[str, Any]) -> list[str]:
    """Examples of false positives and misses."""
    found = stated["generalisation"]["error_examples"]
    head = ["picture", "class", "x, y, w, h"]
    lines = []
    if found["false_positives"]:
        rows = [[*_example(one), f"{one['score']:.3f}"] for one in found["false_positives"]]
        lines += ["Most confident false positives:", "", *table([*head, "score"], rows)]
    if found["misses"]:
        lines += ["Largest misses:", "", *table(head, [_example(one) for one in found["misses"]])]
    return ["## Examples of errors", "", *lines] if lines else []


def _example(one: dict[str, Any]) -> list[str]:
    return [cell(one["picture"]), cell(one["class"]), ", ".join(f"{side:g}" for side in one["box"])]
