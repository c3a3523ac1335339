"""The page in a real browser: Debian's chromium, driven by Playwright."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from rummi_env.records import verify_records

pytestmark = pytest.mark.browser

# What the fixtures make: a server, a seat of a game on it.
Server: TypeAlias = Any
Seat: TypeAlias = Any
Serve: TypeAlias = Callable[..., Server]
OpenSeat: TypeAlias = Callable[..., Page]

PHONE = {"width": 375, "height": 812}

OPEN = "R1 R2 R3 ; R4 K9 B9 / K1 K2 ; ? ; 0"
"""The person can play R4 and has opened."""

SMALL = "official,numbers=6,rack_size=7,opening_points=10"


def tiles_of(page: Page, where: str) -> list[str]:
    """Returns the tiles in an element, in the notation."""
    found: list[str] = page.locator(f"{where} .tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.tile)"
    )
    return found


def melds_of(page: Page) -> list[str]:
    count = page.locator(".felt .meld").count()
    return [" ".join(tiles_of(page, f'.felt [data-meld="{i}"]')) for i in range(count)]


def box_of(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Returns where an element lies, once all that was sent is answered."""
    page.locator('.game[aria-busy="false"]').wait_for()
    x, y, width, height = page.locator(selector).first.evaluate(
        "found => { const box = found.getBoundingClientRect();"
        " return [box.x, box.y, box.width, box.height]; }"
    )
    return x, y, width, height


def drag(page: Page, tile: str, to: tuple[float, float]) -> None:
    """Drags a tile to a point, with the mouse."""
    x, y, width, height = box_of(page, tile)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(*to, steps=4)
    page.mouse.up()
    page.locator('.game[aria-busy="false"]').wait_for()


def drag_to_meld(page: Page, tile: str, meld: int) -> None:
    """Drags a tile to the end of a meld."""
    x, y, width, height = box_of(page, f'.felt [data-meld="{meld}"]')
    drag(page, tile, (x + width - 6, y + height / 2))


def drag_to_felt(page: Page, tile: str) -> None:
    """Drags a tile to the free part of the table, for a new meld."""
    x, y, width, height = box_of(page, ".felt")
    drag(page, tile, (x + width - 12, y + height - 12))


def in_rack(tile: str) -> str:
    return f'.rack [data-tile="{tile}"]'


def my_turn(page: Page) -> None:
    """Waits until the person is to move, or the match is over."""
    page.locator(".end:enabled, dialog[open]").first.wait_for()


def source_of(page: Page, tile: str, wanted: list[str], begun: bool) -> str:
    """Returns where a tile is taken from: the rack, else a meld that does not stay."""
    if tile in tiles_of(page, ".rack"):
        return in_rack(tile)
    melds = melds_of(page)
    loose = [
        number
        for number, meld in enumerate(melds)
        if tile in meld.split()
        and meld not in wanted
        # A meld that is being laid is the last one.
        and not (begun and number == len(melds) - 1)
    ]
    return f'.felt [data-meld="{loose[0]}"] [data-tile="{tile}"]'


def lay_meld(page: Page, meld: list[str], wanted: list[str], by_click: bool) -> None:
    """Lays a new meld of tiles that lie anywhere, one by one."""
    for number, tile in enumerate(meld):
        source = source_of(page, tile, wanted, begun=number > 0)
        if not by_click and number == 0:
            drag_to_felt(page, source)
        elif not by_click:
            drag_to_meld(page, source, page.locator(".felt .meld").count() - 1)
        else:
            page.locator(source).first.click()
            slots = page.locator(".slot-new" if number == 0 else ".slot-meld")
            slots.last.click()
            page.locator('.game[aria-busy="false"]').wait_for()


