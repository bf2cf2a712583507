"""Log a run folder to a tracker: MLflow, or Weights & Biases.

Logs what was run as parameters, every figure with both ends of its interval as
metrics, figures that do not exist with their reason, and the run folder and its
report as artifacts. Prints where it is now. docs/tracking.md lists the names.
"""

from __future__ import annotations

import os

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from boxscore.tracking.logged import Logged
    from boxscore.tracking.record import Record

TRACKERS = ("mlflow", "wandb")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("run", metavar="RUN", help="run folder that `boxscore eval --out` wrote")
    add("--to", metavar="TRACKER", required=True, choices=TRACKERS, help="mlflow or wandb")
    add("--project", "--experiment", metavar="NAME", default="boxscore", help="W&B's project, MLflow's experiment")
    add("--name", metavar="NAME", help="name of the run there (default: of the folder)")
    add("--tag", metavar="KEY=VALUE", action="append", default=[], help="a tag of the run (repeatable)")
    add("--report", metavar="FILE", help="report to log (default: report.html or report.md in RUN)")
    add("--tracking-uri", metavar="URI", help="MLflow's server (default: the variable MLFLOW_TRACKING_URI)")
    add("--json", action="store_true", help="print one JSON object instead of text")


def run(options: argparse.Namespace) -> int:
    """Read the run, log it, say where it is."""
    from boxscore.tracking.record import record_of

    if options.tracking_uri is not None and options.to != "mlflow":
        raise InputError("--tracking-uri is MLflow's; W&B's server is set by `wandb login --host`")
    tags = dict(map(_tag, options.tag))
    record = record_of(options.run, name=options.name, report=options.report)
    logged = _log(record, options, tags)
    if options.json:
        from boxscore.model.json_text import to_json

        print(to_json(logged.to_dict()))
    else:
        print("\n".join(_told(logged)))
    return 0


def _log(record: Record, options: argparse.Namespace, tags: dict[str, str]) -> Logged:
    if options.to == "mlflow":
        from boxscore.tracking import to_mlflow

        return to_mlflow.log(record, project=options.project, tags=tags, uri=options.tracking_uri)
    from boxscore.tracking import to_wandb

    return to_wandb.log(record, project=options.project, tags=tags)


def _tag(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise InputError(f"--tag {text!r}: give a key and a value, like --tag commit=1a2b3c")
    return key, value


def _told(logged: Logged) -> list[str]:
    counts = ", ".join(f"{count} {what}" for what, count in logged.counts.items())
    lines = [f"Logged {logged.name} to {logged.project}: {counts}", f"run   {logged.run_id}"]
    if logged.url is not None:
        lines.append(f"see   {logged.url}")
    if logged.folder is not None:
        shown = os.path.relpath(logged.folder)
        lines += [f"kept  {shown}", f"send  wandb sync {shown}"]
    return lines
