"""The page of a replay: what is in it, and how it steps in a browser."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.records import GameRecord, Judgement, Recorder, append_record, replay
from rummi_training.cli import main
from rummi_training.compiling import NOTICE
from rummi_training.replay_page import page

BOTS = {"rummikub": "max_tiles", "rummy": "meld_greedy", "tabla": "nearest_form"}


def played(
    game: str = "rummikub", rules: Any = None, judged: bool = True
) -> GameRecord:
    """A game of scripted players, one turn lost, with what they thought."""
    kept: list[GameRecord] = []
    match = Match(rules, 2, game=game)
    match.recorder = Recorder(kept.append, players=("</script><b>Ann", "Bob"))
    match.start(3, Start())
    for step in range(10_000):
        if match.over:
            break
        if step == 5:
            match.fail(int(np.flatnonzero(match.mask == 0)[0]))
            continue
        action = match.engine.scripted_action(match.games, 0, BOTS[game])
        if judged:
            shares = match.mask * 1.0
            shares[action] = shares.sum()
            match.recorder.judge(Judgement.of(shares / shares.sum(), value=0.25))
        match.act(action)
    return kept[0]


def data_of(html: str) -> dict[str, Any]:
    [line] = [line for line in html.splitlines() if line.startswith("const DATA = ")]
    data: dict[str, Any] = json.loads(line.removeprefix("const DATA = ").rstrip(";"))
    return data


@pytest.mark.parametrize("game", BOTS)
def test_the_page_has_every_step_with_its_mask_and_what_was_thought(game: str) -> None:
    record = played(game)
    data = data_of(page([(4, record)], "A replay"))
    [shown] = data["games"]
    assert shown["line"] == 4 and shown["game"] == game
    texts = data["texts"]
    moments = list(replay(record))
    assert len(shown["steps"]) == record.num_steps + 1
    # Moments share the match, so only their own fields are looked at.
    for step, moment in zip(shown["steps"], moments, strict=True):
        legal = np.flatnonzero(moment.mask).tolist()
        assert [action for action, _ in step["mask"]] == legal
        assert step.get("action") == moment.action
        assert len(step["racks"]) == len(step["facts"]) == 2
        assert step["round"] == moment.round
        if moment.judgement is not None:
            assert step["value"] == 0.25
            assert sum(step["shares"]) == pytest.approx(1, abs=0.01)
    lost = shown["steps"][5]
    assert "illegal" in lost and "shares" not in lost
    assert "(illegal, the turn is lost)" in texts[shown["steps"][6]["event"]]
    assert texts[shown["steps"][-1]["event"]].endswith("The match is over")
    assert shown["steps"][-1]["mask"] == [] and shown["steps"][-1]["seat"] == -1


def test_what_is_new_on_the_table_and_what_jokers_stand_for_is_told() -> None:
    data = data_of(page([(1, played())], "A replay"))
    tables = [
        data["texts"][pieces]
        for step in data["games"][0]["steps"]
        for title, pieces in step["table"]
        if data["texts"][title] == "Table"
    ]
    assert tables[0] == ""
    first = next(table for table in tables if table)
    assert all(piece.endswith("*") for piece in re.findall(r"[KRBOJ]\S*", first))
    assert any(re.search(r"J=[KRBO]\d", table) for table in tables)


def test_the_page_needs_nothing_else_and_names_cannot_break_out() -> None:
    html = page([(1, played())], "A <b>replay</b>")
    assert not re.search(r"(src|href)=|https?:|@import|url\(", html)
    assert "default-src 'none'" in html
    assert html.count("</script>") == 1
    assert "<b>Ann" not in html and "<b>replay" not in html


def test_text_that_comes_again_is_written_once() -> None:
    data = data_of(page([(1, played()), (2, played())], "A replay"))
    assert len(set(data["texts"])) == len(data["texts"])


# ------------------------------------------------------------------------ rummi replay


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a short game and a longer one."""
    path = tmp_path / "games.jsonl"
    append_record(path, played(judged=False))
    append_record(path, played(rules=RuleSet(rounds=2)))
    return path