def test_a_whole_game_is_played_by_clicks_and_drags(
    server: Server, open_seat: OpenSeat
) -> None:
    page = open_seat(None, server.port)
    page.get_by_label("Opponent 1").select_option("max_tiles")
    page.get_by_label("Play with the clock").uncheck()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Changes of the rules").fill(SMALL.removeprefix("official,"))
    page.get_by_label("Seed").fill("1")
    page.get_by_role("button", name="Play", exact=True).click()
    laid = 0
    for turn in range(60):
        my_turn(page)
        if page.locator("dialog[open]").count():
            break
        game, token = re.findall(r"game=(\w+)&token=([\w-]+)", page.url)[0]
        path = f"/api/games/{game}"
        state = server.ask("GET", path, token=token).json
        asked = {"turn": state["turn"], "by": "tiles"}
        hint = server.ask("POST", f"{path}/hint", asked, token=token).json
        wanted = [meld["tiles"] for meld in hint["melds"] or []]
        if wanted:
            laid += 1
            there = melds_of(page)
            texts = [" ".join(meld) for meld in wanted]
            for meld in wanted:
                if " ".join(meld) in there:
                    there.remove(" ".join(meld))
                else:
                    lay_meld(page, meld, texts, by_click=turn % 2 == 0)
            expect(page.locator(".status.good")).to_contain_text("Legal: you play")
            expect(page.locator(".end")).to_have_text("End turn")
        page.locator(".end").click()
        page.wait_for_function(
            "turn => Number(document.querySelector('.game').dataset.turn) > turn",
            arg=state["turn"],
        )
    assert laid > 2
    expect(page.locator("dialog")).to_contain_text("The match is over")
    expect(page.locator("dialog .sheet tbody tr")).to_have_count(1)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the record").click()
    ((_, saved),) = verify_records(saving.value.path())
    ((_, kept),) = verify_records(server.host.store.folder / "games.jsonl")
    assert saved == kept


def test_an_illegal_table_is_refused_with_its_reason_and_restored(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN, penalties=False)
    page = open_seat(seat)
    drag_to_meld(page, in_rack("K9"), 0)
    reason = "R1 R2 R3 K9 is neither a run nor a group"
    expect(page.locator(".status")).to_have_text(f"Not yet legal: {reason}.")
    expect(page.locator(".felt .meld.bad")).to_have_count(1)
    page.locator(".end").click()
    expect(page.locator(".status.bad")).to_contain_text(f"Refused: {reason}")
    assert melds_of(page) == ["R1 R2 R3"]
    assert sorted(tiles_of(page, ".rack")) == ["B9", "K9", "R4"]
    assert seat.look()["turn"] == 0
    page.locator(".undo").click()
    assert melds_of(page) == ["R1 R2 R3 K9"]


