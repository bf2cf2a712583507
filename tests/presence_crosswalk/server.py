"""A server on loopback that answers as TMDB does, or misbehaves as it is told to."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Act = Callable[["Handler"], None]
"""What the server does with one request."""

UNKNOWN = {"success": False, "status_code": 34, "status_message": "The resource you requested could not be found."}


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    person: int
    query: dict[str, list[str]]
    headers: dict[str, str]


@dataclass
class Service:
    """What the server was asked, and what it does: for each person the acts in turn, the last one again and again."""

    base: str = ""
    acts: dict[int, list[Act]] = field(default_factory=dict)
    otherwise: list[Act] = field(default_factory=list)
    before: Callable[[int], None] | None = None
    asked: list[Asked] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def people(self) -> list[int]:
        """Whom it was asked for, in order."""
        return [one.person for one in self.asked]

    def count(self, person: int) -> int:
        """How often it was asked for a person."""
        return self.people().count(person)

    def act(self, person: int) -> Act:
        """What to do with the latest request for a person."""
        acts = self.acts.get(person) or self.otherwise or [imdb(f"nm{person:07d}")]
        return acts[min(self.count(person), len(acts)) - 1]


class Handler(BaseHTTPRequestHandler):
    """Takes a request down and does what is asked."""

    protocol_version = "HTTP/1.1"
    service: Service
    person: int

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        person = self.person = int(address.path.split("/")[-2])
        assert address.path.endswith(f"/person/{person}/external_ids")
        with self.service.lock:
            self.service.asked.append(Asked(person, parse_qs(address.query), dict(self.headers)))
            count = len(self.service.asked)
        if self.service.before is not None:
            self.service.before(count)
        self.service.act(person)(self)

    def answer(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int | None = None
    ) -> None:
        """Send an answer, or one whose stated length is another."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's name
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """Clients that go away in the middle are what is tested."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serving() -> Iterator[Service]:
    """A server, until the block ends."""
    service = Service()
    with Server(("127.0.0.1", 0), type("Bound", (Handler,), {"service": service})) as server:
        service.base = f"http://127.0.0.1:{server.server_address[1]}/3"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield service
        finally:
            service.over.set()
            server.shutdown()
            thread.join()


def says(content: object) -> Act:
    """Answer with 200 and this JSON."""
    return lambda handler: handler.answer(200, json.dumps(content).encode())


def imdb(imdb_id: str | None) -> Act:
    """Answer as TMDB does, among other ids."""

    def act(handler: Handler) -> None:
        says({"id": handler.person, "freebase_mid": None, "imdb_id": imdb_id, "twitter_id": ""})(handler)

    return act


def status(code: int, body: object = None, **headers: str) -> Act:
    """Answer with a status; headers are given as `Retry_After="1"`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.answer(code, b"" if body is None else json.dumps(body).encode(), named)


def text(body: bytes, code: int = 200, **headers: str) -> Act:
    """Answer with these bytes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.answer(code, body, named)


def drop(handler: Handler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


def reset(handler: Handler) -> None:
    """Reset the connection (RST)."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True


def cut(handler: Handler) -> None:
    """Half an answer, then the end of the connection."""
    handler.answer(200, b'{"id": 1, "imdb_id": "nm00', length=60)
    handler.close_connection = True


def silent(handler: Handler) -> None:
    """No answer while the client has patience."""
    handler.service.over.wait(10)


def dripping_body(handler: Handler) -> None:
    """A byte now and then: each in time, the whole never."""
    handler.answer(200, b"{", length=10_000)
    while not handler.service.over.wait(0.05):
        handler.wfile.write(b" ")


def dripping_headers(handler: Handler) -> None:
    """Likewise, before the answer begins."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.service.over.wait(0.05):
        handler.wfile.write(b"X-More: 1\r\n")


def endless(handler: Handler) -> None:
    """More than any answer has."""
    handler.answer(200, b" " * 1_100_000)
