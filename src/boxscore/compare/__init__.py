"""Several models over one ground truth: intervals, tests of pairs, verdicts.

    >>> from boxscore.compare import compare
    >>> compare({"a": run_a, "b": run_b}).find("AP").pairs[0].verdict

Names are imported when they are first used: what they need is dear.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.compare.comparing import compare
    from boxscore.compare.results import Comparison

__all__ = ["Comparison", "compare"]


def __getattr__(name: str) -> object:
    if name == "compare":
        from boxscore.compare.comparing import compare

        return compare
    if name == "Comparison":
        from boxscore.compare.results import Comparison

        return Comparison
    raise AttributeError(f"module 'boxscore.compare' has no attribute {name!r}")
