"""The server: whole games by requests, bad requests, restarts, records."""

import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from rummi_agents import registry
from rummi_agents.network import actor, layout_of
from rummi_agents.policy_files import NetworkConfig, PolicyDescription, write_policy
from rummi_env.core.rulesets import RuleSet
from rummi_env.records import verify_records
from rummi_training.play import host, storage
from rummi_training.play.guards import MAX_BODY
from rummi_training.play.serve import ADDRESS, listen
from rummi_training.play.server import STATIC

# What the fixtures make: a server, a seat of a game on it, an answer to a request.
Server: TypeAlias = Any
Seat: TypeAlias = Any
Answer: TypeAlias = Any
Serve: TypeAlias = Callable[..., Server]

OPEN = "R1 R2 R3 ; R4 K9 B9 / K1 K2 ; ? ; 0"
SMALL = "official,numbers=6,rack_size=7,opening_points=10"
"""A deck with which matches are short."""

LAID = {"turn": 0, "melds": [["R1", "R2", "R3", "R4"]], "rack": ["K9", "B9"]}


def play_to_the_end(seats: list[Seat]) -> Any:
    """Lets people do what the solver says; returns what the first sees in the end."""
    while True:
        state = seats[0].look()
        if state["phase"] == "over":
            return state
        before = state["players"][: state["to_move"]]
        seat = seats[sum(player["person"] for player in before)]
        mine = seat.look()
        turn = {"turn": mine["turn"]}
        if mine["phase"] == "redeal":
            answer = seat.ask("POST", "/redeal", {**turn, "demand": False})
            assert answer.status == 200, answer.body
            continue
        hint = seat.ask("POST", "/hint", {**turn, "by": "tiles"}).json
        if hint["melds"] is None:
            answer = seat.ask("POST", "/draw", turn)
        else:
            left = Counter(mine["rack"]) - Counter(hint["tiles"])
            laid = {
                **turn,
                "melds": [meld["tiles"] for meld in hint["melds"]],
                "rack": list(left.elements()),
            }
            answer = seat.ask("PUT", "/turn", laid)
            assert answer.json["draft"]["judgement"]["legal"], answer.body
            answer = seat.ask("POST", "/end", laid)
        assert answer.status == 200, answer.body


def files(server: Server) -> dict[str, bytes]:
    folder = server.host.store.folder
    return {str(path): path.read_bytes() for path in folder.glob("*/*.json")}


# -------------------------------------------------------------------------- games


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (["person", "max_tiles"], f"{SMALL},rounds=2"),
        (["person", "max_tiles", "cautious"], "sabra"),
        (["person", "person", "max_points", "random"], "triple_s,rounds=2"),
        (["max_tiles", "person"], "tournament"),
    ],
)
def test_a_whole_match_is_played_and_recorded(
    server: Server, players: list[str], rules: str
) -> None:
    seats = server.new_game(players, rules=rules, seed=5)
    state = play_to_the_end(seats)
    totals = [sum(column) for column in zip(*state["rows"], strict=True)]
    assert totals == [player["total"] for player in state["players"]]
    assert sum(state["winners"]) == pytest.approx(1)
    path = server.host.store.folder / "games.jsonl"
    ((_, record),) = verify_records(path)
    assert record.ending == "finished"
    assert list(record.totals) == totals
    told = seats[0].ask("GET", "/record").json
    assert told == json.loads(path.read_text())


def test_a_record_with_penalties_and_a_restart_in_it_can_be_verified(
    serve: Serve,
) -> None:
    server = serve()
    (seat,) = server.new_game(["person", "max_tiles"], rules="sabra", seed=2)
    state = seat.look()
    mine = state["rack"][0]
    bad = {"turn": state["turn"], "melds": [[mine]], "rack": state["rack"][1:]}
    assert seat.ask("POST", "/end", {**bad, "accept_penalty": True}).status == 200
    assert len(seat.look()["rack"]) == 17
    server.stop()
    again = serve()
    play_to_the_end([seat.at(again)])
    ((_, record),) = verify_records(again.host.store.folder / "games.jsonl")
    assert dict(record.rounds[0].lost) != {}


