"""Options of evaluations at an operating point."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def add_operating_options(parser: argparse.ArgumentParser, *, printing: bool = True) -> None:
    """Add the options; `printing`: those of further tables, too."""
    group = parser.add_argument_group("operating point (--protocol operating-point)")
    group.add_argument(
        "--conf", metavar="X", type=float, help="lowest confidence that counts, for labels without a floor"
    )
    group.add_argument("--thresholds", metavar="FILE", help="YAML file of confidence floors by label")
    group.add_argument(
        "--nms", metavar="IOU", type=float, help="first suppress detections that overlap a better one so"
    )
    group.add_argument("--beta", metavar="B", type=float, help="beta of F: recall weighs so much more than precision")
    if not printing:
        return
    group.add_argument("--sweep", action="store_true", help="also print precision, recall and F at each confidence")
    group.add_argument("--confusion", action="store_true", help="also print which label was taken for which")


def operating_options(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of `evaluate` that they stand for."""
    return {
        "confidence": options.conf,
        "thresholds": options.thresholds,
        "nms": options.nms,
        "beta": options.beta,
    }
