"""From a command line to the command's module, and from any exception to one paragraph and an exit status."""

from __future__ import annotations

import os
import sys

from boxscore.errors import BoxscoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import ModuleType
    from typing import NoReturn

COMMANDS = {
    "eval": "evaluate detections against ground truth",
    "voc": "evaluate text folders as the old VOC tools do",
    "compare": "compare models on one ground truth, or one model on two data sets",
    "gate": "hold a run to a baseline by rules, and fail where it is worse",
    "predict": "run a model card's model on pictures",
    "parity": "tell whether two providers, models or environments give the same boxes",
    "validate": "score a model on labelled pictures in a record that can be audited",
    "split": "split a data set by sessions, none of which is divided",
    "study": "run, or check, a whole comparison declared in one file",
    "thresholds": "choose confidence floors by label on a split",
    "convert": "convert files of one form to another",
    "log": "log a run to MLflow or Weights & Biases",
    "drift": "compare with other scorers on the same files, and explain the difference",
    "triage": "sort a run's failures: modes, costs, conditions, clusters",
    "audit": "look for what may be wrong with ground truth and predictions",
    "report": "write a run's report: one HTML file that works offline, or Markdown",
    "scenes": "make pictures of scenes to order, with ground truth",
    "presence": "score who is on screen, and when; resolve ids of actors",
    "faces": "find how small a face may be for a face embedder",
    "init-ci": "write workflows for continuous integration: gate pull requests, report at night",
    "demo": "simulate a data set and two models, evaluate both; or see a gate fail",
    "protocols": "list the protocols, or print one",
}

WRONG = 2
"""Exit status where the input or the command is wrong."""

_INTERRUPTED = 130


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status; errors are told on standard error."""
    for stream in (sys.stdout, sys.stderr):
        # A label that the terminal's encoding lacks is spelt out, not a reason to stop.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has had enough (`| head`). What Python would flush on its way out goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001  the last resort: no traceback reaches a user
        return _tell(_explained(error))
    return status


def _explained(error: Exception) -> str:
    if isinstance(error, BoxscoreError):
        return str(error)
    if os.environ.get("BOXSCORE_TRACEBACK"):
        import traceback

        traceback.print_exc()
    if isinstance(error, MemoryError):
        return "there is not enough memory for this input; evaluate fewer images or detections at a time"
    if isinstance(error, OSError):
        # Input that can't be read is told by its reader; what is left is output: a full disk, a lost folder.
        where = "" if error.filename is None else f" {error.filename}"
        return f"the system refuses to read or write{where}: {error.strerror or error}; check space and rights"
    return (
        f"internal error: {type(error).__name__}: {error}. This is a fault of boxscore, not of your input; "
        "set BOXSCORE_TRACEBACK=1 to see where it arose and report it"
    )


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments else "--help"
    if command in ("-h", "--help", "help"):
        print(_overview())
        return 0 if arguments else WRONG
    if command in ("-V", "--version", "version"):
        from boxscore import __version__

        print(f"boxscore {__version__}")
        return 0
    if command not in COMMANDS:
        return _tell(f"there is no command {command!r}{_closest(command)}; `boxscore --help` lists the commands")
    name = command.replace("-", "_")
    # importlib's own import_module would import warnings first.
    module: ModuleType = getattr(__import__(f"boxscore.cli.{name}").cli, name)
    try:
        parser = _parser(command, module.__doc__ or "")
        module.add_arguments(parser)
        # Where files come in any number, they may stand between options: `compare GT --name a A --name b B`.
        mixed = getattr(module, "FILES_BETWEEN_OPTIONS", False)
        chosen = (parser.parse_intermixed_args if mixed else parser.parse_args)(arguments[1:])
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else WRONG
    status: int = module.run(chosen)
    return status


def _parser(command: str, description: str) -> argparse.ArgumentParser:
    import argparse

    class Parser(argparse.ArgumentParser):
        """Tells its errors in one paragraph, as all errors here are told."""

        def error(self, message: str) -> NoReturn:
            sys.exit(_tell(f"{message}; `{self.prog} --help` lists the options"))

    class Formatter(argparse.RawDescriptionHelpFormatter):
        """As wide as the terminal; argparse would import shutil to find out, for every option that is added."""

        def __init__(self, prog: str) -> None:
            super().__init__(prog, max_help_position=28, width=_terminal_width() - 2)

    return Parser(prog=f"boxscore {command}", description=description, allow_abbrev=False, formatter_class=Formatter)


def _terminal_width() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()]
    return "\n".join(
        [
            "usage: boxscore COMMAND …",
            "",
            "Evaluate object detections exactly.",
            "",
            *lines,
            "",
            "`boxscore COMMAND --help` explains a command, `boxscore --version` prints the version.",
        ]
    )


def _closest(command: str) -> str:
    import difflib

    close = difflib.get_close_matches(command, COMMANDS, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _tell(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return WRONG
