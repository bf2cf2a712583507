"""Everything that a study's files give: comparisons, latencies, anchors held against them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boxscore.study import mixups
from boxscore.study.anchors import hold
from boxscore.study.declared import TABLE, Pinned
from boxscore.study.hashes import Hashes
from boxscore.study.latency import bands
from boxscore.study.scoring import Scorer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boxscore.study.anchors import Held
    from boxscore.study.declared import Anchor, Study, Variant

FORMAT = 1
"""Of results.json; raised when a field changes its meaning."""


@dataclass(frozen=True, slots=True)
class Computed:
    """The results, ready for JSON, and what is to be told beside them.

    `missed` are anchors that are not met, each with its message; `changed` a sentence for each input that isn't the one
    declared; `notes` what is worth knowing.
    """

    study: Study
    results: dict[str, Any]
    missed: list[tuple[Held, str]]
    changed: list[str]
    notes: list[str]


def compute(study: Study, threads: int | None = None) -> Computed:
    """Score, compare and hold the anchors. Raises BoxscoreError for files that can't be read or compared."""
    hashes = Hashes()
    changed = hashes.changed(study)
    latencies = bands(study)
    scorer = Scorer(study, threads)
    compared = {name: scorer.compare(section) for name, section in study.sections.items()}
    files = {ref: variant.predictions for ref, variant in study.variants.items()}
    repeated = hashes.repeated(files)
    results: dict[str, Any] = {
        "study": study.title,
        "format": FORMAT,
        "inputs": _inputs(study, hashes),
        "variants": {ref: variant.title for ref, variant in study.variants.items()},
        "latency": {ref: [band.to_dict(study.band) for band in found] for ref, found in latencies.items()},
        "tables": _of_kind(study, compared, tables=True),
        "comparisons": _of_kind(study, compared, tables=False),
    }
    now = {ref: hashes.of(file) for ref, file in files.items()}
    held = [one for anchor in study.anchors for one in hold(anchor, results, now)]
    results["anchors"] = [one.to_dict() for one in held]
    results["notes"] = [*repeated, *scorer.notes(), *_notes(compared)]
    missed = [(one, f"{one}{_hint(one, study, scorer, now)}") for one in held if not one.met]
    return Computed(study, results, missed, changed, [*hashes.undeclared(study), *results["notes"]])


def _inputs(study: Study, hashes: Hashes) -> dict[str, Any]:
    def described(file: Pinned) -> dict[str, str]:
        return {"path": file.stated, "sha256": hashes.of(file)}

    found: dict[str, Any] = {"ground_truth": described(study.ground_truth)}
    if isinstance(study.taxonomy, Pinned):
        found["taxonomy"] = described(study.taxonomy)
    elif study.taxonomy is not None:
        found["taxonomy"] = study.taxonomy
    found["predictions"] = {ref: described(variant.predictions) for ref, variant in study.variants.items()}
    for name in ("thresholds", "latency"):
        of_variants = {
            ref: [described(file) for file in files]
            for ref, variant in study.variants.items()
            if (files := [latency.file for latency in variant.latencies] if name == "latency" else _floors(variant))
        }
        found |= {name: of_variants} if of_variants else {}
    return found


def _floors(variant: Variant) -> list[Pinned]:
    return [] if variant.thresholds is None else [variant.thresholds]


def _of_kind(study: Study, compared: Mapping[str, dict[str, Any]], *, tables: bool) -> dict[str, Any]:
    return {
        name: {"title": section.title, "pairs": section.pairs, **compared[name]}
        for name, section in study.sections.items()
        if (section.kind == TABLE) == tables
    }


def _notes(compared: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Notes of the comparisons, each once, with the sections that it is of where not all have it."""
    where: dict[str, list[str]] = {}
    for name, section in compared.items():
        for note in section["notes"]:
            where.setdefault(note["message"], []).append(name)
    return [
        message if len(names) == len(compared) else f"{', '.join(names)}: {message}" for message, names in where.items()
    ]


def _hint(held: Held, study: Study, scorer: Scorer, hashes: Mapping[str, str]) -> str:
    """Who meets a missed anchor instead; a verdict and a missing pair are nobody's."""
    anchor = held.anchor
    if held.field == "sha256":
        return mixups.whose(held.expected, hashes)
    if held.field not in anchor.values or not _is_told(anchor, held.field):
        return ""
    section = study.sections[anchor.section]
    every = tuple(study.variants)

    def point(ref: str) -> float | None:
        return scorer.point(ref, section, anchor.measure, anchor.label)

    def bounds() -> Mapping[str, Any]:
        return scorer.compare(replace(section, pairs="adjacent", measures=(anchor.measure,)), every)

    return mixups.who_meets(anchor, every, point, bounds)


def _is_told(anchor: Anchor, field: str) -> bool:
    """Whether the hint belongs to this field: to the point or difference where one is stated, else to the first."""
    stated = [name for name in anchor.values if name in ("point", "difference")]
    return field == (stated or list(anchor.values))[0]
