"""`boxscore presence crosswalk` as a user runs it: what it says, what it writes, what it refuses."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from boxscore.cli import main
from boxscore.faces.gallery import Gallery, GalleryActor, write_gallery
from boxscore.presence.crosswalk_file import read_crosswalk
from tests.presence_crosswalk.server import UNKNOWN, Service, imdb, status
from tests.presence_crosswalk.support import KEY, arguments, command, gallery, people_of
from tests.support.command import Finished, refusal

ACTORS: list[dict[str, Any]] = [
    {"actor": "Ann Lee", "ids": {"tmdb": 31, "imdb": "nm0000031"}, "embeddings": [[1.0, 0.0]]},
    {"actor": "Bo Ek", "ids": {"tmdb": "7"}},
    {"actor": "Cy Roe", "ids": {"tmdb": 8, "imdb": "nm0000099"}},
    {"actor": "Di Poe", "ids": {"tmdb": 9}},
    {"actor": "Ed Fox", "ids": {"tmdb": 10}},
    {"actor": "Flo Day", "ids": {"imdb": "nm0000011"}},
    {"actor": "Gus May"},
    {"actor": "Ann Lee again", "ids": {"tmdb": 12}},
]


def run(service: Service, folder: Path, *more: str, key: str | None = KEY) -> Finished:
    """The command on the folder's gallery, answers into crosswalk.json."""
    given = {} if key is None else {"TMDB_API_KEY": key}
    return command(arguments(service, Path("gallery.json"), Path("crosswalk.json"), *more), folder, given)


@pytest.fixture
def folder(tmp_path: Path, service: Service) -> Path:
    """A gallery of every kind of actor, and a server that knows some of them."""
    (tmp_path / "gallery.json").write_text(json.dumps({"actors": ACTORS}))
    service.acts = {
        7: [imdb(None)],
        9: [status(404, UNKNOWN)],
        10: [status(500), status(500), imdb("nm0000010")],
        12: [imdb("nm0000031")],
    }
    return tmp_path


def test_what_it_says_and_writes(folder: Path, service: Service, snapshot: SnapshotAssertion) -> None:
    first = run(service, folder, "--retries", "1")
    second = run(service, folder)
    again = run(service, folder, "--json", key=None)
    assert [one.status for one in (first, second, again)] == [1, 0, 0]
    assert service.people() == [7, 8, 9, 10, 10, 12, 31, 10]
    shown = [first.output, first.errors, second.output, second.errors, again.output, again.errors]
    assert "\n---\n".join([*shown, (folder / "crosswalk.json").read_text()]) == snapshot
    assert again.report["people"] == 6
    assert again.report["answered"] == 0


def test_answers_of_other_galleries_stay(folder: Path, service: Service) -> None:
    run(service, folder)
    gallery(folder / "gallery.json", [5, 31])
    asked = len(service.asked)
    assert run(service, folder, "--json").report["answered"] == 1
    assert service.people()[asked:] == [5]
    assert list(people_of(folder / "crosswalk.json")) == ["5", "7", "8", "9", "10", "12", "31"]


def test_presence_score_can_read_it(folder: Path, service: Service) -> None:
    """Also where TMDB gives one IMDb id for two of its own."""
    assert run(service, folder).status == 0
    found = read_crosswalk(folder / "crosswalk.json")
    assert found.linked == {
        "tmdb:8": {"imdb:nm0000008"},
        "imdb:nm0000008": {"tmdb:8"},
        "tmdb:10": {"imdb:nm0000010"},
        "imdb:nm0000010": {"tmdb:10"},
        "tmdb:12": {"imdb:nm0000031"},
        "tmdb:31": {"imdb:nm0000031"},
        "imdb:nm0000031": {"tmdb:12", "tmdb:31"},
    }


def test_a_gallery_in_hdf5(folder: Path, service: Service) -> None:
    actors = (GalleryActor("Ann Lee", np.eye(2)[:1], {"tmdb": "31"}), GalleryActor("Bo Ek", np.eye(2)[1:]))
    write_gallery(Gallery("m", "0" * 64, actors), folder / "gallery.h5")
    line = arguments(service, Path("gallery.h5"), Path("crosswalk.json"), "--json")
    done = command(line, folder, {"TMDB_API_KEY": KEY})
    assert done.status == 0, done.errors
    assert service.people() == [31]
    assert done.errors == "note: 1 actor of the gallery without a TMDB id: Bo Ek\n"


def test_a_long_wait_is_told(folder: Path, service: Service) -> None:
    service.acts[7] = [status(429, Retry_After="6"), imdb(None)]
    gallery(folder / "gallery.json", [7])
    # Not waited for: a limit below the wait ends the run, and says when to come back.
    done = run(service, folder, "--longest-wait", "5")
    assert done.status == 1
    assert "429 Too Many Requests, and no question for 6 s; run it again then" in done.output
    assert not (folder / "crosswalk.json").exists()
    assert "answers are in" not in done.output


