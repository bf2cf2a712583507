"""The six profiles: how often each is made, and the ranges its scenes are drawn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boxscore.errors import InputError
from boxscore.scenes.checks import check_at_least, check_count

Range = tuple[float, float]
Counts = tuple[int, int]


@dataclass(frozen=True)
class Profile:
    """Ranges of one kind of scene; both ends of a range of whole numbers are drawn.

    Attributes:
        name: as it stands in the metadata column `profile`.
        weight: share of the scenes.
        distance: camera to the middle of the scene, metres.
        pitch: degrees; 0 looks along the floor, -90 straight down.
        yaw: degrees about the vertical.
        ambient: ambient light, 0 (none) to 1.
        objects: number of objects that are ground truth.
        clutter: number of bodies that are no ground truth.
        spread: side of the square on the floor that objects are dropped over, metres.
        occluded: whether bodies stand between objects and the camera.
    """

    name: str
    weight: float
    distance: Range = (2.0, 3.0)
    pitch: Range = (-45.0, -20.0)
    yaw: Range = (0.0, 360.0)
    ambient: Range = (0.5, 0.9)
    objects: Counts = (1, 3)
    clutter: Counts = (0, 0)
    spread: float = 1.5
    occluded: bool = False


PROFILES: tuple[Profile, ...] = (
    Profile("baseline", 0.30),
    Profile("crowded", 0.15, distance=(2.5, 4.0), objects=(5, 8), clutter=(3, 6)),
    Profile("dark", 0.15, ambient=(0.05, 0.25), objects=(1, 4)),
    Profile("far", 0.15, distance=(4.0, 6.5), objects=(2, 5), spread=1.0),
    Profile("occluded", 0.15, distance=(2.0, 3.5), objects=(2, 4), occluded=True),
    Profile("steep", 0.10, pitch=(-80.0, -55.0), objects=(2, 5)),
)
"""In the order in which scenes are numbered."""


def profile_named(name: str) -> Profile:
    """The profile of that name; InputError lists the names there are."""
    for profile in PROFILES:
        if profile.name == name:
            return profile
    known = ", ".join(profile.name for profile in PROFILES)
    raise InputError(f"profile {name!r} is not known; give one of {known}")


def profile_counts(count: int, weights: Mapping[str, float] | None = None) -> dict[str, int]:
    """How many of `count` scenes each profile gets: the whole part of count * weight, the rest one each to the first.

    `weights`, by profile, are scaled to sum to 1; a profile that they don't name, or name with 0, gets none. Without
    them the profiles' own hold: 100 scenes are 30, 15, 15, 15, 15 and 10.

    Raises InputError for a count below 1, an unknown profile, a negative weight, and weights that are all 0.
    """
    check_count("count", count, 1)
    own = {profile.name: profile.weight for profile in PROFILES} if weights is None else dict(weights)
    for name in own:
        profile_named(name)
    check_at_least("weights", own, 0.0)
    # As written, not as stored: 20 * 0.15 is 3, and 0.15 in binary lies a little below.
    exact = {name: Fraction(str(float(weight))) for name, weight in own.items()}
    total = sum(exact.values())
    if not total:
        raise InputError("the weights of the profiles are all 0; give at least one profile a weight above 0")
    shares = [(profile.name, exact.get(profile.name, Fraction(0)) / total) for profile in PROFILES]
    counts = {name: int(count * share) for name, share in shares if share}
    for name in list(counts)[: count - sum(counts.values())]:
        counts[name] += 1
    return counts


def profile_of(index: int, counts: Mapping[str, int]) -> str:
    """The profile of scene `index` (from 0): scenes are numbered profile by profile, in the order of `counts`."""
    left = index
    for name, count in counts.items():
        if 0 <= left < count:
            return name
        left -= count
    raise InputError(f"scene {index} is not among the {sum(counts.values())} scenes; they are numbered from 0")
