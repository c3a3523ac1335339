"""Starts the web server of ``rummi play``."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from rummi_training.play.hints import solver_hint
from rummi_training.play.host import PAGES, Host
from rummi_training.play.settings import read_settings
from rummi_training.play.storage import Store
from rummi_training.play.tabla_table import TablaTable
from rummi_training.play.tabla_telling import tabla_hint, tabla_told
from rummi_training.play.table import Table

ADDRESS = "127.0.0.1"
"""Nothing else is listened on."""

WARM_UP_TURNS = 30
"""Turns after which somebody has opened and the table has been laid anew."""

CLOSABLE = (
    "R1 R2 R3 B5 B6 B7 B8 K9 R9 B9 O9 K12 R12 B12 J / "
    "K1 K2 K3 K4 K5 K6 K7 K8 R10 K10 K11 O12 K13 R1 ; ; ? ; K4 ; 0 ; pool"
)
"""A position of Rummy pe tabla in which the first seat can close."""


def serve(
    out: Path,
    console: Console,
    *,
    port: int = 8000,
    agents: Sequence[str] = (),
    game: str = "rummikub",
    open_page: bool = False,
) -> None:
    """Serves games until it is interrupted.

    Args:
        out: folder of the games.
        console: told where the page is.
        port: of the page; 0 takes one that is free.
        agents: agents written as ``module:Class`` to be offered too.
        game: the game that the page offers first.
        open_page: whether to open the page in the browser.

    Raises:
        ValueError: a package is missing, the folder or the port is in use, or the game
            has no page.
    """
    if game not in PAGES:
        allowed = " or ".join(PAGES)
        raise ValueError(
            f"the page plays {allowed}, not {game}: add --terminal to play it there"
        )
    try:
        import uvicorn

        from rummi_training.play.guards import Guards
        from rummi_training.play.server import make_app
    except ImportError as missing:
        raise ValueError(
            f"{missing.name} is missing: pip install 'rummi-env[play]', or play in the "
            "terminal with rummi play --terminal"
        ) from missing
    listening = listen(port)
    with listening:
        port = listening.getsockname()[1]
        store = Store(out)
        host = Host(store, agents)
        with console.status("preparing the engine"):
            warm_up()
        anchor = "" if game == "rummikub" else f"#new={game}"
        address = f"http://{ADDRESS}:{port}/{anchor}"
        console.print(
            f"play at {address} (Ctrl-C stops; games are kept in {out})",
            soft_wrap=True,
            highlight=False,
        )
        if open_page:
            webbrowser.open(address)
        config = uvicorn.Config(
            Guards(make_app(host), port),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:
            # It has shut down by now, and games are saved with every change.
            console.print("stopped")


def listen(port: int) -> socket.socket:
    """Returns a socket on the port.

    Raises:
        ValueError: there is no such port, or it is in use.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port must be from 0 to 65535, not {port}")
    # With its protocol named, asyncio lets answers go without waiting for more.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise ValueError(
            f"port {port} cannot be listened on: {error.strerror}; --port takes "
            "another one"
        ) from error
    return listening


def warm_up() -> None:
    """Compiles what games on the page ask for, so that nobody waits for it."""
    _warm_up_rummikub()
    _warm_up_tabla()


def _warm_up_rummikub() -> None:
    """Compiles what turns need, so that no click has to wait for it."""
    for preset in ("official", "sabra"):  # with free jokers and with exact ones
        settings = read_settings(players=["person", "max_tiles"], rules=preset, seed=1)
        table = Table.new(settings)
        played = table.played
        while not played.match.over and table.turns < WARM_UP_TURNS:
            if played.agent is None:
                solver_hint(played.match, "tiles")
                table.draw(played.match.seat, table.turns)
            else:
                asked = played.question()
                table.act_for_agent(played.decide(played.agent, asked))


def _warm_up_tabla() -> None:
    """Does the same for Rummy pe tabla: a deal with hints, and a closing."""
    settings = read_settings(players=["person", "planner"], game="tabla", seed=1)
    table = TablaTable.new(settings)
    while table.turns < WARM_UP_TURNS and not table.played.match.over:
        if table.played.agent is None:
            seat = table.played.match.seat
            tabla_hint(table, "forms")
            action = int(table.played.match.mask.argmax())
            words = table.played.match.game.action_text(action)
            table.act(seat, table.turns, words)
        else:
            asked = table.played.question()
            table.act_for_agent(table.played.decide(table.played.agent, asked))
    shown = TablaTable.new(
        read_settings(
            players=["person", "planner"],
            game="tabla",
            position=CLOSABLE,
            seed=1,
        )
    )
    tabla_told(shown, 0)
    shown.act(0, shown.turns, "close J")
