"""What is drawn for a scene before anything is rendered: a plan says it all, so that rendering draws nothing."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from boxscore.scenes.checks import check_at_least, check_count
from boxscore.scenes.rendering.randomisation import Randomisation

Colour = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""
Vector = tuple[float, float, float]
"""Metres; z points up, the floor is z = 0."""
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""
_LEAST_SIDE = 32
Scalar = str | int | float | bool


@dataclass(frozen=True)
class PlanOptions:
    """What the user of the generator chooses for all scenes.

    Raises InputError for weights that are no numbers from 0 on, and for pictures below 32 pixels a side.

    Attributes:
        randomise: see Randomisation.
        label_weights: how often a label is drawn within its tier, against 1 for labels that are not named.
        width, height: of the picture, pixels.
    """

    randomise: Randomisation = field(default_factory=Randomisation)
    label_weights: Mapping[str, float] = field(default_factory=dict)
    width: int = 640
    height: int = 480

    def __post_init__(self) -> None:
        check_at_least("label_weights", dict(self.label_weights), 0.0)
        check_count("width", self.width, _LEAST_SIDE)
        check_count("height", self.height, _LEAST_SIDE)


@dataclass(frozen=True)
class Texture:
    """A pattern of two colours: `checks`, `stripes`, `dots` or `clouds`, of `cells` cells a side."""

    pattern: str
    colours: tuple[Colour, Colour]
    cells: int
    seed: int


@dataclass(frozen=True)
class PlannedBody:
    """An object or a piece of clutter as it is dropped, before it settles.

    `name` is unique within the scene (`cup_0`); `tier` is `easy`, `hard` or `clutter`, and `label` the catalogue's;
    `scale` is a factor to the body's own size.
    """

    name: str
    label: str
    tier: str
    position: Vector
    orientation: Quaternion
    scale: float
    colour: Colour
    texture: Texture | None


@dataclass(frozen=True)
class Occluder:
    """A board that stands between object number `target`, as settled, and the camera.

    `along` is metres from the object's middle towards the camera, `across` metres to the side of that line, `size` the
    board's width, thickness and height in metres.
    """

    target: int
    along: float
    across: float
    size: Vector
    colour: Colour


@dataclass(frozen=True)
class Light:
    """One light, infinitely far: the direction towards it, its colour, its strength without the ambient part."""

    direction: Vector
    colour: Colour
    diffuse: float
    specular: float
    shadow: bool


@dataclass(frozen=True)
class Surroundings:
    """The floor, of one colour or a pattern, and the sky, from horizon to zenith."""

    floor: Texture
    horizon: Colour
    zenith: Colour


@dataclass(frozen=True)
class ScenePlan:
    """One scene.

    Attributes:
        index: its number in the set, from 0.
        seed: the set's seed.
        scene_seed: the scene's own, from which everything below was drawn.
        profile: name of its profile.
        distance: camera to the middle of the scene, metres.
        pitch, yaw: of the camera, degrees.
        ambient: ambient light, 0 to 1.
        noise: standard deviation of the sensor's noise, levels of 0 to 255; 0 for none.
        blur: standard deviation of the lens's blur, pixels; 0 for none.
        randomise: what was drawn beyond the profile.
    """

    index: int
    seed: int
    scene_seed: int
    profile: str
    distance: float
    pitch: float
    yaw: float
    ambient: float
    objects: tuple[PlannedBody, ...]
    clutter: tuple[PlannedBody, ...]
    occluders: tuple[Occluder, ...]
    light: Light
    surroundings: Surroundings
    noise: float
    blur: float
    width: int
    height: int
    randomise: Randomisation

    def metadata(self) -> dict[str, Scalar]:
        """Columns known before rendering: those that slices, and the conditions of triage's suggestion, may name."""
        length = math.hypot(*self.light.direction)
        found: dict[str, Scalar] = {
            "profile": self.profile,
            "camera_distance": self.distance,
            "camera_pitch": self.pitch,
            "camera_yaw": self.yaw,
            "ambient_light": self.ambient,
            "num_objects": len(self.objects),
            "num_clutter": len(self.clutter),
            "num_occluders": len(self.occluders),
            "randomised": str(self.randomise),
            "textured": sum(body.texture is not None for body in self.objects),
            "mean_scale": round(sum(body.scale for body in self.objects) / len(self.objects), 4),
            "floor": self.surroundings.floor.pattern,
            "light_elevation": round(math.degrees(math.asin(self.light.direction[2] / length)), 2),
            "light_azimuth": round(math.degrees(math.atan2(self.light.direction[1], self.light.direction[0])) % 360, 2),
            "light_strength": self.light.diffuse,
            "shadows": int(self.light.shadow),
            "noise": self.noise,
            "blur": self.blur,
            "scene_seed": self.scene_seed,
        }
        return found
