"""The text shows a deal of Rummy pe tabla as one seat may see it."""

import pytest

from rummi_env.core.notation import parse_tiles
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.observation.tabla import View, view_of
from rummi_env.rendering import tabla_text

RULES = TablaRules(exchange_doubles=False, rounds=2)
OTHER = "K1 K4 K7 K10 R2 R5 R8 R11 B3 B6 B9 B12 O13 O3"


@pytest.fixture
def deal() -> tuple[Engine, Games]:
    engine = Engine(RULES, 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    games["racks"][0, 0] = parse_tiles("R1 R2 R3 B5 B6 B7 B8 K9 R9 B9 O9 K12 R12 B12 J")
    games["racks"][0, 1] = parse_tiles(OTHER)
    games["atu"] = 25
    engine.refresh(games, 0)
    return engine, games


def seen(games: Games, seat: int) -> View:
    return view_of(games[0], RULES, 2, seat)


def test_a_seat_sees_its_rack_the_row_and_the_atu(deal: tuple[Engine, Games]) -> None:
    engine, games = deal
    engine.act(games, 0, 13)
    assert tabla_text(seen(games, 0)) == (
        "Deal 1 of 2, turn 2, 76 tiles in the pool, player_1 to draw\n"
        "\n"
        "  player_0  14 tiles  last draw: none  score: 0\n"
        "> player_1  14 tiles  last draw: none  score: 0\n"
        "\n"
        "Atu: R13\n"
        "\n"
        "Row, the last discard at the end\n"
        "  R1\n"
        "\n"
        "Rack of player_0\n"
        "  K9  K12\n"
        "  R2  R3  R9  R12\n"
        "  B5  B6  B7  B8  B9  B12\n"
        "  O9\n"
        "  J\n"
    )


def test_no_rack_of_another_seat_is_shown_unless_revealed(
    deal: tuple[Engine, Games],
) -> None:
    _, games = deal
    assert "O13" not in tabla_text(seen(games, 0))
    racks = [games["racks"][0, seat] for seat in range(2)]
    shown = tabla_text(seen(games, 0), ["Ana", "Ion"], reveal=racks)
    assert "Rack of Ion" in shown
    assert "O13" in shown


def test_tiles_taken_from_the_row_are_known(deal: tuple[Engine, Games]) -> None:
    engine, games = deal
    engine.act(games, 0, 13)
    engine.act(games, 0, 107)
    shown = tabla_text(seen(games, 0))
    assert "> player_1  15 tiles  last draw: row   score: 0  known: R1\n" in shown


def test_how_the_last_deal_ended_is_told(deal: tuple[Engine, Games]) -> None:
    engine, games = deal
    engine.act(games, 0, 105)
    shown = tabla_text(seen(games, 1))
    assert shown.startswith("Deal 2 of 2, turn 1, ")
    assert "closed by player_0 with Joc Simplu, throwing J\n" in shown
    assert "score: 500" in shown
    games["turn"] = RULES.turn_cap - 1
    engine.fail_turn(games, 0)
    assert tabla_text(seen(games, 1)).splitlines()[1] == "The last deal was void"


def test_declared_doubles_are_shown_to_their_seat_only() -> None:
    rules = TablaRules()
    engine = Engine(rules, 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    games["racks"][0, 0] = parse_tiles("R1 R1 " + OTHER.removeprefix("K1 "))
    engine.refresh(games, 0)
    engine.act(games, 0, 13)
    shown = [tabla_text(view_of(games[0], rules, 2, seat)) for seat in range(2)]
    assert "Doubles declared\n  R1\n" in shown[0]
    assert "Doubles declared" not in shown[1]
    engine.act(games, 0, 108)
    engine.act(games, 0, 108)
    assert "doubles: 0 low, 1 high" in tabla_text(view_of(games[0], rules, 2, 1))


def test_names_must_go_with_the_seats(deal: tuple[Engine, Games]) -> None:
    _, games = deal
    with pytest.raises(ValueError, match="there must be 2 names, not 1"):
        tabla_text(seen(games, 0), ["Ana"])
