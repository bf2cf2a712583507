"""What a placeholder asks for, answered from the results.

    table main · pairs main · labels main · groups main        whole tables, and the sets that can't be told apart
    yolo26m/640 AP [point|interval|±interval|low|high|mean|std_error|bias]
    yolo26m/640 vs deim/640 AP [difference|interval|±interval|low|high|std_error|p|p_adjusted|verdict|…]
    yolo26m/640 latency [device="…"]
    images · unit · units · replicates · seed · confidence     of a table or comparison

`in=NAME` says which table or comparison, `label=NAME` which label, `digits=N` how many places, `percent` per cent.
"""

from __future__ import annotations

import shlex

from boxscore.errors import BoxscoreError, InputError
from boxscore.io.yaml_fields import unknown
from boxscore.study import found, holding, tables
from boxscore.study.texts import Format, band_name, band_text, p_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.study.declared import Section, Study

WHOLE = {"table": tables.leaderboard, "pairs": tables.pairs, "labels": tables.labels}
FACTS = ("images", "unit", "units", "replicates", "seed", "confidence")
OF_FIGURE = ("point", "interval", "±interval", "low", "high", "mean", "std_error", "bias")
OF_PAIR = (
    "difference",
    "interval",
    "±interval",
    "low",
    "high",
    "mean",
    "std_error",
    "p",
    "p_adjusted",
    "verdict",
    "excludes_zero",
    "detectable",
    "units_to_separate",
)
_OPTIONS = ("in", "label", "digits", "device")
_INTERVALS = {"+interval": "±interval", "+-interval": "±interval"}
_MOST_DIGITS = 12


class Answers:
    """Answers placeholders from the results of a study."""

    __slots__ = ("_results", "_study")

    def __init__(self, study: Study, results: Mapping[str, Any]) -> None:
        self._study = study
        self._results = results

    def answer(self, asked: str) -> str | list[str]:
        """Text, or the lines of a table. Raises InputError that says what can't be answered, and what could."""
        words, options = _split(asked)
        digits = self._digits(options)
        percent = "percent" in words
        words = [word for word in words if word != "percent"]
        if not words:
            raise InputError("it asks for nothing; write for instance `table NAME` or `MODEL/VARIANT AP`")
        if words[0] in (*WHOLE, "groups"):
            return self._whole(words, digits)
        if words[0] in FACTS:
            return self._fact(words, options)
        if words[1:] == ["latency"]:
            return self._latency(self._ref(words[0]), options)
        if words[1:2] == ["vs"]:
            return self._pair(words, options, digits, percent=percent)
        return self._figure(words, options, digits, percent=percent)

    def _digits(self, options: Mapping[str, str]) -> int:
        text = options.get("digits", str(self._study.digits))
        if not text.isdecimal() or int(text) > _MOST_DIGITS:
            raise InputError(f"digits is {text!r}; it must be a whole number from 0 to {_MOST_DIGITS}")
        return int(text)

    def _whole(self, words: list[str], digits: int) -> str | list[str]:
        what, *rest = words
        if not rest:
            raise InputError(f"say which: `{what} NAME`; there are {', '.join(self._study.sections)}")
        section = self._section(rest[0])
        if what == "groups":
            return tables.groups(self._results, section.name, _measure(rest[1]) if rest[1:] else None)
        if rest[1:]:
            raise InputError(f"{rest[1]!r} is one word too many")
        if what == "labels" and not section.per_label:
            raise InputError(f"{section.name} has no figures by label; write `per_label: true` there in the study")
        return WHOLE[what](self._results, section.name, digits)

    def _fact(self, words: list[str], options: Mapping[str, str]) -> str:
        name = options.get("in") or next(iter(self._study.sections))
        section = found.section_of(self._results, self._section(name).name)
        value = section[words[0]]
        if words[0] == "confidence":
            return f"{value * 100:g} %"
        return f"{value:,}" if isinstance(value, int) and words[0] != "seed" else str(value)

    def _latency(self, ref: str, options: Mapping[str, str]) -> str:
        bands = self._results["latency"].get(ref, [])
        named = options.get("device")
        fitting = [band for band in bands if (not band["cross_check"] if named is None else band["device"] == named)]
        if not fitting:
            devices = ", ".join(repr(band["device"]) for band in bands) or "none"
            which = "the main device" if named is None else f"device {named!r}"
            raise InputError(f"{ref} has no latencies of {which}; its devices: {devices}")
        band = fitting[0]
        check = ", cross-check" if band["cross_check"] else ""
        return f"{band_text(band)} ({band_name(band)}, {band['device']}{check})"

    def _figure(self, words: list[str], options: Mapping[str, str], digits: int, *, percent: bool) -> str:
        ref, measure, form = _three(words, "point", OF_FIGURE)
        section = self._holder((self._ref(ref),), measure, options, exact=form != "point")
        row = found.figure(section, ref, measure, options.get("label"))
        if row is None:
            raise InputError(f"there is no label {options.get('label')!r} in the results")
        shape = Format(measure, digits, percent=percent)
        if form == "±interval":
            return shape.with_interval(row)
        return shape.interval(row) if form == "interval" else shape.figure(row[form])

    def _pair(self, words: list[str], options: Mapping[str, str], digits: int, *, percent: bool) -> str:
        if words[2:3] == []:
            raise InputError("a second variant is missing behind `vs`")
        a, (b, measure, form) = self._ref(words[0]), _three(words[2:], "difference", OF_PAIR)
        refs = (a, self._ref(b))
        section = self._holder(refs, measure, options, exact=True)
        row = found.pair(section, refs, measure, options.get("label"))
        if row is None:
            raise InputError(f"{a} and {b} are not compared there; let it compare all pairs (`pairs: all`)")
        shape = Format(measure, digits, percent=percent)
        if form == "±interval":
            return shape.with_interval(row)
        if form == "interval":
            return shape.interval(row, signed=True)
        return _of_pair(row[form], form, shape)

    def _ref(self, name: str) -> str:
        if name not in self._study.variants:
            raise InputError(unknown(name, self._study.variants, "variant, table or comparison"))
        return name

    def _section(self, name: str) -> Section:
        if name not in self._study.sections:
            raise InputError(unknown(name, self._study.sections, "table or comparison"))
        return self._study.sections[name]

    def _holder(
        self, refs: tuple[str, ...], measure: str, options: Mapping[str, str], *, exact: bool
    ) -> Mapping[str, Any]:
        label = options.get("label")
        held = holding.holders(self._study.sections, refs, measure, label)
        what = holding.described(refs, measure, label)
        if "in" in options:
            name = self._section(options["in"]).name
            if name not in held:
                raise InputError(f"{name} does not hold {what}")
            return found.section_of(self._results, name)
        if not held:
            raise InputError(f"no table or comparison of the study holds {what}; add it to one")
        if holding.differ(held, refs, exact=exact):
            raise InputError(
                f"{' and '.join(held)} all hold {what}, and may differ; say which with in={next(iter(held))}"
            )
        return found.section_of(self._results, next(iter(held)))


