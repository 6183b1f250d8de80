"""Security checks for every request: only this page may send requests, and it may load only its own files.

A server on the loopback address can be reached by every page that a browser shows. So a request whose `Host` is no name
of this server is refused (another site may have made its name point to this machine), and so is one whose `Origin` is
another page. The policy in the headers lets the page load its own files only, and no script inside of HTML.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goodmeasure.exceptions import InputError
from goodmeasure.web.replies import error_reply

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # the address holds the token
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:/?#@\[\]\\]+))(?::\d{1,5})?", re.ASCII)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Guard:
    """Refuses requests from elsewhere, and adds the headers that protect the page to every answer."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = _LOOPBACK, *, any_address: bool = False) -> None:
        self.app = app
        self.hosts = frozenset(x.lower() for x in hosts)
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(Headers(scope=scope))
        if refusal is None:
            await self.app(scope, receive, protected)
        else:
            await error_reply(*refusal)(scope, receive, protected)

    def _refusal(self, headers: Headers) -> tuple[InputError, int] | None:
        """Return why a request is refused and with which status, or None."""
        host = headers.get("host", "")
        if not self._is_own(_name_of(host)):
            return InputError(
                "the host {host!r} is not a name of this server", host=host[:100],
                advice="open the address that goodmeasure explore printed",
            ), 400  # fmt: skip
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return InputError("the page {origin!r} may not use this server", origin=origin[:100]), 403
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return InputError("another site may not use this server"), 403
        return None

    def _is_own(self, name: str) -> bool:
        """Return whether a request may call this server by a name.

        Where other machines may reach the server, every address is one of its names: a site that wants to be mistaken
        for it can point its name here, but then the name is in the request.
        """
        if name in self.hosts:
            return True
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def is_token(given: str, token: str) -> bool:
    """Return whether a text is the token in the printed address, by a comparison in constant time."""
    return secrets.compare_digest(given.encode(), token.encode())


def _name_of(host: str) -> str:
    """Return the name in a `Host` header, without its port and without brackets; a header holds nothing else."""
    found = _HOST.fullmatch(host)
    return "" if found is None else (found["address"] or found["name"]).lower()


def names_of(host: str) -> tuple[list[str], bool]:
    """Return the names by which a server that listens on an address may be called, and whether by any address."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if loopback:
        return [*_LOOPBACK, host], False
    return [*_LOOPBACK, host, socket.gethostname()], True
