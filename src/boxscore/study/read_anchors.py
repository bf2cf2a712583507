"""The anchors of a study: what its figures must be, as published or as once measured."""

from __future__ import annotations

from boxscore.io.yaml_fields import Field, WrongFieldError, attempt
from boxscore.study import holding
from boxscore.study.declared import Anchor
from boxscore.study.read_files import sha256
from boxscore.study.read_sections import measure_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from boxscore.study.declared import Section, Variant

_COMMON = ("measure", "label", "in", "sha256", "tolerance")
_OF_VARIANT = ("variant", "point", "low", "high", *_COMMON)
_OF_PAIR = ("pair", "difference", "low", "high", "verdict", "excludes_zero", *_COMMON)
_VALUES = ("point", "difference", "low", "high")
VERDICTS = ("separated", "tie", "undecidable")
_TWO = 2


def anchors(
    given: Field | None,
    tolerance: Field | None,
    variants: Mapping[str, Variant],
    sections: Mapping[str, Section],
) -> list[Anchor]:
    """All anchors; `tolerance` is that of those without one of their own. Wrong ones are kept as mistakes."""
    default = attempt(tolerance, _tolerances) or {}
    read = [attempt(item, _anchor, default, variants, sections) for item in attempt(given, Field.items) or []]
    return [one for one in read if one is not None]


def _anchor(
    given: Field, default: Mapping[str, float], variants: Mapping[str, Variant], sections: Mapping[str, Section]
) -> Anchor:
    of_pair = isinstance(given.value, dict) and "pair" in given.value
    named = ("pair",) if of_pair else ("variant",)
    fields = given.fields(_OF_PAIR if of_pair else _OF_VARIANT, needed=(*named, "measure"))
    refs = _refs(fields, variants)
    measure = measure_text(fields["measure"])
    label = fields["label"].text() if "label" in fields else None
    values = _values(given, fields, default)
    verdict = fields["verdict"].choice(VERDICTS) if "verdict" in fields else None
    excludes = fields["excludes_zero"].flag() if "excludes_zero" in fields else None
    if not values and verdict is None and excludes is None:
        given.wrong(f"it fixes nothing; give one of {', '.join((_OF_PAIR if of_pair else _OF_VARIANT)[1:-5])}")
    exact = of_pair or bool({"low", "high"} & values.keys())
    section = _section(given, fields, refs, (measure, label), sections, exact=exact)
    return Anchor(
        given.path, section, refs, _hashes(fields.get("sha256"), len(refs)), measure, label, values, verdict, excludes
    )


def _refs(fields: Mapping[str, Field], variants: Mapping[str, Variant]) -> tuple[str, ...]:
    if "variant" in fields:
        return (fields["variant"].one_of(variants, "variant"),)
    refs = tuple(item.one_of(variants, "variant") for item in fields["pair"].items())
    if len(set(refs)) != _TWO:
        fields["pair"].wrong("a pair is a list of two different variants")
    return refs


def _hashes(given: Field | None, count: int) -> tuple[str | None, ...]:
    if given is None:
        return (None,) * count
    items = given.items() if isinstance(given.value, list) else [given]
    if len(items) != count:
        given.wrong(f"it holds {len(items)}; give one SHA-256 for each variant, in their order")
    return tuple(sha256(item) for item in items)


def _values(given: Field, fields: Mapping[str, Field], default: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    own = _tolerances(fields["tolerance"]) if "tolerance" in fields else {}
    tolerances = {**default, **own}
    values: dict[str, tuple[float, float]] = {}
    for name in _VALUES:
        if name not in fields:
            continue
        tolerance = own.get(name, own.get("", tolerances.get(name, tolerances.get(""))))
        if tolerance is None:
            given.wrong(f"{name} has no tolerance; write `tolerance: 0.0005` here, or once for all at the top")
        values[name] = fields[name].number(), tolerance
    return values


def _tolerances(given: Field) -> dict[str, float]:
    """By name of the value; one number is under the empty name, and is for all."""
    if not isinstance(given.value, dict):
        return {"": _not_negative(given)}
    return {name: _not_negative(field) for name, field in given.fields(_VALUES).items() if name in _VALUES}


def _not_negative(given: Field) -> float:
    value = given.number()
    if value < 0:
        given.wrong(f"it is {value}; a tolerance is 0 or more")
    return value


def _section(
    given: Field,
    fields: Mapping[str, Field],
    refs: tuple[str, ...],
    wanted: tuple[str, str | None],
    sections: Mapping[str, Section],
    *,
    exact: bool,
) -> str:
    """The table or comparison that an anchor speaks of; `exact`: it depends on how that one resamples."""
    measure, label = wanted
    fitting = holding.holders(sections, refs, measure, label)
    what = holding.described(refs, measure, label)
    if given.mistakes and not (fitting or ("in" in fields and fields["in"].value in sections)):
        raise WrongFieldError  # what is looked for may be in a table that could not be read
    if "in" in fields:
        name = fields["in"].one_of(sections, "table or comparison")
        if name not in fitting:
            fields["in"].wrong(f"{name} does not hold {what}")
        return name
    if not fitting:
        given.wrong(f"no table or comparison holds {what}; add it to one")
    first = next(iter(fitting))
    if holding.differ(fitting, refs, exact=exact):
        given.wrong(f"{' and '.join(fitting)} all hold {what}, and may differ; say which is meant with `in: {first}`")
    return first
