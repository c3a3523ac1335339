"""A server of games on this machine, and requests to it."""

import http.client
import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from rummi_training.play.guards import Guards
from rummi_training.play.host import Host
from rummi_training.play.serve import ADDRESS, listen, warm_up
from rummi_training.play.server import make_app
from rummi_training.play.settings import read_settings
from rummi_training.play.storage import Store
from rummi_training.play.table import Table

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip

TIMEOUT = 30_000
"""Milliseconds after which what was waited for has not come."""

DESKTOP = {"width": 1280, "height": 800}

WAIT = 60.0
"""Seconds after which a server that does not answer has failed."""


@dataclass
class Answer:
    """What a server has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Seat:
    """One seat of a game, as a page has it."""

    server: "Server"
    game: str
    token: str

    def ask(self, method: str, what: str = "", body: Any = None) -> Answer:
        path = f"/api/games/{self.game}{what}"
        return self.server.ask(method, path, body, token=self.token)

    def at(self, server: "Server") -> "Seat":
        """Returns the same seat on another server."""
        return Seat(server, self.game, self.token)

    def look(self) -> Any:
        """Returns what the seat sees, once no agent has to move any more."""
        for _ in range(int(WAIT / 0.01)):
            state = self.ask("GET").json
            mover = state["players"][state["to_move"]]
            if state["phase"] == "over" or mover["person"]:
                return state
            pause.wait(0.01)
        raise AssertionError("the agents do not play")


pause = threading.Event()


@dataclass
class Server:
    """A running server."""

    host: Host
    port: int
    stop: Callable[[], None]
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Sends a request; a body that is no bytes is sent as JSON."""
        connection = http.client.HTTPConnection(ADDRESS, self.port, timeout=WAIT)
        sent = {} if token is None else {"x-seat-token": token}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            sent["content-type"] = "application/json"
        try:
            connection.request(method, path, body, {**sent, **(headers or {})})
            response = connection.getresponse()
            return Answer(response.status, dict(response.headers), response.read())
        finally:
            connection.close()

    def new_game(self, players: Sequence[str], **asked: Any) -> list[Seat]:
        """Starts a game; returns the seats of the people."""
        body = {"players": list(players), "clock": False, **asked}
        answer = self.ask("POST", "/api/games", body)
        assert answer.status == 201, answer.body
        made = answer.json
        return [Seat(self, made["game"], seat["token"]) for seat in made["seats"]]


Serve = Callable[..., Server]


@pytest.fixture(scope="session")
def warm() -> None:
    """Compiles beforehand what servers compute, as `serve` does: it takes a minute."""
    warm_up()


@pytest.fixture
def serve(tmp_path: Path, warm: None) -> Iterator[Serve]:
    """Starts servers, of the same folder unless told otherwise."""
    running: list[Server] = []

    def start(folder: str = "games", **keywords: Any) -> Server:
        host = Host(Store(tmp_path / folder), **keywords)
        listening = listen(0)
        port = listening.getsockname()[1]
        app = Guards(make_app(host), port)
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", access_log=False)
        )
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join(WAIT)
            assert not thread.is_alive()
            listening.close()

        running.append(Server(host, port, stop))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve()


@pytest.fixture
def new_table() -> Callable[..., Table]:
    """Makes tables that no server is around."""

    def make(
        players: Sequence[str] = ("person", "max_tiles"),
        clock: Callable[[], float] | None = None,
        **asked: Any,
    ) -> Table:
        timed = clock is not None
        settings = read_settings(players=players, **{"clock": timed, **asked})
        return Table.new(settings) if clock is None else Table.new(settings, clock)

    return make


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if not Path(CHROMIUM).exists():
        pytest.fail("chromium is missing: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_seat(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens the page of a seat; none of them may fail or ask anybody else."""
    from playwright.sync_api import expect

    wrong: list[str] = []
    contexts = []

    def start(
        seat: Seat | None, port: int = 0, context: Any = None, **keywords: Any
    ) -> Any:
        if seat is not None:
            port = seat.server.port
        if context is None:
            context = browser.new_context(**{"viewport": DESKTOP, **keywords})
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        address = f"http://127.0.0.1:{port}/"
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((address, "blob:", "data:"))
                else wrong.append(request.url)
            ),
        )
        anchor = "" if seat is None else f"#game={seat.game}&token={seat.token}"
        page.goto(address + anchor)
        if seat is not None:
            page.locator(".game").wait_for()
        return page

    expect.set_options(timeout=TIMEOUT)
    yield start
    for context in contexts:
        context.close()
    assert wrong == []
