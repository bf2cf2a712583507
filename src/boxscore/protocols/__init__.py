"""Protocols: named, versioned TOML files. `load` finds a shipped one by name, or reads a file of the user's."""

from __future__ import annotations

import os

from boxscore.errors import ProtocolError
from boxscore.model.given import shown
from boxscore.model.protocol import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

_HOME = os.path.dirname(__file__)  # noqa: PTH120  pathlib costs a fifth of the start-up


def shipped() -> list[str]:
    """Names of the protocols that come with boxscore."""
    return sorted(entry.removesuffix(".toml") for entry in os.listdir(_HOME) if entry.endswith(".toml"))  # noqa: PTH208  as above


def load(protocol: str | PathLike[str] | Protocol) -> Protocol:
    """A protocol by shipped name or by path of a TOML file.

    Raises ProtocolError for an unknown name, and for a file that can't be read or whose fields are wrong.
    """
    if isinstance(protocol, Protocol):
        return protocol
    from boxscore.protocols.fields import protocol_of

    named = os.fspath(protocol) if isinstance(protocol, str | os.PathLike) else None
    if not isinstance(named, str):
        raise ProtocolError(
            f"protocol is {shown(protocol)}; give the name of a shipped one ({', '.join(shipped())}), the path of a "
            "TOML file, or a Protocol"
        )
    file = os.path.basename(named) if _is_path(named) else f"{named}.toml"  # noqa: PTH119  as above
    return protocol_of(_parsed(source_text(named), file), file)


def source_text(protocol: str) -> str:
    """The text of a protocol's file, shipped or the user's. Raises ProtocolError where there is none."""
    path = protocol
    if not _is_path(protocol):
        if protocol not in shipped():
            raise ProtocolError(
                f"protocol {protocol!r} is not known; shipped are {', '.join(shipped())}; "
                "a protocol of your own is given as the path of a TOML file (ending in .toml)"
            )
        path = os.path.join(_HOME, f"{protocol}.toml")  # noqa: PTH118  as above
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123  as above
            return file.read()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"protocol file {path} is not UTF-8 text: {error.reason} at byte {error.start}") from None
    except (OSError, ValueError) as error:
        # A path that no system takes (with a zero byte) is a ValueError of Python's.
        why = getattr(error, "strerror", None) or error
        raise ProtocolError(f"protocol file {path} can't be read: {why}; check the path") from None


def _is_path(protocol: str) -> bool:
    return protocol.endswith(".toml") or "/" in protocol or os.sep in protocol


def _parsed(text: str, shown: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError(f"{shown} is not valid TOML: {error}") from None
