"""Several models over one ground truth: intervals, tests of pairs, verdicts. Or one model on two data sets: gaps.

    >>> from boxscore.compare import compare
    >>> compare({"a": run_a, "b": run_b}).find("AP").pairs[0].verdict

Names are imported when they are first used: what they need is dear.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.compare.comparing import compare
    from boxscore.compare.results import Comparison
    from boxscore.compare.unpaired import compare_unpaired
    from boxscore.compare.unpaired_results import Unpaired

__all__ = ["Comparison", "Unpaired", "compare", "compare_unpaired"]

_HOMES = {
    "Comparison": "results",
    "Unpaired": "unpaired_results",
    "compare": "comparing",
    "compare_unpaired": "unpaired",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxscore.compare' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"boxscore.compare.{_HOMES[name]}"), name)
