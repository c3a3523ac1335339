"""The web server of ``rummi play``: a page, and what it asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio.to_thread
from fastapi import FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
)
from pydantic_core import PydanticCustomError
from starlette.exceptions import HTTPException

from rummi_agents import agent_names
from rummi_env.envs.game import game_named
from rummi_training.play.hints import SOLVER, agent_hint, solver_hint
from rummi_training.play.host import PAGES, Host
from rummi_training.play.refusals import IMPOSSIBLE, NOT_NOW, Refusal
from rummi_training.play.seats import Seats
from rummi_training.play.settings import read_settings
from rummi_training.play.tabla_table import TablaTable
from rummi_training.play.tabla_telling import SOLVER as TABLA_SOLVER
from rummi_training.play.tabla_telling import board_told, tabla_hint, tabla_told
from rummi_training.play.table import Table
from rummi_training.play.telling import (
    clock_told,
    draft_told,
    offered,
    settings_told,
    told,
)

STATIC = Path(__file__).parent / "static"

REQUEST_THREADS = 4
"""Requests that are worked on at the same time; each keeps scratch for the solver."""

NOT_SAVED = 507

AnyTable = TypeVar("AnyTable", bound=Seats)

MAX_TILES = 106
Text = Annotated[StrictStr, Field(max_length=200)]
Tile = Annotated[StrictStr, Field(max_length=5)]
Meld = Annotated[list[Tile], Field(max_length=MAX_TILES)]
Token = Annotated[str | None, Header(alias="x-seat-token", max_length=100)]


class _Body(BaseModel):
    """A request; fields that it does not know are refused."""

    model_config = ConfigDict(extra="forbid")


def _with_page(game: str) -> str:
    """Refuses games that no page plays."""
    if game not in PAGES:
        allowed = " or ".join(PAGES)
        raise PydanticCustomError("game", f"must be {allowed}, not {game!r}")
    return game


class NewGame(_Body):
    """Asks for a game."""

    # It comes first and so is told first: what else is wrong may hang on it.
    game: Annotated[Text, AfterValidator(_with_page)] = "rummikub"
    players: Annotated[list[Text], Field(min_length=2, max_length=4)]
    rules: Text = "default"
    seed: StrictInt | None = None
    clock: StrictBool | None = None
    penalties: StrictBool = True
    position: Annotated[StrictStr, Field(max_length=2000)] | None = None


class TurnBody(_Body):
    """Names the turn that it is about."""

    turn: Annotated[StrictInt, Field(ge=0)]


class Laid(TurnBody):
    """How the tiles of a turn lie."""

    melds: Annotated[list[Meld], Field(max_length=MAX_TILES)]
    rack: Annotated[list[Tile], Field(max_length=MAX_TILES)]


class End(Laid):
    """Ends a turn."""

    accept_penalty: StrictBool = False


class Redeal(TurnBody):
    """Demands a new deal, or keeps the rack."""

    demand: StrictBool


class Arranged(_Body):
    """How a person's tiles lie, in Rummy pe tabla."""

    melds: Annotated[list[Meld], Field(max_length=MAX_TILES)]
    rack: Annotated[list[Tile], Field(max_length=MAX_TILES)]


class Act(TurnBody):
    """Does what an action in words says."""

    action: Text


class Hint(TurnBody):
    """Asks what the solver or an agent would play."""

    by: Text


def checked(table: Seats, kind: type[AnyTable]) -> AnyTable:
    """Refuses what is for one game where another is played.

    Args:
        table: what is played at.
        kind: what the game in question is played at.

    Raises:
        Refusal: it is another game.
    """
    if not isinstance(table, kind):
        titles = {page: game_named(name).title for name, page in PAGES.items()}
        raise Refusal(IMPOSSIBLE, f"this is no game of {titles[kind]}")
    return table


def seen(table: Seats, seat: int) -> dict[str, Any]:
    """Returns all that a seat may know of a game."""
    if isinstance(table, TablaTable):
        settings = settings_told(table.played.settings)
        return {**tabla_told(table, seat), "settings": settings}
    return told(checked(table, Table), seat)


