"""The page of Rummy pe tabla in a real browser."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from rummi_env.records import verify_records
from rummi_training.play.serve import CLOSABLE

pytestmark = pytest.mark.browser

Server: TypeAlias = Any
Seat: TypeAlias = Any
OpenSeat: TypeAlias = Callable[..., Page]

PHONE = {"width": 375, "height": 812}

DRAW = (
    "R1 R2 R3 B5 B6 B7 B8 K9 R9 B9 O9 K12 R12 O5 / "
    "K1 K2 K3 K4 K5 K6 K7 K8 R10 K10 K11 O12 K13 R1 ; O2 R8 ; O6 ? ; K4 ; 0"
)


def new_seat(server: Server, position: str, *others: str, **asked: Any) -> Seat:
    players = ["person", *(others or ("person",))]
    return server.new_game(players, game="tabla", position=position, **asked)[0]


def tiles_in(page: Page, where: str) -> list[str]:
    found: list[str] = page.locator(f"{where} .tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.tile)"
    )
    return found


def center(page: Page, selector: str) -> tuple[float, float]:
    page.locator('.game[aria-busy="false"]').wait_for()
    x, y = page.locator(selector).first.evaluate(
        "found => { const box = found.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    return x, y


def drag(page: Page, tile: str, to: str) -> None:
    """Drags a tile onto the middle of an element, with the mouse."""
    page.mouse.move(*center(page, tile))
    page.mouse.down()
    page.mouse.move(*center(page, to), steps=4)
    page.mouse.up()
    page.locator('.game[aria-busy="false"]').wait_for()


def in_rack(tile: str) -> str:
    return f'.rack [data-tile="{tile}"]'


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_a_tile_is_drawn_and_dragged_to_the_discards(
    server: Server, open_seat: OpenSeat, size: Any
) -> None:
    seat = new_seat(server, DRAW)
    page = open_seat(seat, **({} if size is None else {"viewport": size}))
    expect(page.locator(".status")).to_have_text(
        "Your turn: draw from the pool, or take R8."
    )
    assert page.locator(".inchid, .inchid-spot").count() == 0
    page.locator(".tile.back").click()
    page.locator(in_rack("O6")).wait_for()
    assert "fresh" in str(page.locator(in_rack("O6")).get_attribute("class"))
    drag(page, in_rack("O5"), ".row-pile")
    expect(page.locator(".last-discard")).to_have_attribute("data-tile", "O5")
    expect(page.locator(".status")).to_contain_text("is to move")
    assert seat.look()["row"] == ["O2", "R8", "O5"]


def test_the_last_discard_is_taken_by_keyboard_and_not_thrown_at_once(
    server: Server, open_seat: OpenSeat
) -> None:
    page = open_seat(new_seat(server, DRAW))
    page.locator(".rack .tile").first.focus()
    page.keyboard.press("r")
    page.locator(in_rack("R8")).wait_for()
    page.locator(in_rack("R8")).focus()
    page.keyboard.press(" ")
    expect(page.locator("button.discard")).to_be_disabled()
    expect(page.locator(".status")).to_contain_text("not discarded at once")
    page.keyboard.press("Escape")
    page.locator(in_rack("O5")).focus()
    page.keyboard.press(" ")
    page.keyboard.press("d")
    expect(page.locator(".last-discard")).to_have_attribute("data-tile", "O5")


def test_the_board_is_arranged_judged_and_kept(
    server: Server, open_seat: OpenSeat
) -> None:
    seat = new_seat(server, DRAW)
    page = open_seat(seat)
    drag(page, in_rack("B5"), ".felt")
    drag(page, in_rack("B6"), '[data-meld="0"] .slot')
    page.locator('[data-meld="0"].bad').wait_for()
    drag(page, in_rack("B7"), '[data-meld="0"] .slot')
    page.locator('[data-meld="0"].good').wait_for()
    page.reload()
    page.locator('[data-meld="0"].good').wait_for()
    assert tiles_in(page, '[data-meld="0"]') == ["B5", "B6", "B7"]
    page.locator(".undo").click()
    page.locator('[data-meld="0"].bad').wait_for()
    page.locator(".reset").click()
    expect(page.locator(".meld")).to_have_count(0)
    assert len(tiles_in(page, ".rack")) == 14


def test_tiles_are_arranged_while_others_play(
    server: Server, open_seat: OpenSeat
) -> None:
    position = DRAW.removesuffix("0") + "1"
    page = open_seat(new_seat(server, position))
    expect(page.locator(".status")).to_contain_text("is to move")
    drag(page, in_rack("B5"), ".felt")
    assert tiles_in(page, '[data-meld="0"]') == ["B5"]
    expect(page.locator(".ends button")).to_have_count(0)


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_closing_is_offered_shown_and_paid(
    server: Server, open_seat: OpenSeat, size: Any
) -> None:
    seat = new_seat(server, CLOSABLE, "planner", rules="ours,rounds=1")
    page = open_seat(seat, **({} if size is None else {"viewport": size}))
    expect(page.locator(".inchid")).to_be_visible()
    page.locator(".ask-hint").click()
    page.locator(".show-hint").click()
    expect(page.locator(".meld.good")).to_have_count(4)
    drag(page, in_rack("J"), ".close-pile")
    expect(page.locator("dialog")).to_contain_text("Joc Simplu (Simple game), 500")
    page.locator("dialog .primary").click()
    expect(page.locator("dialog")).to_contain_text("The match is over: you win")
    expect(page.locator("dialog")).to_contain_text("You closed deal 1")
    with page.expect_download() as found:
        page.get_by_text("Save the record").click()
    verify_records(found.value.path())


def test_doubles_are_declared_and_exchanged(
    server: Server, open_seat: OpenSeat
) -> None:
    position = (
        "K2 K2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 O13 O1 O2 / "
        "B5 B5 B1 B2 B3 B6 B7 B8 B9 B10 B11 B12 B13 O3 ; ; ? ; K4 ; 0 ; doubles"
    )
    mine, other = server.new_game(["person", "person"], game="tabla", position=position)
    page = open_seat(mine)
    page.get_by_role("button", name="Declare K2 K2").click()
    expect(page.locator(".declare")).to_have_count(0)
    page.locator(".done").click()
    for turn, action in ((2, "declare B5"), (3, "done")):
        assert other.ask("POST", "/act", {"turn": turn, "action": action}).status == 200
    page.locator(in_rack("B5")).wait_for()
    expect(page.locator(".log")).to_contain_text("You exchanged 1 double and got B5.")


def test_a_match_against_agents_is_played_to_its_end(
    server: Server, open_seat: OpenSeat
) -> None:
    page = open_seat(None, server.port)
    page.locator("select[name=game]").select_option("tabla")
    page.goto(f"http://127.0.0.1:{server.port}/#new=rummikub")
    page.locator("[name=clock]").wait_for()
    page.goto(f"http://127.0.0.1:{server.port}/#new=tabla")
    page.locator("[name=clock]").wait_for(state="detached")
    expect(page.locator("select[name=game]")).to_have_value("tabla")
    assert page.locator("[name=clock]").count() == 0
    page.locator("[name=opponent-1]").select_option("nearest_form")
    page.locator("[name=rounds]").fill("1")
    page.get_by_role("button", name="Play").click()
    page.locator(".game.tabla").wait_for()
    page.locator(".done").click()
    for _ in range(80):
        first = page.locator(".ends .inchid, .ends .draw, .ends .discard, dialog[open]")
        first.first.wait_for()
        if page.locator("dialog[open]").count():
            break
        if page.locator(".ends .inchid").count():
            page.locator(".ends .inchid").click()
            page.locator("dialog .primary").click()
        elif page.locator(".ends .draw").count():
            page.locator(".ends .draw").click()
            page.locator(".ends .discard").wait_for()
        else:
            page.locator(".rack .tile").last.click()
            page.locator(".ends .discard").click()
            page.locator(".ends .discard").wait_for(state="detached")
    expect(page.locator("dialog")).to_contain_text("The match is over")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".games li")).to_contain_text("nearest_form")