def test_the_command_writes_a_page_of_all_games_or_of_those_named(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    assert main(["replay", str(path), "--html", str(out)]) == 0
    assert f"page: {out}, with the games of the lines 1, 2" in capsys.readouterr().out
    assert [game["line"] for game in data_of(out.read_text())["games"]] == [1, 2]
    assert main(["replay", str(path), "--html", str(out), "--lines", "2"]) == 0
    assert [game["line"] for game in data_of(out.read_text())["games"]] == [2]


def test_the_command_writes_videos(tmp_path: Path) -> None:
    gif, mp4 = tmp_path / "game.gif", tmp_path / "game.mp4"
    short = tmp_path / "short.jsonl"
    kept: list[GameRecord] = []
    match = Match(None, 2)
    match.recorder = Recorder(kept.append)
    match.start(1, Start())
    for _ in range(3):
        match.act(53)
    match.stop()
    append_record(short, kept[0])
    arguments = ["replay", str(short), "--gif", str(gif), "--mp4", str(mp4), "--hide"]
    assert main([*arguments, "--seat", "1", "--fps", "5"]) == 0
    assert gif.read_bytes().startswith(b"GIF89a")
    assert b"ftyp" in mp4.read_bytes()[:16]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--gif", "game.mp4"], "--gif must be called *.gif, not game.mp4"),
        (["--lines", "3"], "has no line 3: it has 2"),
        (["--mp4", "game.mp4", "--seat", "2"], "seat must be from 0 to 1, not 2"),
        (["--mp4", "game.mp4", "--fps", "0"], "fps must be above 0 and up to 60"),
        (["--html", "none/page.html"], "No such file or directory"),
    ],
)
def test_the_command_refuses_what_cannot_be(
    arguments: list[str],
    told: str,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(path.parent)
    assert main(["replay", str(path), *arguments]) == 2
    sentence = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
    assert told in sentence and sentence.count("\n") == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# --------------------------------------------------------------------------- a browser


@pytest.fixture
def browser_page() -> Iterator[Any]:
    """A page in Debian's chromium, which may not load anything."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="needs playwright, which drives the browser"
    )
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs the program chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        view = browser.new_page(viewport={"width": 390, "height": 844})
        problems: list[str] = []
        asked: list[str] = []
        view.on("console", lambda message: problems.append(message.text))
        view.on("pageerror", lambda error: problems.append(str(error)))
        view.on("request", lambda request: asked.append(request.url))
        yield view
        assert problems == []
        assert len(asked) == 1
        browser.close()


@pytest.mark.browser
def test_keys_the_slider_and_buttons_step(browser_page: Any, tmp_path: Path) -> None:
    record = played(rules=RuleSet(rounds=2))
    file = tmp_path / "page.html"
    file.write_text(page([(1, record)], "A replay"), encoding="utf-8")
    view = browser_page
    view.goto(file.as_uri())
    last = record.num_steps
    where = view.locator("#where")

    def at(step: int) -> None:
        assert where.text_content() == f"step {step} of {last}"

    at(0)
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        view.keyboard.press(key)
        at(step)
    view.click("#next")
    at(1)
    view.locator("#slider").fill("7")
    at(7)
    view.keyboard.press("Home")
    view.keyboard.press("Space")
    assert view.locator("#play").text_content() == "Stop"
    view.wait_for_timeout(1_300)
    assert where.text_content() in (f"step {step} of {last}" for step in (2, 3))
    view.keyboard.press("Space")
    assert view.locator("#play").text_content() == "Play"
    # The mask of the seat to move, with what it took; nobody else may do anything.
    view.keyboard.press("Home")
    assert view.locator("article.on .mask li.chosen").count() == 1
    assert view.locator("article:not(.on) .waits").count() == 1
    assert "</script><b>Ann" in view.locator("#players").text_content()
    view.select_option("#round", "1")
    assert view.url.endswith(f"#1.{len(record.rounds[0].actions)}")
    # Nothing is wider than a phone.
    assert view.evaluate("document.documentElement.scrollWidth") <= 390