def make_app(host: Host) -> FastAPI:
    """Returns the application, without the guards.

    Args:
        host: the games.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = REQUEST_THREADS
        yield
        host.close()

    # Its pages about itself would load scripts from elsewhere.
    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _tell_errors(app)
    _offer_games(app, host)
    _offer_turns(app, host)
    return app


def _tell_errors(app: FastAPI) -> None:
    """Lets every error be one sentence."""

    @app.exception_handler(Refusal)
    def refused(request: Request, error: Refusal) -> JSONResponse:
        return JSONResponse({"error": error.sentence, **error.more}, error.status)

    @app.exception_handler(OSError)
    def not_saved(request: Request, error: OSError) -> JSONResponse:
        sentence = f"the game cannot be saved: {error.strerror}"
        return JSONResponse({"error": sentence}, NOT_SAVED)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        if first["type"] == "json_invalid":
            return JSONResponse({"error": "the request is no JSON"}, 400)
        where = f"{place}: " if place else ""
        return JSONResponse({"error": f"{where}{first['msg']}"}, IMPOSSIBLE)

    @app.exception_handler(HTTPException)
    def not_there(request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse(
            {"error": f"{request.url.path}: {error.detail}".lower()}, error.status_code
        )


def _offer_games(app: FastAPI, host: Host) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/api/options")
    def options() -> dict[str, Any]:
        return {"games": {name: offered(name, host.trusted) for name in PAGES}}

    @app.post("/api/games", status_code=201)
    def create(asked: NewGame) -> dict[str, Any]:
        try:
            settings = read_settings(**asked.model_dump(), trusted=host.trusted)
            name, table = host.create(settings)
        except ValueError as error:
            raise Refusal(IMPOSSIBLE, str(error)) from error
        return {
            "game": name,
            "seats": [
                {"seat": seat, "token": token}
                for seat, token in enumerate(table.tokens)
                if token
            ],
            "settings": settings_told(settings),
        }

    @app.get("/api/games/{name}/record", response_model=None)
    def record(name: str, token: Token = None) -> Response:
        with host.table(name) as table:
            table.seat_of(token)
            found = table.played.record
            if found is None:
                raise Refusal(
                    NOT_NOW, "the record shows all racks: it is there after the match"
                )
            # As text: JavaScript would round the seeds in it.
            return Response(found.to_json() + "\n", media_type="application/x-ndjson")

    @app.get("/api/games/{name}", response_model=None)
    def look(
        name: str, after: int | None = None, token: Token = None
    ) -> dict[str, Any] | Response:
        with host.table(name) as table:
            seat = table.seat_of(token)
            if after == table.version:
                return Response(status_code=204)
            return seen(table, seat)


def _offer_turns(app: FastAPI, host: Host) -> None:
    def ended(
        name: str, token: str | None, end: Any, kind: type[Seats] = Table
    ) -> dict[str, Any]:
        """Lets a seat end its turn in some way; returns what it sees then."""

        def act(opened: Seats) -> dict[str, Any]:
            table = checked(opened, kind)
            seat = table.seat_of(token)
            end(table, seat)
            return seen(table, seat)

        result: dict[str, Any] = host.act(name, act)
        return result

    @app.put("/api/games/{name}/turn")
    def lay(name: str, laid: Laid, token: Token = None) -> dict[str, Any]:
        with host.table(name) as opened:
            table = checked(opened, Table)
            seat = table.seat_of(token)
            table.save_draft(seat, **laid.model_dump())
            host.save_turn(name, table)
            return {
                "version": table.version,
                "draft": draft_told(table),
                "clock": clock_told(table),
            }

    @app.post("/api/games/{name}/end")
    def end(name: str, laid: End, token: Token = None) -> dict[str, Any]:
        return ended(
            name,
            token,
            lambda table, seat: table.end_turn(seat, **laid.model_dump()),
        )

    @app.post("/api/games/{name}/draw")
    def draw(name: str, asked: TurnBody, token: Token = None) -> dict[str, Any]:
        return ended(name, token, lambda table, seat: table.draw(seat, asked.turn))

    @app.post("/api/games/{name}/redeal")
    def redeal(name: str, asked: Redeal, token: Token = None) -> dict[str, Any]:
        return ended(
            name,
            token,
            lambda table, seat: table.redeal(seat, asked.turn, asked.demand),
        )

    @app.put("/api/games/{name}/board")
    def arrange(name: str, laid: Arranged, token: Token = None) -> dict[str, Any]:
        with host.table(name) as opened:
            table = checked(opened, TablaTable)
            seat = table.seat_of(token)
            table.arrange(seat, **laid.model_dump())
            host.save_turn(name, table)
            board = board_told(table.board(seat))
            return {"version": table.version, "board": board}

    @app.post("/api/games/{name}/act")
    def act(name: str, asked: Act, token: Token = None) -> dict[str, Any]:
        return ended(
            name,
            token,
            lambda table, seat: table.act(seat, asked.turn, asked.action),
            TablaTable,
        )

    @app.post("/api/games/{name}/hint")
    def hint(name: str, asked: Hint, token: Token = None) -> dict[str, Any]:
        with host.table(name) as table:
            seat = table.seat_of(token)
            settings = table.played.settings
            if isinstance(table, Table):
                table.check_turn(seat, asked.turn, "play")
            table.check_mover(seat, asked.turn)
            solver = SOLVER if isinstance(table, Table) else TABLA_SOLVER
            agents = {*agent_names(settings.game), *host.trusted, *settings.players}
            if asked.by not in solver and asked.by not in agents - {"person"}:
                raise Refusal(IMPOSSIBLE, f"no hint is to be had by {asked.by!r}")
            try:
                if isinstance(table, TablaTable):
                    return tabla_hint(table, asked.by)
                match = table.played.match
                if asked.by in SOLVER:
                    return solver_hint(match, asked.by)
                return agent_hint(match, asked.by, table.turns)
            except ValueError as error:
                raise Refusal(IMPOSSIBLE, str(error)) from error
