"""The demonstration: a gate that passes, fails by each fault and passes again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.planted import runs
from boxscore.planted.detectors import CardDetector, StandIn
from boxscore.planted.faults import FAULTS, Ground, NothingToLose
from boxscore.planted.results import NotShown, Shown, sorted_kinds
from boxscore.planted.room import COMMANDS, make_room
from boxscore.planted.rules import AT_POINT, RULES
from boxscore.planted.scenes import check_images, make_scenes, why_not_rendered

if TYPE_CHECKING:
    from typing import Any

    from boxscore.gate.result import GateResult
    from boxscore.pipeline.run import Run
    from boxscore.planted.detectors import Detector
    from boxscore.planted.faults import Planted
    from boxscore.planted.runs import Place
    from boxscore.planted.scenes import Scenes, Told
    from boxscore.predict.card import Card
    from boxscore.triage import Triage

    Row = dict[str, Any]

UNCHANGED = "unchanged"


@dataclass
class Demonstration:
    """Scenes, detections, baseline, then one fault after the other (`plant`).

    `begin` makes it. `gate` is that of the unchanged model, against its own run as baseline; `triage` is of that run.
    """

    place: Place
    scenes: Scenes
    detector: Detector
    rows: list[Row]
    run: Run
    gate: GateResult
    triage: Triage
    iou: float
    shown: list[Shown | NotShown] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything went as it should."""
        return self.gate.passes and all(one.ok for one in self.shown)

    @property
    def commands(self) -> list[str]:
        """By which baseline and first verdict are had by hand."""
        truth, predictions = self.scenes.ground_truth, self.place.predictions
        return [
            runs.eval_command(truth, predictions, self.place.run(UNCHANGED)),
            runs.promote_command(self.place, UNCHANGED),
            runs.gate_command(self.place, UNCHANGED),
        ]

    def plant(self, name: str) -> Shown | NotShown:
        """Plant a fault (one of FAULTS), look at what gate and triage say, undo it, and look at the gate again."""
        folder = self.place.fault(name)
        folder.mkdir(parents=True)
        try:
            planted = FAULTS[name](Ground(self.scenes, self.detector, self.rows, self.run, folder, self.iou))
            self._refuse_without_room(planted)
            found: Shown | NotShown = self._shown(name, planted, folder)
        except NothingToLose as reason:
            found = NotShown(name, str(reason))
        self.shown.append(found)
        return found

    def _refuse_without_room(self, planted: Planted) -> None:
        """Checks that can't fail, whatever happens: a figure that is not there, or so low that 0 is allowed."""
        for check in self.gate.checks:
            if check.key in planted.must and (check.baseline is None or check.limit is None or check.limit <= 0):
                figure = "does not exist" if check.baseline is None else f"is {check.baseline:.4f}"
                raise NothingToLose(f"{check.name} {figure} without the fault")

    def _shown(self, name: str, planted: Planted, folder: Path) -> Shown:
        truth, predictions = self.scenes.ground_truth, self.place.predictions
        if planted.iou is None:
            predictions = folder / "predictions.json"
            runs.write_rows(predictions, planted.rows)
        runs.evaluated(truth, predictions, self.place.run(name), planted.iou)
        found = runs.gated(self.place, name)
        triage = sorted_kinds(self.triage, runs.triaged(self.place, name))
        if planted.iou is not None and triage.kind is None:
            raise NothingToLose(
                f"what is found at IoU 0.5 is found at {planted.iou:g}, too; a larger --iou asks for more"
            )
        failed = {check.key for check in found.failed}
        told = {check.key: check.name for check in found.checks}
        return Shown(
            name,
            planted,
            found,
            missing=[told.get(key, str(key)) for key in planted.must if key not in failed],
            wrongly=[told[key] for key in planted.spared if key in failed],
            triage=triage,
            undone=self._undone(name),
            commands=[
                runs.eval_command(truth, predictions, self.place.run(name), planted.iou),
                runs.gate_command(self.place, name),
                runs.triage_command(self.place, name),
            ],
        )

    def write_commands(self) -> Path:
        """Write down what all that was done is on the command line."""
        from boxscore.model.whole_files import write_text

        parts = [["# the baseline, and the unchanged model", *self.commands]]
        parts += [[f"# {one.name}", *one.commands] for one in self.shown if isinstance(one, Shown)]
        path = self.place.folder / COMMANDS
        write_text(path, "\n\n".join("\n".join(part) for part in parts) + "\n")
        return path

    def _undone(self, name: str) -> GateResult:
        """The fault taken out: the files without it go the whole way again."""
        again = f"{name}-undone"
        runs.evaluated(self.scenes.ground_truth, self.place.predictions, self.place.run(again))
        return runs.gated(self.place, again)


def begin(
    folder: Path,
    *,
    count: int = 20,
    seed: int = 0,
    card: Card | None = None,
    simulated: bool = False,
    iou: float = 0.9,
    processes: int = 2,
    told: Told | None = None,
) -> Demonstration:
    """Make scenes, detect, evaluate, promote the baseline, and hold the unchanged model to it.

    `card`: the model that detects (None: the simulator stands in); `simulated`: scenes without pictures; `iou`: the
    threshold of the fault that matches at another; `processes` render; `told` takes how many scenes are done, of how
    many. The same arguments give the same predictions and verdicts.

    Raises InputError for another number of scenes or threshold than there can be, for a card where there are no
    pictures, for a folder of something else (by all of which nothing is changed), and for a detector that finds
    nothing, by which no fault could be seen.
    """
    if not 0.5 < iou <= 1.0:
        raise InputError(f"--iou {iou:g}: give a threshold above 0.5 and up to 1, by which fewer detections match")
    check_images(count)
    without = why_not_rendered(simulated=simulated)
    if card is not None and without is not None:
        raise InputError(f"a model card looks at pictures, and there are none: {without}")
    make_room(folder, seed, count)
    place = runs.Place(folder)
    scenes = make_scenes(folder, count, seed, without=without, processes=processes, told=told)
    detector = StandIn(seed) if card is None else CardDetector(card)
    work = folder / "detector"
    work.mkdir()
    rows = detector.detect(scenes, work)
    if not any(work.iterdir()):
        work.rmdir()
    runs.write_rows(place.predictions, rows)
    run = runs.evaluated(scenes.ground_truth, place.predictions, place.run(UNCHANGED))
    _refuse_blind(run, detector)

    from boxscore.gate.promoting import promote
    from boxscore.model.whole_files import write_text

    write_text(place.rules, RULES)
    promote(place.run(UNCHANGED), place.baseline)
    unchanged = runs.gated(place, UNCHANGED)
    return Demonstration(place, scenes, detector, rows, run, unchanged, runs.triaged(place, UNCHANGED), iou)


def _refuse_blind(run: Run, detector: Detector) -> None:
    found, objects = run.value(f"TP{AT_POINT}"), run.value(f"recall{AT_POINT}")
    if found:
        return
    rate = "there are none" if objects is None else "recall is 0"
    raise InputError(
        f"{detector.name} finds no object of the scenes at {AT_POINT} ({rate}), so that no fault could make it worse; "
        "take another card, more scenes (--images), or leave --card out for the stand-in"
    )