class TestRefusals:
    """What can't be is refused before anybody is asked, and leaves what was there as it was."""

    @pytest.fixture(autouse=True)
    def here(
        self, folder: Path, service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Runs in this process: what is refused before any question needs none of its own."""
        monkeypatch.chdir(folder)
        self.folder, self.service, self.monkeypatch, self.capsys = folder, service, monkeypatch, capsys

    def refused(self, *more: str, key: str | None = KEY) -> str:
        if key is None:
            self.monkeypatch.delenv("TMDB_API_KEY", raising=False)
        else:
            self.monkeypatch.setenv("TMDB_API_KEY", key)
        before = {path: path.read_bytes() for path in self.folder.iterdir()}
        line = arguments(self.service, Path("gallery.json"), Path("crosswalk.json"), *more)
        status_of = main(line[line.index("boxscore") + 1 :])
        message = refusal(Finished(status_of, *self.capsys.readouterr()))
        assert self.service.asked == []
        assert {path: path.read_bytes() for path in self.folder.iterdir()} == before
        assert KEY not in message
        return message

    def test_no_key(self) -> None:
        message = self.refused(key=None)
        assert "TMDB_API_KEY is not set; get a key" in message

    def test_no_key_that_can_be_sent(self) -> None:
        message = self.refused(key=f"{KEY} {KEY}")
        assert "TMDB_API_KEY is empty, or holds blanks" in message

    def test_no_gallery(self) -> None:
        (self.folder / "gallery.json").unlink()
        assert "gallery.json: there is no such file" in self.refused()

    def test_a_gallery_that_is_cut(self) -> None:
        (self.folder / "gallery.json").write_text('{"actors": [')
        assert "gallery.json line 1, column 13: no valid JSON" in self.refused()

    def test_a_gallery_of_another_form(self) -> None:
        (self.folder / "gallery.json").write_text('{"people": []}')
        assert "there is no list of actors; a gallery is" in self.refused()

    @pytest.mark.parametrize("tmdb", [0, -3, 1.5, "nm0000031", True, [31]])
    def test_an_id_that_is_none(self, tmdb: object) -> None:
        (self.folder / "gallery.json").write_text(
            json.dumps({"actors": [ACTORS[0], {"actor": "X", "ids": {"tmdb": tmdb}}]})
        )
        message = self.refused()
        assert f"gallery.json: actors[1].ids.tmdb is {tmdb!r}; it must be a TMDB id" in message

    def test_a_gallery_without_tmdb_ids(self) -> None:
        (self.folder / "gallery.json").write_text(json.dumps(ACTORS[5:7]))
        assert "gallery.json: none of its 2 actors has a TMDB id (ids.tmdb)" in self.refused()

    def test_no_folder_to_write_to(self) -> None:
        message = self.refused("--out", "none/x.json")
        assert "none/x.json can't be written: there is no folder none" in message

    @pytest.mark.parametrize("content", ["[]", '{"actors": []}', "{", "", '{"kind": "boxscore-crosswalk"}'])
    def test_a_file_that_is_something_else(self, content: str) -> None:
        (self.folder / "crosswalk.json").write_text(content)
        assert "crosswalk.json" in self.refused()

    def test_the_gallery_itself(self) -> None:
        message = self.refused("--out", "gallery.json")
        assert "gallery.json is no crosswalk" in message

    @pytest.mark.parametrize(
        ("option", "value", "words"),
        [
            ("--base", "api.example.org/3", "--base is 'api.example.org/3'; it must be an address such as https://"),
            ("--base", "ftp://127.0.0.1/3", "it must be an address such as"),
            ("--base", "http://127.0.0.1:nine/3", "--base is no address"),
            ("--base", f"http://127.0.0.1/3?api_key={KEY}", "--base holds a user, a query or a fragment"),
            ("--base", f"http://me:{KEY}@127.0.0.1/3", "--base holds a user, a query or a fragment"),
            ("--every", "0", "--every is 0; it must be 1 or more"),
            ("--retries", "-1", "--retries is -1; it must be 0 or more"),
            ("--timeout", "0", "--timeout is 0; it must be a number of seconds above 0"),
            ("--timeout", "nan", "--timeout is nan"),
            ("--back-off", "inf", "--back-off is inf"),
            ("--longest-wait", "-5", "--longest-wait is -5"),
            ("--every", "x", "invalid int value: 'x'; `boxscore presence crosswalk --help` lists the options"),
        ],
    )
    def test_an_option(self, option: str, value: str, words: str) -> None:
        assert words in self.refused(option, value)


def test_a_refused_key(folder: Path, service: Service) -> None:
    service.acts[8] = [status(401)]
    message = refusal(run(service, folder))
    assert "TMDB refuses the key (401 Unauthorized, at person 8); check TMDB_API_KEY" in message
    assert list(people_of(folder / "crosswalk.json")) == ["7"]


def test_a_key_that_crosses_a_network_in_the_clear_is_noted(folder: Path, service: Service) -> None:
    service.base = "http://127.0.0.2:9/3"
    done = run(service, folder, "--retries", "0", "--timeout", "1")
    assert done.status == 1
    assert done.errors.startswith("note: --base is http, so the key crosses the network unencrypted\n")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://me:secret@127.0.0.1:9"])
def test_a_proxy_that_cannot_be_used(proxy: str, folder: Path, service: Service) -> None:
    given = {"TMDB_API_KEY": KEY, "ALL_PROXY": proxy}
    message = refusal(command(arguments(service, Path("gallery.json"), Path("x.json")), folder, given))
    assert "the proxy that the environment names (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY) can't be used" in message
    assert "secret" not in message


def test_a_host_that_cannot_be(folder: Path, service: Service) -> None:
    service.base = "http://\u2764.example/3"
    assert "--base is 'http://\u2764.example/3', which can't be asked (" in refusal(run(service, folder))


@pytest.mark.parametrize("package", ["httpx", "tenacity"])
def test_a_missing_package_is_named(package: str, folder: Path, service: Service) -> None:
    (folder / "hidden").mkdir()
    (folder / "hidden" / f"{package}.py").write_text(f"raise ModuleNotFoundError('no', name={package!r})\n")
    given = {"TMDB_API_KEY": KEY, "PYTHONPATH": str(folder / "hidden")}
    done = command(arguments(service, Path("gallery.json"), Path("x.json")), folder, given)
    message = refusal(done)
    assert f"asking TMDB needs {package}, which is not installed; `pip install 'boxscore[presence]'`" in message
