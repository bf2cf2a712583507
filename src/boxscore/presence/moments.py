"""Moments: the instants at which a ground truth and a prediction are held against each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from boxscore.errors import InputError
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.presence.timeline import Floats, Integers, Presence, Spans

STEP = 1.0
BLOCK = 60.0
"""Seconds between two moments, and of a block where the ground truth has no scenes."""

_LEAST_STEP = 0.001
_MOST_MOMENTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which moments are looked at.

    Attributes:
        step: Seconds from one moment to the next, the first at 0.
        random: So many different moments, drawn evenly over the whole film, in place of steps.
        seed: Which are drawn.
        scene_anchored: The middle of each scene of the ground truth, in place of steps.
        duration: Seconds; moments lie before it. None: as the ground truth states it, else the prediction, else the end
            of the ground truth's last window.
        block: Seconds; moments of a block belong together. None: those of a scene do, or, without scenes, of 60 s.
    """

    step: float | None = None
    random: int | None = None
    seed: int = 0
    scene_anchored: bool = False
    duration: float | None = None
    block: float | None = None

    def __post_init__(self) -> None:
        """Raises InputError for what makes no moments, and for more than one way to make them."""
        asked = [name for name in ("step", "random") if getattr(self, name) is not None]
        asked += ["scene-anchored"] if self.scene_anchored else []
        if len(asked) > 1:
            raise InputError(f"{' and '.join(asked)} are both given, and each says which moments are taken; keep one")
        for name, least in (("step", _LEAST_STEP), ("duration", 0.0), ("block", _LEAST_STEP)):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= least and value > 0.0):
                bound = f"{least:g} or more" if least else "more than 0"
                raise InputError(f"{name} is {value:g}; give seconds, {bound}")
        if self.random is not None and not 1 <= self.random <= _MOST_MOMENTS:
            raise InputError(f"random is {self.random}; give how many moments to draw, from 1 to {_MOST_MOMENTS:,}")
        if not 0 <= self.seed < 2**64:
            raise InputError(f"seed is {self.seed}; give a whole number from 0 to 2**64 - 1")


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments in ascending order, no two within a millisecond.

    Attributes:
        time: Seconds, float64, shape (n,).
        scene: Row of the ground truth's scene, int64, shape (n,); -1 in none.
        group: What each belongs to, by name: moments of a group are alike and are resampled together.
        grouped_by: `scene` or `block`.
        duration: Seconds that the moments were taken from.
        words: How they were taken: `every 1 s`.
        notes: What was left out, a sentence each.
    """

    time: Floats
    scene: Integers
    group: tuple[str, ...]
    grouped_by: str
    duration: float
    words: str
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.time)

    @property
    def groups(self) -> list[str]:
        """Names of the groups, each once, in order of time."""
        return list(dict.fromkeys(self.group))

    @property
    def group_numbers(self) -> Integers:
        """The group of each moment by number, as the pipeline numbers units: by their first moment."""
        number = {name: place for place, name in enumerate(self.groups)}
        return np.array([number[name] for name in self.group], np.int64)

    @property
    def milliseconds(self) -> list[int]:
        """Each as whole milliseconds: the image ids of the run."""
        whole: list[int] = np.rint(self.time * 1000.0).astype(np.int64).tolist()
        return whole


def moments_of(truth: Presence, prediction: Presence, how: Sampling) -> Moments:
    """The moments of a ground truth. One that speaks at moments of its own is asked at those alone.

    Raises InputError where there is no scene to anchor to, no end to stop at, or no moment left.
    """
    if how.scene_anchored and not len(truth.scenes):
        raise InputError(
            f"{truth.path}: scene-anchored moments are the middles of scenes, and this ground truth has none; take "
            "steps (step) or draw moments (random)"
        )
    duration = duration_of(truth, prediction, how)
    time, words, notes = (_of_all_time if truth.samples is None else _of_samples)(truth, how, duration)
    time = _apart(time)
    if not len(time):
        raise InputError(f"{truth.path}: there is no moment to score before {duration:g} s; mend duration or step")
    scene = scene_at(truth.scenes, time)
    by_block = how.block is not None or not len(truth.scenes)
    group = _blocks(time, how.block or BLOCK) if by_block else _scenes(truth.scenes, scene)
    return Moments(time, scene, group, "block" if by_block else "scene", duration, words, tuple(notes))


def duration_of(truth: Presence, prediction: Presence, how: Sampling) -> float:
    """Seconds of the film that count. Raises InputError where nothing says it."""
    for stated in (how.duration, truth.duration, prediction.duration):
        if stated is not None:
            return stated
    if not len(truth.windows):
        raise InputError(
            f"{truth.path}: nobody is ever on screen, and nothing says how long the film is; give duration"
        )
    return float(truth.windows.end.max())


def scene_at(scenes: Spans, time: Floats) -> Integers:
    """The row of the scene that each moment is in, -1 for none; of scenes that overlap, the one that began last."""
    found = np.full(len(time), -1, np.int64)
    first, last = np.searchsorted(time, scenes.start), np.searchsorted(time, scenes.end)
    for row in range(len(scenes)):
        found[first[row] : last[row]] = row
    return found


def clock(whole: int) -> str:
    """Milliseconds as `0:01:05.250`, without thousandths where there are none."""
    text = f"{whole // 3_600_000}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02}"
    return text if whole % 1000 == 0 else f"{text}.{whole % 1000:03}"


def _of_all_time(truth: Presence, how: Sampling, duration: float) -> tuple[Floats, str, list[str]]:
    if how.scene_anchored:
        middle = (truth.scenes.start + truth.scenes.end) / 2.0
        kept = np.sort(middle[middle < duration])
        return kept, "the middle of each scene", _left_out(len(middle) - len(kept), "scene")
    if how.random is not None:
        return _drawn(how.random, how.seed, duration), f"{how.random:,} at random (seed {how.seed})", []
    step = how.step or STEP
    count = math.ceil(duration / step)
    if count > _MOST_MOMENTS:
        raise InputError(f"step is {step:g}, which makes {count:,} moments; {_MOST_MOMENTS:,} is the most")
    time = np.arange(count, dtype=np.float64) * step
    return time[time < duration], f"every {step:g} s", []


def _of_samples(truth: Presence, how: Sampling, duration: float) -> tuple[Floats, str, list[str]]:
    own = np.zeros(0) if truth.samples is None else truth.samples
    kept = own[own < duration]
    notes = _left_out(len(own) - len(kept), "annotated moment")
    if how.scene_anchored:
        chosen = _nearest_in_scenes(truth.scenes, kept)
        without = len(truth.scenes) - len(chosen)
        notes += [f"{counted(without, 'scene has', 'scenes have')} no annotated moment"] if without else []
        return kept[chosen], "the annotated moment next to the middle of each scene", notes
    if how.random is not None and how.random < len(kept):
        from boxscore.stats.plans import shuffled

        drawn = np.sort(shuffled(len(kept), how.seed)[: how.random])
        return kept[drawn], f"{how.random:,} annotated moments at random (seed {how.seed})", notes
    if how.random is not None or how.step is not None:
        notes.append(f"all {len(kept):,} annotated moments are taken: {truth.source} says nothing at others")
    return kept, "the annotated moments", notes


def _nearest_in_scenes(scenes: Spans, time: Floats) -> Integers:
    scene = scene_at(scenes, time)
    middle = (scenes.start + scenes.end) / 2.0
    inside = np.flatnonzero(scene >= 0)
    away = np.abs(time[inside] - middle[scene[inside]])
    order = inside[np.lexsort((away, scene[inside]))]
    return np.sort(order[np.unique(scene[order], return_index=True)[1]])


def _drawn(count: int, seed: int, duration: float) -> Floats:
    """Different whole milliseconds, each as likely as any other."""
    there = math.ceil(duration * 1000)
    if count > there:
        raise InputError(f"random is {count:,}, and {duration:g} s have {there:,} milliseconds to draw; take steps")
    # Raw bits are what NumPy keeps the same in all its versions.
    bits = np.random.Philox(key=seed)
    found = np.zeros(0, np.int64)
    while len(found) < count:
        drawn = (bits.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        both = np.concatenate([found, np.floor(drawn * there).astype(np.int64)])
        # In the order in which they were drawn: the smallest would be preferred else.
        found = both[np.sort(np.unique(both, return_index=True)[1])][:count]
    return np.sort(found) / 1000.0


def _apart(time: Floats) -> Floats:
    """Without moments that round to the millisecond of one before."""
    return time[np.unique(np.rint(time * 1000.0), return_index=True)[1]]


def _left_out(count: int, what: str) -> list[str]:
    if not count:
        return []
    lie = counted(count, f"{what} lies", f"{what}s lie")
    return [f"{lie} behind the end and {'is' if count == 1 else 'are'} left out"]


def _blocks(time: Floats, seconds: float) -> tuple[str, ...]:
    return tuple(f"block {int(number)}" for number in np.floor(time / seconds))


def _scenes(scenes: Spans, scene: Integers) -> tuple[str, ...]:
    """Names of scenes; moments between two scenes belong together too."""
    distinct = len(set(scenes.names)) == len(scenes.names)
    names = [f"scene {name if distinct else row}" for row, name in enumerate(scenes.names)]
    gap = np.cumsum((scene < 0) & np.concatenate([[True], scene[1:] != scene[:-1]]))
    return tuple(names[row] if row >= 0 else f"no scene {number}" for row, number in zip(scene, gap, strict=True))
