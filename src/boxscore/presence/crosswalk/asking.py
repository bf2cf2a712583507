"""One question to TMDB over HTTP, and what can come back instead of an answer."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from boxscore.errors import InputError
from boxscore.model.given import shown
from boxscore.presence import keys
from boxscore.presence.crosswalk import retry_after
from boxscore.presence.crosswalk.answers import Answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import ModuleType

    import httpx

    from boxscore.presence.crosswalk.key import Key

NO_IMDB_ID = "TMDB has no IMDb id for this person"
NO_PERSON = "TMDB knows no person with this id"

_MOST_BYTES = 1_000_000
"""An answer has some 400; what is longer is no answer, and is not read to its end."""

_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
"""Statuses below 500 that another try may mend."""


class UnansweredError(Exception):
    """No answer, for a reason that asking again would not mend."""


class TryAgainError(UnansweredError):
    """No answer, for a reason that may pass: `wait` seconds, where the server says how long."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class UnreachedError(TryAgainError):
    """Not even a connection."""


class Service:
    """TMDB, or what speaks as it does at another address. `timeout`: seconds for a question and its whole answer."""

    def __init__(self, client: httpx.AsyncClient, base: str, timeout: float) -> None:
        self._client = client
        self._base = base
        self._timeout = timeout

    async def ask(self, person: int) -> Answer:
        """What TMDB says of a person, by TMDB id.

        Raises TryAgainError or UnansweredError with a reason (which may hold the key, where the server sent it back),
        and InputError where every further question would be refused alike.
        """
        try:
            # httpx's own limits are from one piece to the next: a server that sends a byte a second never meets them.
            async with asyncio.timeout(self._timeout):
                response, body = await self._exchange(person)
        except TimeoutError:
            raise TryAgainError(f"no whole answer within {self._timeout:g} s") from None
        status = response.status_code
        if status in _REFUSALS:
            raise InputError(
                f"TMDB refuses the key ({_named(status)}, at person {person}); check TMDB_API_KEY; answers had so far "
                "are kept"
            )
        if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise TryAgainError(_named(status), retry_after.seconds(response.headers, datetime.now(UTC)))
        if status == HTTPStatus.NOT_FOUND:
            return _unknown(body)
        if not response.is_success:
            raise UnansweredError(f"{_named(status)}; is the address right (--base)?")
        return _read(person, body)

    async def _exchange(self, person: int) -> tuple[httpx.Response, bytes]:
        import httpx

        address = f"{self._base}/person/{person}/external_ids"
        try:
            async with self._client.stream("GET", address) as response:
                return response, await _whole(response)
        except (httpx.ConnectError, httpx.ProxyError) as error:
            raise UnreachedError(_told("no connection", error)) from None
        except httpx.InvalidURL as error:
            raise InputError(f"--base is {self._base!r}, which can't be asked ({error}); check the address") from None
        except httpx.DecodingError:
            raise TryAgainError("the answer's compression is broken") from None
        except httpx.HTTPError as error:
            raise TryAgainError(_told("the connection broke off", error)) from None


@asynccontextmanager
async def service(base: str, key: Key, timeout: float) -> AsyncIterator[Service]:
    """The service, reached over one connection that is kept open, and closed at the end."""
    httpx = _library()
    headers = {"Accept": "application/json", **key.headers}
    # Redirects are not followed: the key would go where nobody meant it to go.
    with key.kept_out_of_logs():
        try:
            client = httpx.AsyncClient(headers=headers, params=key.query, timeout=None, follow_redirects=False)
        except (ImportError, ValueError, httpx.InvalidURL):
            # Nothing else is left that it could trip over. The text is not shown: an address may hold a password.
            raise InputError(
                "the proxy that the environment names (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY) can't be used: its address "
                "is wrong, or of a kind (SOCKS) that httpx needs socksio for; correct it, or unset it"
            ) from None
        async with client:
            yield Service(client, base, timeout)


def _library() -> ModuleType:
    try:
        import httpx
        import tenacity  # noqa: F401  asked for later, told of at once
    except ImportError as error:
        raise InputError(
            f"asking TMDB needs {error.name}, which is not installed; `pip install 'boxscore[presence]'` brings it"
        ) from None
    return httpx


async def _whole(response: httpx.Response) -> bytes:
    parts: list[bytes] = []
    length = 0
    async for part in response.aiter_bytes():
        parts.append(part)
        length += len(part)
        if length > _MOST_BYTES:
            raise TryAgainError(f"the answer is longer than {_MOST_BYTES:,} bytes")
    return b"".join(parts)


def _read(person: int, body: bytes) -> Answer:
    """The answer of a body. Raises TryAgainError where it has another shape: what stands between may garble it."""
    content = _object(body)
    if content is None:
        raise TryAgainError("the answer is no JSON object")
    if content.get("id", person) != person:
        raise TryAgainError(f"the answer is of another person: its id is {_brief(content['id'])}")
    if "imdb_id" not in content:
        raise TryAgainError("the answer has no field imdb_id")
    imdb = content["imdb_id"]
    if imdb is None or imdb == "":
        return Answer(None, NO_IMDB_ID)
    found = keys.imdb(imdb)
    if found is None:
        raise TryAgainError(f"the answer's imdb_id is {_brief(imdb)}, which is no person's IMDb id")
    return Answer(found.removeprefix("imdb:"))


def _brief(value: object) -> str:
    """A value of an answer where it is short. A longer one is not cut: a piece of a key would not be known for one."""
    text = shown(value)
    return text if len(text) <= 20 else "too long to show"


def _unknown(body: bytes) -> Answer:
    """That there is no such person, where it is TMDB that says so, and not a server that lacks the whole path."""
    content = _object(body)
    if content is None or not {"status_code", "status_message"} & set(content):
        raise UnansweredError(f"{_named(HTTPStatus.NOT_FOUND)}, not in TMDB's form; is the address right (--base)?")
    return Answer(None, NO_PERSON)


def _object(body: bytes) -> dict[str, object] | None:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _told(what: str, error: Exception) -> str:
    """What happened, with the library's words for it, the key among them maybe; whoever shows it takes it out."""
    return f"{what} ({error})" if str(error) else what


def _named(status: int) -> str:
    """`503 Service Unavailable`."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
