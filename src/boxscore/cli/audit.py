"""Look for what may be wrong with ground truth and predictions before any figure is believed.

Prints counted findings with place and remedy, those first that can move the figures most.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.audit.found import Found, Report

FAILED = 1
"""Exit status of a strict audit that found something."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from boxscore.cli.form_options import add_form_options

    parser.add_argument("gt", metavar="GT", help="ground truth: a file or folder of any form")
    parser.add_argument("pred", metavar="PRED", nargs="?", help="predictions, likewise")
    parser.add_argument("--json", action="store_true", help="print counts, readings and findings as JSON")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 where anything was found")
    parser.add_argument("--taxonomy", metavar="FILE", help="YAML file that merges, renames and drops labels")
    parser.add_argument("--boxes", choices=("xywh", "xyxy", "cxcywh"), help="what the four numbers of a detection mean")
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")
    add_form_options(parser)


def run(options: argparse.Namespace) -> int:
    """Examine, print."""
    from boxscore.audit.examine import audit
    from boxscore.cli.form_options import form_options
    from boxscore.cli.options import AskedReading

    report = audit(
        options.gt,
        options.pred,
        images=options.images,
        taxonomy=options.taxonomy,
        reading=AskedReading(boxes="xyxy" if options.boxes == "xyxy" else "xywh"),
        threads=options.threads,
        **form_options(options),
    )
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(report.to_dict()))
    else:
        print("\n".join(_lines(report)))
    return FAILED if options.strict and report.findings else 0


def _lines(report: Report) -> list[str]:
    from boxscore.model.notes import counted

    counts = ", ".join(counted(count, what.removesuffix("s")) for what, count in report.counts.items())
    lines = [f"read: {counts or 'nothing'}", *(f"read: {text}" for text in report.read), ""]
    if not report.findings:
        return [*lines, "no findings"]
    lines.append(f"{len(report.findings)} finding{'s' if len(report.findings) > 1 else ''}, largest effect first:")
    for number, found in enumerate(report.findings, 1):
        lines += ["", *_worded(number, found)]
    return lines


def _worded(number: int, found: Found) -> list[str]:
    stops = "; eval refuses it" if found.stops else ""
    return [
        f"{number}. {found.code} ({found.bound}{stops})",
        f"   {found.message}",
        f"   -> {found.remedy}",
    ]
