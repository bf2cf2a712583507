"""Which parts of a scene's looks are drawn at random, beyond what its profile says."""

from dataclasses import dataclass, fields

from boxscore.errors import InputError


@dataclass(frozen=True)
class Randomisation:
    """Domain randomisation; all is off unless asked for.

    Attributes:
        textures: patterns on objects and clutter.
        backgrounds: colour and pattern of the floor, and the sky.
        lights: direction, colour and strength of the light, and whether it casts shadows.
        colour: colours of objects and clutter.
        noise: noise of the sensor.
        blur: blur of the lens.
        scale: size of objects, as a factor.
    """

    textures: bool = False
    backgrounds: bool = False
    lights: bool = False
    colour: bool = False
    noise: bool = False
    blur: bool = False
    scale: bool = False

    @classmethod
    def parse(cls, text: str) -> "Randomisation":
        """From names with commas between them, `all`, or `none`; InputError lists the names there are."""
        names = [part.strip() for part in text.split(",")]
        known = [field.name for field in fields(cls)]
        if names in (["all"], ["none"]):
            return cls(**dict.fromkeys(known, names == ["all"]))
        for name in names:
            if name not in known:
                raise InputError(f"randomise {name!r} is not known; give all, none, or some of {', '.join(known)}")
        return cls(**dict.fromkeys(names, True))

    def __str__(self) -> str:
        """The form that `parse` reads: names in the order above, or `none`."""
        return ",".join(field.name for field in fields(self) if getattr(self, field.name)) or "none"
