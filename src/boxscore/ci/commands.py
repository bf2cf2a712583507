"""The command lines of a workflow, by the names that templates call them by."""

from __future__ import annotations

from shlex import quote

from boxscore.ci.asked import IMAGES, OUT
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.ci.asked import Asked, Data

FOLDER = "boxscore-ci"
"""Where workflows keep what they make; templates have it, too."""

SEEDS = {"fast": 0, "full": 1}
"""Other scenes at night than those that every pull request is tuned to."""


def commands(asked: Asked, version: str) -> dict[str, list[str]]:
    """Lines by name. Raises InputError for options of `eval` that no shell can read."""
    _check_options(asked)
    return {
        "install_fast": _install(asked, version, report=False),
        "install_full": _install(asked, version, report=True),
        "fast": _evaluate(asked, "fast", asked.fast, asked.fast_count),
        "full": _evaluate(asked, "full", asked.full or asked.fast, asked.full_count),
        "gate_fast": [_gate(asked, "fast")],
        "gate_full": [_gate(asked, "full")],
        "report": [f"boxscore report {FOLDER}/full/run --out {FOLDER}/report.html"],
        "promote": [
            f"boxscore gate --promote {FOLDER}/{name}/run {FOLDER}/baseline/{name} --slim --overwrite" for name in SEEDS
        ],
        "fast_set": [_words(asked.fast, asked.fast_count)],
        "full_set": [_words(asked.full or asked.fast, asked.full_count)],
    }


def _install(asked: Asked, version: str, *, report: bool) -> list[str]:
    extras = [
        name
        for name, wanted in (
            ("predict", asked.card is not None),
            ("report", report),
            ("scenes", asked.fast is None),
        )
        if wanted
    ]
    what = f"boxscore[{','.join(extras)}]=={version}" if extras else f"boxscore=={version}"
    own = [] if asked.install is None else [asked.install]
    # The version is exact: runs of versions whose arithmetic differs are not held to each other.
    return [f"python -m pip install {quote(what)}", *own]


def _evaluate(asked: Asked, name: str, data: Data | None, count: int) -> list[str]:
    """Scenes made where there are no data, then detections, then a run folder."""
    place = f"{FOLDER}/{name}"
    lines = [f"mkdir -p {place}"]
    truth, images = f"{place}/scenes/ground_truth.json", f"{place}/scenes/images"
    further = ["--ignore-flag honour", "--unknown-labels drop", "--slice-by profile", "--slice-by tier"]
    if data is None:
        lines.append(f"boxscore scenes generate --count {count} --seed {SEEDS[name]} --out {place}/scenes")
    else:
        truth, images, further = quote(data.ground_truth), quote(data.images or ""), []
    if asked.options is not None:
        further.append(asked.options)
    found, detect = _detect(asked, place, images)
    return [
        *lines,
        detect,
        " ".join([f"boxscore eval {truth} {found}", *further, f"--out {place}/run --overwrite"]),
    ]


def _detect(asked: Asked, place: str, images: str) -> tuple[str, str]:
    """The file of detections, and the command that writes it."""
    if asked.command is None:
        found = f"{place}/detections.parquet"
        return found, f"boxscore predict {quote(asked.card or '')} {images} --out {found}"
    found = f"{place}/detections.json"
    return found, asked.command.replace(IMAGES, images).replace(OUT, found)


def _gate(asked: Asked, name: str) -> str:
    rules = "" if asked.rules is None else f" --rules {quote(asked.rules)}"
    return (
        f"boxscore gate {FOLDER}/{name}/run --baseline {FOLDER}/baseline/{name}{rules}"
        f" --markdown {FOLDER}/gate.md --junit {FOLDER}/gate.xml"
    )


def _words(data: Data | None, count: int) -> str:
    return f"{count} rendered scenes" if data is None else f"the pictures of {data.ground_truth}"


def _check_options(asked: Asked) -> None:
    import shlex

    for name, text in (("--eval-options", asked.options), ("--predict", asked.command), ("--install", asked.install)):
        try:
            shlex.split(text or "")
        except ValueError as error:
            raise InputError(f"{name} {text!r} can't be read as a command line: {error}; close what is open") from None
