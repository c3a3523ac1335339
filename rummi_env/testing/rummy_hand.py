"""A hand of Rummy at a position, driven in words: what tests of the rules read like."""

from __future__ import annotations

from typing import Any

import numpy as np

from rummi_env.core.card_melds import format_card_table
from rummi_env.core.card_positions import parse_card_position
from rummi_env.core.cards import cards_of, format_cards
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.state import DISCARD, LAY_GROUP, MELD_RUN
from rummi_env.games.rummy.tables import melds_of
from rummi_env.observation.rummy import action_to_text, text_to_action


class Hand:
    """A hand at a given position.

    Attributes:
        rules: The rules.
        engine: Plays the game.
        games: The game, an array of one record.
    """

    def __init__(
        self, text: str, rules: RummyRules | str = "basic", **fields: Any
    ) -> None:
        """Put a position in place.

        Args:
            text: The position in the notation.
            rules: The rules, or the name of a preset.
            fields: Rules that are otherwise.

        Raises:
            ValueError: The text is no position, or not one of these rules.
        """
        self.rules = RummyRules.of(rules).replace(**fields)
        position = parse_card_position(text, self.rules.ace)
        self.players = len(position.racks)
        self.engine = Engine(self.rules, self.players)
        self.games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed=1)
        self.engine.place_position(self.games, 0, position)

    @property
    def game(self) -> Any:
        """The record of the game."""
        return self.games[0]

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self.game["seat"])

    @property
    def scores(self) -> list[float]:
        """By seat the score of the last hand that ended."""
        return list(map(float, self.game["scores"][: self.players]))

    @property
    def totals(self) -> list[float]:
        """By seat the sum of the scores."""
        return list(map(float, self.game["totals"][: self.players]))

    @property
    def ended(self) -> bool:
        """Whether the last action ended a hand."""
        return bool(self.game["round_ended"])

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.engine.is_over(self.games, 0)

    @property
    def table(self) -> str:
        """The table in the notation."""
        return format_card_table(melds_of(self.game))

    @property
    def row(self) -> str:
        """The discards in the notation, the top card last."""
        return format_cards(self.game["row"][: self.game["row_size"]].tolist())

    def rack(self, seat: int) -> str:
        """Return a rack in the notation."""
        return format_cards(cards_of(self.game["racks"][seat]))

    def may(self, text: str) -> bool:
        """Tell whether an action, in words, is legal."""
        return bool(self.game["mask"][text_to_action(text)])

    def do(self, *texts: str) -> None:
        """Perform actions, in words, each of which must be legal."""
        for text in texts:
            assert self.may(text), text
            self.engine.act(self.games, 0, text_to_action(text))

    def options(self, first: int = 0, end: int | None = None) -> list[str]:
        """Return the legal actions, of a range of them on demand, in words."""
        mask = self.game["mask"][first:end]
        return [action_to_text(first + i) for i in np.flatnonzero(mask).tolist()]

    def chosen(self, name: str) -> str:
        """Return what a scripted baseline does, in words."""
        return action_to_text(self.engine.scripted_action(self.games, 0, name))

    def pass_on(self) -> None:
        """Draw from the pool and make the first discard that is legal."""
        self.do("draw")
        self.do(self.options(DISCARD)[0])

    def melds(self) -> list[str]:
        """Return the melds that are legal, in words."""
        return self.options(MELD_RUN, LAY_GROUP)

    def layoffs(self) -> list[str]:
        """Return the lay-offs that are legal, in words."""
        return self.options(LAY_GROUP)
