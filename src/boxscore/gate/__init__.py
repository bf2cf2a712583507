"""Gates: a run, or a table, held to a baseline by rules.

    >>> from boxscore.gate import gate, opened, rule_files
    >>> rules = rule_files.read("gate.yaml")
    >>> sides, rules = opened.runs("runs/new", "runs/base", rules)
    >>> gate(sides, rules).passes

Names are imported when they are first used: what they need is dear.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.gating import gate
    from boxscore.gate.promoting import promote
    from boxscore.gate.result import GateResult

__all__ = ["GateResult", "gate", "promote"]

_HOMES = {"gate": "gating", "promote": "promoting", "GateResult": "result"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxscore.gate' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"boxscore.gate.{_HOMES[name]}"), name)
