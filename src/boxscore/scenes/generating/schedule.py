"""Which scene is of which profile, and what is planned for it."""

from dataclasses import dataclass

import numpy as np

from boxscore.scenes.generating.asked import Asked
from boxscore.scenes.generating.steering import Sampling, Steering, steering_of
from boxscore.scenes.rendering import ScenePlan, plan_scene, profile_counts, profile_of

PROBES = 200
"""Plans of each profile that are drawn to see how much of it the weights ask for."""

MOST_TRIES = 1000
"""Plans that are drawn for one scene under weights; weights of 1 to 4 take four on average at most."""

_ACCEPT = 1001
"""Key of the stream that accepts a plan, apart from those that drew it."""


@dataclass(frozen=True)
class Schedule:
    """The scenes of a set: `counts` by profile, in the order in which scenes are numbered, and each scene's plan.

    Under weights a scene is drawn anew until it is accepted with the probability weight / largest weight, which gives
    scenes in proportion to their weights within a profile; `counts` are in proportion to the profile's own weight times
    the mean weight of its scenes. A plan depends on the set's options and the scene's number alone.
    """

    asked: Asked
    counts: dict[str, int]
    steering: Steering | None = None

    @classmethod
    def of(cls, asked: Asked, sampling: Sampling | None = None) -> "Schedule":
        """The schedule of what is asked. Raises InputError for weights that scenes can't follow."""
        shares = asked.own_weights()
        if sampling is None:
            return cls(asked, profile_counts(asked.count, shares))
        example = plan_scene(asked.seed, 0, next(iter(shares)), asked.plan_options())
        steering = steering_of(sampling, example.metadata())
        # So few probes tell no more than three digits, and the same counts must come out whatever sums them.
        wanted = {name: round(own * _mean_weight(asked, steering, name), 3) for name, own in shares.items()}
        return cls(asked, profile_counts(asked.count, wanted), steering)

    def plan(self, index: int) -> ScenePlan:
        """The plan of scene `index`, from 0."""
        profile = profile_of(index, self.counts)
        if self.steering is None:
            return plan_scene(self.asked.seed, index, profile, self.asked.plan_options())
        options = self.asked.plan_options(self.steering.labels)
        tried: list[tuple[float, ScenePlan]] = []
        for attempt in range(MOST_TRIES):
            plan = plan_scene(self.asked.seed, index, profile, options, attempt=attempt)
            weight = self.steering.weigh(plan.metadata())
            if _share(plan.scene_seed) * self.steering.most < weight:
                return plan
            tried.append((weight, plan))
        return max(tried, key=lambda one: one[0])[1]


def _mean_weight(asked: Asked, steering: Steering, profile: str) -> float:
    """Over probes that no scene uses: as attempts they come after the last one of any scene."""
    options = asked.plan_options(steering.labels)
    plans = (plan_scene(asked.seed, probe, profile, options, attempt=MOST_TRIES) for probe in range(PROBES))
    return sum(steering.weigh(plan.metadata()) for plan in plans) / PROBES


def _share(scene_seed: int) -> float:
    """Uniform in 0 to 1, of a scene alone; made of the bits, as everything about scenes is."""
    bits = np.random.PCG64(np.random.SeedSequence(scene_seed, spawn_key=(_ACCEPT,)))
    return (int(bits.random_raw()) >> 11) * 2.0**-53