def test_an_illegal_table_costs_tiles_where_the_person_says_so(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    page = open_seat(seat)
    drag_to_felt(page, in_rack("K9"))
    page.locator(".end").click()
    expect(page.locator("dialog[open]")).to_contain_text("K9 is too short")
    page.get_by_role("button", name="Keep arranging").click()
    assert melds_of(page) == ["R1 R2 R3", "K9"]
    page.locator(".end").click()
    page.get_by_role("button", name="End the turn, draw 3 tiles").click()
    my_turn(page)
    assert melds_of(page)[0].startswith("R1 R2 R3")
    expect(page.locator(".rack .tile")).to_have_count(6)
    expect(page.locator(".rack .tile.fresh")).to_have_count(3)
    expect(page.locator(".status")).to_contain_text("Taken back: K9 is too short")


def test_a_reload_in_mid_turn_loses_nothing(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    page = open_seat(seat)
    page.locator(".sort-number").click()
    drag_to_felt(page, in_rack("K9"))
    drag_to_meld(page, in_rack("R4"), 0)
    expect(page.locator(".status.warn")).to_contain_text("K9 is too short")
    expect(page.locator(".felt .meld")).to_have_count(2)
    page.reload()
    page.locator(".game").wait_for()
    assert melds_of(page) == ["R1 R2 R3 R4", "K9"]
    assert tiles_of(page, ".rack") == ["B9"]
    expect(page.locator(".status.warn")).to_contain_text("K9 is too short")
    page.locator(".undo").click()
    assert melds_of(page) == ["R1 R2 R3", "K9"]
    page.locator(".redo").click()
    page.locator(".undo").click()
    page.locator(".undo").click()
    assert melds_of(page) == ["R1 R2 R3"]


def test_a_game_goes_on_after_its_server_was_killed(
    tmp_path: Path, open_seat: OpenSeat, serve: Serve
) -> None:
    (seat,) = serve().new_game(["person", "max_tiles"], position=OPEN)
    seat.server.stop()
    port = seat.server.port
    command = [sys.executable, "-m", "rummi_training", "play", "--port", str(port)]
    command += ["--out", str(tmp_path / "games")]

    def run() -> subprocess.Popen[str]:
        root = Path(__file__).parents[3]
        paths = os.pathsep.join(
            str(root / part) for part in (".", "agents", "training")
        )
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
        )
        assert process.stdout is not None
        assert "play at http://127.0.0.1" in process.stdout.readline()
        return process

    first = run()
    try:
        page = open_seat(seat)
        drag_to_meld(page, in_rack("R4"), 0)
        expect(page.locator(".status.good")).to_be_visible()
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    expect(page.locator(".status.bad")).to_contain_text("does not answer")
    second = run()
    try:
        expect(page.locator(".status.good")).to_contain_text("Legal: you play 1 tile")
        assert melds_of(page) == ["R1 R2 R3 R4"]
        page.reload()
        page.locator(".game").wait_for()
        assert melds_of(page) == ["R1 R2 R3 R4"]
        page.locator(".end").click()
        my_turn(page)
        expect(page.locator(".log")).to_contain_text("You played R4")
    finally:
        second.send_signal(signal.SIGINT)
        second.communicate()
    assert second.returncode == 0


def test_two_games_at_once_in_two_tabs(server: Server, open_seat: OpenSeat) -> None:
    (one,) = server.new_game(["person", "max_tiles"], position=OPEN)
    (two,) = server.new_game(
        ["person", "cautious"], position="B1 B2 B3 ; B4 K9 O9 / K1 K2 ; ? ; 0"
    )
    first = open_seat(one)
    second = open_seat(two, context=first.context)
    drag_to_meld(first, in_rack("R4"), 0)
    drag_to_meld(second, in_rack("B4"), 0)
    expect(first.locator(".status.good")).to_be_visible()
    expect(second.locator(".status.good")).to_be_visible()
    assert melds_of(first) == ["R1 R2 R3 R4"]
    assert melds_of(second) == ["B1 B2 B3 B4"]
    for page in (second, first):
        page.locator(".end").click()
        my_turn(page)
    expect(first.locator(".log")).to_contain_text("You played R4")
    expect(second.locator(".log")).to_contain_text("You played B4")
    assert one.look()["turn"] == two.look()["turn"] == 2


def test_two_tabs_of_one_game_stay_alike(server: Server, open_seat: OpenSeat) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    first = open_seat(seat)
    second = open_seat(seat, context=first.context)
    drag_to_meld(first, in_rack("R4"), 0)
    expect(second.locator('.felt [data-tile="R4"]')).to_be_visible()
    second.locator(".end").click()
    expect(first.locator(".log")).to_contain_text("You played R4")


def test_a_joker_is_exchanged_under_sabra(server: Server, open_seat: OpenSeat) -> None:
    position = "R5 J R7 ; R6 K9 B9 K1 / B1 O13 ; ? ; 0"
    (seat,) = server.new_game(["person", "max_tiles"], rules="sabra", position=position)
    page = open_seat(seat)
    # Without the tile that it stands for in its place the joker may not go.
    for tile in ("K9", "B9"):
        if tile == "K9":
            drag_to_felt(page, in_rack(tile))
        else:
            drag_to_meld(page, in_rack(tile), 1)
    drag_to_meld(page, '.felt [data-tile="J"]', 1)
    expect(page.locator(".status.warn")).to_contain_text("too short")
    drag_to_meld(page, in_rack("R6"), 0)
    expect(page.locator(".status.good")).to_contain_text("Legal: you play 3 tiles")
    assert melds_of(page) == ["R5 R6 R7", "K9 B9 J"]
    page.locator(".end").click()
    my_turn(page)
    expect(page.locator(".log")).to_contain_text("You played K9 R6 B9")
    joker = seat.look()["table"][1]
    assert (joker["tiles"], joker["stands"][2]) == (["K9", "B9", "J"], ["R9", "O9"])


def test_a_turn_is_played_by_keyboard_alone(
    server: Server, open_seat: OpenSeat
) -> None:
    position = "R1 R2 R3 ; R4 K9 B9 O9 K5 / K1 K2 ; ? ; 0"
    (seat,) = server.new_game(["person", "max_tiles"], position=position)
    page = open_seat(seat)
    focused = "document.activeElement.getAttribute('aria-label') ?? ''"

    def go(key: str, label: str) -> None:
        """Presses an arrow key until an element is in focus."""
        for _ in range(30):
            if re.match(label, page.evaluate(focused)):
                return
            page.keyboard.press(key)
        raise AssertionError(f"{label} is not reached by {key}")

    go("Tab", "(red 1|red 4|black)")
    go("ArrowRight", "red 4")
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_have_text("red 4 picked up")
    go("ArrowUp", "(Put down|red)")
    go("ArrowLeft", "red 1")
    go("ArrowRight", "Put down at the end of meld 1")
    page.keyboard.press("Enter")
    expect(page.locator(".status.good")).to_contain_text("you play 1 tile")
    expect(page.locator("#announcer")).to_have_text("Legal: you play 1 tile.")
    # Several at once into a new meld.
    go("ArrowDown", "(black|blue|orange)")
    for label in ("black 9", "blue 9", "orange 9"):
        go("ArrowLeft", "black 5") if label == "black 9" else None
        page.keyboard.press("Home")
        go("ArrowRight", label)
        page.keyboard.press(" ")
    go("ArrowUp", "(Put down|red)")
    go("ArrowRight", "Put down at a new meld")
    page.keyboard.press("Enter")
    expect(page.locator(".status.good")).to_contain_text("you play 4 tiles")
    page.keyboard.press("Control+z")
    expect(page.locator(".status.good")).to_contain_text("you play 1 tile")
    page.keyboard.press("Control+y")
    expect(page.locator(".status.good")).to_contain_text("you play 4 tiles")
    page.keyboard.press("e")
    expect(page.locator(".log")).to_contain_text("You played")
    assert "R4" in seat.look()["log"][0]["tiles"]


def test_a_phone_is_wide_enough_and_its_touch_moves_tiles(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(
        ["person", "max_tiles", "cautious", "random"],
        position="R1 R2 R3 | K7 B7 O7 ; R4 K9 B9 O9 K2 K3 R8 B8 O11 O12 J / K1 / K5 / "
        "K6 ; ? ; 0",
    )
    page = open_seat(seat, viewport=PHONE, has_touch=True, is_mobile=True)
    wide = "document.scrollingElement.scrollWidth"
    assert page.evaluate(wide) <= PHONE["width"]
    page.locator(in_rack("R4")).tap()
    page.locator('.felt [data-meld="0"] .slot').tap()
    expect(page.locator(".status.good")).to_contain_text("you play 1 tile")
    # A finger that drags.
    x, y, *_ = box_of(page, in_rack("K9"))
    left, top, width, height = box_of(page, ".felt")
    touch = page.context.new_cdp_session(page)
    x, y, to_x, to_y = x + 10, y + 10, left + width - 15, top + height - 15
    points = [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (0.2, 0.6, 1)]
    touch.send(
        "Input.dispatchTouchEvent",
        {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]},
    )
    for to in points:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove", "touchPoints": [{"x": to[0], "y": to[1]}]},
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".felt .meld")).to_have_count(3)
    expect(page.locator(".status.warn")).to_contain_text("K9 is too short")
    for name in ("end", "undo", "ask-hint", "scores"):
        x, y, width, height = box_of(page, f".{name}")
        assert x >= 0
        assert x + width <= PHONE["width"]
        assert y + height <= PHONE["height"]
    assert page.evaluate(wide) <= PHONE["width"]


