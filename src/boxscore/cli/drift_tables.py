"""What `drift` prints: scorers, figures, differences, explanations, switches."""

from __future__ import annotations

from boxscore.cli.tables import aligned
from boxscore.drift.explained import CLOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from boxscore.drift import Drift
    from boxscore.drift.process import Scored
    from boxscore.drift.switches import Switched

_NONE = "n/a"
_NOT_GIVEN = "-"
_MAIN = ("AP", "AP@0.5", "AP@0.75")


def lines(found: Drift, tolerance: float | None) -> list[str]:
    """All of it, in the order in which it is read."""
    told = [*_scorers(found)]
    if found.scored:
        told += ["", *_figures(found), "", *_differences(found), ""]
        told += [line for one in found.scored for line in _explained(found, one)]
    told += ["", *_switches(found)]
    if tolerance is not None and found.scored:
        told += ["", *_beyond(found, tolerance)]
    return told


def _scorers(found: Drift) -> list[str]:
    from boxscore import __version__

    told = [f"boxscore {__version__}, protocol {found.run.protocol.name}; the others get {found.how}"]
    for one in found.scored:
        uses = ", ".join(f"{name} {version}" for name, version in one.uses.items())
        beside = f" (with {uses})" if uses else ""
        told.append(f"{_titled(one)}{beside}, from {one.location}")
    return told


def _figures(found: Drift) -> list[str]:
    head = ["figure", "boxscore", *_heads(found)]
    body = [
        [name, _figure(value), *(_given(one, name) for one in found.scored)] for name, value in found.figures.items()
    ]
    return aligned(head, body)


def _differences(found: Drift) -> list[str]:
    every = [found.differences(one) for one in found.scored]
    body = [
        [name, *(_signed(apart[name]) if name in apart else _NOT_GIVEN for apart in every)] for name in found.figures
    ]
    return aligned(["less boxscore", *_heads(found)], body)


def _explained(found: Drift, one: Scored) -> list[str]:
    explanation, title = found.explanation(one), _titled(one)
    count = len(one.figures)
    if explanation.agrees:
        return [f"{title}: all {count} figures within {CLOSE:g} of boxscore's"]
    told = [
        f"{title}: explained by {_named(switch)}, which alone brings boxscore to all {count} figures within {CLOSE:g}"
        for switch in explanation.explains
    ]
    told += [
        f"{title}: {_named(switch)} alone brings boxscore to its AP within {CLOSE:g}, but not to its other figures"
        for switch in explanation.explains_ap
    ]
    if told:
        return told
    nearest = ""
    if explanation.nearest is not None:
        left = explanation.left
        most = max(left, key=lambda name: abs(left[name] or 0.0))
        nearest = (
            f"; the nearest is {_named(explanation.nearest)}, which leaves {_signed(left.get('AP'))} in AP and at most "
            f"{_signed(left[most])} ({most})"
        )
    return [f"{title}: no switch alone brings boxscore to its figures within {CLOSE:g}{nearest}"]


def _switches(found: Drift) -> list[str]:
    body = []
    for one in found.switches:
        effects = [_signed(one.effect(name, found.figures)) for name in _MAIN]
        body.append([one.switch, one.setting, *effects, _note(one, found)])
    head = ["switched alone", "setting", *(f"effect on {name}" if name == "AP" else name for name in _MAIN), "also"]
    return _left_aligned(head, body)


def _note(one: Switched, found: Drift) -> str:
    """Why nothing moved, or what moved most apart from the main figures."""
    if one.reason is not None:
        return one.reason
    others = {name: one.effect(name, found.figures) for name in found.figures if name not in _MAIN}
    moved = {name: effect for name, effect in others.items() if effect}
    if not moved:
        return ""
    most = max(moved, key=lambda name: abs(moved[name]))
    return f"{most} {_signed(moved[most])}"


def _beyond(found: Drift, tolerance: float) -> list[str]:
    beyond = found.beyond(tolerance)
    if not beyond:
        return [f"all figures within the tolerance of {tolerance:g}"]
    return [
        f"beyond the tolerance of {tolerance:g}: {one.measure} of {one.scorer} is {_exact(one.value)}, boxscore's "
        f"{_exact(one.boxscore)}, difference {_exact(one.difference)}"
        for one in beyond
    ]


def _heads(found: Drift) -> list[str]:
    names = [one.asked.scorer.name for one in found.scored]
    return [_titled(one) if names.count(one.asked.scorer.name) > 1 else one.asked.scorer.name for one in found.scored]


def _titled(one: Scored) -> str:
    return f"{one.asked.scorer.name} {one.version}"


def _named(one: Switched) -> str:
    return f"{one.switch} ({one.setting})"


def _given(one: Scored, name: str) -> str:
    return _figure(one.figures[name]) if name in one.figures else _NOT_GIVEN


def _figure(value: float | None) -> str:
    return _NONE if value is None else f"{value:.6f}"


def _exact(value: float | None) -> str:
    return _NONE if value is None else f"{value:.10g}"


def _signed(value: float | None) -> str:
    if value is None:
        return _NONE
    return "0" if value == 0 else f"{value:+.6f}" if abs(value) >= 5e-6 else f"{value:+.1e}"


def _left_aligned(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Columns of text to the left, those of numbers to the right."""
    rows = [head, *body]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    texts = (0, 1, len(head) - 1)
    return [
        "  ".join(
            f"{cell:<{width}}" if column in texts else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
