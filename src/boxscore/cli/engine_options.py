"""Where sharded data are evaluated: `--engine`, `--parts`, and the engine that they ask for."""

from __future__ import annotations

import sys

from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from boxscore.pipeline.run import Run
    from boxscore.pipeline.sharding.engines import Engine

THREADS, RAY = "threads", "ray"


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Add both."""
    group = parser.add_argument_group("sharded data (docs/clusters.md)")
    group.add_argument("--engine", metavar="NAME", help="threads (default), ray, or ray://HOST:PORT of a cluster")
    group.add_argument("--parts", metavar="DIR", help="keep what was made of each part here, to be taken up again")


def engine_arguments(options: argparse.Namespace, gt: str, pred: str) -> dict[str, Any]:
    """The arguments of `evaluate` that say by which engine; nothing is imported where the files aren't sharded."""
    from boxscore.io.shard_paths import looks_sharded

    if not (options.engine or options.parts or looks_sharded(gt) or looks_sharded(pred)):
        return {}
    return {"engine": _engine(options), "keep": options.out is not None}


def close_engine(evaluated: Run) -> None:
    """Let go of what a sharded run was made of, once everything has been said of it."""
    from boxscore.pipeline.sharding.sharded_run import ShardedRun

    if isinstance(evaluated, ShardedRun):
        evaluated.sharded.engine.close()


def _engine(options: argparse.Namespace) -> Engine:
    from boxscore.cli.progress import stage_progress
    from boxscore.pipeline.evaluate import thread_count
    from boxscore.pipeline.sharding.opened import thread_engine

    name, progress = options.engine or THREADS, stage_progress(sys.stderr)
    # A run that is written keeps its parts beside it until it is whole, so that a second attempt takes them up.
    parts = options.parts or (None if options.out is None else f"{options.out.rstrip('/')}.parts")
    keep = options.parts is not None
    if name == THREADS:
        return thread_engine(parts, thread_count(options.threads), keep=keep, progress=progress)
    if name == RAY or name.startswith(f"{RAY}://"):
        from boxscore.cluster.engine import ray_engine

        # Nodes needn't share this host's folders: they keep parts only where they are told.
        return ray_engine(name, parts=options.parts, progress=progress, tell=_tell)
    raise InputError(f"--engine is {name}; there are {THREADS}, {RAY}, and {RAY}://HOST:PORT")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
