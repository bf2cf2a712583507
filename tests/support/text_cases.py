"""Cases from public bug reports whose files are text, read and evaluated through the Python API."""

from pathlib import Path

from boxscore.io import text_folder, yolo
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.model.tables import Predictions
from boxscore.pipeline.evaluate import effective_protocol, finish
from boxscore.pipeline.run import Run


def read_yolo(labels: Path, preds: Path, options: FormOptions | None = None) -> Predictions:
    """Class names and pictures are found from where the labels lie."""
    dataset = yolo.read_ground_truth(labels, FormOptions(), Reading())
    return yolo.read_predictions(preds, dataset, options or FormOptions(), Reading())


def read_corners(ground_truth: Path, preds: Path) -> Predictions:
    """`label l t r b` and `label score l t r b`."""
    options = FormOptions(boxes="xyxy")
    dataset = text_folder.read_ground_truth(ground_truth, options, Reading())
    return text_folder.read_predictions(preds, dataset, options, Reading())


def evaluated(predictions: Predictions, protocol: str = "coco") -> Run:
    """The run of these tables."""
    return finish(predictions, effective_protocol(protocol, Reading()))


def notes(run: Run) -> str:
    """All notes of a run, a line each."""
    return "\n".join(note.message for note in run.notes)
