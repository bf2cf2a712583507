"""The demonstration's folder: taken where it is free, or an earlier demonstration's own."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.planted.scenes import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

MARK = "boxscore-regression.json"
"""A folder that holds this file was written by the demonstration, which may write there again."""

COMMANDS = "commands.txt"
_OWN = (FOLDER, "runs", "faults", "baseline", "detector", "predictions.json", "gate.yaml", COMMANDS)


def make_room(folder: Path, seed: int, count: int) -> None:
    """Take the folder: a new or empty one, or one of an earlier demonstration, whose files go.

    Raises InputError for any other folder.
    """
    if folder.exists() and not (folder / MARK).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            f"{folder} exists and was not written by this demonstration (it holds no {MARK}); nothing was changed. "
            "Give another folder with --out, or remove this one."
        )
    from boxscore.model.whole_files import write_text

    folder.mkdir(parents=True, exist_ok=True)
    about = {"made_by": "boxscore demo --regression", "seed": seed, "images": count}
    write_text(folder / MARK, json.dumps(about, indent=1) + "\n")
    for name in _OWN:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
