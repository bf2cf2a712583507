"""Killed at any moment: the file is whole, and nothing that it holds is asked again."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from boxscore.presence.crosswalk import answers
from boxscore.presence.crosswalk.answers import Answer
from tests.presence_crosswalk.server import Service, drop, imdb, status
from tests.presence_crosswalk.support import KEY, arguments, command, environment, gallery, people_of

PEOPLE = range(101, 131)


def started(service: Service, folder: Path, every: int) -> subprocess.Popen[bytes]:
    line = arguments(service, gallery(folder / "gallery.json", PEOPLE), folder / "x.json", "--every", str(every))
    return subprocess.Popen(line, cwd=folder, env=environment(TMDB_API_KEY=KEY), stderr=subprocess.DEVNULL)


def kept(folder: Path) -> set[int]:
    path = folder / "x.json"
    return {int(person) for person in people_of(path)} if path.exists() else set()


def killed_at_request(service: Service, folder: Path, every: int, number: int) -> None:
    """Kill -9 as the server gets the request of that number in this run, before it answers."""
    before = len(service.asked)

    def kill(count: int) -> None:
        if count == before + number:
            process.send_signal(signal.SIGKILL)
            process.wait()

    with started(service, folder, every) as process:
        service.before = kill
        assert process.wait(60) == -signal.SIGKILL
    service.before = None


@pytest.mark.parametrize(("every", "numbers"), [(1, (1, 2, 9)), (4, (4, 5, 6)), (7, (6, 8))])
def test_what_was_checkpointed_is_not_asked_again(
    every: int, numbers: tuple[int, ...], service: Service, tmp_path: Path
) -> None:
    # Null answers and such as come at the second try are checkpointed like any other.
    service.acts = {103: [imdb(None)], 104: [status(404, {"status_code": 34})], 105: [drop, imdb("nm0000105")]}
    for number in numbers:
        before, asked = kept(tmp_path), len(service.asked)
        killed_at_request(service, tmp_path, every, number)
        now = service.people()[asked:]
        assert len(now) == number
        assert not before & set(now), "asked again"
        # The last question had no answer yet; a wait (105's) writes what there is, besides every few answers.
        answered = len(set(now[:-1])) if 105 not in now[:-1] else len(set(now[:-1]) - {105})
        assert before <= kept(tmp_path)
        assert len(kept(tmp_path)) >= len(before) + answered // every * every
    before, asked = kept(tmp_path), len(service.asked)
    done = command(arguments(service, tmp_path / "gallery.json", tmp_path / "x.json"), tmp_path, {"TMDB_API_KEY": KEY})
    assert done.status == 0, done.errors
    assert not before & set(service.people()[asked:])
    assert kept(tmp_path) == set(PEOPLE)
    assert people_of(tmp_path / "x.json")["105"] == {"imdb": "nm0000105"}


def test_the_bytes_are_those_of_a_run_that_nobody_killed(service: Service, tmp_path: Path) -> None:
    killed_at_request(service, tmp_path, 2, 8)
    line = arguments(service, tmp_path / "gallery.json", tmp_path / "x.json")
    assert command(line, tmp_path, {"TMDB_API_KEY": KEY}).status == 0
    line = arguments(service, tmp_path / "gallery.json", tmp_path / "whole.json")
    assert command(line, tmp_path, {"TMDB_API_KEY": KEY}).status == 0
    assert (tmp_path / "x.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


DYING_WITHIN_A_WRITE = """
import resource, signal, sys
from boxscore.cli import main
sys.dont_write_bytecode = True
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
main(sys.argv[1:])
"""
DYING_BEFORE_A_RENAME = """
import os, signal, sys
from boxscore.cli import main
renames = []
def count(event, arguments):
    if event == "os.rename":
        renames.append(arguments)
        if len(renames) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name != "posix", reason="another system's signals")
@pytest.mark.parametrize("code", [DYING_WITHIN_A_WRITE, DYING_BEFORE_A_RENAME], ids=["write", "rename"])
def test_killed_within_the_second_checkpoint(code: str, service: Service, tmp_path: Path) -> None:
    """Half of it is written (the system kills whoever writes more than 300 bytes), or it isn't in its place yet."""
    line = arguments(service, gallery(tmp_path / "gallery.json", PEOPLE), tmp_path / "x.json", "--every", "4")
    died = command([line[0], "-c", code, *line[line.index("boxscore") + 1 :]], tmp_path, {"TMDB_API_KEY": KEY})
    assert died.status in (-signal.SIGKILL, -signal.SIGXFSZ), died
    assert kept(tmp_path) == set(PEOPLE[:4])
    assert service.people() == list(PEOPLE[:8])
    assert command(line, tmp_path, {"TMDB_API_KEY": KEY}).status == 0
    assert service.people()[8:] == list(PEOPLE[4:])
    assert kept(tmp_path) == set(PEOPLE)


def test_killed_at_any_moment(service: Service, tmp_path: Path) -> None:
    """Kills at times that know nothing of what the process is doing, while it does little but write."""
    moments = random.Random(8)
    answers.write(tmp_path / "x.json", {person: Answer(f"nm{person:07d}") for person in range(1001, 5001)})
    for _ in range(5):
        before, asked = kept(tmp_path), len(service.asked)
        with started(service, tmp_path, 1) as process:
            deadline = time.monotonic() + 60
            while len(service.asked) == asked and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(moments.uniform(0, 0.1))
            process.kill()
        after = kept(tmp_path)
        now = service.people()[asked:]
        assert before <= after
        assert not before & set(now)
        assert len(after) >= len(before) + len(now) - 2, "at most the one in flight and the one being written"


@pytest.mark.skipif(os.name != "posix", reason="another system's interrupts")
def test_an_interrupt_keeps_every_answer(service: Service, tmp_path: Path) -> None:
    def interrupt(count: int) -> None:
        if count == 6:
            process.send_signal(signal.SIGINT)
            process.wait()

    with started(service, tmp_path, 1000) as process:
        service.before = interrupt
        assert process.wait(60) == 130
    assert kept(tmp_path) == set(PEOPLE[:5])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gallery.json", "x.json"]
