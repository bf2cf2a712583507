"""What is asked of the generator: everything that the bytes of a set of scenes depend on."""

import re
from dataclasses import dataclass, field

from boxscore.errors import InputError
from boxscore.scenes.checks import check_count, check_within, refuse
from boxscore.scenes.rendering import PROFILES, PlanOptions, Randomisation, profile_named
from boxscore.scenes.rendering.seen import BOXES

MOST_SCENES = 1_000_000
"""Ids of annotations are numbered by scene, and stay exact in every reader's numbers."""


@dataclass(frozen=True)
class Asked:
    """A set of scenes. Every field is checked; a value that can't be used is refused with its option.

    Attributes:
        count: scenes in the set. The profile of a scene depends on it, so that it belongs to every scene.
        seed: from which all is drawn.
        profiles: those to make, their weights scaled to sum to 1; all six where none is named.
        randomise: what is drawn beyond the profile.
        min_visibility: objects of which a smaller share is visible are `ignore`.
        boxes: one of BOXES.
        width, height: of the pictures, pixels.
    """

    count: int
    seed: int
    profiles: tuple[str, ...] = ()
    randomise: Randomisation = field(default_factory=Randomisation)
    min_visibility: float = 0.25
    boxes: str = "mask"
    width: int = 640
    height: int = 480

    def __post_init__(self) -> None:
        check_count("--count", self.count, 1)
        if self.count > MOST_SCENES:
            raise refuse("--count", self.count, f"give at most {MOST_SCENES}")
        check_count("--seed", self.seed, 0)
        check_within("--min-visibility", self.min_visibility, 0, 1)
        object.__setattr__(self, "min_visibility", float(self.min_visibility))
        if self.boxes not in BOXES:
            raise refuse("--boxes", self.boxes, f"give {' or '.join(BOXES)}")
        for name in ("width", "height"):
            check_count(f"--{name}", getattr(self, name), LEAST_SIDE)
            if getattr(self, name) > MOST_SIDE:
                raise refuse(f"--{name}", getattr(self, name), f"give at most {MOST_SIDE} pixels")
        for name in self.profiles:
            profile_named(name)
        if len(set(self.profiles)) < len(self.profiles):
            raise refuse("--profiles", ",".join(self.profiles), "name each profile once")

    def own_weights(self) -> dict[str, float]:
        """Weights of the profiles to make, as the profiles state them, in the order in which scenes are numbered."""
        return {one.name: one.weight for one in PROFILES if not self.profiles or one.name in self.profiles}

    def plan_options(self, label_weights: dict[str, float] | None = None) -> PlanOptions:
        """The options of `plan_scene`."""
        return PlanOptions(self.randomise, dict(label_weights or {}), self.width, self.height)


LEAST_SIDE, MOST_SIDE = 64, 4096
"""Pixels; less shows nothing, and more is no work for a software renderer."""

_PART = re.compile(r"(\d+)(?:-(\d+))?")


def scenes_of(text: str, count: int) -> tuple[int, ...]:
    """Numbers of scenes from text like `17` or `3,5,10-19`, ascending, each once.

    Raises InputError for what is no number or range, or not among the `count` scenes, which are numbered from 0.
    """
    found: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise InputError(f"--only {text!r}: {part.strip()!r} is no scene; give numbers and ranges, like 3,5,10-19")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise InputError(f"--only {text!r}: {part.strip()} runs backwards; give {last}-{first}")
        if last >= count:
            raise InputError(
                f"--only {text!r}: there is no scene {last}; scenes are numbered from 0, to {count - 1} with "
                f"--count {count}"
            )
        found.update(range(first, last + 1))
    return tuple(sorted(found))
