"""The record of a validation: what was run on which bytes, and what came of it."""

from __future__ import annotations

import json

from boxscore.validate.inputs import thresholds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.validate.inputs import Inputs

FORMAT = 1
KIND = "operating-point"
NOT_EVALUATED = (
    "tracking: each picture was scored by itself",
    "text recognition (OCR), and anything else that reads what is inside a box",
    "whatever follows the detector: counting, rules, decisions",
    "other operating points than these thresholds",
    "pictures unlike these (see generalisation)",
)
"""What the score says nothing about."""
_PACKAGES = {"numpy": "numpy", "pillow": "pillow", "onnxruntime": "onnxruntime", "opencv": "opencv-python-headless"}


def text(record: dict[str, Any]) -> str:
    """The record's file: JSON with sorted keys, indented by 2, numbers so that reading gives the same bits."""
    return json.dumps(record, sort_keys=True, indent=2, allow_nan=False) + "\n"


def runtime() -> dict[str, str | None]:
    """Versions of what computed; None for a package that isn't installed."""
    import importlib.metadata

    from boxscore.model.versions import versions

    found: dict[str, str | None] = {name: versions()[name] for name in ("boxscore", "python")}
    for name, package in _PACKAGES.items():
        try:
            found[name] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def inputs(given: Inputs) -> dict[str, Any]:
    """What was given, and by which names; `model_bytes` where the SHA-256 of the model is the card's word alone."""
    found = {"card": given.card.source, "dataset": given.dataset, "options": given.asked.to_dict()}
    return found if given.card.model.checked else found | {"model_bytes": "not checked"}


def inference(inputs: Inputs, run: Run, backend: str) -> dict[str, Any]:
    """How boxes were made, and at what they count."""
    card, asked = inputs.card, inputs.asked
    nms = card.output.nms
    return {
        "path": "model" if asked.predictions is None else "saved detections",
        "backend": backend,
        "card": card.variant_name,
        "steps": card.steps(),
        "input_size": list(card.input.size),
        "nms": None if nms is None else {"iou": nms.iou, "per_label": nms.per_label},
        "nms_before_matching": asked.nms,
        "protocol": f"{run.protocol.name} {run.protocol.version}",
        "matching_iou": run.protocol.iou_thresholds[0],
        "thresholds": thresholds(inputs.floors),
        "tracking": "none",
    }


def selection(inputs: Inputs) -> dict[str, Any]:
    """Which of the data set's pictures were scored."""
    cases = inputs.cases
    return {"pattern": cases.select, "selected": len(cases), "left_out": len(cases.left_out)}