def test_a_game_goes_on_after_a_restart_in_the_middle_of_a_turn(serve: Serve) -> None:
    server = serve()
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    seat.ask("PUT", "/turn", LAID)
    before = seat.look()
    assert before["draft"]["melds"][0]["given"] == ["R1", "R2", "R3", "R4"]
    server.stop()
    again = seat.at(serve())
    assert again.look() == before
    assert again.ask("POST", "/end", LAID).status == 200


def test_a_game_goes_on_after_its_server_was_killed(
    serve: Serve, tmp_path: Path
) -> None:
    """Nothing is saved at the end only: a copy of the files is a whole game."""
    server = serve()
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    seat.ask("PUT", "/turn", LAID)
    before = seat.look()
    folder = tmp_path / "copy" / seat.game
    folder.mkdir(parents=True)
    for name in ("game.json", "turn.json"):
        content = (server.host.store.folder / seat.game / name).read_bytes()
        (folder / name).write_bytes(content)
    assert seat.at(serve("copy")).look() == before


def test_nothing_is_sent_where_nothing_has_changed(server: Server) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    version = seat.look()["version"]
    assert seat.ask("GET", f"?after={version}").status == 204
    assert seat.ask("PUT", "/turn", LAID).json["version"] > version
    assert seat.ask("GET", f"?after={version}").status == 200


def test_twenty_games_are_played_at_once(server: Server) -> None:
    def play(seed: int) -> bool:
        seats = server.new_game(["person", "max_tiles"], seed=seed, rules=SMALL)
        return bool(play_to_the_end(seats)["phase"] == "over")

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(play, range(20)))
    path = server.host.store.folder / "games.jsonl"
    assert len(list(verify_records(path))) == 20


def test_games_that_nobody_looks_at_wait_on_disk(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "OPEN_GAMES", 2)
    seats = [
        server.new_game(["person", "max_tiles"], position=OPEN)[0] for _ in range(5)
    ]
    for seat in seats:
        seat.ask("PUT", "/turn", LAID)
    for _ in range(2):
        for seat in seats:
            assert seat.look()["draft"]["judgement"]["legal"]
            assert len(server.host._tables) <= 2
    with ThreadPoolExecutor(5) as pool:
        ended = pool.map(lambda seat: seat.ask("POST", "/end", LAID).status, seats)
        assert list(ended) == [200] * 5
    assert all(seat.look()["log"][0]["tiles"] == ["R4"] for seat in seats)


class Slow:
    """An agent that thinks until it is told to stop."""

    name = "slow"
    games = ("rummikub",)
    thinks = threading.Event()
    stop = threading.Event()

    def act(self, observation: object, mask: Any, *_: object) -> int:
        self.thinks.set()
        assert self.stop.wait(60)
        return 53


def test_a_game_can_be_looked_at_while_an_agent_thinks(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "slow", Slow)
    (seat,) = serve().new_game(["person", "slow"], position=OPEN)
    assert seat.ask("POST", "/end", LAID).status == 200
    assert Slow.thinks.wait(60)
    state = seat.ask("GET").json
    assert (state["to_move"], state["turn"]) == (1, 1)
    assert seat.ask("POST", "/draw", {"turn": 1}).status == 409
    Slow.stop.set()
    assert seat.look()["turn"] == 2


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """The folder of an agent for two players under the official rules."""
    rules, config = RuleSet(), NetworkConfig("by_color", (8, 8))
    weights = actor(config, layout_of(rules, 2)).state_dict()
    folder = tmp_path / "mine"
    folder.mkdir()
    write_policy(
        folder,
        PolicyDescription(rules, 2, config, {"steps": 0}),
        {name: value.numpy() for name, value in weights.items()},
    )
    return folder


