"""Pictures: what they show, what they hide, and how that looks as SVG and pixels."""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.render_test import render_test

from rummi_env import rummikub_v0, rummy_v0, tabla_v0
from rummi_env.core.positions import parse_position
from rummi_env.envs.match import Match
from rummi_env.envs.pictures import Pictures, RenderMode
from rummi_env.envs.start import Start
from rummi_env.rendering.rgb import rgb_of
from rummi_env.rendering.scenes import colors
from rummi_env.rendering.scenes.shapes import Rect, Scene, Text
from rummi_env.rendering.svg import svg_of

Golden = Callable[[str, str], None]

K12, END = 11, 53
POSITION = (
    "K9 K10 K11 | R7 J O7 | B3 B4 J=B5 B6 ; K12 R1 R5 K2 / B1 B2 O13 ; O1 O2 ; 0 ; 11"
)


def pictures_of(
    position: str | None = None,
    game: str = "rummikub",
    rules: Any = None,
    players: int = 2,
    seed: int = 1,
    reveal: bool = False,
) -> Pictures:
    match = Match(rules, players, game=game)
    start = Start()
    if position is not None:
        start = Start(position=parse_position(position, match.rules))
    pictures = Pictures(match, "svg", reveal)
    match.start(seed, start)
    pictures.begin()
    return pictures


def act(pictures: Pictures, *actions: int) -> None:
    for action in actions:
        pictures.match.act(action)
        pictures.follow()


def follow(pictures: Pictures, bot: str, until: Callable[[Match], bool]) -> None:
    """Lets a scripted player play on until then."""
    match = pictures.match
    while not match.over and not until(match):
        act(pictures, match.engine.scripted_action(match.games, 0, bot))


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def count(scene: Scene, fill: str) -> int:
    return sum(isinstance(shape, Rect) and shape.fill == fill for shape in scene.shapes)


# --------------------------------------------------------------------------- Rummikub


def test_rummikub_looks_as_it_did(golden: Golden) -> None:
    # The picture of the README.
    pictures = pictures_of(
        "K9 K10 K11 | R7 J O7 | B3 B4 J=B5 B6 | O1 O2 O3 O4 | K5 R5 B5 O5 | R8 R9 R10 "
        "| K13 B13 O13 | B7 B8 B9 B10 B11 ; K12 R11 R1 R4 K2 O9 / K1 K4 R2 R3 R12 R13 "
        "B1 B2 B12 B12 O10 O11 / K6 K7 R6 R6 B8 O8 O8 O12 ; ? ; 0 ; 110",
        players=3,
    )
    act(pictures, K12, 13 + 10, END)
    golden("rummikub.svg", svg_of(pictures.scene(1, ("Ann", "Bob", "Cid"))))


def test_jokers_show_what_they_stand_for() -> None:
    shown = texts(pictures_of(POSITION).scene(0))
    # The one in the run is the 5; that of the group a 7, beside two natural ones.
    assert shown.count("5") == 1 + 1
    assert shown.count("7") == 3


def test_what_the_last_turn_has_laid_is_marked() -> None:
    pictures = pictures_of(POSITION)
    assert count(pictures.scene(0), colors.MARK) == 0
    act(pictures, K12)
    assert "Played in this turn: 1" in texts(pictures.scene(0))
    act(pictures, END)
    scene = pictures.scene(1)
    # The tile, and the line below its meld.
    assert count(scene, colors.MARK) == 2
    assert "player_0 laid 1 tile" in texts(scene)
    # Marked until the next turn is over.
    act(pictures, END)
    scene = pictures.scene(0)
    assert count(scene, colors.MARK) == 0
    assert "player_1 drew a tile" in texts(scene)


def test_the_heading_says_whose_turn_it_is_and_what_is_left() -> None:
    shown = texts(pictures_of(POSITION).scene(1, ("Ann", "Bob")))
    assert {"Round 1 of 1, turn 1", "Ann to move", "2 tiles in the pool"} <= set(shown)
    assert "opened, 4 tiles" in shown and "opened, 3 tiles" in shown


def test_the_end_of_a_match_is_shown_with_its_scores() -> None:
    pictures = pictures_of("R5 R6 R7 ; R8 / R5")
    act(pictures, 20, END)
    shown = texts(pictures.scene(0))
    assert "The match is over" in shown
    assert "Round 1 is over: player_0 +5, player_1 -5" in shown


