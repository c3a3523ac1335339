"""Games in the terminal: any game, by the words that its actions have."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from rummi_agents import make_agent
from rummi_agents.protocol import reset
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.clock import Clock
from rummi_env.envs.match import Match
from rummi_env.envs.score_sheet import ScoreSheet
from rummi_training.play.opponents import decide, question
from rummi_training.play.played import PlayedMatch
from rummi_training.play.settings import PERSON, GameSettings
from rummi_training.play.storage import Store

FOLDER = "terminal"
"""Folder of these games among those of the page."""

HELP = """\
An action is written as it is listed, or as its number there. Besides:
  undo          take back what was played in this turn (Rummikub)
  hint [AGENT]  what the first opponent, or another agent, would do next
  why ACTION    why an action is legal or not
  scores        the score sheet
  quit          stop here; --resume goes on"""

Ask = Callable[[str], str]
"""Asks for a line; raises EOFError where there is none any more."""


def play_in_terminal(
    out: Path,
    console: Console,
    settings: GameSettings | None,
    ask: Ask = input,
    clock: Clock = time.monotonic,
) -> None:
    """Plays a match, or goes on with the last one that is not over.

    Args:
        out: folder of the games.
        console: where the game is shown.
        settings: of a new match; None goes on with an old one.
        ask: asks for the next action.
        clock: tells the seconds, where turns are timed.

    Raises:
        ValueError: there is no match to go on with, or the folder is in use.
    """
    store = Store(out / FOLDER)
    try:
        if settings is None:
            name, played, begun = _unfinished(store, clock)
        else:
            name, played = secrets.token_hex(5), PlayedMatch(settings, clock)
            begun = []
        _Terminal(store, name, played, console, ask, begun).play()
    finally:
        store.close()


def _unfinished(store: Store, clock: Clock) -> tuple[str, PlayedMatch, list[int]]:
    """Returns the last match that is not over, and the turn begun in it."""
    for name in store.names():
        fields, _ = store.load(name)
        played = PlayedMatch.from_dict(fields, clock)
        if not played.match.over:
            return name, played, list(fields["begun"])
    raise ValueError(f"{store.folder} has no match to go on with")


class _Terminal:
    """One match in the terminal."""

    def __init__(
        self,
        store: Store,
        name: str,
        played: PlayedMatch,
        console: Console,
        ask: Ask,
        begun: list[int],
    ) -> None:
        self.store = store
        self.name = name
        self.played = played
        self.match = played.match
        self.console = console
        self.ask = ask
        self.names = tuple(
            "you" if name == PERSON else name for name in played.settings.names
        )
        # What was played in this turn can be taken back where it has shown nothing
        # that was hidden; so it is tried on a copy and done when the turn ends.
        self.can_undo = self.match.game.name == RuleSet.GAME
        self.begun: list[int] = []
        self.trial = self.match
        # What has changed since the person's last turn is marked.
        self.before: Any = None
        for action in begun:
            self._try(action)
        self._save()

    def play(self) -> None:
        """Plays until the match is over or the person stops."""
        while not self.match.over:
            if self.played.agent is not None:
                self._agent()
            elif not self._person():
                self.say(f"kept as {self.name}: rummi play --terminal --resume")
                return
        if self.played.record is not None:
            self.store.add_record(self.played.record)
        self.say(self._sheet())
        shares = self.match.shares()
        winners = [
            name for name, share in zip(self.names, shares, strict=True) if share
        ]
        self.say(f"The match is over: {' and '.join(winners)} won.")

    def say(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    # ------------------------------------------------------------------ agents

    def _agent(self) -> None:
        agent = self.played.agent
        assert agent is not None
        decision = self.played.decide(agent, self.played.question())
        seat, words = self.match.seat, self.match.game.action_text(decision.action)
        self.played.act_for_agent(decision)
        self._told(seat, words)

    def _told(self, seat: int, words: str) -> None:
        event = self.match.event
        lost = {"failed": "loses the turn", "timed_out": "runs out of time"}
        self.say(f"{self.names[seat]}: {lost.get(event, words)}")
        # What an agent has begun it begins again, with the same chance.
        if not self.played.turn_goes_on() or self.played.agent is None:
            self._save()
        if self.match.round_ended:
            self.before = None
            self.say(self._sheet())

    # ------------------------------------------------------------------ the person

    def _person(self) -> bool:
        """Lets the person act once; tells whether they go on."""
        match = self.trial
        seat = match.seat
        self.say("")
        color = self.console.is_terminal
        shown = match.game.text(seat, self.names, color=color, before=self.before)
        self.console.print(Text.from_ansi(shown), highlight=False, soft_wrap=True)
        legal = np.flatnonzero(match.mask).tolist()
        self.say("Actions: " + ", ".join(self._listed(legal)))
        while True:
            try:
                line = self.ask("> ").strip()
            except (EOFError, KeyboardInterrupt):
                return False
            if line in ("quit", "exit"):
                return False
            action = self._read(line, legal)
            if action is not None:
                self._act(action)
                return True
            if line == "undo" and self.can_undo:
                self._take_back()
                return True

    def _read(self, line: str, legal: list[int]) -> int | None:
        """Returns the legal action that a line means; answers all other lines."""
        word, _, rest = line.partition(" ")
        if word in ("", "help", "?"):
            self.say(HELP)
        elif word == "scores":
            self.say(self._sheet())
        elif word == "hint":
            self._hint(rest.strip())
        elif word == "undo":
            if not self.can_undo:
                self.say("What was done here cannot be taken back.")
        else:
            return self._action(rest if word == "why" else line, legal, word == "why")
        return None

    def _action(self, text: str, legal: list[int], why: bool) -> int | None:
        try:
            if text.isascii() and text.isdigit():
                number = int(text)
                if not 1 <= number <= len(legal):
                    raise ValueError(f"there are actions 1 to {len(legal)} only")
                action = legal[number - 1]
            else:
                action = self.trial.game.read_action(text)
        except ValueError as error:
            self.say(str(error))
            return None
        if why or not self.trial.mask[action]:
            self.say(self.trial.explain(action))
            return None
        return action

    def _act(self, action: int) -> None:
        if self.match.is_out_of_time():
            seat = self.match.seat
            for earlier in self.begun:
                self.match.act(earlier)
            self._forget()
            self.match.time_out(action)
            self._told(seat, "")
            return
        if not self.can_undo:
            self._do([action])
            return
        self._try(action)
        if self.trial.event not in self.trial.game.within_turn:
            begun = self.begun
            self._forget()
            self._do(begun)
        else:
            self._save()

    def _try(self, action: int) -> None:
        """Does an action on the copy, so that it can be taken back."""
        if self.trial is self.match:
            self.trial = Match(
                self.match.rules, self.match.num_players, game=self.match.game.name
            )
            self.trial.load(self.match.save())
        self.trial.act(action)
        self.begun.append(action)

    def _do(self, actions: list[int]) -> None:
        for action in actions:
            seat, words = self.match.seat, self.match.game.action_text(action)
            self.match.act(action)
        self._told(seat, words)
        if not self.played.turn_goes_on():
            self.before = self.match.view(seat, with_melds=True)

    def _take_back(self) -> None:
        self._forget()
        self._save()
        self.say("Taken back.")

    def _forget(self) -> None:
        self.trial = self.match
        self.begun = []

    def _save(self) -> None:
        self.store.save(self.name, {**self.played.to_dict(), "begun": self.begun})

    def _listed(self, legal: list[int]) -> Iterator[str]:
        """Yields the legal actions with their numbers."""
        for number, action in enumerate(legal, start=1):
            yield f"{number} {self.trial.game.action_text(action)}"

    def _hint(self, spec: str) -> None:
        match = self.trial
        opponents = [each for each in self.played.settings.players if each != PERSON]
        try:
            agent = make_agent(spec or opponents[0], match.game.name)
        except ValueError as error:
            self.say(str(error))
            return
        reset(agent)
        chance = (self.played.settings.seed, match.seat, self.played.decisions)
        action = decide(agent, question(match), chance).action
        if 0 <= action < len(match.mask) and match.mask[action]:
            self.say(f"{agent.name} would {match.game.action_text(action)}.")
        else:
            self.say(f"{agent.name} would do what is illegal.")

    def _sheet(self) -> str:
        return str(ScoreSheet(self.names, tuple(self.match.rows)))
