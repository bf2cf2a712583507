"""Virtual environments for scorers, one a version, made once and kept in the cache folder."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from contextlib import contextmanager
from pathlib import Path

from boxscore.drift import packages, process
from boxscore.drift.scorers import Asked, same_version
from boxscore.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boxscore.drift.scorers import Scorer

    Tell = Callable[[str], None]

_TAG = f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
"""Environments of one Python and platform are no use to another."""


def python_for(asked: Asked, tell: Tell) -> Path:
    """The interpreter that imports the scorer asked for: this one where it does, or else an environment's.

    An environment that is missing is made, which needs a package index; `tell` hears of it. Raises InputError.
    """
    here = process.version_in(sys.executable, asked.scorer)
    if here is not None and (asked.version is None or same_version(here, asked.version)):
        return Path(sys.executable)
    if asked.version is not None:
        python = _existing(asked.scorer, asked.version)
        if python is not None:
            return python
    try:
        return _made(asked, tell)
    except OSError as error:
        raise InputError(
            f"{asked}: no environment can be made in {folder()}: {error.strerror or error}; name another folder in "
            "BOXSCORE_CACHE"
        ) from None


def folder() -> Path:
    """Where environments are kept: in `$BOXSCORE_CACHE`, or in the platform's folder for caches."""
    named = os.environ.get("BOXSCORE_CACHE")
    return (Path(named).absolute() if named else _platform_cache() / "boxscore") / "scorers"


def _platform_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def kept(scorer: Scorer) -> list[str]:
    """Versions of a scorer that have an environment here."""
    start, end = f"{scorer.name}-", f"-{_TAG}"
    names = [path.name for path in folder().glob(f"{start}*{end}") if _python(path).exists()]
    return sorted(name.removeprefix(start).removesuffix(end) for name in names)


def _existing(scorer: Scorer, version: str) -> Path | None:
    found = next((one for one in kept(scorer) if same_version(one, version)), None)
    return None if found is None else _python(_place(scorer, found))


def _made(asked: Asked, tell: Tell) -> Path:
    """Make the environment beside its place, then rename it, so that what has the name is complete."""
    scorer = asked.scorer
    with _beside(folder()) as beside:
        packages.make(beside)
        python = _python(beside)
        version = asked.version or packages.newest(python, scorer, kept(scorer))
        existing = _existing(scorer, version)
        if existing is not None:
            return existing
        tell(f"making an environment for {scorer.name} {version} in {folder()}")
        packages.install(python, Asked(scorer, version), kept(scorer))
        installed = process.version_in(python, scorer)
        if installed is None or not same_version(installed, version):
            raise InputError(
                f"{scorer.name} {version} was asked for, and pip installed {scorer.name} {installed}; check the "
                "settings of pip (its constraints and links)"
            )
        place = _place(scorer, installed)
        try:
            beside.rename(place)
        except OSError:
            if _existing(scorer, installed) is None:
                shutil.rmtree(place, ignore_errors=True)  # its Python is gone
                beside.rename(place)
        return _python(place)


def _place(scorer: Scorer, version: str) -> Path:
    return folder() / f"{scorer.name}-{version}-{_TAG}"


def _python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@contextmanager
def _beside(home: Path) -> Iterator[Path]:
    home.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".making-", dir=home))
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)
