"""Games in the terminal: whole matches of every game, by what is typed."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from rummi_env.envs.game import GAMES
from rummi_env.records import verify_records
from rummi_training.cli import main
from rummi_training.compiling import NOTICE
from rummi_training.play.settings import BASELINES, GameSettings, read_settings
from rummi_training.play.storage import Store
from rummi_training.play.terminal import play_in_terminal

SHORT = {
    "rummikub": "official,numbers=6,rack_size=7,opening_points=10",
    "rummy": "basic,hands=2",
    "tabla": "ours,rounds=2",
}
"""Rules with which matches are short."""


class Typist:
    """Types lines one by one; afterwards the stream is at its end."""

    def __init__(self, console: Console, *lines: str) -> None:
        self.console = console
        self.lines = iter(lines)

    def __call__(self, prompt: str) -> str:
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        self.console.print(prompt + line)
        return line


class Player(Typist):
    """Types any of the actions that are listed, by number or in words."""

    def __init__(self, console: Console, seed: int) -> None:
        super().__init__(console)
        self.rng = np.random.default_rng(seed)

    def __call__(self, prompt: str) -> str:
        file = self.console.file
        assert isinstance(file, io.StringIO)
        shown = file.getvalue().rsplit("Actions: ", 1)[1].splitlines()[0]
        actions = [part.split(" ", 1) for part in shown.split(", ")]
        number, words = actions[self.rng.integers(len(actions))]
        return number if self.rng.random() < 0.5 else words


def terminal() -> Console:
    return Console(file=io.StringIO(), width=200)


def shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def settings_of(game: str, seed: int = 1) -> GameSettings:
    return read_settings(
        players=("person", *BASELINES[game]),
        rules=SHORT[game],
        game=game,
        seed=seed,
        clock=False,
    )


def played(tmp_path: Path, settings: GameSettings | None, *lines: str) -> str:
    """Types lines; returns what is shown."""
    console = terminal()
    play_in_terminal(tmp_path, console, settings, Typist(console, *lines))
    return shown(console)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_is_played_to_its_end(game: str, tmp_path: Path) -> None:
    console = terminal()
    play_in_terminal(tmp_path, console, settings_of(game), Player(console, 1))
    text = shown(console)
    assert "The match is over: " in text
    assert re.search(r"^total ", text, re.MULTILINE)
    ((_, record),) = verify_records(tmp_path / "terminal" / "games.jsonl")
    assert (record.game, record.ending) == (game, "finished")


def actions_of(text: str) -> str:
    """Returns the last actions listed."""
    return text.rsplit("Actions: ", 1)[1].splitlines()[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_was_left_goes_on(game: str, tmp_path: Path) -> None:
    first = played(tmp_path, settings_of(game), "1", "quit")
    assert "rummi play --terminal --resume" in first
    again = played(tmp_path, None)
    assert actions_of(again) == actions_of(first)


def test_there_may_be_nothing_to_go_on_with(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no match to go on with"):
        played(tmp_path, None)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Plays from a position in which R4 and R5 can be played."""
    settings = read_settings(
        players=("person", "max_tiles"),
        seed=1,
        clock=False,
        position="R1 R2 R3 ; R4 R5 K9 / K1 K2 ; ? ; 0",
    )
    yield lambda *lines: played(tmp_path, settings, *lines)


def test_what_was_played_in_a_turn_is_taken_back(opened: Callable[..., str]) -> None:
    text = opened("play R4", "undo", "R4", "r5", "end")
    assert text.count("Taken back.") == 1
    assert "you: lay down R4 R5" in text
    assert "R1  R2  R3  R4  R5" in text


def test_a_turn_that_was_begun_goes_on(
    opened: Callable[..., str], tmp_path: Path
) -> None:
    assert actions_of(opened("R4")) == "1 play R5, 2 lay down R4"
    assert actions_of(played(tmp_path, None)) == "1 play R5, 2 lay down R4"
    assert "you: lay down R4" in played(tmp_path, None, "end")


def test_answers_to_what_is_no_action(opened: Callable[..., str]) -> None:
    text = opened("", "play K9", "why R4", "why R9", "99", "nonsense", "scores", "hint")
    assert "An action is written as it is listed" in text
    assert "illegal: play K9; no arrangement of the table has it" in text
    assert "legal: play R4; a legal turn with it is" in text
    assert "there is no R9 on the rack" in text
    assert "there are actions 1 to 2 only" in text or "1 to 3 only" in text
    assert "'nonsense' is no action" in text
    assert "round  you  max_tiles" in text
    assert "max_tiles would play R4." in text


def test_hints_come_from_any_agent_that_plays_the_game(
    opened: Callable[..., str],
) -> None:
    text = opened("hint cautious", "hint nobody", "hint planner")
    assert "cautious would play R4." in text
    assert "unknown agent 'nobody'" in text
    assert "does not play rummikub" in text


def test_a_turn_that_took_too_long_is_lost(
    tmp_path: Path,
) -> None:
    settings = read_settings(
        players=("person", "max_tiles"),
        seed=1,
        clock=True,
        rules="official,turn_seconds=1",
        position="R1 R2 R3 ; R4 R5 K9 / K1 K2 ; ? ; 0",
    )
    now = [0.0]
    console = terminal()
    typist = Typist(console, "R4")

    def slow(prompt: str) -> str:
        line = typist(prompt)
        now[0] += 2
        return line

    play_in_terminal(tmp_path, console, settings, slow, lambda: now[0])
    assert "you: runs out of time" in shown(console)


def test_nothing_is_taken_back_where_cards_were_seen(tmp_path: Path) -> None:
    text = played(tmp_path, settings_of("rummy"), "undo", "draw", "undo")
    assert text.count("What was done here cannot be taken back.") >= 1


def test_two_processes_do_not_play_from_one_folder(tmp_path: Path) -> None:
    store = Store(tmp_path / "terminal")
    with pytest.raises(ValueError, match="is in use by another rummi play"):
        played(tmp_path, settings_of("rummikub"))
    store.close()
    assert "Actions: " in played(tmp_path, settings_of("rummikub"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--terminal --agents nobody", "unknown agent 'nobody'"),
        ("--terminal --agents planner", "does not play rummikub"),
        ("--terminal --game chess", "game must be one of"),
        ("--terminal --rules offical", "unknown preset 'offical'"),
        ("--terminal --agents random random random random", "2 to 4"),
        ("--terminal --seed -1", "seed must be from 0"),
        ("--terminal --resume", "has no match to go on with"),
        ("--terminal --clock --rules official,turn_seconds=none", "clock must be off"),
        ("--port 99999", "port must be from 0 to 65535"),
        ("--port x", "--port must be a whole number, not 'x'"),
    ],
)
def test_senseless_commands_get_one_line(
    arguments: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", *arguments.split()]) == 2
    told = capsys.readouterr().err.removeprefix(f"{NOTICE}\n")
    assert sentence in told
    assert told.count("\n") == 1


def test_without_its_packages_the_page_says_what_brings_them(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "uvicorn", None)
    assert main(["play"]) == 2
    assert "pip install 'rummi-env[play]'" in capsys.readouterr().err