def _split(asked: str) -> tuple[list[str], dict[str, str]]:
    try:
        parts = shlex.split(asked)
    except ValueError as error:
        raise InputError(f"it can't be read ({error}); close the quotation mark") from None
    options = {}
    words = []
    for part in parts:
        name, equals, value = part.partition("=")
        if equals and name in _OPTIONS:
            options[name] = value
        else:
            words.append(part)
    return words, options


def _three(words: list[str], default: str, forms: tuple[str, ...]) -> tuple[str, str, str]:
    """Variant, measure and form."""
    if len(words) == 1:
        raise InputError(f"a measure is missing behind {words[0]}, such as AP")
    ref, measure, *rest = words
    form = _INTERVALS.get(rest[0], rest[0]) if rest else default
    if form not in forms or rest[1:]:
        raise InputError(
            f"{' '.join(rest)!r} can't be given; known are {', '.join(forms)}, percent, {'=, '.join(_OPTIONS)}="
        )
    return ref, _measure(measure), form


def _measure(text: str) -> str:
    from boxscore.model.measure import Measure

    try:
        return str(Measure.parse(text))
    except BoxscoreError as error:
        raise InputError(str(error)) from None


def _of_pair(
    value: Any,  # noqa: ANN401  a number, a word or a truth
    form: str,
    shape: Format,
) -> str:
    if form in ("p", "p_adjusted"):
        return p_value(value)
    if form in ("verdict", "excludes_zero"):
        return "n/a" if value is None else str(value).lower()
    if form == "units_to_separate":
        return "n/a" if value is None else f"{value:,}"
    return shape.figure(value) if form in ("std_error", "detectable") else shape.difference(value)
