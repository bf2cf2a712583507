"""Runs one scorer on two COCO files in the interpreter that started this script, and knows nothing of boxscore.

Standard input: JSON with `adapter` (path of the script whose `score` gives the twelve figures), `module`,
`distribution`, `ground_truth`, `predictions`; without `adapter` only the version is told, and nothing is imported.
Standard output: JSON with `version`, `location`, `uses` and `figures`, or `error`.
"""

import importlib
import importlib.metadata
import importlib.util
import json
import math
import os
import re
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

USES = ("numpy", "opencv-python", "pycocotools", "torch", "torchvision")
"""What a scorer's figures may depend on besides itself."""


def main() -> None:
    """Answer on standard output; whatever the scorer prints goes to standard error."""
    asked = json.load(sys.stdin)
    answer_to = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    text = json.dumps(answered(asked))
    with os.fdopen(answer_to, "w", encoding="utf-8") as stream:
        stream.write(text)


def answered(asked: dict[str, str]) -> dict[str, Any]:
    """Version, place and, where they are asked for, figures."""
    if "adapter" not in asked:
        spec = importlib.util.find_spec(asked["module"])
        origin = None if spec is None else spec.origin
        return {"version": None if origin is None else version_beside(origin, asked["distribution"])}
    try:
        module = importlib.import_module(asked["module"])
    except Exception as error:  # noqa: BLE001  whatever a package does when it is imported is the answer
        return {"error": told(error), "importing": True}
    location = str(module.__file__)
    version = version_beside(location, asked["distribution"]) or getattr(module, "__version__", None)
    answer = {"version": version, "location": location}
    try:
        figures = runpy.run_path(asked["adapter"])["score"](asked["ground_truth"], asked["predictions"])
    except Exception as error:  # noqa: BLE001  likewise what stops it
        return {**answer, "error": told(error)}
    return {**answer, "uses": used(asked["distribution"]), "figures": [plain(figure) for figure in figures]}


def version_beside(origin: str, distribution: str) -> str | None:
    """Version of the distribution that lies where the module was found, so that no other copy speaks for it."""
    folder = str(Path(origin).parent.parent)
    for found in importlib.metadata.distributions(path=[folder]):
        if spelt(found.metadata["Name"] or "") == spelt(distribution):
            return found.version
    return None


def spelt(name: str) -> str:
    """A distribution's name as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def used(distribution: str) -> dict[str, str]:
    """Versions of what was imported along."""
    found = {}
    for name in USES:
        module = {"opencv-python": "cv2"}.get(name, name)
        if module in sys.modules and name != distribution:
            try:
                found[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
    return found


def plain(figure: float | None) -> float | str | None:
    """A figure as JSON holds it: null where the scorer gives none, `undefined` where it says that none exists."""
    if figure is None:
        return None
    value = float(figure)
    return "undefined" if math.isnan(value) or value == -1.0 else value


def told(error: Exception) -> str:
    """An exception in one line, with the place where it arose."""
    text = " ".join(str(error).split())
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).parent != Path(__file__).parent]
    place = f" ({Path(inside[-1].filename).name}, line {inside[-1].lineno})" if inside else ""
    return f"{type(error).__name__}: {text[:300]}{place}" if text else f"{type(error).__name__}{place}"


main()
