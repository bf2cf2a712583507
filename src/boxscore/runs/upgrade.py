"""Older formats read as the current one: the single place that knows them."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.runs.layout import FORMAT, KIND, format_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Manifest = dict[str, Any]

UPGRADES: dict[int, Callable[[Manifest], Manifest]] = {}
"""By old major: run.json of that major to run.json of the next one. There is no older major yet."""


def upgrade(manifest: Manifest, shown: str) -> Manifest:
    """The content of run.json in the current format. `shown` names the file in errors.

    Newer minors only add fields and are read as they are. Raises InputError for a newer major, and for a file that
    states no format.
    """
    if manifest.get("kind") != KIND:
        raise InputError(f"{shown}: kind is {manifest.get('kind')!r}, not {KIND!r}; give a folder that boxscore wrote")
    major, minor = _stated(manifest, shown)
    if major > FORMAT[0]:
        raise InputError(
            f"{shown}: format is {manifest['format']!r}, and this version of boxscore reads up to {FORMAT[0]}.x; "
            "read the folder with a newer boxscore"
        )
    while major < FORMAT[0]:
        if major not in UPGRADES:
            raise InputError(f"{shown}: format is {manifest['format']!r}, which no version of boxscore has written")
        manifest = UPGRADES[major](manifest)
        major, minor = major + 1, 0
    return manifest | {"format": f"{major}.{minor}"}


def _stated(manifest: Manifest, shown: str) -> tuple[int, int]:
    stated = manifest.get("format")
    major, dot, minor = stated.partition(".") if isinstance(stated, str) else ("", "", "")
    if not (dot and major.isdecimal() and minor.isdecimal()):
        raise InputError(
            f"{shown}: format is {stated!r}; it must be MAJOR.MINOR, such as {format_text()!r}; the file is damaged: "
            "write the run again"
        )
    return int(major), int(minor)
