"""Where `compare` makes parts and draws replicates: `--engine` and `--parts`."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from boxscore.cli.engine_options import RAY, THREADS
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from boxscore.compare.drawing import Drawing
    from boxscore.pipeline.sharding.engines import Engine


@dataclass(frozen=True)
class ComparisonEngine:
    """Gives a fresh engine for each sharded model, and says who draws (None: threads of this process)."""

    fresh: Callable[[], Engine]
    drawing: Drawing | None = None


@contextmanager
def comparison_engine(options: argparse.Namespace) -> Iterator[ComparisonEngine]:
    """The engine that was asked for, as long as it is needed. Raises InputError."""
    from boxscore.cli.progress import stage_progress
    from boxscore.compare.sharded import are_sharded

    name, progress = options.engine or THREADS, stage_progress(sys.stderr)
    if options.parts is not None and not are_sharded(options.paths):
        raise InputError(
            "--parts keeps what was made of sharded data, and these are none; leave it out, or write the data as "
            "shards: boxscore convert --to shards"
        )
    if name == THREADS:
        from boxscore.pipeline.evaluate import thread_count
        from boxscore.pipeline.sharding.opened import thread_engine

        workers = thread_count(options.threads)
        yield ComparisonEngine(partial(thread_engine, options.parts, workers, progress=progress))
        return
    if name != RAY and not name.startswith(f"{RAY}://"):
        raise InputError(f"--engine is {name}; there are {THREADS}, {RAY}, and {RAY}://HOST:PORT")
    from boxscore.cluster.comparing import RayDrawing
    from boxscore.cluster.session import connect

    with connect(name) as session:
        told: set[str] = set()

        def tell(line: str) -> None:
            # Each model's engine says where the dashboard is.
            if line not in told:
                print(line, file=sys.stderr)
            told.add(line)

        def fresh() -> Engine:
            from boxscore.cluster.engine import ray_engine

            return ray_engine(name, parts=options.parts, progress=progress, tell=tell)

        if session.dashboard is not None:
            tell(f"Ray's dashboard: {session.dashboard}")

        yield ComparisonEngine(fresh, RayDrawing(session, progress=progress))
