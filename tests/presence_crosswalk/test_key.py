"""The key: found in the environment or in .env, sent as its kind is sent, and seen nowhere else."""

import json
import logging
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.presence.crosswalk import key
from boxscore.presence.crosswalk.key import Key
from tests.presence_crosswalk.server import Handler, Service, endless, imdb, says, status, text
from tests.presence_crosswalk.support import KEY, TOKEN, arguments, command, gallery, resolved

BOTH = pytest.mark.parametrize("secret", [KEY, TOKEN])


def carried(service: Service) -> list[str | None]:
    """The keys that came in, however they were sent; a question that carries two is none."""
    found = []
    for one in service.asked:
        sent = [*one.query.get("api_key", []), one.headers.get("Authorization", "").removeprefix("Bearer ")]
        found.append("".join(sent))
    return [*found]


class TestSending:
    """TMDB has two kinds of keys, sent differently."""

    def test_an_api_key_goes_into_the_query(self, service: Service, tmp_path: Path) -> None:
        resolved(service, [1], tmp_path / "x.json", key=KEY)
        assert service.asked[0].query == {"api_key": [KEY]}
        assert "Authorization" not in service.asked[0].headers

    @pytest.mark.parametrize("stated", [TOKEN, f"Bearer {TOKEN}", f"  {TOKEN}\n"])
    def test_a_token_goes_into_the_header(self, stated: str, service: Service, tmp_path: Path) -> None:
        resolved(service, [1], tmp_path / "x.json", key=stated)
        assert service.asked[0].query == {}
        assert service.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"

    @BOTH
    def test_it_does_not_follow_a_redirect(self, secret: str, service: Service, tmp_path: Path) -> None:
        service.acts[1] = [status(302, Location=f"{service.base}/person/2/external_ids")]
        resolved(service, [1], tmp_path / "x.json", key=secret)
        assert service.people() == [1]


