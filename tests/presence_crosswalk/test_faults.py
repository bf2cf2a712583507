"""Each way in which a server misbehaves: asked again where that may help, bounded, and never at the others' cost."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from boxscore.errors import InputError
from boxscore.presence.crosswalk import answers
from boxscore.presence.crosswalk.answers import Answer
from boxscore.presence.crosswalk.asking import NO_IMDB_ID, NO_PERSON
from boxscore.presence.crosswalk.telling import Told
from tests.presence_crosswalk.server import (
    UNKNOWN,
    Act,
    Handler,
    Service,
    cut,
    dripping_body,
    dripping_headers,
    drop,
    endless,
    imdb,
    reset,
    says,
    silent,
    status,
    text,
)
from tests.presence_crosswalk.support import people_of, resolved


def no_http(handler: Handler) -> None:
    handler.wfile.write(b"220 ready\r\n\r\n")


def raw(handler: Handler, date: datetime, until: datetime) -> None:
    head = f"HTTP/1.1 429 \r\nDate: {format_datetime(date, usegmt=True)}\r\nRetry-After: "
    rest = f"{format_datetime(until, usegmt=True)}\r\nContent-Length: 0\r\n\r\n"
    handler.wfile.write((head + rest).encode())


PASSING: dict[str, tuple[Act, str]] = {
    "429": (status(429), "429 Too Many Requests"),
    "429 with seconds": (status(429, Retry_After="0"), "429 Too Many Requests"),
    "429 with nonsense": (status(429, Retry_After="soon"), "429 Too Many Requests"),
    "408": (status(408), "408 Request Timeout"),
    "500": (status(500), "500 Internal Server Error"),
    "502 with a page": (text(b"<html>Bad gateway", 502, Content_Type="text/html"), "502 Bad Gateway"),
    "503": (status(503), "503 Service Unavailable"),
    "504": (status(504), "504 Gateway Timeout"),
    "599": (status(599), "599"),
    "silent": (silent, "no whole answer within 0.4 s"),
    "dripping body": (dripping_body, "no whole answer within 0.4 s"),
    "dripping headers": (dripping_headers, "no whole answer within 0.4 s"),
    "dropped": (drop, "the connection broke off (Server disconnected without sending a response.)"),
    "reset": (reset, "the connection broke off"),
    "cut": (cut, "the connection broke off (peer closed connection"),
    "no HTTP": (no_http, "the connection broke off ("),
    "no JSON": (text(b"<html>"), "the answer is no JSON object"),
    "half JSON": (text(b'{"imdb_id": "nm'), "the answer is no JSON object"),
    "deep JSON": (text(b"[" * 200_000), "the answer is no JSON object"),
    "nothing": (text(b""), "the answer is no JSON object"),
    "204": (text(b"", 204), "the answer is no JSON object"),
    "no UTF-8": (text(b'{"imdb_id": "\xff"}'), "the answer is no JSON object"),
    "broken gzip": (text(b"\x1f\x8b\x08nonsense", Content_Encoding="gzip"), "the answer's compression is broken"),
    "endless": (endless, "the answer is longer than 1,000,000 bytes"),
    "a list": (says([1]), "the answer is no JSON object"),
    "no field": (says({"id": 2}), "the answer has no field imdb_id"),
    "a number": (says({"imdb_id": 158}), "imdb_id is 158, which is no person's IMDb id"),
    "a title": (says({"imdb_id": "tt0120885"}), "imdb_id is 'tt0120885', which is no person's IMDb id"),
    "a list of ids": (says({"imdb_id": ["nm0000002"]}), "imdb_id is ['nm0000002'], which"),
    "another person": (says({"id": 3, "imdb_id": "nm0000003"}), "the answer is of another person: its id is 3"),
}


def patience(name: str) -> float:
    return 0.4 if "within 0.4 s" in PASSING[name][1] else 5.0


@pytest.mark.parametrize("name", PASSING)
def test_a_passing_fault_is_asked_again_and_mended(name: str, service: Service, tmp_path: Path) -> None:
    act, _ = PASSING[name]
    service.acts[2] = [act, imdb("nm0000002")]
    found = resolved(service, [1, 2, 3], tmp_path / "x.json", timeout=patience(name))
    assert found.unresolved == {}
    assert {person: answer.imdb for person, answer in found.answers.items()} == {
        person: f"nm000000{person}" for person in (1, 2, 3)
    }
    assert service.people() == [1, 2, 2, 3]


@pytest.mark.parametrize("name", PASSING)
def test_a_lasting_fault_is_told_after_so_many_tries_and_the_rest_is_kept(
    name: str, service: Service, tmp_path: Path
) -> None:
    act, told = PASSING[name]
    service.acts[2] = [act]
    out = tmp_path / "x.json"
    found = resolved(service, [3, 2, 1], out, timeout=patience(name), retries=2)
    assert list(found.unresolved) == [2]
    assert told in found.unresolved[2]
    assert found.unresolved[2].endswith("(3 tries)")
    assert service.people() == [1, 2, 2, 2, 3]
    assert people_of(out) == {"1": {"imdb": "nm0000001"}, "3": {"imdb": "nm0000003"}}
    service.acts[2] = [imdb("nm0000002")]
    again = resolved(service, [3, 2, 1], out)
    assert again.answered == (2,)
    assert service.people()[5:] == [2]
    assert list(people_of(out)) == ["1", "2", "3"]


def test_no_retries_is_one_try(service: Service, tmp_path: Path) -> None:
    service.acts[1] = [status(500)]
    assert resolved(service, [1], tmp_path / "x.json", retries=0).unresolved[1].endswith("(1 try)")
    assert not (tmp_path / "x.json").exists()


class TestNulls:
    """People without an IMDb id, and people whom TMDB doesn't know, are answers, and are kept."""

    def test_are_kept_with_their_reason(self, service: Service, tmp_path: Path) -> None:
        service.acts = {1: [imdb(None)], 2: [imdb("")], 3: [status(404, UNKNOWN)]}
        out = tmp_path / "x.json"
        found = resolved(service, [1, 2, 3], out)
        reasons = {1: NO_IMDB_ID, 2: NO_IMDB_ID, 3: NO_PERSON}
        assert found.answers == {person: Answer(None, reason) for person, reason in reasons.items()}
        assert found.unresolved == {}
        again = resolved(service, [1, 2, 3], out)
        assert again.answers == found.answers
        assert service.people() == [1, 2, 3]

    @pytest.mark.parametrize("body", [None, {"detail": "Not Found"}, [34]])
    def test_a_404_of_another_server_is_none(self, body: object, service: Service, tmp_path: Path) -> None:
        service.acts[2] = [status(404, body)]
        found = resolved(service, [1, 2, 3], tmp_path / "x.json")
        assert found.unresolved == {2: "404 Not Found, not in TMDB's form; is the address right (--base)?"}
        assert service.people() == [1, 2, 3]
        assert list(people_of(tmp_path / "x.json")) == ["1", "3"]