def test_no_answer_holds_a_tile_of_another_rack(
    server: Server, open_seat: OpenSeat
) -> None:
    """The opponent has what is nowhere else; with nothing to play it keeps it."""
    position = "R1 R2 R3 ; R4 K9 B9 / K12 B10 O8 ; K9 B9 ; 0"
    (seat,) = server.new_game(["person", "max_tiles"], position=position)
    page = open_seat(seat)
    bodies: list[str] = []
    page.on(
        "response",
        lambda response: (
            bodies.append(response.text()) if response.status == 200 else None
        ),
    )
    drag_to_meld(page, in_rack("R4"), 0)
    expect(page.locator(".status.good")).to_be_visible()
    page.locator(".end").click()
    my_turn(page)
    page.locator(".ask-hint").click()
    page.locator(".scores").click()
    page.keyboard.press("Escape")
    page.reload()
    page.locator(".game").wait_for()
    assert len(bodies) > 4
    everything = "".join([*bodies, page.content()])
    assert not re.search(r"\b(K12|B10|O8)\b", everything)


def test_a_hint_is_shown_and_laid_on_the_table(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    page = open_seat(seat)
    page.locator(".ask-hint").click()
    expect(page.locator(".status.hint")).to_contain_text("The best play by most tiles")
    page.get_by_role("button", name="Show it on the table").click()
    expect(page.locator(".status.good")).to_contain_text("you play 1 tile")
    page.locator(".undo").click()
    assert melds_of(page) == ["R1 R2 R3"]
    page.get_by_label("Whose hint").select_option("cautious")
    page.locator(".ask-hint").click()
    expect(page.locator(".status.hint")).to_contain_text("cautious would")


def test_a_turn_ends_when_its_time_is_up(server: Server, open_seat: OpenSeat) -> None:
    (seat,) = server.new_game(
        ["person", "max_tiles"],
        position=OPEN,
        rules="official,turn_seconds=2",
        clock=True,
    )
    page = open_seat(seat)
    expect(page.locator(".clock")).to_be_visible()
    expect(page.locator(".log")).to_contain_text("You ran out of time, drew 1 tile")


def test_a_second_person_plays_in_another_tab(
    server: Server, open_seat: OpenSeat
) -> None:
    one, two = server.new_game(["person", "person"], position=OPEN)
    first, second = open_seat(one), open_seat(two)
    expect(second.locator(".status")).to_contain_text("is to move")
    expect(second.locator(".end")).to_be_disabled()
    drag_to_meld(first, in_rack("R4"), 0)
    expect(first.locator(".status.good")).to_be_visible()
    assert melds_of(second) == ["R1 R2 R3"]
    first.locator(".end").click()
    expect(second.locator(".end")).to_be_enabled()
    assert melds_of(second) == ["R1 R2 R3 R4"]
    # What the other has just played is marked.
    expect(second.locator('.felt .by-0[data-tile="R4"]')).to_have_count(1)


def test_rounds_of_a_match_have_a_score_sheet(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(
        ["person", "max_tiles"],
        position="R1 R2 R3 ; R4 / K1 K2 ; ? ; 0",
        rules="official,rounds=2",
    )
    page = open_seat(seat)
    drag_to_meld(page, in_rack("R4"), 0)
    expect(page.locator(".status.good")).to_be_visible()
    page.locator(".end").click()
    expect(page.locator("dialog[open]")).to_contain_text("Round 1 is over")
    expect(page.locator("dialog .totals td").first).to_have_text("3")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".facts")).to_contain_text("Round 2 of 2")


def test_a_seat_that_is_not_ones_own_is_not_shown(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    page = open_seat(None, server.port)
    page.goto(f"http://127.0.0.1:{server.port}/#game={seat.game}&token=wrong")
    expect(page.locator(".error")).to_contain_text("this seat is not yours")
    page.get_by_text("Back to the start").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_start_lists_games_and_refuses_impossible_ones(
    server: Server, open_seat: OpenSeat
) -> None:
    (seat,) = server.new_game(["person", "max_tiles"], position=OPEN)
    page = open_seat(seat)
    page.locator(".brand").click()
    expect(page.locator(".games li")).to_contain_text("round 1, your turn")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Changes of the rules").fill("jokers=9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".new-game .error")).to_contain_text("jokers must be")
    page.locator(".games li a").click()
    page.locator(".game").wait_for()
