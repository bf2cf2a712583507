"""A comparison declared in one file, computed and checked.

    boxscore study init STUDY GT PRED [PRED …]     write a study to start from
    boxscore study run STUDY                       compute, and write results, report and documents
    boxscore study anchors STUDY                   print anchors of what the files give now, to put into the study
    boxscore study check STUDY                     compute anew, and hold all of it to what is anchored and written

`run` writes results.json, a report in Markdown, and fills the placeholders of the documents that the study names.
`check` computes everything anew, writes nothing, and exits with status 1 where an anchor is out of tolerance, a verdict
has flipped, an input is not the one declared, or something written is stale; each is named.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.study.declared import Study

FAILED = 1
"""Exit status of a check that found something."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("action", choices=("init", "run", "anchors", "check"), help="what to do, as above")
    parser.add_argument("study", metavar="STUDY", help="the study's YAML file (docs/studies.md)")
    parser.add_argument("files", metavar="FILE", nargs="*", default=[], help="of init: ground truth, then predictions")
    parser.add_argument("--json", action="store_true", help="print the results, or the findings, as JSON")
    parser.add_argument("--threads", metavar="N", type=int, help="threads (default: all processors)")


def run(options: argparse.Namespace) -> int:
    """Read the study, then run or check it; or start one."""
    if options.action == "init":
        return _init(options)
    if options.files:
        from boxscore.errors import InputError

        raise InputError(
            f"{options.files[0]!r} is one argument too many: `study {options.action}` takes the study alone"
        )
    from boxscore.study import read

    study = read(options.study)
    if options.action == "anchors":
        from boxscore.study.started import proposed

        print(proposed(study, options.threads), end="", flush=True)
        return 0
    return _run(study, options) if options.action == "run" else _check(study, options)


def _init(options: argparse.Namespace) -> int:
    from boxscore.model.whole_files import write_text
    from boxscore.study.started import start

    ground_truth, *predictions = options.files or [""]
    text = start(options.study, ground_truth, predictions)
    write_text(options.study, text)
    print(f"written: {options.study}; `boxscore study run {options.study}` computes it", flush=True)
    return 0


def _run(study: Study, options: argparse.Namespace) -> int:
    from boxscore.study import write
    from boxscore.study.written import results_text

    computed, written = write(study, options.threads)
    if options.json:
        print(results_text(computed), end="", flush=True)
    else:
        print(f"written: {', '.join(written)}" if written else "nothing to write: everything is as the files give it")
    for _, message in computed.missed:
        print(f"missed: {message}", file=sys.stderr)
    _tell(computed.notes)
    return 0


def _check(study: Study, options: argparse.Namespace) -> int:
    from boxscore.study import check

    checked = check(study, options.threads)
    if options.json:
        import json

        print(json.dumps(checked.to_dict(), indent=1))
    else:
        for finding in checked.findings:
            print(f"{finding.kind}: {finding.message}")
        told = f"{len(checked.findings)} found" if checked.findings else "nothing found"
        print(f"{told}; {checked.held} anchored values and verdicts met", flush=True)
    _tell(checked.notes)
    return FAILED if checked.findings else 0


def _tell(notes: list[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
