"""What workflows are to run: on which data, with which model, by which rules."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import InputError

IMAGES, OUT = "{images}", "{out}"
"""What stands in a team's own command for the folder of pictures, and for the file of detections to write."""


@dataclass(frozen=True)
class Data:
    """A set of a team's own: ground truth of any form, and the folder of its pictures (for a model card)."""

    ground_truth: str
    images: str | None = None


@dataclass(frozen=True)
class Asked:
    """What `boxscore init-ci` was asked for.

    - `card`: the model card whose model is run, or `command`: a command of the team's own that writes detections.
    - `fast`, `full`: data of the team's own; None: `fast_count` and `full_count` scenes are rendered.
    - `rules`: the gate's (None: its default); `options`: further options of `boxscore eval`, as on a command line.
    - `install`: a command that installs what else the model needs.

    Raises InputError for what contradicts itself, and for texts that have no place in a workflow.
    """

    card: str | None = None
    command: str | None = None
    fast: Data | None = None
    full: Data | None = None
    fast_count: int = 20
    full_count: int = 100
    rules: str | None = None
    options: str | None = None
    install: str | None = None

    def __post_init__(self) -> None:
        """Check it."""
        if (self.card is None) == (self.command is None):
            raise InputError(
                "say how detections are made: --card CARD for a model card's model, or --predict 'COMMAND "
                f"{IMAGES} {OUT}' for a command of your own; one of them"
            )
        if self.full is not None and self.fast is None:
            raise InputError("--full-data is a full set of your own, and there is no fast one; give --data, too")
        for name, count in (("--fast-count", self.fast_count), ("--full-count", self.full_count)):
            if count < 1:
                raise InputError(f"{name} is {count}; give 1 scene or more")
        self._check_command()
        for name, text in self._texts():
            if "\n" in text or "\r" in text:
                raise InputError(f"{name} has a line break; put what takes several lines into a script")

    def _check_command(self) -> None:
        sets = [one for one in (self.fast, self.full) if one is not None]
        rendered = self.fast is None
        if self.command is not None and OUT not in self.command:
            raise InputError(f"--predict {self.command!r} does not say where its detections go; write {OUT} there")
        if self.command is not None and IMAGES not in self.command and rendered:
            raise InputError(
                f"--predict {self.command!r} does not say which pictures it is for; write {IMAGES} where their folder "
                "belongs"
            )
        pictured = self.card is not None or (self.command is not None and IMAGES in self.command)
        lacking = next((one for one in sets if pictured and one.images is None), None)
        if lacking is not None:
            option = "--images" if lacking is self.fast else "--full-images"
            raise InputError(f"{lacking.ground_truth}: there is no folder of its pictures; give it with {option}")

    def _texts(self) -> list[tuple[str, str]]:
        stated = {
            "--card": self.card,
            "--predict": self.command,
            "--rules": self.rules,
            "--eval-options": self.options,
            "--install": self.install,
        }
        for option, data in (("data", self.fast), ("full-data", self.full)):
            stated[f"--{option}"] = None if data is None else data.ground_truth
            stated[f"--{option.replace('data', 'images')}"] = None if data is None else data.images
        return [(name, text) for name, text in stated.items() if text is not None]