@pytest.mark.parametrize("code", [400, 410, 301, 302, 308])
def test_what_asking_again_would_not_mend_is_asked_once(code: int, service: Service, tmp_path: Path) -> None:
    service.acts[2] = [status(code, Location=f"{service.base}/person/9/external_ids")]
    found = resolved(service, [1, 2, 3], tmp_path / "x.json")
    assert list(found.unresolved) == [2]
    assert str(code) in found.unresolved[2]
    assert service.people() == [1, 2, 3]


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_stops_at_once_and_loses_nothing(code: int, service: Service, tmp_path: Path) -> None:
    service.acts[3] = [status(code, {"status_code": 7, "status_message": "Invalid API key"})]
    with pytest.raises(InputError, match=f"TMDB refuses the key \\({code} .*, at person 3\\); check TMDB_API_KEY"):
        resolved(service, [1, 2, 3, 4], tmp_path / "x.json")
    assert service.people() == [1, 2, 3]
    assert list(people_of(tmp_path / "x.json")) == ["1", "2"]


class Waits(Told):
    """Notes the waits, and what was on disk then."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.seen: list[tuple[int, str, float]] = []
        self.kept: list[list[int]] = []

    def waiting(self, person: int, reason: str, seconds: float) -> None:
        self.seen.append((person, reason, seconds))
        self.kept.append(list(answers.read_if_there(self.out)))


class TestWaiting:
    """The waits between tries."""

    def test_double(self, service: Service, tmp_path: Path) -> None:
        service.acts[7] = [status(503)] * 5 + [imdb("nm0000007")]
        told = Waits(tmp_path / "x.json")
        resolved(service, [5, 7], told.out, back_off=0.01, told=told)
        assert {(person, reason) for person, reason, _ in told.seen} == {(7, "503 Service Unavailable")}
        assert [seconds for _, _, seconds in told.seen] == pytest.approx([0.01 * 2**n for n in range(5)])
        assert told.kept == [[5]] * 5, "what was answered is on disk before a wait"

    @pytest.mark.parametrize("code", [429, 503])
    def test_are_as_long_as_the_server_asks_for(self, code: int, service: Service, tmp_path: Path) -> None:
        service.acts[1] = [status(code, Retry_After="1"), imdb("nm0000001")]
        told = Waits(tmp_path / "x.json")
        began = time.monotonic()
        assert not resolved(service, [1], told.out, told=told).unresolved
        assert time.monotonic() - began >= 1
        assert [seconds for _, _, seconds in told.seen] == [1]

    def test_until_a_date(self, service: Service, tmp_path: Path) -> None:
        # The server's clock is a day ahead: its own Date header counts, so that the wait is 1 s.
        until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
        service.acts[1] = [
            lambda handler: raw(handler, until, until + timedelta(seconds=1)),
            imdb("nm0000001"),
        ]
        told = Waits(tmp_path / "x.json")
        assert not resolved(service, [1], told.out, told=told).unresolved
        assert [seconds for _, _, seconds in told.seen] == [1]

    def test_a_server_that_asks_for_too_long_is_left_alone(self, service: Service, tmp_path: Path) -> None:
        service.acts[2] = [status(429, Retry_After="3600")]
        found = resolved(service, [1, 2, 3, 4], tmp_path / "x.json")
        reason = "429 Too Many Requests, and no question for 3600 s; run it again then"
        assert found.unresolved == {
            2: reason,
            3: f"not asked, after 2: {reason}",
            4: f"not asked, after 2: {reason}",
        }
        assert service.people() == [1, 2]
        assert list(people_of(tmp_path / "x.json")) == ["1"]


def test_a_server_that_is_away_is_not_asked_for_everybody(service: Service, tmp_path: Path) -> None:
    service.base = "http://127.0.0.1:9/3"  # the discard port, where nobody listens
    found = resolved(service, range(1, 8), tmp_path / "x.json", retries=1)
    assert all(found.unresolved[person].startswith("no connection") for person in (1, 2, 3))
    assert all(found.unresolved[person].startswith("not asked, after 3: no connection") for person in (4, 5, 6, 7))
    assert not (tmp_path / "x.json").exists()
