"""The other scorers, and how one of them is asked for."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from boxscore.errors import InputError
from boxscore.model.given import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


@dataclass(frozen=True)
class Scorer:
    """One scorer: its distribution's `name`, the `module` it is imported by, the `extra` its box figures need."""

    name: str
    module: str
    extra: str = ""

    def requirement(self, version: str | None) -> str:
        """What pip is asked to install: `torchmetrics[detection]==1.9.0`."""
        return f"{self.name}{self.extra}" + ("" if version is None else f"=={version}")


SCORERS = {
    scorer.name: scorer
    for scorer in (
        Scorer("pycocotools", "pycocotools"),
        Scorer("faster-coco-eval", "faster_coco_eval"),
        Scorer("hotcoco", "hotcoco"),
        Scorer("supervision", "supervision"),
        Scorer("torchmetrics", "torchmetrics", "[detection]"),
    )
}


@dataclass(frozen=True)
class Asked:
    """A scorer and the version asked for; None: the one that is importable here, or else the newest."""

    scorer: Scorer
    version: str | None

    def __str__(self) -> str:
        return self.scorer.name if self.version is None else f"{self.scorer.name}=={self.version}"


def asked(text: object) -> Asked:
    """`supervision==0.27.0.post1` or `supervision`. Raises InputError for what is not known, or no single version."""
    stated = text.strip() if isinstance(text, str) else ""
    name, exact, version = (part.strip() for part in stated.partition("=="))
    scorer = SCORERS.get(re.sub(r"[-_.]+", "-", name).lower())
    if scorer is None:
        _refuse_name(text, name)
    if exact and not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z.+!_-]*", version):
        raise InputError(
            f"scorer {stated!r}: {version!r} is no version; give one exactly, like {scorer.name}==1.2.3, or the name "
            "alone"
        )
    return Asked(scorer, version if exact else None)


def same_version(one: str, other: str) -> bool:
    """Whether two texts spell one version: `1.0` and `1.0.0`, `0.27.0.post1` and `0.27.0-post1`."""
    return _spelt(one) == _spelt(other)


def _spelt(version: str) -> str:
    text = re.sub(r"[-_]", ".", version.strip().lower().removeprefix("v"))
    release = re.match(r"(?:\d+!)?\d+(?:\.\d+)*", text)
    if release is None:
        return text
    return re.sub(r"(?:\.0+)+$", "", release[0]) + text[release.end() :]


def _refuse_name(text: object, name: str) -> NoReturn:
    known = ", ".join(SCORERS)
    if re.match(r"[\w.-]+\s*[<>~!=]", name):
        raise InputError(f"scorer {text!r}: give one version with ==, like pycocotools==2.0.11, or the name alone")
    close = difflib.get_close_matches(name.lower(), SCORERS, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise InputError(f"there is no scorer {shown(text)}{hint}; those that drift can run are {known}")
