"""Where pictures are run through a model: `--engine` of `predict` and `validate`."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from boxscore.cli.engine_options import RAY, THREADS
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from boxscore.cluster.session import Session


def add_picture_engine(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    what = "threads of this process (default), ray, or ray://HOST:PORT of a cluster (docs/clusters.md)"
    parser.add_argument("--engine", metavar="NAME", help=what)


@contextmanager
def picture_session(options: argparse.Namespace) -> Iterator[Session | None]:
    """The cluster that is asked for, None for threads; its dashboard is told. Raises InputError as `connect` does."""
    name = options.engine or THREADS
    if name == THREADS:
        yield None
        return
    if name != RAY and not name.startswith(f"{RAY}://"):
        raise InputError(f"--engine is {name}; there are {THREADS}, {RAY}, and {RAY}://HOST:PORT")
    from boxscore.cluster.session import connect

    with connect(name) as session:
        if session.dashboard is not None:
            print(f"Ray's dashboard: {session.dashboard}", file=sys.stderr, flush=True)
        yield session
