"""Templates filled in, and written where a server looks for them; nothing that is there is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from boxscore.ci.commands import commands
from boxscore.errors import InputError
from boxscore.model.whole_files import write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from boxscore.ci.asked import Asked

SERVERS = {
    "github": {
        ".github/workflows/boxscore-pr.yml": "github-pr.yml",
        ".github/workflows/boxscore-nightly.yml": "github-nightly.yml",
    },
    "gitlab": {
        ".gitlab/boxscore-pr.yml": "gitlab-pr.yml",
        ".gitlab/boxscore-nightly.yml": "gitlab-nightly.yml",
    },
}
"""By server, the files that are written, and the template of each."""

_ROOT = ".gitlab-ci.yml"
"""GitLab reads this file alone. It is a team's own: it is written where there is none, and never replaced."""

_PLACE = re.compile(r"@([a-z_]+)@")


@dataclass(frozen=True)
class Written:
    """Paths that were written, in order; `include` are the lines that a team's own root file still lacks."""

    paths: tuple[str, ...]
    include: tuple[str, ...] = ()


def write(server: str, folder: str | PathLike[str], asked: Asked, *, version: str, force: bool = False) -> Written:
    """Write the workflows of a server below a folder. `version` of boxscore is what they install.

    Raises InputError for a server that is not known, and where a file is there already, unless `force` replaces it;
    nothing is written then.
    """
    if server not in SERVERS:
        raise InputError(f"there is no server {server!r}; known are {', '.join(SERVERS)}")
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{folder}: there is no such folder; give the top folder of the repository with --dir")
    there = [name for name in SERVERS[server] if (root / name).exists()]
    if there and not force:
        raise InputError(f"{', '.join(there)} exists in {folder}; look at it, then replace it with --force")
    lines = commands(asked, version)
    files = {root / name: filled(template, lines) for name, template in SERVERS[server].items()}
    include: tuple[str, ...] = ()
    if server == "gitlab":
        text = _template("gitlab-ci.yml")
        if (root / _ROOT).exists():
            include = _not_included((root / _ROOT).read_text(encoding="utf-8", errors="replace"))
        else:
            files[root / _ROOT] = text
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{path.parent} can't be made: {error.strerror or error}; check folder and rights"
            ) from None
        write_text(path, text)
    return Written(tuple(str(path) for path in files), include)


def filled(template: str, lines: Mapping[str, Sequence[str]]) -> str:
    """A template with each `@name@` replaced by its lines; several stand below each other, indented alike."""
    return "\n".join(_line(line, lines) for line in _template(template).split("\n"))


def _line(line: str, lines: Mapping[str, Sequence[str]]) -> str:
    indent = " " * (len(line) - len(line.lstrip()))
    return _PLACE.sub(lambda found: f"\n{indent}".join(lines[found[1]]), line)


def _template(name: str) -> str:
    from importlib.resources import files

    return (files("boxscore.ci") / "templates" / name).read_text(encoding="utf-8")


def _not_included(text: str) -> tuple[str, ...]:
    wanted = [name for name in SERVERS["gitlab"] if name not in text]
    return tuple(f"- local: {name}" for name in wanted)
