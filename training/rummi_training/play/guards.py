"""What every request has to pass before anything looks at it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from starlette.responses import JSONResponse

MAX_BODY = 64 * 1024
"""Bytes that the body of a request may have; a table of all tiles takes a twentieth."""

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guards:
    """Refuses requests of foreign pages and large bodies; adds headers to answers.

    A page elsewhere can let its own name point to this machine and so reach a server
    that listens on nothing else. Its requests still name that page as their host, so
    only requests to this server by its own names are answered.
    """

    def __init__(self, app: App, port: int) -> None:
        """Takes what answers the requests, and the port that it is reached at."""
        self.app = app
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = self._with_headers(send)
        headers = {name.lower(): value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        if host not in self.hosts or (origin and origin not in self.origins):
            refused = _told(403, "only this server's own page may ask it")
            await refused(scope, receive, answer)
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MAX_BODY:
            await _told(413, _TOO_LARGE)(scope, receive, answer)
            return
        body = await _read(receive)
        if body is None:
            await _told(413, _TOO_LARGE)(scope, receive, answer)
            return
        await self.app(scope, _Replay(body, receive), answer)

    @staticmethod
    def _with_headers(send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {
                    **message,
                    "headers": [
                        *message.get("headers", []),
                        *((n.encode(), v.encode()) for n, v in HEADERS.items()),
                    ],
                }
            await send(message)

        return answer


_TOO_LARGE = f"a request may have {MAX_BODY} bytes and not more"


class _Replay:
    """Hands on a body that was read."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _read(receive: Receive) -> bytes | None:
    """Reads a body; None if it is too large, whatever its length was said to be."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _told(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)