class TestFinding:
    """Where it is looked for."""

    def found(self, folder: Path, stated: str | None = None) -> str:
        one = key.read({} if stated is None else {"TMDB_API_KEY": stated}, folder)
        return one.query.get("api_key") or one.headers["Authorization"].removeprefix("Bearer ")

    def test_the_environment_comes_first(self, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text(f"TMDB_API_KEY={TOKEN}\n")
        assert self.found(tmp_path, KEY) == KEY
        assert self.found(tmp_path) == TOKEN
        assert self.found(tmp_path, "") == TOKEN
        assert self.found(tmp_path, " ") == TOKEN

    @pytest.mark.parametrize(
        "line",
        [
            f"TMDB_API_KEY={KEY}",
            f"export TMDB_API_KEY='{KEY}'",
            f'TMDB_API_KEY = "{KEY}"  # mine',
            f"OTHER=1\r\nTMDB_API_KEY={KEY}\r\n",
            f"\ufeffTMDB_API_KEY={KEY}",
        ],
    )
    def test_forms_of_the_file(self, line: str, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text(line, encoding="utf-8", newline="")
        assert self.found(tmp_path) == KEY

    @pytest.mark.parametrize("content", [None, "", "OTHER=1\n", "TMDB_API_KEY\n", "TMDB_API_KEY=\n"])
    def test_none(self, content: str | None, tmp_path: Path) -> None:
        if content is not None:
            (tmp_path / ".env").write_text(content)
        with pytest.raises(InputError, match=r"TMDB_API_KEY is not set; get a key .* into a file \.env"):
            self.found(tmp_path)

    def test_a_file_that_is_no_text(self, tmp_path: Path) -> None:
        (tmp_path / ".env").write_bytes(f"TMDB_API_KEY={KEY}".encode("utf-16"))
        with pytest.raises(InputError, match=r"\.env can't be read: it is no UTF-8 text; save it as UTF-8") as refused:
            self.found(tmp_path)
        assert KEY not in str(refused.value)

    def test_a_missing_package_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "dotenv", None)
        (tmp_path / ".env").write_text(f"TMDB_API_KEY={KEY}\n")
        with pytest.raises(InputError, match=r"python-dotenv; install it with `pip install 'boxscore\[presence\]'`"):
            self.found(tmp_path)
        assert self.found(tmp_path, KEY) == KEY

    @pytest.mark.parametrize("stated", ["two words", "kéy", "a\nb", 'quo"te', "Bearer ", "a\x00b"])
    def test_what_is_no_key_is_refused_without_showing_it(self, stated: str) -> None:
        with pytest.raises(InputError, match="TMDB_API_KEY is empty, or holds blanks or characters") as refused:
            Key(stated)
        assert stated.strip() == "Bearer" or stated not in str(refused.value)


def spiteful(handler: Handler) -> None:
    """A status line and headers that send the key back."""
    secret = carried(handler.service)[-1]
    handler.wfile.write(f"HTTP/1.1 500 {secret}\r\nX-Key: {secret}\r\nContent-Length: 0\r\n\r\n".encode())


def garbled(handler: Handler) -> None:
    """What is no HTTP, with the key in it."""
    handler.wfile.write(f"key {carried(handler.service)[-1]}\r\n\r\n".encode())


def echoing(handler: Handler) -> None:
    """The key in each field that is looked at."""
    secret = carried(handler.service)[-1]
    says({"id": secret, "imdb_id": secret})(handler)


def echoing_id(handler: Handler) -> None:
    """The key instead of the IMDb id."""
    says({"imdb_id": carried(handler.service)[-1]})(handler)


def refusing(handler: Handler) -> None:
    """A refusal that names the key."""
    secret = carried(handler.service)[-1]
    status(401, {"status_message": f"Invalid API key {secret}"})(handler)


@BOTH
def test_it_is_printed_and_stored_nowhere(secret: str, service: Service, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"TMDB_API_KEY={secret}\n")
    acts = [spiteful, garbled, echoing, echoing_id, endless, text(b"<html>"), status(404), status(400), imdb(None)]
    service.acts = {person: [act] for person, act in enumerate(acts, 1)} | {20: [refusing]}
    given = {"BOXSCORE_TRACEBACK": "1", "HTTPX_LOG_LEVEL": "trace", "PYTHONASYNCIODEBUG": "1"}
    texts = []
    for number, people in enumerate((range(1, 12), range(1, 21))):
        line = arguments(
            service,
            gallery(tmp_path / "gallery.json", people),
            tmp_path / "x.json",
            *("--retries", "1", *(["--json"] if number else [])),
        )
        done = command(line, tmp_path, given)
        assert done.status == (1, 2)[number], done
        texts += [done.output, done.errors]
    assert set(carried(service)) == {secret}, "it was sent"
    assert "unresolved: 1 (Actor 1): 500 Internal Server Error" in texts[0]
    assert "unresolved: 2 (Actor 2): the connection broke off" in texts[0]
    assert "TMDB refuses the key" in texts[3]
    for path in tmp_path.rglob("*"):
        if path.name != ".env":
            texts.append(path.read_text())
    for part in (secret, secret[:16], secret[-16:]):
        assert not [found for found in texts if part in found]


@BOTH
def test_it_is_not_logged(secret: str, service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    service.acts = {1: [spiteful], 2: [garbled], 3: [echoing], 4: [imdb("nm0000004")]}
    with caplog.at_level(logging.DEBUG):
        resolved(service, range(1, 6), tmp_path / "x.json", key=secret, retries=1)
    assert {record.name for record in caplog.records} >= {"httpx", "httpcore.http11"}
    assert "external_ids" in caplog.text
    assert secret not in caplog.text
    assert secret not in json.dumps([str(record.__dict__) for record in caplog.records])
    assert not [name for name in ("httpx", "httpcore.http11") if logging.getLogger(name).filters]


@BOTH
def test_it_is_not_shown_by_its_object(secret: str) -> None:
    one = Key(secret)
    assert secret not in f"{one!r} {one}"
    assert one.hide(f"a {secret} b") == "a [key] b"
