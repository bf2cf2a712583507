"""The body of each kind: which mesh is seen, and which simple shape is felt."""

from dataclasses import dataclass

from boxscore.scenes.rendering.planned import Vector

Profile = tuple[tuple[float, float], ...]
"""Radius and height, metres, from the bottom to the top: a body turned on a lathe."""

_ORIGIN: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shape:
    """A body about the middle of its bounding box, z up.

    Attributes:
        mass: kilograms.
        file: mesh of `pybullet_data`, or empty.
        turned: what a lathe makes it of, where there is no file.
        size: metres to one unit of the file, along its own axes.
        middle: of the file's bounding box, in its own units, as it lies in the file.
        stands: the file's y is up, and becomes z.
        brings_texture: the file says how a texture lies on it, and brings its own.
        felt: collision shape: `hull` (of what is seen), `hulls` (one for each part of the file), `ball`, `box`, `drum`.
        felt_half: half the sides of the collision shape, metres; not used by hulls.
        felt_middle: where that lies from the body's middle, metres.
    """

    mass: float
    file: str = ""
    turned: Profile = ()
    size: Vector = (1.0, 1.0, 1.0)
    middle: Vector = _ORIGIN
    stands: bool = False
    brings_texture: bool = False
    felt: str = "hull"
    felt_half: Vector = _ORIGIN
    felt_middle: Vector = _ORIGIN


_BOTTLE: Profile = (
    *((0.0, 0.0), (0.05, 0.0), (0.055, 0.006), (0.055, 0.2), (0.05, 0.225), (0.035, 0.25), (0.021, 0.275)),
    *((0.018, 0.34), (0.022, 0.342), (0.022, 0.36), (0.0, 0.36)),
)
_BOWL: Profile = (
    *((0.0, 0.0), (0.065, 0.0), (0.1, 0.025), (0.13, 0.065), (0.15, 0.12), (0.143, 0.12)),
    *((0.122, 0.068), (0.094, 0.032), (0.06, 0.012), (0.0, 0.012)),
)
_CONE: Profile = ((0.0, 0.0), (0.09, 0.0), (0.012, 0.22), (0.0, 0.22))
_DRUM: Profile = ((0.0, 0.0), (0.075, 0.0), (0.075, 0.16), (0.0, 0.16))

SHAPES: dict[str, Shape] = {
    "cup": Shape(
        0.3,
        "objects/mug.obj",
        size=(2.0, 2.0, 2.0),
        middle=(0.0, 0.01982, 0.05),
        felt="drum",
        felt_half=(0.082, 0.082, 0.1),
        felt_middle=(0.0, -0.0396, 0.0),
    ),
    "bottle": Shape(0.5, turned=_BOTTLE),
    "bowl": Shape(0.4, turned=_BOWL),
    "teddy bear": Shape(
        0.3,
        "teddy2_VHACD_CHs.obj",
        size=(0.42, 0.42, 0.42),
        middle=(0.6787, 0.66108, 0.32303),
        stands=True,
        felt="hulls",
    ),
    "sports ball": Shape(
        0.4, "soccerball.obj", size=(0.24, 0.24, 0.24), brings_texture=True, felt="ball", felt_half=(0.12, 0.12, 0.12)
    ),
    "cube": Shape(
        0.4, "cube.obj", size=(0.18, 0.18, 0.18), brings_texture=True, felt="box", felt_half=(0.09, 0.09, 0.09)
    ),
    "duck": Shape(
        0.2,
        "duck.obj",
        size=(0.17, 0.17, 0.17),
        middle=(-0.13441, 0.8695, 0.03702),
        stands=True,
        brings_texture=True,
        felt="box",
        felt_half=(0.11, 0.08, 0.131),
    ),
    "lego": Shape(
        0.2,
        "lego/lego.obj",
        size=(0.55, 0.55, 0.55),
        middle=(0.1585, 0.115, -0.15875),
        stands=True,
        felt="box",
        felt_half=(0.0872, 0.0873, 0.0633),
    ),
    "domino": Shape(
        0.1,
        "domino/domino.obj",
        size=(5.0, 5.0, 5.0),
        brings_texture=True,
        felt="box",
        felt_half=(0.0635, 0.0159, 0.127),
    ),
    "block": Shape(
        0.3, "cube.obj", size=(0.14, 0.1, 0.1), brings_texture=True, felt="box", felt_half=(0.07, 0.05, 0.05)
    ),
    "rod": Shape(
        0.1, "cube.obj", size=(0.32, 0.04, 0.04), brings_texture=True, felt="box", felt_half=(0.16, 0.02, 0.02)
    ),
    "drum": Shape(0.4, turned=_DRUM),
    "cone": Shape(0.2, turned=_CONE),
}
"""By label."""
