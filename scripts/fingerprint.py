"""Print one word for the content of files: `fingerprint.py [--tree] [--listing DIR] [--word TEXT] [PATH ...]`.

PATH is a file or a folder. `--tree` takes every file of the repository that git does not ignore. `--listing` takes the
names, sizes and times of a folder's files, for data too large to read. Standard library only, and quick: it runs before
anything is installed.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SKIPPED = {".git", ".venv", "target", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}


def walk(top: Path) -> Iterator[Path]:
    """Files below a folder, sorted, without what builds and caches leave."""
    for folder, names, files in os.walk(top, followlinks=True):
        names[:] = sorted(name for name in names if name not in SKIPPED)
        yield from (Path(folder, name) for name in sorted(files))


def tree() -> Iterator[Path]:
    """The repository's own files; a copy without git is walked."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        yield from walk(Path())
        return
    yield from sorted({Path(os.fsdecode(name)) for name in listed.split(b"\0") if name})


def contents(paths: Iterator[Path]) -> Iterator[str]:
    """One line a file: its digest, whether it can be executed, its path."""
    for path in paths:
        if path.is_file():  # a deleted file is still listed by git until it is committed
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield f"{digest} {os.access(path, os.X_OK)} {path.as_posix()}"


def listing(top: Path) -> Iterator[str]:
    """One line a file: size, time of change, path."""
    for path in walk(top):
        stat = path.lstat()
        yield f"{stat.st_size} {stat.st_mtime_ns} {path.as_posix()}"


def lines(arguments: argparse.Namespace) -> Iterator[str]:
    """All that the word stands for."""
    yield sys.version
    yield from arguments.word
    if arguments.tree:
        yield from contents(tree())
    for path in arguments.paths:
        yield from contents(walk(path) if path.is_dir() else iter([path]))
    for top in arguments.listing:
        yield from listing(top)


def main() -> None:
    """Read the command line and print the word."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--tree", action="store_true")
    parser.add_argument("--listing", action="append", default=[], type=Path)
    parser.add_argument("--word", action="append", default=[])
    digest = hashlib.sha256()
    for line in lines(parser.parse_args()):
        digest.update(f"{line}\n".encode())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
