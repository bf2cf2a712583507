"""Drawing a scene: everything that rendering needs, from the set's seed and the scene's number."""

from collections.abc import Sequence

from boxscore.scenes.checks import check_count, check_seed
from boxscore.scenes.rendering.catalogue import CATALOGUE, CLUTTER, Kind, kinds_of
from boxscore.scenes.rendering.draws import Draws, Part, scene_seed
from boxscore.scenes.rendering.looks import light_of, looks_of, surroundings_of
from boxscore.scenes.rendering.occluders import occluders_of
from boxscore.scenes.rendering.placing import place
from boxscore.scenes.rendering.planned import PlannedBody, PlanOptions, ScenePlan
from boxscore.scenes.rendering.profiles import Profile, profile_named

_NOISE, _BLUR, _SCALE = (1.0, 12.0), (0.4, 1.6), (0.75, 1.3)
_PLAIN = PlanOptions()


def plan_scene(seed: int, index: int, profile: str, options: PlanOptions = _PLAIN, *, attempt: int = 0) -> ScenePlan:
    """Draw scene `index` (from 0) of the set with that seed.

    Other `attempt`s are other scenes with the same number and profile: whoever wants scenes of some kind more often
    draws several and keeps one. Raises InputError for a seed or a number that is none, and for an unknown profile.
    """
    check_seed(seed)
    check_count("index", index, 0)
    check_count("attempt", attempt, 0)
    kind = profile_named(profile)
    own = scene_seed(seed, index, attempt)
    camera = Draws(own, Part.CAMERA)
    objects, clutter = _bodies(own, kind, options)
    randomise = options.randomise
    distance, pitch, yaw = (camera.between(*limits) for limits in (kind.distance, kind.pitch, kind.yaw))
    return ScenePlan(
        index=index,
        seed=seed,
        scene_seed=own,
        profile=profile,
        distance=distance,
        pitch=pitch,
        yaw=yaw,
        ambient=camera.between(*kind.ambient),
        objects=objects,
        clutter=clutter,
        occluders=occluders_of(Draws(own, Part.OCCLUDERS), objects, pitch) if kind.occluded else (),
        light=light_of(Draws(own, Part.LIGHTS) if randomise.lights else None),
        surroundings=surroundings_of(Draws(own, Part.BACKGROUNDS) if randomise.backgrounds else None),
        noise=Draws(own, Part.NOISE).between(*_NOISE) if randomise.noise else 0.0,
        blur=Draws(own, Part.BLUR).between(*_BLUR) if randomise.blur else 0.0,
        width=options.width,
        height=options.height,
        randomise=randomise,
    )


def _bodies(
    own: int, profile: Profile, options: PlanOptions
) -> tuple[tuple[PlannedBody, ...], tuple[PlannedBody, ...]]:
    layout, scale = Draws(own, Part.LAYOUT), Draws(own, Part.SCALE)
    objects = _kinds(layout, layout.whole(*profile.objects), options)
    clutter = [layout.one_of(CLUTTER) for _ in range(layout.whole(*profile.clutter))]
    kinds = [*objects, *clutter]
    scales = [scale.between(*_SCALE) if options.randomise.scale else 1.0 for _ in kinds]
    placed = place(layout, kinds, scales, profile.spread)
    looks = looks_of(own, kinds, options.randomise)
    numbers: dict[str, int] = {}
    bodies = []
    for kind, factor, (position, orientation), (colour, texture) in zip(kinds, scales, placed, looks, strict=True):
        number = numbers.get(kind.label, 0)
        numbers[kind.label] = number + 1
        name = f"{kind.label.replace(' ', '_')}_{number}"
        bodies.append(PlannedBody(name, kind.label, kind.tier, position, orientation, factor, colour, texture))
    return tuple(bodies[: len(objects)]), tuple(bodies[len(objects) :])


def _kinds(draws: Draws, count: int, options: PlanOptions) -> list[Kind]:
    """The objects' kinds: of two or more, at least one of each tier; the rest of any."""
    pools: list[Sequence[Kind]] = [kinds_of("easy"), kinds_of("hard")] if count > 1 else []
    pools += [CATALOGUE] * (count - len(pools))
    weights = options.label_weights
    return draws.shuffled([draws.one_of(pool, [weights.get(kind.label, 1.0) for kind in pool]) for pool in pools])
