"""Names of figures that a tracker allows, and back: `AP[area=small]@0.5` of the label `traffic light`.

A name is made of tokens: `slice_…` and `label_…` where the figure is of one, the measure's kind, its options as
`area_small`, `max_10`, `conf_0.25`, `average_macro`, `iou_0.5`, and `low` or `high` for an end of its interval. What a
tracker does not allow in them is written as in a URL's percent-encoding, with a character of the tracker in place of %.
"""

from __future__ import annotations

import re

from boxscore.model.measure import Measure, exact_text, threshold_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

BOUNDS = ("low", "high")
_NUMBERS = ("max", "conf", "iou")
_PARTS = ("slice", "label")
_OPTIONS = ("area", "max", "conf", "average", "iou")
_LETTER = "[A-Za-z]"
"""What every token begins with."""


class Figure:
    """Which figure: a measure's printed form, label and slice (None: over all), and `bound`: None, `low` or `high`."""

    __slots__ = ("bound", "label", "measure", "slice")

    def __init__(
        self,
        measure: str,
        label: str | None = None,
        slice: str | None = None,  # noqa: A002  the column of the tidy table has this name
        bound: str | None = None,
    ) -> None:
        self.measure = measure
        self.label = label
        self.slice = slice
        self.bound = bound

    def to_dict(self) -> dict[str, str | None]:
        """The four fields."""
        return {name: getattr(self, name) for name in ("measure", "label", "slice", "bound")}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Figure) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.to_dict().values()))

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.to_dict().items() if value is not None]
        return f"Figure({', '.join(given)})"


class Naming:
    """A tracker's names. `safe` are the characters (as in a regular expression's class) that stand for themselves in
    labels, slices and areas, `escape` begins two hexadecimal digits of a UTF-8 byte, `joint` stands between a measure's
    tokens and `after` behind slice and label; `point` is that of numbers; `longest` is the most characters.
    """

    def __init__(self, *, safe: str, escape: str, joint: str, after: str, point: str, longest: int) -> None:
        self._safe = re.compile(f"[{safe}]")
        self._escape = escape
        self._escaped = re.compile(f"{re.escape(escape)}([0-9a-f]{{2}})")
        # Read from the left: `__` of W&B is a joint, though `_` begins an escape and follows `label`.
        value = f"(?:[{safe}]|{re.escape(escape)}[0-9a-f]{{2}})*?"
        self._part = re.compile(f"({'|'.join(_PARTS)})_({value}){re.escape(after)}(?={_LETTER})")
        self._option = re.compile(
            f"{re.escape(joint)}({'|'.join(_OPTIONS)})_({value})(?={re.escape(joint)}{_LETTER}|$)"
        )
        self._joint = joint
        self._after = after
        self._point = point
        self.longest = longest

    def name(self, figure: Figure, *, spell_capitals: bool = False) -> str:
        """The figure's name; with `spell_capitals` capitals of label and slice are escaped too."""
        about = {"slice": figure.slice, "label": figure.label}
        parts = [
            f"{key}_{self._text(value, capitals=spell_capitals)}" for key, value in about.items() if value is not None
        ]
        measure = self._measure(Measure.parse(figure.measure))
        return self._after.join([*parts, measure if figure.bound is None else f"{measure}{self._joint}{figure.bound}"])

    def names(self, figures: Iterable[Figure]) -> dict[str, Figure]:
        """A name for each. Where names differ by capitals alone, which a tracker may take for one, these are spelt out.

        A name that would be too long is cut, and ends in `escape`, `h` and a digest of it: only this table reads it.
        """
        from collections import Counter

        plain = [(self.name(figure), figure) for figure in figures]
        seen = Counter(name.lower() for name, _ in plain)
        spelt = (
            (name if seen[name.lower()] == 1 else self.name(figure, spell_capitals=True), figure)
            for name, figure in plain
        )
        return {self._fitting(name): figure for name, figure in spelt}

    def figure(self, name: str) -> Figure:
        """The figure that a name is of: the inverse of `name`. Raises ValueError for what is none, or was cut."""
        rest = name
        about: dict[str, str | None] = {}
        while part := self._part.match(rest):
            about[part[1]] = self._read(part[2])
            rest = rest[part.end() :]
        kind, joint, _ = rest.partition(self._joint)
        rest = rest[len(kind) :]
        bound = next((bound for bound in BOUNDS if rest.endswith(f"{self._joint}{bound}")), None)
        rest = rest if bound is None else rest[: -len(f"{joint}{bound}")]
        options = {key: self._value_read(key, value) for key, value in self._option.findall(rest)}
        iou = options.pop("iou", None)
        inside = ",".join(f"{key}={value}" for key, value in options.items())
        text = self._number_read(kind) + (f"[{inside}]" if inside else "") + ("" if iou is None else f"@{iou}")
        found = Figure(str(Measure.parse(text)), about.get("label"), about.get("slice"), bound)
        if name not in (self.name(found), self.name(found, spell_capitals=True)):
            raise ValueError(f"{name!r} is not the name of a figure")
        return found

    def _fitting(self, name: str) -> str:
        if len(name) <= self.longest:
            return name
        import hashlib

        ending = f"{self._escape}h{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        return name[: self.longest - len(ending)] + ending

    def _measure(self, measure: Measure) -> str:
        conf = measure.conf
        given = {
            "area": measure.area,
            "max": None if measure.max_detections is None else str(measure.max_detections),
            "conf": conf if conf is None or isinstance(conf, str) else exact_text(conf),
            "average": measure.average,
            "iou": None if measure.iou is None else threshold_text(measure.iou),
        }
        options = [f"{key}_{self._value(key, value)}" for key, value in given.items() if value is not None]
        return self._joint.join([self._number(measure.kind), *options])

    def _value(self, key: str, value: str) -> str:
        if key in _NUMBERS:
            return self._number(value)
        # MLflow's joint, a space, is a safe character, which an area's name must not bring in.
        return self._text(value).replace(self._joint, self._hex(self._joint))

    def _value_read(self, key: str, value: str) -> str:
        return self._number_read(value) if key in _NUMBERS else self._read(value)

    def _number(self, text: str) -> str:
        return text.replace(".", self._point).replace("-", "m")

    def _number_read(self, text: str) -> str:
        if not any(character.isdecimal() for character in text):
            return text  # most kinds, or `best`
        return re.sub(f"(?<=[0-9]){re.escape(self._point)}(?=[0-9])", ".", text).replace("m", "-")

    def _text(self, text: str, *, capitals: bool = False) -> str:
        return "".join(
            character
            if self._safe.fullmatch(character) and not (capitals and character != character.lower())
            else self._hex(character)
            for character in text
        )

    def _hex(self, text: str) -> str:
        return "".join(f"{self._escape}{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))

    def _read(self, text: str) -> str:
        plain, *rest = self._escaped.split(text)
        pieces = [plain.encode()]
        for digits, after in zip(rest[::2], rest[1::2], strict=True):
            pieces += [bytes.fromhex(digits), after.encode()]
        return b"".join(pieces).decode("utf-8", "surrogatepass")


MLFLOW: Final = Naming(safe=r"\w. ", escape="-", joint=" ", after="/", point=".", longest=240)
"""Letters, digits, `_`, `-`, `.`, space and `/` are what MLflow allows on every system, in at most 250 characters, of
which `undefined/` takes ten."""

WANDB: Final = Naming(safe="A-Za-z0-9", escape="_", joint="__", after="__", point="p", longest=250)
"""Letters, digits and `_` are the names that W&B can sort and filter by. It does not tell capitals from small ones."""
