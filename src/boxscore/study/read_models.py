"""The models of a study and their variants."""

from __future__ import annotations

import re
from pathlib import Path

from boxscore.io.yaml_fields import Field, attempt
from boxscore.study.declared import Latency, Pinned, Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.study.read_files import Files

_KEY = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._+]|-(?!-))*")
_VARIANT = ("name", "predictions", "sha256", "format", "options", "thresholds", "latency")
_MODEL = ("name", "variants", *_VARIANT[1:])
_LATENCY = ("file", "sha256", "device")
BAND = (50.0, 95.0)


def variants(given: Field, files: Files) -> dict[str, Variant]:
    """All variants by reference: `model/variant`, or `model` where a model has predictions of its own."""
    found: dict[str, Variant] = {}
    if given.value == {}:
        given.wrong("it is empty; name at least one model")
    for name, model in given.named():
        if key(name, model):
            for variant in attempt(model, _of_model, name, files) or [_wrong(name, model)]:
                found[variant.ref] = variant
    return found


def key(name: str, given: Field) -> bool:
    """Whether a name can stand in documents' placeholders; kept as a mistake where it can't."""
    if _KEY.fullmatch(name):
        return True
    given.tell("names hold letters, digits, `.`, `_`, `+` and single `-`; `name:` below it may say it in any words")
    return False


def latency(given: Field | None) -> tuple[str | None, tuple[float, float]]:
    """The main device, and the percentiles of the band."""
    fields = attempt(given, Field.fields, ("device", "band")) or {}
    return attempt(fields.get("device"), Field.text), attempt(fields.get("band"), _band) or BAND


def _band(given: Field) -> tuple[float, float]:
    low, *rest = (item.number() for item in given.items())
    if len(rest) != 1 or not 0 <= low < rest[0] <= 100:
        given.wrong("it must be two percentiles, such as [50, 95]")
    return low, rest[0]


def _of_model(given: Field, name: str, files: Files) -> list[Variant]:
    fields = given.fields(_MODEL)
    title = attempt(fields.get("name"), Field.text) or name
    if "variants" not in fields:
        if "predictions" not in fields:
            given.wrong("a model needs `variants`, or `predictions` where it has only one")
        return [_variant(name, title, fields, files)]
    alone = [field for field in _VARIANT[1:] if field in fields]
    if alone:
        given.tell(f"{' and '.join(alone)} must stand under one of the variants, not beside them")
    found = []
    for variant, below in fields["variants"].named():
        if key(variant, below):
            made = attempt(below, _named, (name, title, variant), files)
            found.append(made or _wrong(f"{name}/{variant}", below))
    return found


def _wrong(ref: str, given: Field) -> Variant:
    """Stands for one whose mistake was kept, so that those who name it are not told that it is missing."""
    return Variant(ref, ref, Pinned(Path(), "", None, given.path))


def _named(given: Field, names: tuple[str, str, str], files: Files) -> Variant:
    model, title, variant = names
    fields = given.fields(_VARIANT, needed=("predictions",))
    shown = attempt(fields.get("name"), Field.text) or f"{title} {variant}"
    return _variant(f"{model}/{variant}", shown, fields, files)


def _variant(ref: str, title: str, fields: dict[str, Field], files: Files) -> Variant:
    measured = attempt(fields.get("latency"), _latencies, files) or ()
    options = attempt(fields.get("options"), files.form_options) or {}
    form = attempt(fields.get("format"), Field.text)
    floors = attempt(fields.get("thresholds"), files.path_or_pinned)
    predictions = files.pinned(fields["predictions"], fields.get("sha256"))
    return Variant(ref, title, predictions, form, options, measured, floors)


def _latencies(given: Field, files: Files) -> tuple[Latency, ...]:
    """A path, a mapping with `file`, or a list of either."""
    items = given.items() if isinstance(given.value, list) else [given]
    return tuple(_latency(item, files) for item in items)


def _latency(given: Field, files: Files) -> Latency:
    if not isinstance(given.value, dict):
        return Latency(files.pinned(given, None), None)
    fields = given.fields(_LATENCY, needed=("file",))
    device = fields["device"].text() if "device" in fields else None
    return Latency(files.pinned(fields["file"], fields.get("sha256")), device)
