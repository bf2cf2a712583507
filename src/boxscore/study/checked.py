"""`check`: everything computed anew and held against anchors, hashes, and what was written."""

from __future__ import annotations

from dataclasses import dataclass

from boxscore.model.notes import counted
from boxscore.study.computed import compute
from boxscore.study.stale import differences
from boxscore.study.written import current_text, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boxscore.study.computed import Computed
    from boxscore.study.declared import Study
    from boxscore.study.written import Text

INPUT = "input"
STALE = "stale"
_MOST = 5
"""Placeholders of a document that are told one by one."""
_MOST_PATHS = 3
"""Differences of results.json that are."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that isn't as it must be: `kind` is `input`, `anchor`, `verdict` or `stale`."""

    kind: str
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"kind": self.kind, "message": self.message}


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, and what is worth knowing beside it."""

    findings: list[Finding]
    notes: list[str]
    held: int

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "ok": not self.findings,
            "anchors_held": self.held,
            "findings": [one.to_dict() for one in self.findings],
            "notes": self.notes,
        }


def check(study: Study, threads: int | None = None) -> Checked:
    """Recompute and name each changed input, each anchor out of tolerance, each verdict that flipped, each stale file.

    Raises BoxscoreError where a file can't be read, or a placeholder asks for what there is not.
    """
    computed = compute(study, threads)
    findings = [Finding(INPUT, sentence) for sentence in computed.changed]
    findings += [Finding(held.kind, message) for held, message in computed.missed]
    for text in texts(computed):
        findings += [Finding(STALE, f"{text.file.stated} {what}") for what in _stale(text, computed)]
    held = sum(one["met"] for one in computed.results["anchors"])
    return Checked(findings, computed.notes, held)


def _stale(text: Text, computed: Computed) -> list[str]:
    """What of a file isn't as the figures give it."""
    current = current_text(text.file)
    if current is None:
        return ["is missing; `boxscore study run` writes it"]
    if text.stale:
        told = [
            f"line {one.line}: `{one.asked}` is stale: {_quoted(current[one.start : one.end], wanted)}"
            for one, wanted in text.stale[:_MOST]
        ]
        more = len(text.stale) - _MOST
        return told + ([f"has {counted(more, 'more stale placeholder')}"] if more > 0 else [])
    # Line ends are git's to change.
    if current.replace("\r\n", "\n") == text.wanted.replace("\r\n", "\n"):
        return []
    if text.file != computed.study.results:
        return ["is stale: it differs from what the files give; `boxscore study run` writes it anew"]
    told = differences(current, computed.results, _MOST_PATHS)
    return [f"is stale: {'; '.join(told)}"] if told else []


def _quoted(current: str, wanted: str) -> str:
    if "\n" in wanted:
        return "the table differs from what the files give"
    return f"it says {current.strip()[:60]!r}, the files give {wanted!r}"
