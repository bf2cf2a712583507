"""The result as JSON and as tables."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.faces.tail import ASSUMPTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.faces.measuring import MinSize

JSON, SIZES, GALLERIES, PROBES = "min_size.json", "min_size.csv", "gallery_size.csv", "probes.csv"
FORMAT, VERSION = "boxscore-min-size", 1
DEFINITIONS = {
    "size": "side in pixels of the square round the face, before it is brought to the embedder's input",
    "native": "the face as its picture has it; a size at or above it is reported as native, never as degraded",
    "TPI": "true positive identification: rank 1 is right, and at or over the threshold; a share of the probes",
    "FPI": "false positive identification: rank 1 is wrong, and at or over the threshold; a share of the probes",
    "threshold": "on the cosine of probe and gallery embedding, of an actor's embeddings the likest; stated, or fitted "
    "on pictures of actors who are no probes, each looked for in the gallery without its own actor",
    "smallest": "the smallest tested size from which on, at every size, TPI is within the margin of native, on the "
    "same probes; sure: the interval of the loss lies within the margin too",
}


def to_dict(found: MinSize) -> dict[str, Any]:
    """The result, ready for JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "definitions": DEFINITIONS,
        "options": found.options.to_dict(),
        "detector": found.detector,
        "probes": [
            {"actor": picture.actor, "picture": picture.name, "sha256": picture.sha256, "size": side}
            for picture, side in zip(found.probes, found.sides, strict=True)
        ],
        "extrapolation": ASSUMPTION,
        "embedders": [one.to_dict() for one in found.embedders],
        "comparison": None if found.comparison is None else found.comparison.to_dict(),
        "notes": list(found.notes),
    }


def write(found: MinSize, folder: str | PathLike[str]) -> list[Path]:
    """Write the files into a folder, made where it is missing. Raises InputError where they can't be written."""
    from boxscore.model.json_text import to_json
    from boxscore.model.whole_files import write_text

    home = Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{home} can't be made: {error.strerror or error}; give another folder with --out") from None
    texts = {
        SIZES: _csv(_sizes(found)),
        GALLERIES: _csv(_galleries(found)),
        PROBES: _csv(_probes(found)),
        JSON: f"{to_json(to_dict(found))}\n",
    }
    for name, text in texts.items():
        write_text(home / name, text)
    return [home / name for name in texts]


def _sizes(found: MinSize) -> Iterable[Sequence[object]]:
    yield (
        *("embedder", "size", "probes", "native_probes", "TPI", "TPI_low", "TPI_high", "FPI", "FPI_low", "FPI_high"),
        *("rank_1", "loss_of_TPI", "loss_low", "loss_high", "threshold", "reason"),
    )
    for one in found.embedders:
        for at in one.sizes:
            loss = (None,) * 3 if at.loss is None else (at.loss.value, at.loss.low, at.loss.high)
            yield (
                *(one.name, "native" if at.size is None else at.size, at.tpi.trials, at.native),
                *(at.tpi.value, at.tpi.low, at.tpi.high, at.fpi.value, at.fpi.low, at.fpi.high),
                *(at.rank_1.value, *loss, one.threshold.value, at.tpi.reason),
            )


def _galleries(found: MinSize) -> Iterable[Sequence[object]]:
    yield "embedder", "size", "gallery_actors", "kind", "FPI", "FPI_low", "FPI_high", "reason"
    for one in found.embedders:
        for at in one.sizes:
            for row in () if at.growth is None else at.growth.sizes:
                size = "native" if at.size is None else at.size
                yield one.name, size, row.actors, row.kind, row.value, row.low, row.high, row.reason


def _probes(found: MinSize) -> Iterable[Sequence[object]]:
    yield "embedder", "size", "actor", "picture", "native_size", "outcome", "rank_1", "own", "best_other"
    for one in found.embedders:
        for size, rows in one.outcomes.items():
            for row in rows:
                picture = found.probes[row["probe"]]
                yield (
                    *(one.name, "native" if size is None else size, picture.actor, picture.name),
                    *(found.sides[row["probe"]], row["outcome"], row["rank_1"], row["own"], row["best_other"]),
                )


def _csv(rows: Iterable[Sequence[object]]) -> str:
    held = io.StringIO()
    csv.writer(held, lineterminator="\n").writerows(rows)
    return held.getvalue()