def test_tiles_named_as_jokers_lie_beside_the_rack() -> None:
    pictures = pictures_of("R5 R6 J=R7 ; R7 K1 K2 / B1 ; O1 ; 0 ; 11", rules="sabra")
    match = pictures.match
    named = next(int(a) for a in np.flatnonzero(match.mask) if a == 19)
    act(pictures, named)
    naming = [int(a) for a in np.flatnonzero(match.mask) if 54 <= a < 106]
    act(pictures, naming[0])
    assert "Played in this turn: 1, named: 1" in texts(pictures.scene(0))


# ------------------------------------------------------------------------ other games


def test_rummy_looks_as_it_did(golden: Golden) -> None:
    pictures = pictures_of(game="rummy", players=3, seed=2)
    follow(
        pictures,
        "meld_greedy",
        lambda match: match.view(0).melds != () and match.event == "discarded",
    )
    scene = pictures.scene(pictures.match.seat, ("Ann", "Bob", "Cid"))
    assert any("laid" in told and "discarded" in told for told in texts(scene))
    golden("rummy.svg", svg_of(scene))


def test_cards_that_came_to_the_table_are_marked() -> None:
    pictures = pictures_of(game="rummy", seed=2)
    match = pictures.match
    follow(pictures, "meld_greedy", lambda match: match.event == "melded")
    new = len(match.view(0).laid_now)
    assert new >= 3
    assert count(pictures.scene(0), colors.MARK) >= new
    follow(pictures, "meld_greedy", lambda match: match.event == "discarded")
    # The first ones on the table, and the discard.
    new = sum(map(len, match.view(0).melds))
    assert count(pictures.scene(0), colors.MARK) == new + 1


def test_tabla_looks_as_it_did(golden: Golden) -> None:
    pictures = pictures_of(game="tabla", seed=1)
    follow(
        pictures,
        "nearest_form",
        lambda match: match.view(0).turn == 6 and match.event == "discarded",
    )
    golden("tabla.svg", svg_of(pictures.scene(0, ("Ann", "Bob"))))


def test_a_closing_is_shown_with_its_groups_and_the_form_is_named() -> None:
    pictures = pictures_of(game="tabla", rules="ours", seed=1)
    follow(
        pictures,
        "nearest_form",
        lambda match: bool(match.mask[53:106].any()),
    )
    match = pictures.match
    seat = match.seat
    shown = texts(pictures.scene(seat))
    [board] = [told for told in shown if told.startswith("Board of ")]
    assert re.search(r": \w+.* \(.+\)$", board)
    assert texts(pictures.scene(1 - seat)) != shown
    act(pictures, 53 + int(np.flatnonzero(match.mask[53:106])[0]))
    shown = texts(pictures.scene(0))
    form = match.view(0).ending.form
    assert form is not None
    assert f"player_{seat} has closed: {form.romanian}" in shown
    assert any(told.startswith(f"{form.english}, throwing ") for told in shown)
    # The next deal has begun: its row replaces them with the first discard.
    follow(pictures, "nearest_form", lambda match: match.event == "discarded")
    assert not any("has closed" in told for told in texts(pictures.scene(0)))


# --------------------------------------------------------------------------- all games

