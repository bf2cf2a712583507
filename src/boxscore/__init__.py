"""Evaluate object detections exactly: match once, derive everything else from the matches.

    >>> import boxscore
    >>> run = boxscore.evaluate("instances_val2017.json", "results.json")
    >>> run.summary["AP"], run.value("AP@0.75"), run.metrics.to_polars()

Names are imported when they are first used, so that `import boxscore` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore._kernel import __version__
    from boxscore.errors import BoxscoreError, InputError, MeasureError, ProtocolError
    from boxscore.io.coco import read_fields
    from boxscore.io.form_options import FormOptions
    from boxscore.model.labels import LabelSet
    from boxscore.model.measure import Measure
    from boxscore.model.metrics import Metrics
    from boxscore.model.notes import Note
    from boxscore.model.protocol import Protocol
    from boxscore.model.reading import Reading
    from boxscore.model.tables import Dataset, Matches, Predictions
    from boxscore.pipeline.evaluate import evaluate, read_ground_truth, read_predictions
    from boxscore.pipeline.evaluator import Evaluator
    from boxscore.pipeline.resampling import Resampling
    from boxscore.pipeline.run import Run
    from boxscore.pipeline.saved import load_run
    from boxscore.protocols import load as load_protocol

__all__ = [
    "BoxscoreError",
    "Dataset",
    "Evaluator",
    "FormOptions",
    "InputError",
    "LabelSet",
    "Matches",
    "Measure",
    "MeasureError",
    "Metrics",
    "Note",
    "Predictions",
    "Protocol",
    "ProtocolError",
    "Reading",
    "Resampling",
    "Run",
    "__version__",
    "evaluate",
    "load_protocol",
    "load_run",
    "read_fields",
    "read_ground_truth",
    "read_predictions",
]

_HOMES = {
    "BoxscoreError": "errors",
    "Dataset": "model.tables",
    "Evaluator": "pipeline.evaluator",
    "FormOptions": "io.form_options",
    "InputError": "errors",
    "LabelSet": "model.labels",
    "Matches": "model.tables",
    "Measure": "model.measure",
    "MeasureError": "errors",
    "Metrics": "model.metrics",
    "Note": "model.notes",
    "Predictions": "model.tables",
    "Protocol": "model.protocol",
    "ProtocolError": "errors",
    "Reading": "model.reading",
    "Resampling": "pipeline.resampling",
    "Run": "pipeline.run",
    "__version__": "_kernel",
    "evaluate": "pipeline.evaluate",
    "load_protocol": "protocols",
    "load_run": "pipeline.saved",
    "read_fields": "io.coco",
    "read_ground_truth": "pipeline.evaluate",
    "read_predictions": "pipeline.evaluate",
}
"""The module of each public name."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxscore' has no attribute {name!r}")
    # importlib's own import_module would import warnings first.
    module = __import__(f"boxscore.{_HOMES[name]}", fromlist=[name])
    value: object = getattr(module, "load" if name == "load_protocol" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
