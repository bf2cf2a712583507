"""What `boxscore demo --regression` says, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boxscore.cli.tables import aligned
from boxscore.gate import told
from boxscore.model.notes import counted, listed
from boxscore.planted import NotShown, Shown
from boxscore.planted.rules import RECALL
from boxscore.planted.runs import TRIAGE_SLICES

if TYPE_CHECKING:
    from typing import Any

    from boxscore.gate.checks import Check
    from boxscore.planted import Demonstration
    from boxscore.planted.results import Sorted

_JUDGED, _P = 7, 8
"""Columns of a check's row that say nothing here."""


def beginning(demonstration: Demonstration, seed: int) -> str:
    """Scenes, detector, figures, baseline, and the gate of the unchanged model."""
    scenes, run = demonstration.scenes, demonstration.run
    profiles = ", ".join(f"{count} {profile}" for profile, count in scenes.profiles.items())
    objects = len(scenes.content["annotations"])
    figures = ", ".join(f"{measure} {told.figure(run.value(measure), measure)}" for measure in ("AP", RECALL))
    rows = {
        "scenes": f"{len(scenes.images)} {scenes.made_by}, seed {seed}: {profiles}; {counted(objects, 'object')}",
        "detector": demonstration.detector.name,
        "evaluated": f"{counted(len(demonstration.rows), 'detection')}; {figures}",
        "baseline": f"promoted to {demonstration.place.baseline}, rules in {demonstration.place.rules}",
        "unchanged": demonstration.gate.headline,
    }
    return "\n".join(f"{name:<10} {text}" for name, text in rows.items())


def fault(shown: Shown | NotShown) -> str:
    """One fault: what was planted, which checks name it, what triage says, and the gate after it was undone."""
    if isinstance(shown, NotShown):
        return f"fault {shown.name}: CAN'T BE SHOWN, as there is nothing to lose: {shown.reason}"
    failed = shown.naming
    lines = [f"fault {shown.name}: {shown.planted.told}", f"  {shown.gate.headline}"]
    lines += [f"  {line}" for line in _table(failed)]
    lines += [f"  {reason}" for reason in told.reasons(failed)]
    others = [check.name for check in shown.gate.failed if check not in failed]
    if others:
        lines.append(f"  and with it {'; '.join(others[:2])}{f' (+{len(others) - 2} more)' if len(others) > 2 else ''}")
    lines += [f"  triage: {_sorted(shown.triage)}", f"  undone: {shown.undone.headline}"]
    return "\n".join([*lines, *(f"  NOT AS IT SHOULD BE: {one}" for one in wrong(shown))])


def wrong(shown: Shown) -> list[str]:
    """What did not go as it should, in words; nothing where all did."""
    found = ["the gate passes, and the fault is not caught"] if shown.gate.passes else []
    if shown.missing and not shown.gate.passes:
        start = "" if shown.naming else "no failed check names the fault; "
        found.append(f"{start}these should have failed: {listed(shown.missing)}")
    if shown.wrongly:
        found.append(f"checks fail that the fault does not touch: {listed(shown.wrongly)}")
    if shown.triage.kind != shown.planted.kind:
        found.append(f"triage should have told {shown.planted.kind!r}")
    if not shown.undone.passes:
        found.append("the gate fails although the fault was taken out")
    return found


def ending(demonstration: Demonstration) -> str:
    """How many faults were caught, and how to see it by hand."""
    shown = demonstration.shown
    caught = sum(one.ok for one in shown)
    verdict = (
        f"{caught} of {counted(len(shown), 'fault')} caught by the checks they touch, told by triage, gone when undone"
    )
    if any(isinstance(one, NotShown) for one in shown):
        verdict += "; of what can't be shown, more scenes (--images) or another detector may have more to lose"
    if not demonstration.gate.passes:
        verdict += "; but the gate fails the unchanged model"
    lines = [verdict, "", f"By hand (how each run was evaluated: {demonstration.write_commands()}):"]
    lines += [f"  {demonstration.commands[-1]}"]
    lines += [f"  {command}" for one in shown if isinstance(one, Shown) for command in one.commands[1:]]
    return "\n".join(lines)


def as_json(demonstration: Demonstration, seed: int) -> dict[str, Any]:
    """All of it, ready for JSON."""
    scenes, run, detector = demonstration.scenes, demonstration.run, demonstration.detector
    return {
        "ok": demonstration.ok,
        "folder": str(demonstration.place.folder),
        "seed": seed,
        "scenes": {
            "images": len(scenes.images),
            "objects": len(scenes.content["annotations"]),
            "profiles": scenes.profiles,
            "rendered": scenes.without is None,
            "reason": scenes.without,
        },
        "detector": {"name": detector.name, "simulated": detector.simulated, "detections": len(demonstration.rows)},
        "figures": {measure: run.value(measure) for measure in ("AP", RECALL)},
        "unchanged": {"verdict": demonstration.gate.verdict, "checks": len(demonstration.gate.checks)},
        "faults": [_fault_as_json(one) for one in demonstration.shown],
        "commands": demonstration.commands,
    }


def _fault_as_json(shown: Shown | NotShown) -> dict[str, Any]:
    if isinstance(shown, NotShown):
        return {"fault": shown.name, "ok": False, "reason": shown.reason}
    triage = shown.triage
    return {
        "fault": shown.name,
        "planted": shown.planted.told,
        "ok": shown.ok,
        "verdict": shown.gate.verdict,
        "named_by": [check.to_dict() for check in shown.naming],
        "failed": [check.name for check in shown.gate.failed],
        "checks": len(shown.gate.checks),
        "wrong": wrong(shown),
        "triage": {
            "kind": triage.kind,
            "expected": shown.planted.kind,
            "missed_objects": {kind: {"before": was, "after": now} for kind, (was, now) in triage.kinds.items()},
            "row": triage.row,
        },
        "undone": shown.undone.verdict,
        "commands": shown.commands,
    }


def _table(checks: list[Check]) -> list[str]:
    """Slice, label, measure, baseline, current, limit, delta; nothing of checks that have no figures."""
    shown = [check for check in checks if check.baseline is not None]
    if not shown:
        return []
    rows = [told.head(shown), *(told.cells(check) for check in shown)]
    head, *body = [row[:_JUDGED] + row[_P + 1 :] for row in rows]
    return aligned(head, body)


def _sorted(found: Sorted) -> str:
    """`wrong label: 30 missed objects, 1 without the fault (duck taken for domino 9); most in profile=far (9 of 9)`."""
    if found.kind is None or found.row is None:
        return "no more objects are missed than without the fault"
    was, now = found.kinds[found.kind]
    pairs = found.row["taken_for"]
    who = ", ".join(f"{one['object']} taken for {one['detected']} {one['count']}" for one in pairs)
    leading = [f"{one['slice']} ({one['count']} of {one['base']})" for one in found.row["slices"] if _asked_for(one)]
    where = f"; most in {', '.join(leading)}" if leading else ""
    return f"{found.kind}: {counted(now, 'missed object')}, {was} without the fault{f' ({who})' if who else ''}{where}"


def _asked_for(leading: dict[str, Any]) -> bool:
    """Profiles and pictures; limits of light that triage found by itself are their shadows."""
    return leading["slice"].partition("=")[0] in TRIAGE_SLICES
