"""Hold a run to a baseline by rules, and fail where it is worse.

RUN and BASE are run folders (`boxscore eval --out`), tables of figures
(metrics.json, tidy tables, folders of metrics_*.csv), or with --sample-id
tables with one row a sample. Prints each check that fails; exit status 1 if any
does. `--promote RUN BASE` makes a run the baseline. docs/gate.md says how rules
are written and judged.
"""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.gate.result import GateResult
    from boxscore.gate.rules import Rules
    from boxscore.gate.sides import Sides
    from boxscore.pipeline.resampling import Resampling

FILES_BETWEEN_OPTIONS = True

_USAGE = """boxscore gate RUN --baseline BASE [--rules FILE] [options]
       boxscore gate --promote RUN BASE [--slim] [--latency FILE] [--overwrite]"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.usage = _USAGE
    add = parser.add_argument
    add("paths", metavar="RUN", nargs="*", help="the current run, or table")
    add("--baseline", metavar="BASE", help="what it is held to")
    add("--rules", metavar="FILE", help="YAML (default: the headline measure, over all and of each label, significant)")
    add("--metadata", metavar="FILE", help="table of image metadata for slices (default: what the rules name)")
    add("--latency", metavar="FILE", help="latencies of the current run: CSV or JSON of milliseconds")
    add("--baseline-latency", metavar="FILE", help="those of the baseline (default: what it keeps)")
    add("--sample-id", metavar="COLUMN", help="the tables have one row a sample, which this column names")
    add("--own-floors", action="store_true", help="both runs may have confidence floors of their own")
    add("--power", action="store_true", help="also print which drop each check would catch 8 times in 10")
    add("--all", action="store_true", help="print checks that pass, too")
    add("--replicates", metavar="N", type=int, help="resamples and swaps (1000)")
    add("--seed", metavar="N", type=int, help="which are drawn (0)")
    add("--threads", metavar="N", type=int, help="threads (default: all processors)")
    out = parser.add_argument_group("output")
    out.add_argument("--json", action="store_true", help="print everything as JSON")
    out.add_argument("--markdown", metavar="FILE", help="write Markdown, for a comment in a pull request")
    out.add_argument("--junit", metavar="FILE", help="write JUnit XML, a test case a check")
    out.add_argument("--github", action="store_true", help="print annotations for GitHub Actions, too")
    make = parser.add_argument_group("making a baseline")
    make.add_argument("--promote", metavar=("RUN", "BASE"), nargs=2, help="make a verified run the baseline")
    make.add_argument("--slim", action="store_true", help="keep what checks need alone, to be committed")
    make.add_argument("--overwrite", action="store_true", help="replace the baseline that is there")


def run(options: argparse.Namespace) -> int:
    """Gate, or promote."""
    if options.promote is not None:
        return _promote(options)
    if len(options.paths) != 1 or options.baseline is None:
        raise InputError("give one run, and its baseline: boxscore gate RUN --baseline BASE")
    from boxscore.cli import gate_tables
    from boxscore.gate.gating import gate

    current, baseline = options.paths[0], options.baseline
    rules, resampling = _asked(options)
    sides, rules = _opened(options, current, baseline, rules, resampling)
    found = gate(sides, rules, current=current, baseline=baseline, with_power=options.power)
    if sides.folder is not None:
        from boxscore.gate.written import save

        save(sides.folder, found)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(found.to_dict()), flush=True)
    else:
        print("\n".join(gate_tables.told_lines(found, everything=options.all)), flush=True)
    _write(options, found)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    return 0 if found.passes else 1


def _asked(options: argparse.Namespace) -> tuple[Rules | None, Resampling]:
    from boxscore.gate import rule_files

    rules = None
    if options.rules is not None:
        rules = rule_files.read(options.rules)
    given = {} if rules is None else dict(rules.resampling)
    given |= {name: getattr(options, name) for name in ("replicates", "seed") if getattr(options, name) is not None}
    return rules, rule_files.RuleResampling(**given)


def _opened(
    options: argparse.Namespace, current: str, baseline: str, rules: Rules | None, resampling: Resampling
) -> tuple[Sides, Rules]:
    from boxscore.gate import opened
    from boxscore.pipeline.evaluate import thread_count

    if options.sample_id is None and opened.is_run(current) and opened.is_run(baseline):
        return opened.runs(
            current,
            baseline,
            rules,
            resampling,
            metadata=options.metadata,
            latency=options.latency,
            baseline_latency=options.baseline_latency,
            own_floors=options.own_floors,
            threads=thread_count(options.threads),
        )
    _refuse_without_runs(options)
    opened.refuse_other_tables(current, baseline, samples=options.sample_id is not None)
    if rules is None:
        raise InputError("tables have no headline measure: say what they are held to with --rules FILE (docs/gate.md)")
    if options.sample_id is not None:
        return opened.samples(current, baseline, options.sample_id, rules, resampling), rules
    return opened.figures(current, baseline), rules


def _refuse_without_runs(options: argparse.Namespace) -> None:
    for name in ("metadata", "latency", "baseline_latency", "own_floors"):
        if getattr(options, name):
            raise InputError(f"--{name.replace('_', '-')} is for run folders, and these are none; leave it out")


def _write(options: argparse.Namespace, found: GateResult) -> None:
    from boxscore.model.whole_files import write_text

    if options.markdown is not None:
        from boxscore.gate.markdown import markdown

        write_text(options.markdown, markdown(found))
    if options.junit is not None:
        from boxscore.gate.junit import junit

        write_text(options.junit, junit(found))
    if options.github:
        from boxscore.gate.github import workflow_commands

        # With --json, standard output is JSON alone; GitHub reads both streams.
        stream = sys.stderr if options.json else sys.stdout
        print("\n".join(workflow_commands(found)), file=stream, flush=True)


def _promote(options: argparse.Namespace) -> int:
    from boxscore.gate.promoting import promote

    run_folder, base = options.promote
    if options.paths or options.baseline is not None:
        raise InputError("--promote takes a run and the folder to make: boxscore gate --promote RUN BASE")
    size = promote(run_folder, base, slim=options.slim, latency=options.latency, overwrite=options.overwrite)
    form = " in its slim form" if options.slim else ""
    print(f"{base}: {run_folder} is the baseline{form} ({size / 1e6:.1f} MB)")
    return 0
