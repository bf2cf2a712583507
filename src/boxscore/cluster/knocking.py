"""Seeing whether a Ray cluster is at an address, in seconds: Ray itself takes many minutes to tell that none is."""

from __future__ import annotations

import os

from boxscore.errors import InputError

CLIENT = "ray://"
_CLIENT_PORT = 10001
_PATIENCE = 10.0
"""Seconds that an address has to answer, and again to speak."""


def knock(address: str) -> None:
    """See whether a cluster may be at HOST:PORT or ray://HOST:PORT. Raises InputError that says what is wrong."""
    host, _, port = address.removeprefix(CLIENT).partition("/")[0].rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(
            f"{address}: this is no address of a Ray cluster; give {CLIENT}HOST:PORT with the client port of its head "
            f"({_CLIENT_PORT} unless it was chosen), or set RAY_ADDRESS to HOST:PORT on a node of the cluster"
        )
    import socket

    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _silent(address, getattr(error, "strerror", None) or str(error)) from None
    if not _speaks(f"{host}:{port}"):
        raise _silent(address, "something listens there that speaks otherwise")


def _speaks(place: str) -> bool:
    """Whether gRPC is spoken there; yes, where that can't be seen."""
    if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
        return True  # the certificates are Ray's to find
    from importlib import import_module

    try:
        grpc = import_module("grpc")  # it has no types
    except ImportError:
        return True
    channel = grpc.insecure_channel(place)
    try:
        grpc.channel_ready_future(channel).result(timeout=_PATIENCE)
    except grpc.FutureTimeoutError:
        return False
    finally:
        channel.close()
    return True


def _silent(address: str, reason: str) -> InputError:
    return InputError(
        f"{address}: no Ray cluster answers there ({reason}); see that it runs (`ray status` on its head), and that "
        f"this host reaches the port ({_CLIENT_PORT} is that of Ray's client)"
    )
