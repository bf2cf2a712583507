"""Paths in a study: taken from the folder of its file, looked up, and kept with the hash that is declared."""

from __future__ import annotations

import re

from boxscore.io.yaml_fields import Field, attempt
from boxscore.study.declared import Pinned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


_SHA256 = re.compile(r"[0-9a-f]{64}")


class Files:
    """Reads fields that name files; `base` is the folder that relative paths start from."""

    __slots__ = ("_base",)

    def __init__(self, base: Path) -> None:
        self._base = base

    def pinned(self, given: Field, declared: Field | None) -> Pinned:
        """A file or folder that is there, and its declared hash."""
        digest = attempt(declared, sha256)
        stated = given.text()
        path = self._base / stated
        if not path.exists():
            given.wrong(
                f"{stated!r} is not there (looked in {self._base.absolute()}); paths start from the study's file"
            )
        return Pinned(path, stated, digest, given.path)

    def path_or_pinned(self, given: Field) -> Pinned:
        """A path, or a mapping of `file` and `sha256`."""
        if not isinstance(given.value, dict):
            return self.pinned(given, None)
        fields = given.fields(("file", "sha256"), needed=("file",))
        return self.pinned(fields["file"], fields.get("sha256"))

    def document(self, given: Field) -> Pinned:
        """A Markdown file that is there."""
        found = self.pinned(given, None)
        if not found.path.is_file():
            given.wrong(f"{found.stated!r} is no file")
        return found

    def output(self, given: Field) -> Pinned:
        """A file to write; its folder must be there."""
        stated = given.text()
        path = self._base / stated
        if path.is_dir() or not path.parent.is_dir():
            given.wrong(f"{stated!r} can't be written: name a file in a folder that is there")
        return Pinned(path, stated, None, given.path)

    def protocol(self, given: Field) -> str:
        """A shipped protocol's name, or the path of a TOML file."""
        stated = given.text()
        if not stated.endswith(".toml") and "/" not in stated:
            return stated
        return str(self.pinned(given, None).path)

    def form_options(self, given: Field) -> dict[str, Any]:
        """Arguments of FormOptions; paths in them are looked up too."""
        from boxscore.errors import InputError
        from boxscore.io.form_options import FormOptions

        fields = given.fields(FormOptions.__slots__)
        found: dict[str, Any] = {name: field.value for name, field in fields.items() if name in FormOptions.__slots__}
        for name in ("classes", "images"):
            if isinstance(found.get(name), str):
                found[name] = str(self.pinned(fields[name], None).path)
        try:
            FormOptions(**found)
        except InputError as error:
            given.wrong(str(error))
        return found


def sha256(given: Field) -> str:
    """A SHA-256 in 64 hexadecimal digits."""
    digest = given.text().strip().lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(digest):
        given.wrong(f"{given.text()[:70]!r} is no SHA-256 (64 hexadecimal digits, as `sha256sum FILE` prints them)")
    return digest
