"""A study to start from, and anchors to hold it to, so that nobody types a hash or a figure."""

from __future__ import annotations

import os
import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.study.hashes import Hashes, sha256_of
from boxscore.study.scoring import Scorer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from boxscore.study.declared import Study

_PLACES = 6
TOLERANCE = 1.0e-6
"""Of proposed anchors: that of their last place."""


def start(path: str | PathLike[str], ground_truth: str | PathLike[str], predictions: Sequence[str]) -> str:
    """The text of a new study over these files, each a model with its hash; paths are relative to where it will stand.

    Raises InputError where there is a file already, or one of those named is not there.
    """
    from boxscore.compare.names import names_of
    from boxscore.io import yaml_files

    target = Path(path)
    if target.exists():
        raise InputError(f"{target} is there already; name a new file, or write to that one by hand")
    if not predictions:
        raise InputError("name the ground truth, then a file of predictions or more: `study init STUDY GT PRED …`")
    for file in (ground_truth, *predictions):
        if not Path(file).exists():
            raise InputError(f"{os.fspath(file)}: there is no such file; check the path")
    names = _keys(names_of(predictions))
    content = {
        "study": target.stem,
        "data": {"ground_truth": _relative(ground_truth, target), "sha256": sha256_of(Path(ground_truth))},
        "protocol": "coco",
        "resampling": {"replicates": 1000, "seed": 0},
        "models": {
            name: {"predictions": _relative(file, target), "sha256": sha256_of(Path(file))}
            for name, file in zip(names, predictions, strict=True)
        },
        "tables": {"main": {"variants": names, "measures": ["AP", "AP@0.5"]}},
    }
    return yaml_files.dump(content)


def proposed(study: Study, threads: int | None = None) -> str:
    """Anchors of all that the study's tables and comparisons give now, as YAML to put into it."""
    from boxscore.io import yaml_files

    scorer, hashes = Scorer(study, threads), Hashes()
    now = {ref: hashes.of(variant.predictions) for ref, variant in study.variants.items()}
    found: list[dict[str, Any]] = []
    for name, section in study.sections.items():
        for one in scorer.compare(section)["results"]:
            common = {
                "in": name,
                "measure": one["measure"],
                **({} if one["label"] is None else {"label": one["label"]}),
            }
            found += _of_figures(one["models"], common, now)
            found += _of_pairs(one["pairs"], common, now)
    return yaml_files.dump({"tolerance": TOLERANCE, "anchors": found})


def _of_figures(
    rows: Sequence[Mapping[str, Any]], common: Mapping[str, Any], now: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for row in rows:
        values = _rounded(row, ("point", "low", "high"))
        if values:
            yield {"variant": row["model"], **common, "sha256": now[row["model"]], **values}


def _of_pairs(
    rows: Sequence[Mapping[str, Any]], common: Mapping[str, Any], now: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for row in rows:
        refs = [row["a"], row["b"]]
        values = _rounded(row, ("difference", "low", "high"))
        yield {"pair": refs, **common, "sha256": [now[ref] for ref in refs], **values, "verdict": row["verdict"]}


def _rounded(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, float]:
    return {name: round(row[name], _PLACES) for name in names if row[name] is not None}


def _relative(file: str | PathLike[str], target: Path) -> str:
    return Path(os.path.relpath(file, target.parent)).as_posix()


def _keys(names: Sequence[str]) -> list[str]:
    """Names as a study takes them, each once."""
    keys: list[str] = []
    for name in names:
        key = re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9._+-]+", "-", name)).strip("-.+") or "model"
        again = sum(one == key or one.startswith(f"{key}.again") for one in keys)
        keys.append(f"{key}.again{again}" if again else key)
    return keys
