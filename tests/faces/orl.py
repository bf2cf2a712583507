"""The ORL faces, unpacked for one session of tests: 40 people, 10 grey pictures of 92 × 112 pixels each."""

import tarfile
from pathlib import Path

import pytest

from tests.support.shared import folder_or_skip


def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `att_faces`, with a folder a person, `s1` to `s40`."""
    home = tmp_path_factory.getbasetemp() / "orl"
    if not (home / "att_faces").is_dir():
        archive = folder_or_skip("data") / "orl_faces" / "orl_faces_400.tar.xz"
        with tarfile.open(archive) as packed:
            packed.extractall(home, filter="data")
    return home / "att_faces"


def people(faces: Path, home: Path, numbers: range) -> Path:
    """A folder with links to some people's folders."""
    home.mkdir()
    for number in numbers:
        (home / f"s{number}").symlink_to(faces / f"s{number}", target_is_directory=True)
    return home
