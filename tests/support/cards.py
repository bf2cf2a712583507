"""Cards written for models that lie anywhere."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boxscore.io import yaml_files


def write_card(folder: Path, model: Path, preset: str, size: int | None, classes: Sequence[str], **more: Any) -> Path:
    """A card of a preset in `folder/NAME.yaml`; `more` are further fields, nested by `__`: `output__top_k=5`."""
    content: dict[str, Any] = {
        "name": model.stem,
        "preset": preset,
        "model": {"path": str(model), "sha256": hashlib.sha256(model.read_bytes()).hexdigest()},
        "classes": list(classes),
        "licence": "Apache-2.0",
        "redistribute": True,
    }
    if size is not None:
        content["input"] = {"size": size}
    for name, value in more.items():
        at = content
        *parts, last = name.split("__")
        for part in parts:
            at = at.setdefault(part, {})
        at[last] = value
    path = folder / f"{model.stem}.yaml"
    path.write_text(yaml_files.dump(content))
    return path