GAMES = [
    ("rummikub", rummikub_v0, "max_tiles"),
    ("rummy", rummy_v0, "meld_greedy"),
    ("tabla", tabla_v0, "nearest_form"),
]


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
@pytest.mark.parametrize("mode", ["svg", "rgb_array"])
def test_pictures_hang_on_nothing_hidden(
    game: str, module: Any, bot: str, mode: str
) -> None:
    env = module.raw_env(num_players=3, render_mode=mode)
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(60):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    # Loaded: the marks of the last turn are no part of a state.
    env.load_state(env.save_state())
    before = env.render()
    env.load_state(env.determinize(env.agent_selection, seed=1))
    assert np.array_equal(env.render(), before)


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
def test_hidden_racks_are_face_down_unless_revealed(
    game: str, module: Any, bot: str
) -> None:
    hidden = pictures_of(game=game, players=3, seed=4)
    shown = pictures_of(game=game, players=3, seed=4, reveal=True)
    back = colors.CARD_BACK if game == "rummy" else colors.BACK
    pool = 4 if game == "rummy" else 0
    racks = [player.rack_size for player in hidden.match.view(0).opponents]
    assert count(hidden.scene(0), back) == sum(racks) + pool
    assert count(shown.scene(0), back) == pool
    face = colors.PAPER if game == "rummy" else colors.IVORY
    faces = count(shown.scene(0), face) - count(hidden.scene(0), face)
    # The backs of cards have paper below them, too.
    assert faces == (0 if game == "rummy" else sum(racks))
    assert len(texts(shown.scene(0))) == len(texts(hidden.scene(0))) + sum(racks)


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
def test_whole_matches_are_drawn_in_the_same_size(
    game: str, module: Any, bot: str
) -> None:
    pictures = pictures_of(game=game, players=4, seed=6, reveal=True)
    match = pictures.match
    for step in range(400):
        if match.over:
            break
        act(pictures, match.engine.scripted_action(match.games, 0, bot))
        scene = pictures.scene(match.seat)
        assert (scene.width, scene.height) == (1200, 800)
        assert all(
            -5 <= shape.x <= scene.width and -5 <= shape.y <= scene.height
            for shape in scene.shapes
            if not hasattr(shape, "points")
        )
        if step % 100 == 0:
            pixels = rgb_of(scene)
            assert pixels.shape == (800, 1200, 3) and pixels.dtype == np.uint8
            assert svg_of(scene).count("<text") == len(texts(scene))


def test_pixels_have_the_colors_of_the_shapes() -> None:
    pixels = rgb_of(pictures_of(POSITION).scene(0))

    def share(color: str) -> float:
        rgb = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
        return float((pixels == rgb).all(axis=2).mean())

    assert share(colors.FELT) > 0.3
    assert share(colors.IVORY) > 0.02
    assert share(colors.WOOD) > 0.05
    assert all(share(color) > 0.0002 for color in colors.TILES)


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
def test_names_for_another_number_of_seats_are_refused(
    game: str, module: Any, bot: str
) -> None:
    with pytest.raises(ValueError, match="there must be 2 names, not 1"):
        pictures_of(game=game).scene(0, ("Ann",))


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
def test_text_underlines_what_the_last_turn_has_brought(
    game: str, module: Any, bot: str
) -> None:
    pictures = pictures_of(game=game, seed=2)
    match, ends = pictures.match, ("laid", "discarded")
    follow(pictures, bot, lambda match: match.view(0).turn > 4 and match.event in ends)

    def text(color: bool, before: Any) -> str:
        return match.game.text(0, color=color, before=before)

    shown = text(True, pictures.before)
    assert "\x1b[4" in shown
    assert "\x1b[4" not in text(True, None)
    # Nothing else is different, and where there is no color there is no line.
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text(False, None)
    assert text(False, pictures.before) == text(False, None)


# ------------------------------------------------------------------- the environments


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows that nobody sees, in which nobody waits."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("rummi_env.envs.pictures.RENDER_FPS", 1000)
    yield
    import pygame

    pygame.quit()


@pytest.mark.parametrize(("game", "module", "bot"), GAMES)
@pytest.mark.usefixtures("no_screen")
def test_pettingzoo_accepts_every_render_mode(game: str, module: Any, bot: str) -> None:
    is_svg = {"svg": lambda shown: shown.startswith("<?xml") and "<svg" in shown}
    render_test(module.env, custom_tests=is_svg)
    render_test(module.raw_env, custom_tests=is_svg)


@pytest.mark.usefixtures("no_screen")
def test_a_window_opens_and_stays_closed_once_it_is_closed() -> None:
    import pygame

    env = rummikub_v0.raw_env(render_mode="human")
    env.reset(seed=1)
    surface = pygame.display.get_surface()
    assert surface is not None and surface.get_size() == (1200, 800)
    pixels = pygame.surfarray.array3d(surface)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.step(END)
    assert not pygame.display.get_init()
    env.step(END)
    assert env.render() is None
    assert not pygame.display.get_init()
    env.close()


@pytest.mark.parametrize(
    ("module", "mode"),
    [("drawsvg", "svg"), ("PIL", "rgb_array"), ("pygame", "human")],
)
def test_a_missing_extra_is_named_in_a_sentence(
    module: str, mode: RenderMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.split(".")[0] == module:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    env = rummikub_v0.raw_env(render_mode=mode)
    told = rf"render_mode='{mode}' needs the package {module}: pip install 'rummi-env\["
    with pytest.raises(ImportError, match=told):
        env.reset(seed=1)
        env.render()
