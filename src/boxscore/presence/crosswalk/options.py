"""How to ask: where, how patiently, and how often what was answered goes to disk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import urlsplit

from boxscore.errors import InputError

BASE = "https://api.themoviedb.org/3"


@dataclass(frozen=True)
class Asking:
    """How to ask. Raises InputError for what can't be, named by its option.

    Attributes:
        base: The address before `/person/…`, without user, query and fragment.
        every: A checkpoint after so many answers.
        retries: How often a question is asked again.
        timeout: Seconds for one question and its whole answer.
        back_off: Seconds before the second try; doubled before each further one, up to 30 s.
        longest_wait: Seconds; where the server asks to be left alone for longer, nothing more is asked.
    """

    base: str = BASE
    every: int = 20
    retries: int = 5
    timeout: float = 10.0
    back_off: float = 1.0
    longest_wait: float = 120.0

    def __post_init__(self) -> None:
        _check_address(self.base)
        for name, count, least in (("every", self.every, 1), ("retries", self.retries, 0)):
            if count < least:
                raise InputError(f"--{name} is {count}; it must be {least} or more")
        times = {"timeout": self.timeout, "back-off": self.back_off, "longest-wait": self.longest_wait}
        for name, seconds in times.items():
            if not 0 < seconds < math.inf:
                raise InputError(f"--{name} is {seconds:g}; it must be a number of seconds above 0")

    @property
    def is_in_clear(self) -> bool:
        """Whether the key would cross a network unencrypted."""
        address = urlsplit(self.base)
        return address.scheme == "http" and address.hostname not in ("localhost", "127.0.0.1", "::1")


def _check_address(base: str) -> None:
    try:
        address = urlsplit(base)
        _ = address.port  # read only here, and wrong ones are told here
    except ValueError as error:
        raise InputError(f"--base is no address ({error}); give one such as {BASE}") from None
    if "@" in address.netloc or address.query or address.fragment:
        # It is not shown: it may hold a key.
        raise InputError(f"--base holds a user, a query or a fragment; give the address alone, such as {BASE}")
    if address.scheme not in ("http", "https") or not address.hostname:
        raise InputError(f"--base is {base!r}; it must be an address such as {BASE}")