def test_a_trained_agent_plays_and_its_thoughts_are_recorded(
    server: Server, trained: Path
) -> None:
    position = "R1 R2 R3 ; R4 / K1 K2 ; ? ; 1"
    (seat,) = server.new_game(["person", str(trained)], position=position)
    state = seat.look()
    assert state["players"][1]["name"] == "mine"
    hint = {"turn": state["turn"], "by": str(trained)}
    assert "would" in seat.ask("POST", "/hint", hint).json["sentence"]
    laid = [["R1", "R2", "R3", "R4"]]
    body = {"turn": state["turn"], "melds": laid, "rack": []}
    assert seat.ask("POST", "/end", body).status == 200
    ((_, record),) = verify_records(server.host.store.folder / "games.jsonl")
    assert record.rounds[0].judgements[0].probabilities == {53: 1.0}


def test_an_agent_trained_for_another_game_is_refused(
    server: Server, trained: Path
) -> None:
    for asked in (
        {"players": ["person", str(trained), "random"]},
        {"players": ["person", str(trained)], "rules": "sabra"},
    ):
        answer = server.ask("POST", "/api/games", asked)
        assert answer.status == 422
        assert "mine was trained for 2 players" in told(answer)
    assert files(server) == {}


class Broken:
    """An agent that fails."""

    name = "broken"
    games = ("rummikub",)

    def act(self, *_: object) -> int:
        raise RuntimeError("no idea")


class Wrong:
    """An agent that plays what is illegal."""

    name = "wrong"
    games = ("rummikub",)

    def act(self, observation: object, mask: Any, *_: object) -> int:
        return int(np.argmin(mask))


def test_an_agent_that_fails_is_told_of(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "broken", Broken)
    (seat,) = serve().new_game(["person", "broken"], position=OPEN)
    assert seat.ask("POST", "/end", LAID).status == 200
    for _ in range(1000):
        state = seat.ask("GET").json
        if state["trouble"]:
            break
    assert state["trouble"] == "broken cannot play on: no idea"


def test_an_illegal_action_of_an_agent_costs_its_turn(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "wrong", Wrong)
    (seat,) = serve().new_game(["person", "wrong"], position=OPEN)
    seat.ask("POST", "/end", LAID)
    last = seat.look()["players"][1]["last"]
    assert (last["event"], last["drawn"]) == ("failed", 3)


# ------------------------------------------------------------------- bad requests


@pytest.fixture
def seats(server: Server) -> list[Seat]:
    """Both seats of a game in which the first is to move."""
    made: list[Seat] = server.new_game(["person", "person"], position=OPEN)
    return made


def told(answer: Answer) -> str:
    """Returns the sentence of a refusal."""
    sentence = answer.json["error"]
    assert sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    return str(sentence)


BAD_BODIES: list[tuple[str, str, Any, int, str]] = [
    ("POST", "/end", b"{", 400, "the request is no JSON"),
    ("POST", "/end", b"\xff\xfe", 400, ""),
    ("POST", "/end", b"[" * 30_000, 400, ""),
    ("POST", "/end", b"", 422, "required"),
    ("POST", "/end", b"[]", 422, "dictionary"),
    ("POST", "/end", b"7" * 5000, 400, ""),
    ("POST", "/end", {}, 422, "turn: Field required"),
    ("POST", "/end", {**LAID, "turn": "0"}, 422, "turn: "),
    ("POST", "/end", {**LAID, "turn": 10**30}, 409, "this turn is over"),
    ("POST", "/end", {**LAID, "turn": -1}, 422, "turn: "),
    ("POST", "/end", {**LAID, "melds": "R1"}, 422, "melds: "),
    ("POST", "/end", {**LAID, "melds": [["R1" * 9]]}, 422, "melds.0.0: "),
    ("POST", "/end", {**LAID, "melds": [[]] * 107}, 422, "melds: "),
    ("POST", "/end", {**LAID, "melds": [["X1"]]}, 422, "'X1' is not a tile"),
    ("POST", "/end", {**LAID, "rack": ["K9"]}, 422, "must have 1 of B9"),
    ("POST", "/end", {**LAID, "seat": 1}, 422, "seat: "),
    ("POST", "/end", {**LAID, "accept_penalty": "yes"}, 422, "accept_penalty: "),
    ("PUT", "/turn", {**LAID, "turn": 3}, 409, "this turn is over"),
    ("POST", "/draw", {"turn": 1}, 409, "this turn is over"),
    ("POST", "/redeal", {"turn": 0, "demand": True}, 409, "no new deal"),
    ("POST", "/hint", {"turn": 0, "by": "nobody"}, 422, "no hint is to be had"),
    ("POST", "/hint", {"turn": 0, "by": "os:system"}, 422, "no hint is to be had"),
    ("POST", "/hint", {"turn": 9, "by": "tiles"}, 409, "this turn is over"),
    ("GET", "/record", None, 409, "there after the match"),
    ("GET", "?after=x", None, 422, "after"),
    ("DELETE", "", None, 405, "method not allowed"),
    ("GET", "/nothing", None, 404, "not found"),
]


