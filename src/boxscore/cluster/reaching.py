"""Reaching a Ray cluster, and saying in words what came of it."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager

from boxscore.cluster.knocking import CLIENT, knock
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ADDRESS = "RAY_ADDRESS"
_ATTEMPTS = 3
_NOT_STARTED = re.compile("Starting Ray client server failed|in start_specific_server")
"""A client's server is a fork of a process with threads, which often ends at once, and Ray may trip over that.

docs/clusters.md, "Starting a cluster", has the setting that keeps it from it.
"""

_QUIET = {
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # errors of tasks whose results nobody asks for: the first one is told
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # as Ray will do by itself; else it says so at each start
}


def reach(name: str) -> tuple[Any, str | None, bool]:
    """Ray's module, the address of its dashboard, and whether this call made the connection. Raises InputError."""
    ray = _module()
    if ray.is_initialized():
        return ray, None, False
    address = name if name.startswith(CLIENT) else os.environ.get(_ADDRESS) or _of_this_host()
    if address not in (None, "auto", "local"):
        knock(address)
    return ray, _dashboard(_connected(ray, address)), True


def needed() -> None:
    """See whether Ray is installed, without importing it. Raises InputError."""
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise _missing("No module named 'ray'")


def _module() -> Any:  # noqa: ANN401  Ray's module
    for variable, value in _QUIET.items():
        os.environ.setdefault(variable, value)
    try:
        import ray
    except ImportError as error:
        raise _missing(error) from None
    return ray


def _missing(error: object) -> InputError:
    return InputError(
        f"the engine ray needs Ray ({error}); pip install 'boxscore[ray]', or leave out --engine: threads of this "
        "process give the same figures"
    )


def _of_this_host() -> str | None:
    """None, by which Ray finds what `ray start` last began here, where that runs; else `local`: one of our own."""
    try:
        from ray._private.utils import read_ray_address

        address = read_ray_address()
    except (ImportError, TypeError, OSError):  # private to Ray, which has no other way to ask
        return None
    try:
        knock(str(address or ""))
    except InputError:  # there is none; or the host was switched off under it, and what it says of itself was left
        return "local"
    return None


def _connected(ray: Any, address: str | None) -> Any:  # noqa: ANN401  Ray's module, and its context
    _hush()
    for attempt in range(_ATTEMPTS):
        try:
            return _begun(ray, address)
        except (RuntimeError, ConnectionError, ValueError, OSError, TimeoutError) as error:
            if not _NOT_STARTED.search(str(error)) or attempt == _ATTEMPTS - 1:
                raise _not_connected(address, error) from None
            ray.shutdown()
    raise AssertionError


def _begun(ray: Any, address: str | None) -> Any:  # noqa: ANN401  likewise
    import logging
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what keeps Ray from connecting, it raises, too
        return ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)


def _hush() -> None:
    """Keep Ray's reports of workers that died, tasks that are tried again and the like out of this process's output."""
    from ray._private import worker

    # Ray has no option for it: it prints them to standard output even where logs are switched off.
    if hasattr(worker, "_worker_logs_enabled"):
        worker._worker_logs_enabled = False  # noqa: SLF001  likewise


def _not_connected(address: str | None, error: Exception) -> InputError:
    where, told = address or "the cluster of this host", str(error)
    stated = re.findall(r"Ray: (\S+)\s+Python: (\S+)", told)
    if len(stated) == 2:
        (ray, python), (own_ray, own_python) = stated
        return InputError(
            f"{where}: the cluster runs Ray {ray} with Python {python}, and this is "
            f"Ray {own_ray} with Python {own_python}; both must be the same: install ray=={ray} here under Python "
            f"{python}, or start the cluster with this environment"
        )
    first = _gist(told) or type(error).__name__
    what = "Ray could not be started here" if address == "local" else f"{where}: no connection to Ray"
    remedy = "see that it runs: `ray status`"
    if _NOT_STARTED.search(told):
        remedy = "start its head with GRPC_ENABLE_FORK_SUPPORT=0 in the environment, and run the command again"
    elif address not in (None, "local"):
        remedy += "; where it asks for a token, set RAY_AUTH_MODE=token here"
    return InputError(f"{what} ({first[:300]}); {remedy}")


def _gist(told: str) -> str:
    """In one line; of a trace that a server sent, its last line, which says what happened."""
    lines = [line.strip() for line in told.strip().splitlines() if line.strip()]
    return lines[-1] if "Traceback (most recent call last):" in lines else " ".join(lines)


def _dashboard(context: Any) -> str | None:  # noqa: ANN401  Ray's context
    """The dashboard's address, where there is one."""
    url = getattr(context, "dashboard_url", None)
    return f"http://{url}" if url and "://" not in url else url or None


@contextmanager
def in_words(ray: Any, what: str) -> Iterator[None]:  # noqa: ANN401  Ray's module
    """What Ray raises, as an error that says what was being done; an error of the work itself is raised as it was."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, ray.exceptions.RayError):
            raise _lost(ray, what, cause) from None
        if _is_missing(error):
            raise InputError(
                "the nodes of the cluster have no boxscore, or another version of it; install the same version on all "
                "of them (pip install 'boxscore[ray]')"
            ) from None
        raise cause from error
    except ray.exceptions.RayError as error:
        raise _lost(ray, what, error) from None
    except ConnectionError as error:
        raise InputError(f"{what}: the connection to the Ray cluster was lost ({_first_line(error)})") from None


def _is_missing(error: Exception) -> bool:
    """Whether a worker could not import the work it was given."""
    return bool(re.search(r"No module named '?boxscore|failed to import on the worker", str(error)))


def _lost(ray: Any, what: str, error: Exception) -> InputError:  # noqa: ANN401  Ray's module
    exceptions = ray.exceptions
    if isinstance(error, exceptions.OutOfMemoryError):
        return InputError(
            f"{what}: the node ran out of memory; give smaller parts (boxscore convert --rows-per-part), or fewer "
            "processors a node (ray start --num-cpus)"
        )
    if isinstance(error, exceptions.WorkerCrashedError | exceptions.NodeDiedError):
        return InputError(
            f"{what}: its worker ended each time that it was tried; its node may be short of memory: give smaller "
            "parts (boxscore convert --rows-per-part), or look at Ray's dashboard"
        )
    return InputError(f"{what}: Ray gave it up ({type(error).__name__}: {_first_line(error)}); run the command again")


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]
