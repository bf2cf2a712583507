"""What the crosswalk's tests share: keys, galleries, and the command in a folder of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from boxscore.presence.crosswalk.key import Key
from boxscore.presence.crosswalk.options import Asking
from boxscore.presence.crosswalk.resolving import Resolved, resolve
from boxscore.presence.crosswalk.telling import Told
from tests.presence_crosswalk.server import Service
from tests.support.command import Finished

KEY = "0123456789abcdef0123456789ABCDEF"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiIwMTIzNDU2Nzg5In0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"


def resolved(
    service: Service, people: Iterable[int], out: Path, *, key: str = KEY, told: Told | None = None, **how: Any
) -> Resolved:
    """Ask the server, with little patience."""
    asking = Asking(**{"base": service.base, "back_off": 0.001, "timeout": 5.0, **how})
    return resolve(people, out, lambda: Key(key), asking, told)


def gallery(path: Path, people: Iterable[int]) -> Path:
    """A gallery of people with these TMDB ids."""
    actors = [{"actor": f"Actor {person}", "ids": {"tmdb": person}, "embeddings": [[0.5, 1]]} for person in people]
    path.write_text(json.dumps({"model": "m", "actors": actors}))
    return path


def environment(**given: str) -> dict[str, str]:
    """This process's, without a key, without proxies."""
    names = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    names.pop("TMDB_API_KEY", None)
    return names | {"PYTHONIOENCODING": "utf-8"} | given


def arguments(service: Service, gallery_file: Path, out: Path, *more: str) -> list[str]:
    """The command line that asks this server."""
    told = ["--gallery", str(gallery_file), "--out", str(out), "--base", service.base, "--back-off", "0.01", *more]
    return [sys.executable, "-W", "error", "-m", "boxscore", "presence", "crosswalk", *told]


def command(line: list[str], cwd: Path, given: Mapping[str, str]) -> Finished:
    """Run it to its end."""
    done = subprocess.run(line, capture_output=True, cwd=cwd, env=environment(**given), timeout=60, check=False)
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def people_of(path: Path) -> dict[str, Any]:
    """The entries of a crosswalk file, read without boxscore."""
    content = json.loads(path.read_text())
    assert content["kind"] == "boxscore-crosswalk"
    assert content["version"] == 1
    found = content["people"]
    assert isinstance(found, dict)
    return found
