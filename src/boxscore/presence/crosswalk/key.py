"""TMDB's key: where it is found, how it is sent, and that it shows up nowhere else."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from boxscore.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "TMDB_API_KEY"

_HIDDEN = "[key]"
_LOGGERS = (
    *("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"),
    *("httpcore.socks", "asyncio"),
)
"""Those that tell of requests. A filter of a logger does not see what the loggers below it record."""


class Key:
    """A key of TMDB's. Its `repr` and its texts never show it.

    TMDB has two kinds: an API key (32 hexadecimal digits), which goes into the query, and a read access token, which
    goes into the Authorization header. Raises InputError, without the value, for what no header can carry.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        secret = secret.strip().removeprefix("Bearer").strip()
        # These stand in a query and in a header as they are, and in what any library says of either.
        if not re.fullmatch(r"[A-Za-z0-9._~+/=-]+", secret):
            raise InputError(
                f"{NAME} is empty, or holds blanks or characters that no key of TMDB's has; copy the API key or the "
                "read access token anew (themoviedb.org, Settings, API)"
            )
        self._secret = secret

    def __repr__(self) -> str:
        return f"Key({_HIDDEN})"

    @property
    def _in_query(self) -> bool:
        return re.fullmatch(r"[0-9A-Fa-f]{32}", self._secret) is not None

    @property
    def query(self) -> dict[str, str]:
        """What goes into the query of a request."""
        return {"api_key": self._secret} if self._in_query else {}

    @property
    def headers(self) -> dict[str, str]:
        """What goes into its headers."""
        return {} if self._in_query else {"Authorization": f"Bearer {self._secret}"}

    def hide(self, text: str) -> str:
        """The text with a placeholder wherever the key stood."""
        return text.replace(self._secret, _HIDDEN)

    @contextmanager
    def kept_out_of_logs(self) -> Iterator[None]:
        """What httpx and what it is built on log meanwhile (httpx logs whole addresses) doesn't show the key."""

        def hide_in(record: logging.LogRecord) -> bool:
            record.msg, record.args = self.hide(record.getMessage()), None
            return True

        loggers = [logging.getLogger(name) for name in _LOGGERS]
        for logger in loggers:
            logger.addFilter(hide_in)
        try:
            yield
        finally:
            for logger in loggers:
                logger.removeFilter(hide_in)


def read(environment: Mapping[str, str], folder: Path) -> Key:
    """The key of the environment; where that has none, of the file `.env` in the folder.

    Raises InputError where there is none, where `.env` can't be read, and where python-dotenv is missing.
    """
    stated = environment.get(NAME, "").strip() or _of_file(folder / ".env")
    if not stated:
        raise InputError(
            f"{NAME} is not set; get a key from TMDB (themoviedb.org, Settings, API) and put it into the environment, "
            f"or as a line {NAME}=… into a file .env in the folder you run this in"
        )
    return Key(stated)


def _of_file(path: Path) -> str:
    if not path.is_file():
        return ""
    try:
        from dotenv import dotenv_values
    except ImportError:
        raise InputError(
            f"reading {path.name} needs python-dotenv; install it with `pip install 'boxscore[presence]'`, or put "
            f"{NAME} into the environment"
        ) from None
    try:
        # As written: a `$` in a key names no variable.
        values = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problem = "it is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
        raise InputError(
            f"{path} can't be read: {problem}; save it as UTF-8, or put {NAME} into the environment"
        ) from None
    return (values.get(NAME) or "").strip()
