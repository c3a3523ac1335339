"""Rummy pe tabla on a page: what people do, what each is told, what is kept."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from rich.console import Console

from rummi_env.core.tabla_positions import parse_tabla_position
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import tile_name
from rummi_env.records import verify_records
from rummi_training.play.opponents import Decision
from rummi_training.play.refusals import Refusal
from rummi_training.play.serve import CLOSABLE, _warm_up_tabla
from rummi_training.play.serve import serve as serve_page
from rummi_training.play.settings import read_settings
from rummi_training.play.tabla_table import TablaTable
from rummi_training.play.tabla_telling import (
    board_told,
    tabla_facts,
    tabla_hint,
    tabla_told,
)

# What the fixtures make: a server, a seat of a game on it.
Server: TypeAlias = Any
Seat: TypeAlias = Any

DOUBLES = (
    "K2 K2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 O13 O1 O2 / "
    "B5 B5 B1 B2 B3 B6 B7 B8 B9 B10 B11 B12 B13 O3 ; ; ? ; K4 ; 0 ; doubles"
)
ROW = (
    "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R1 / "
    "B1 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 ; O9 R2 ; O4 ? ; R13 ; 0"
)


def new_table(position: str | None, *players: str, **asked: Any) -> TablaTable:
    settings = read_settings(
        players=players or ("person", "person"),
        game="tabla",
        position=position,
        seed=1,
        **asked,
    )
    return TablaTable.new(settings)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value.sentence


def test_a_person_draws_and_discards() -> None:
    table = new_table(ROW)
    may = tabla_told(table, 0)["may"]
    assert (may["pool"], may["row"], may["discard"]) == (True, True, [])
    table.act(0, 0, "draw from the pool")
    told = tabla_told(table, 0)
    assert told["board"]["rack"][-1] == "O4"
    assert told["players"][0]["last"]["drawn_tiles"] == ("O4",)
    assert "drawn_tiles" not in tabla_told(table, 1)["players"][0]["last"]
    table.act(0, 1, "discard O4")
    told = tabla_told(table, 1)
    assert told["row"] == ["O9", "R2", "O4"]
    assert (told["to_move"], told["turn"]) == (1, 2)
    assert tabla_told(table, 0)["may"] is None


def test_a_tile_of_the_row_is_known_and_not_discarded_at_once() -> None:
    table = new_table(ROW)
    table.act(0, 0, "row")
    told = tabla_told(table, 1)
    assert told["players"][0]["known"] == ["R2"]
    assert told["log"][-1]["tiles"] == ("R2",)
    assert "R2" not in tabla_told(table, 0)["may"]["discard"]
    sentence = refused(lambda: table.act(0, 1, "discard R2"))
    assert "a tile from the row is not discarded at once" in sentence


def test_what_is_not_for_a_seat_now_is_refused() -> None:
    table = new_table(ROW)
    version = table.version
    for act, sentence in (
        (lambda: table.act(1, 0, "row"), "it is not your turn: person is to move"),
        (lambda: table.act(0, 5, "row"), "this turn is over: the game has gone on"),
        (lambda: table.act(0, 0, "discard K1"), "illegal: discard K1; a turn begins"),
        (lambda: table.act(0, 0, "dance"), "'dance' is no action"),
        (lambda: table.arrange(0, [["K1"]], []), "must have 1 of K2, not 0"),
        (lambda: table.arrange(0, [["X9"]], []), "'X9' is not a tile"),
    ):
        assert sentence in refused(act)
    assert table.version == version


def test_closing_is_offered_when_it_holds_and_ends_the_deal() -> None:
    table = new_table(CLOSABLE)
    close = tabla_told(table, 0)["may"]["close"][0]
    assert (close["tile"], close["form"], close["points"]) == ("J", "Joc Simplu", 500)
    assert close["melds"][0] == "R1 R2 R3"
    table.act(0, 0, "close J")
    told = tabla_told(table, 1)
    assert told["last_close"]["closer"] == 0
    assert told["last_close"]["points"] == 500
    assert told["rows"] == [[500.0, -500.0]]
    assert told["log"][-1]["event"] == "round"
    assert told["round"] == 2


def test_doubles_are_secret_until_all_have_declared() -> None:
    table = new_table(DOUBLES)
    assert tabla_told(table, 0)["may"]["declare"] == ["K2"]
    table.act(0, 0, "declare K2")
    assert tabla_told(table, 0)["declared"] == ["K2"]
    other = tabla_told(table, 1)
    assert other["declared"] == []
    assert other["log"] == []
    table.act(0, 1, "done")
    table.act(1, 2, "declare B5")
    table.act(1, 3, "done")
    told = tabla_told(table, 0)
    assert told["log"][-2]["drawn_tiles"] == ("B5",)
    assert told["log"][-1]["event"] == "exchanged"
    assert "drawn_tiles" not in told["log"][-1]
    assert Counter(told["board"]["rack"])["B5"] == 1
    assert told["players"][1]["doubles"] == [1, 0]


def test_tiles_lie_as_the_person_arranged_them_in_any_turn() -> None:
    table = new_table(ROW)
    other = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10"]
    table.arrange(1, [["B11", "B12", "B13"], ["B1"]], other)
    board = tabla_told(table, 1)["board"]
    assert [meld["tiles"] for meld in board["melds"]] == [
        ["B11", "B12", "B13"],
        ["B1"],
    ]
    assert [meld["legal"] for meld in board["melds"]] == [True, False]
    table.act(0, 0, "draw from the pool")
    table.act(0, 1, "discard O4")
    table.act(1, 2, "row")
    table.act(1, 3, "discard B12")
    board = tabla_told(table, 1)["board"]
    assert board["melds"][0]["tiles"] == ["B11", "B13"]
    assert board["rack"] == [*other, "O4"]


@pytest.mark.parametrize(
    ("meld", "sentence"),
    [
        ("R1 R2 R3", ""),
        ("R3 R1 R2", ""),
        ("R12 R13 R1", ""),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1", ""),
        ("R7 B7 O7 K7", ""),
        ("R7 J J", ""),
        ("R1 J R3", ""),
        ("J R13 R1", ""),
        ("R1 R2", "three tiles or more"),
        ("R13 R1 R2", "do not follow"),
        ("R1 R3 R5 J", "do not follow"),
        ("R7 R7 B7", "neither of one color nor of one number"),
        ("R7 R7 J", "do not follow"),
        ("R7 B7 O7 K7 J", "neither of one color nor of one number"),
    ],
)
def test_what_lies_together_is_judged(meld: str, sentence: str) -> None:
    table = new_table(ROW)
    draft = table.board(0)
    told = board_told(type(draft)((tuple(meld.split()),), ()))["melds"][0]
    assert told["legal"] == (sentence == "")
    assert sentence in told["sentence"]


def test_nothing_hidden_is_told() -> None:
    table = new_table(None, "person", "planner", "nearest_form")
    while not table.played.match.over and table.turns < 60:
        match = table.played.match
        if table.played.agent is None:
            table.act(0, table.turns, match.game.action_text(int(match.mask.argmax())))
        else:
            asked = table.played.question()
            table.act_for_agent(table.played.decide(table.played.agent, asked))
        told = json.dumps(tabla_told(table, 0))
        position = parse_tabla_position(match.game.dealt())
        seen = Counter(json.loads(told)["row"])
        assert seen == Counter(map(tile_name, position.row))
        assert "pool_tiles" not in told
        rack = Counter(json.loads(told)["board"]["rack"])
        assert rack == Counter(map(tile_name, position.racks[0]))


def test_an_agent_that_does_what_is_illegal_loses_its_turn() -> None:
    table = new_table(ROW, "planner", "person")
    table.act_for_agent(Decision(5, None))
    assert table.log[-1].event == "failed"
    assert table.played.match.seat == 1


def test_a_game_is_put_away_and_taken_up_again() -> None:
    table = new_table(ROW)
    table.act(0, 0, "row")
    table.arrange(0, [["R1", "R2"]], [f"K{number}" for number in range(1, 14)])
    fields = json.loads(json.dumps(table.to_dict()))
    again = TablaTable.from_dict(fields, None)
    assert tabla_told(again, 0) == tabla_told(table, 0)
    turn = json.loads(json.dumps(table.turn_to_dict()))
    table.arrange(0, [], [f"K{number}" for number in range(1, 14)] + ["R1", "R2"])
    later = json.loads(json.dumps(table.turn_to_dict()))
    assert tabla_told(TablaTable.from_dict(fields, turn), 0) == tabla_told(again, 0)
    assert tabla_told(TablaTable.from_dict(fields, later), 0) == tabla_told(table, 0)
    with pytest.raises(ValueError, match="no game that was put away"):
        TablaTable.from_dict({**fields, "boards": 3}, None)


def test_hints_name_forms_closings_and_what_agents_would_do() -> None:
    table = new_table(ROW)
    assert tabla_hint(table, "forms")["sentence"].startswith("Tiles missing to the nea")
    assert tabla_hint(table, "planner")["sentence"].startswith("planner would draw")
    table = new_table(CLOSABLE)
    hint = tabla_hint(table, "forms")
    assert hint["sentence"] == "Throw J: Joc Simplu for 500."
    assert hint["melds"][0] == {"tiles": ["R1", "R2", "R3"]}


def test_facts_name_what_forms_pay() -> None:
    facts = tabla_facts(TablaRules(draw_discard=False, exchange_doubles=False))
    assert "250 from each: Joc Simplu." in facts
    assert "Tiles are drawn from the pool alone." in facts
    assert not any("doubles" in fact for fact in facts)


def test_all_that_turns_need_is_compiled_beforehand() -> None:
    _warm_up_tabla()


def test_a_match_is_played_by_requests_and_recorded(server: Server) -> None:
    (seat,) = server.new_game(["person", "nearest_form"], game="tabla", seed=3)
    while True:
        state = seat.look()
        if state["phase"] == "over":
            break
        may = state["may"]
        action = "draw from the pool"
        if may["close"]:
            action = f"close {may['close'][0]['tile']}"
        elif may["done"]:
            action = "done"
        elif may["discard"]:
            action = f"discard {may['discard'][0]}"
        answer = seat.ask("POST", "/act", {"turn": state["turn"], "action": action})
        assert answer.status == 200, answer.body
    assert sum(state["winners"]) == 1.0
    assert len(state["rows"]) == 2
    record = seat.ask("GET", "/record")
    assert record.status == 200
    path = server.host.store.folder / "games.jsonl"
    assert path.read_bytes() == record.body
    verify_records(path)


def test_requests_of_other_games_are_refused(server: Server) -> None:
    (seat,) = server.new_game(["person", "planner"], game="tabla")
    (other,) = server.new_game(["person", "max_tiles"])
    act = {"turn": 0, "action": "row"}
    laid: dict[str, Any] = {"melds": [], "rack": []}
    for where, method, path, body, sentence in (
        (seat, "POST", "/draw", {"turn": 0}, "this is no game of Rummikub"),
        (seat, "PUT", "/turn", {"turn": 0, **laid}, "this is no game of Rummikub"),
        (other, "POST", "/act", act, "this is no game of Rummy pe tabla"),
        (other, "PUT", "/board", laid, "this is no game of Rummy pe tabla"),
    ):
        answer = where.ask(method, path, body)
        assert (answer.status, answer.json["error"]) == (422, sentence)
    seat.token = "another"
    assert seat.ask("POST", "/act", act).status == 403


def test_a_board_outlives_the_server(serve: Callable[..., Server]) -> None:
    first = serve()
    (seat,) = first.new_game(["person", "person"], game="tabla", position=ROW)[:1]
    rack = [f"K{number}" for number in range(4, 14)] + ["R1"]
    laid = {"melds": [["K1", "K2", "K3"]], "rack": rack}
    answer = seat.ask("PUT", "/board", laid)
    assert answer.json["board"]["melds"][0]["legal"]
    first.stop()
    board = seat.at(serve()).look()["board"]
    assert board["rack"] == rack
    assert board["melds"][0]["tiles"] == ["K1", "K2", "K3"]


def test_a_game_without_a_page_is_sent_to_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not rummy: add --terminal to play it there"):
        serve_page(tmp_path, Console(quiet=True), game="rummy")
