"""Run the server: a free port, the printed address, the browser, and a clean end."""

from __future__ import annotations

import contextlib
import errno
import secrets
import socket
import warnings
from collections.abc import Callable
from pathlib import Path

import uvicorn

from goodmeasure.catalogue.names import NameWarning
from goodmeasure.exceptions import InputError
from goodmeasure.web.application import ServerOptions, application

_TRIED = 50  # ports after the one that was asked for


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; the port may be taken, which is an `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) only where the protocol is named; else each waits some 40 ms.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(2048)
    except OSError:
        found.close()
        raise
    return found


def free_port(host: str, port: int) -> int | None:
    """Return the next free port after one that is taken, or None."""
    for other in range(port + 1, min(port + _TRIED, 65535) + 1):
        with contextlib.suppress(OSError):
            listening(host, other).close()
            return other
    return None


def opened(host: str, port: int) -> socket.socket:
    """Return the socket to serve on; say which port is free where this one is taken."""
    try:
        return listening(host, port)
    except socket.gaierror:
        raise InputError("{host} is {got!r}", got=host, expected="an address of this machine") from None
    except OSError as error:
        other = free_port(host, port)
        offered = "close the other program" if other is None else "use {port:=" + str(other) + "}, which is free"
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                "port {got} is in use by another program", argument="port", got=port, advice=offered
            ) from None
        why = (error.strerror or str(error)).lower()
        raise InputError("{port} is {got}, which cannot be used: {why}", got=port, why=why, advice=offered) from None


def address(host: str, port: int, token: str) -> str:
    """Return the address to open in a browser."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/?token={token}"


def serve(
    found: socket.socket, host: str, file: Path | None, ready: Callable[[str], None], *, token: str | None = None
) -> None:
    """Serve the page until somebody presses Ctrl-C; `ready` is called with the address as soon as it answers."""
    token = token or secrets.token_urlsafe(16)
    app = application(ServerOptions(token, host, file))
    settings = uvicorn.Config(
        app, log_level="critical", access_log=False, lifespan="on", timeout_graceful_shutdown=1, server_header=False
    )
    server = _Server(settings, lambda: ready(address(host, found.getsockname()[1], token)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NameWarning)  # the page lists what a name may mean
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[found])


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()