@pytest.mark.parametrize(("method", "what", "body", "status", "sentence"), BAD_BODIES)
def test_a_bad_request_gets_a_sentence_and_changes_nothing(
    seats: list[Seat], method: str, what: str, body: Any, status: int, sentence: str
) -> None:
    before = seats[0].look(), files(seats[0].server)
    answer = seats[0].ask(method, what, body)
    assert (answer.status, sentence in told(answer)) == (status, True), answer.body
    assert (seats[0].look(), files(seats[0].server)) == before


@pytest.mark.parametrize(
    ("method", "what", "body"),
    [
        ("GET", "", None),
        ("GET", "/record", None),
        ("PUT", "/turn", LAID),
        ("POST", "/end", LAID),
        ("POST", "/draw", {"turn": 0}),
        ("POST", "/redeal", {"turn": 0, "demand": True}),
        ("POST", "/hint", {"turn": 0, "by": "tiles"}),
    ],
)
def test_only_who_has_the_seat_acts_for_it_and_sees_it(
    seats: list[Seat], method: str, what: str, body: Any
) -> None:
    server = seats[0].server
    before = seats[0].look(), files(server)
    (foreign,) = server.new_game(["person", "max_tiles"], position=OPEN)
    path = f"/api/games/{seats[0].game}{what}"
    for token in (None, "", "x", foreign.token, "\u00fc"):
        answer = server.ask(method, path, body, token=token)
        assert answer.status == 403
        assert "not yours" in told(answer)
    other = seats[1].ask(method, what, body)
    if what == "":
        assert other.json["rack"] == ["K1", "K2"]
        assert not re.search(r'"(R4|K9|B9)"', other.body.decode())
    else:
        assert other.status == 409
    unknown = server.ask(method, f"/api/games/0123456789{what}", body, token="x")
    assert unknown.status == 404
    assert told(unknown) == "there is no game '0123456789'"
    assert seats[0].look() == before[0]
    kept = {
        name: content for name, content in files(server).items() if name in before[1]
    }
    assert kept == before[1]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fgame", "game.json", "A" * 5000])
def test_a_name_of_a_game_is_no_path(server: Server, name: str) -> None:
    assert server.ask("GET", f"/api/games/{name}", token="x").status == 404


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"players": ["person"]}, "players: "),
        ({"players": ["person"] * 5}, "players: "),
        ({"players": ["random", "random"]}, "one of the players must be a person"),
        ({"players": ["person", "nobody"]}, "unknown agent 'nobody'"),
        ({"players": ["person", "planner"]}, "does not play rummikub"),
        ({"players": ["person", "os:getcwd"]}, "must be named when the server"),
        ({"players": ["person", "/etc"]}, "is no checkpoint"),
        ({"rules": "offical"}, "unknown preset 'offical'"),
        ({"rules": "official,jokers=7"}, "jokers must be an integer"),
        ({"rules": "/etc/rules.yaml"}, "not the file"),
        ({"rules": 7}, "rules: "),
        ({"rules": "official,turn_seconds=none", "clock": True}, "clock must be off"),
        ({"seed": -1}, "seed must be from 0"),
        ({"seed": 1.5}, "seed: "),
        ({"position": "R1 R2 R3"}, "racks"),
        ({"position": "R1 R2 R3 ; R4 R99 / K1"}, "'R99' is not a tile"),
        ({"penalties": None}, "penalties: "),
        ({"game": "rummy"}, "game: must be rummikub or tabla, not 'rummy'"),
        ({"game": "chess", "players": None}, "game: must be rummikub or tabla, not"),
    ],
)
def test_an_impossible_game_is_refused(
    server: Server, asked: dict[str, Any], sentence: str
) -> None:
    answer = server.ask(
        "POST", "/api/games", {"players": ["person", "random"], **asked}
    )
    assert answer.status == 422
    assert sentence in told(answer)
    assert files(server) == {}


