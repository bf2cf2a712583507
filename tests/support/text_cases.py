"""Cases from public bug reports whose files are text, read and evaluated through the Python API."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boxscore.io import text_folder, yolo
from boxscore.io.form_options import FormOptions
from boxscore.model.reading import Reading
from boxscore.model.tables import Predictions
from boxscore.pipeline.evaluate import effective_protocol, finish
from boxscore.pipeline.run import Run
from tests.support import bug_cases
from tests.support.bug_cases import Case

TYPES = ("yolo", "ltrb")


@dataclass(frozen=True)
class TextCheck:
    """One reading of a case: its files, and the right values."""

    case: Case
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.case.name}: {self.content['what']}"

    @property
    def files(self) -> dict[str, Any]:
        return dict(self.content["files"])

    def predictions(self, folder: Path) -> Predictions:
        """The tables of the case's files, below `folder`."""
        if self.files["type"] == "ltrb":
            return read_corners(folder / self.files["gt"], folder / self.files["dt"])
        options = FormOptions()
        if self.files.get("pred_format") == "c conf l t r b":
            options = FormOptions(boxes="xyxy", coords="abs", score="second")
        return read_yolo(folder / self.files["labels"], folder / self.files["preds"], options)


def read(folder: Path) -> Iterator[TextCheck]:
    """The checks of all cases whose files are text."""
    for case in bug_cases.read(folder):
        for check in case.expected["checks"]:
            if check["files"]["type"] in TYPES:
                yield TextCheck(case, check)


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
