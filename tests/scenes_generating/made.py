"""Sets of small scenes by the stand-in, and what a folder holds."""

import json
from pathlib import Path
from typing import Any

from boxscore.scenes.generating import Asked, Generated, generate
from tests.scenes_generating import stand_in

SIDE = {"width": 96, "height": 72}


def small(count: int = 12, seed: int = 5, **more: Any) -> Asked:
    """What is asked for, in small pictures."""
    return Asked(count=count, seed=seed, **{**SIDE, **more})


def make(folder: Path, asked: Asked | None = None, **more: Any) -> Generated:
    """A set by the stand-in."""
    return generate(small() if asked is None else asked, folder, **{"renderer": stand_in.render, **more})


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def truth_of(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The COCO file."""
    found: dict[str, list[dict[str, Any]]] = json.loads((folder / "ground_truth.json").read_text())
    return found


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest."""
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return found