def test_a_body_of_ten_megabytes_is_refused(seats: list[Seat]) -> None:
    before = seats[0].look()
    server = seats[0].server
    answer = seats[0].ask("POST", "/end", b" " * 10_000_000)
    assert answer.status == 413
    assert told(answer) == f"a request may have {MAX_BODY} bytes and not more"
    assert seats[0].look() == before
    with socket.create_connection((ADDRESS, server.port), 10) as raw:
        head = (
            f"POST /api/games/{seats[0].game}/end HTTP/1.1\r\n"
            f"Host: {ADDRESS}:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        raw.sendall(head.encode())
        answered = b""
        try:
            for _ in range(1000):  # its length is never said
                raw.sendall(b"2710\r\n" + b" " * 10_000 + b"\r\n")
        except OSError:
            pass
        while part := raw.recv(4096):
            answered += part
            if b"error" in answered:
                break
    assert answered.startswith(b"HTTP/1.1 413 ")
    assert seats[0].look() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "example.org"},
        {"Host": "example.org:{port}"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
    ],
)
def test_pages_from_elsewhere_are_refused(
    server: Server, headers: dict[str, str]
) -> None:
    """A name that points here is what DNS rebinding comes with."""
    sent = {name: value.format(port=server.port) for name, value in headers.items()}
    for method, path, body in (
        ("GET", "/", None),
        ("GET", "/api/options", None),
        ("POST", "/api/games", {"players": ["person", "random"]}),
    ):
        answer = server.ask(method, path, body, headers=sent)
        assert answer.status == 403
        assert told(answer) == "only this server's own page may ask it"
    assert files(server) == {}


def test_the_page_comes_without_anything_from_elsewhere(server: Server) -> None:
    page = server.ask("GET", "/")
    assert page.status == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    paths = re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())
    assert len(paths) == 3
    for path in (*paths, *(f"/static/{file.name}" for file in STATIC.iterdir())):
        assert server.ask("GET", path).status == 200
    for file in STATIC.iterdir():
        text = file.read_text(encoding="utf-8")
        urls = set(re.findall(r"https?://[^\"'\s)]+", text))
        assert urls <= {"http://www.w3.org/2000/svg"}
    for path in ("/docs", "/openapi.json", "/static/../server.py", "/static/none.js"):
        assert server.ask("GET", path).status == 404


def test_nothing_but_this_machine_is_listened_on() -> None:
    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        with pytest.raises(ValueError, match="cannot be listened on: Address already"):
            listen(listening.getsockname()[1])
    with pytest.raises(ValueError, match="port must be from 0 to 65535, not 70000"):
        listen(70000)


def test_options_name_agents_and_presets(server: Server) -> None:
    games = server.ask("GET", "/api/options").json["games"]
    assert list(games) == ["rummikub", "tabla"]
    options = games["rummikub"]
    assert "max_tiles" in options["agents"]
    assert "planner" not in options["agents"]
    assert "sabra" in options["presets"]
    options = games["tabla"]
    assert "max_tiles" not in options["agents"]
    assert "planner" in options["agents"]
    assert list(options["presets"]) == ["ours", "hk", "ropet", "flat"]


def test_a_full_disk_is_told_of(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "write_whole", full)
    answer = seat.ask("PUT", "/turn", LAID)
    assert answer.status == 507
    assert told(answer) == "the game cannot be saved: No space left on device"
    monkeypatch.undo()
    assert seat.ask("POST", "/end", LAID).status == 200


def test_a_damaged_game_is_told_of(serve: Serve) -> None:
    server = serve()
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    server.stop()
    (server.host.store.folder / seat.game / "game.json").write_text("{")
    answer = seat.at(serve()).ask("GET")
    assert answer.status == 500
    assert "cannot be gone on with" in told(answer)
