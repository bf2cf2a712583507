"""Tables and comparisons of a study, with what they share: protocol and resampling."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.errors import BoxscoreError, InputError
from boxscore.io.yaml_fields import Field, attempt, unknown
from boxscore.study import read_models
from boxscore.study.declared import COMPARISON, TABLE, Scoring, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.study.declared import Variant
    from boxscore.study.read_files import Files

_SECTION = ("name", "variants", "measures", "pairs", "per_label", "resampling", "protocol")
_PROTOCOL = ("name", "iou", "max_detections", "confidence", "beta", "nms", "label_agnostic")
_GROUPING = ("unit", "group_by", "group_regex", "ungrouped")
_PAIRS = ("adjacent", "all")
_LEAST_COMPARED = 2


@dataclass(frozen=True, slots=True)
class Common:
    """What all sections start from."""

    variants: Mapping[str, Variant]
    resampling: dict[str, Any]
    scoring: Scoring
    files: Files


def scoring(given: Field | None, files: Files) -> Scoring:
    """A protocol by name or path, or a mapping of `name` and overrides. Wrong ones are kept as mistakes."""
    return attempt(given, _scoring, files) or Scoring("coco")


def resampling(given: Field | None, inherited: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of Resampling; another unit or grouping replaces all that is inherited of it."""
    found = attempt(given, _resampling, inherited)
    return dict(inherited) if found is None else found


def sections(fields: Mapping[str, Field], common: Common) -> dict[str, Section]:
    """Tables, then comparisons, by name."""
    found: dict[str, Section] = {}
    for plural, kind in (("tables", TABLE), ("comparisons", COMPARISON)):
        named = attempt(fields.get(plural), _named) or []
        for name, given in named:
            if name in found:
                given.tell("a table has this name already; documents and anchors could not tell them apart")
            elif read_models.key(name, given):
                made = attempt(given, _section, name, kind, common)
                found |= {} if made is None else {name: made}
    return found


def measure_text(given: Field) -> str:
    """A measure in its printed form."""
    from boxscore.model.measure import Measure

    try:
        return str(Measure.parse(given.text()))
    except BoxscoreError as error:
        given.wrong(str(error))


def _named(given: Field) -> list[tuple[str, Field]]:
    return list(given.named())


def _section(given: Field, name: str, kind: str, common: Common) -> Section:
    fields = given.fields(_SECTION, needed=("variants",))
    title = attempt(fields.get("name"), Field.text) or name
    refs = [attempt(item, Field.one_of, common.variants, "variant") or "" for item in fields["variants"].items()]
    _tell_repeated(refs, fields["variants"])
    if kind == COMPARISON and len(refs) < _LEAST_COMPARED:
        fields["variants"].tell("a comparison needs two variants at least")
    stated = attempt(fields.get("measures"), Field.items) or []
    measures = [attempt(item, measure_text) or "" for item in stated]
    if "measures" in fields:
        _tell_repeated(measures, fields["measures"])
    agreed = attempt(fields.get("protocol"), _scoring, common.files) or common.scoring
    return Section(
        name=name,
        kind=kind,
        title=title,
        variants=tuple(refs),
        measures=tuple(measures) or _headline(agreed, given),
        pairs=_pairs(fields.get("pairs"), refs, _PAIRS[0] if kind == TABLE else _PAIRS[1]),
        per_label=attempt(fields.get("per_label"), Field.flag) or False,
        resampling=resampling(fields.get("resampling"), common.resampling),
        scoring=agreed,
    )


def _tell_repeated(names: list[str], given: Field) -> None:
    repeated = sorted({name for name in names if name and names.count(name) > 1})
    if repeated:
        given.tell(f"{', '.join(repeated)} is listed more than once")


def _pairs(given: Field | None, refs: list[str], default: str) -> str:
    if given is None:
        return default
    text = attempt(given, Field.text) or default
    if text not in (*_PAIRS, *refs):
        given.tell(f"{unknown(text, [ref for ref in refs if ref], 'variant here')}; or `adjacent`, or `all`")
    return text


def _headline(agreed: Scoring, given: Field) -> tuple[str, ...]:
    """The first headline measure of the protocol."""
    from boxscore.protocols import load

    try:
        return (str(load(agreed.protocol).headline[0]),)
    except BoxscoreError as error:
        given.wrong(str(error))


def _scoring(given: Field, files: Files) -> Scoring:
    from boxscore.model.reading import Reading
    from boxscore.pipeline.evaluate import effective_protocol

    overrides: dict[str, Any] = {}
    if not isinstance(given.value, dict):
        named = files.protocol(given)
    else:
        fields = given.fields(_PROTOCOL, needed=("name",))
        named = files.protocol(fields["name"])
        overrides = {key: field.value for key, field in fields.items() if key in _PROTOCOL[1:]}
    checked: dict[str, Any] = {key: overrides.get(key) for key in ("iou", "max_detections", "confidence", "beta")}
    try:
        effective_protocol(named, Reading(), **checked)
    except BoxscoreError as error:
        given.wrong(str(error))
    return Scoring(named, overrides)


def _resampling(given: Field, inherited: Mapping[str, Any]) -> dict[str, Any]:
    from boxscore.pipeline.resampling import Resampling

    fields = given.fields(tuple(sorted(Resampling.__slots__)))
    stated = {name: field.value for name, field in fields.items() if name in Resampling.__slots__}
    regrouped = any(name in stated for name in _GROUPING)
    kept = {name: value for name, value in inherited.items() if not (regrouped and name in _GROUPING)}
    try:
        Resampling(**kept | stated)
    except InputError as error:
        given.wrong(str(error).removeprefix("resampling: "))
    return kept | stated
