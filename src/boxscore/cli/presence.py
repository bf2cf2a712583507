"""Who is on screen, and when.

`boxscore presence ACTION --help` explains an action.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import ModuleType

ACTIONS = {
    "score": "score a prediction against X-Ray, MovieNet or a table",
    "crosswalk": "resolve a gallery's TMDB ids to IMDb ids",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions, each with its own arguments."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, what in ACTIONS.items():
        module = _module(name)
        own = actions.add_parser(
            name,
            help=what,
            description=module.__doc__,
            allow_abbrev=False,
            formatter_class=parser.formatter_class,
        )
        module.add_arguments(own)
        own.set_defaults(act=module.run)


def run(options: argparse.Namespace) -> int:
    """Do what is asked for."""
    status: int = options.act(options)
    return status


def _module(action: str) -> ModuleType:
    from importlib import import_module

    return import_module(f"boxscore.cli.presence_{action}")
