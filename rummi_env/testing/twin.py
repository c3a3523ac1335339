"""The twin of Rummikub's turn machine: the same rules once more, in plain Python.

It is written from the rules, not from the machine, and is the oracle of the machine's
tests, nothing else. It has no random numbers: every deal is given. What a turn may play
is asked of a judge. With exact jokers it keeps the table as melds, laid down anew with
every turn in all ways to find how the jokers lie, so these games must be small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from rummi_env.core.deals import Deal
from rummi_env.core.melds import Meld
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_KINDS, number_of
from rummi_env.testing.brute_force import settled_table
from rummi_env.testing.judges import END_TURN, Judge, Moment, Tiles, plain_judge

FIRST_NAME = END_TURN + 1
"""With exact jokers: says that a joker stands for the first kind."""

PAIRS_FOR_REDEAL = 3


class Twin:
    """A match of Rummikub, as plain data.

    Everything may be read; only `act`, `fail_turn` and `time_out` change it.

    Attributes:
        rules: The rules.
        num_players: How many seats there are.
        table: Tiles on the table at the start of the turn.
        melds: The same as melds, with exact jokers; else empty.
        racks: By seat the rack at the start of the turn.
        played: Tiles of the mover's rack that were played in this turn.
        named: Kinds that jokers were named as in this turn.
        known: By seat the tiles that everybody knows to be on the rack, since they were
            shown in a turn that failed.
        pool: Tiles to be drawn, the next one first.
        opened: By seat whether it has opened.
        last_turn: By seat what its last turn in this round was, None before the first.
        phase: ``redeal``: the seat may demand a new deal; ``play``: it is the seat's
            turn; ``over``: the match is over.
        seat: Who is to act.
        starter: Who starts, or started, the round.
        passes: Turns in succession that neither laid a tile nor could draw one.
        turns_left: Turns until the round ends, where their number is settled.
        turn: Turns of this round that are over.
        actions: Tiles played and jokers named in this turn.
        round: Rounds that are over.
        round_ended: Whether the last action, failure or timeout ended a round.
        scores: By seat the score of the last round.
        totals: By seat the sum of the scores.
        rounds_won: By seat the rounds won; those who tie share one equally.
    """

    def __init__(
        self,
        rules: RuleSet,
        num_players: int,
        deals: Iterable[Deal],
        judge: Judge = plain_judge,
    ) -> None:
        """Start a match.

        Args:
            rules: The rules.
            num_players: How many seats there are.
            deals: One complete deal for each round, and one more for each new deal that
                is demanded; taken one by one when they are needed.
            judge: Says what a turn may play.

        Raises:
            ValueError: The rules are among those that the twin does not know yet, or do
                not go with the players or the deal.
        """
        if rules.turn_actions is not None:
            raise ValueError(f"the twin does not know these rules yet: {rules}")
        rules.check_players(num_players)
        self.rules = rules
        self.exact = rules.joker_release == "exact"
        # The last action, where there is one.
        self.redeal = FIRST_NAME + NUM_KINDS * self.exact
        self.num_players = num_players
        self._deals = iter(deals)
        self._judge = judge
        self.round = 0
        self.round_ended = False
        self.scores = [Fraction(0)] * num_players
        self.totals = [Fraction(0)] * num_players
        self.rounds_won = [Fraction(0)] * num_players
        self._new_round()

    # ---------------------------------------------------------------------- the deal

    def _new_round(self) -> None:
        deal = next(self._deals)
        self._lay_out(deal)
        if deal.starter is not None:
            self.starter = deal.starter
        elif self.rules.starter == "rotate":
            self.starter = self.round % self.num_players
        elif isinstance(self.rules.starter, int):
            self.starter = self.rules.starter
        else:
            raise ValueError("the deal does not say which seat chance made the starter")
        self._begin()

    def _lay_out(self, deal: Deal) -> None:
        deal.check(self.rules, self.num_players)
        if deal.pool_rest and deal.rest(self.rules).any():
            raise ValueError("the deal does not name every tile of the pool")
        self.table: Tiles = Counter()
        self.melds: tuple[Meld, ...] = ()
        self.racks: list[Tiles] = [Counter(rack) for rack in deal.racks]
        self.played: Tiles = Counter()
        self.named: tuple[int, ...] = ()
        self.known: list[Tiles] = [Counter() for _ in deal.racks]
        self.pool = list(deal.pool)
        self.opened = [False] * self.num_players
        self.last_turn: list[Literal["drew", "passed", "laid", "failed"] | None] = [
            None
        ] * self.num_players
        self.passes = 0
        self.turn = 0
        self.actions = 0
        # A pool that is empty from the start has been drawn by nobody: one turn each.
        one_more = self.rules.pool_empty == "one_more_turn" and not self.pool
        self.turns_left = self.num_players if one_more else None

    def _begin(self) -> None:
        """Ask the seats for a new deal where the rules do, else start playing."""
        if self.rules.redeal_on_three_pairs:
            self._ask_for_redeal(0)
        else:
            self._start_playing()

    def _ask_for_redeal(self, first: int) -> None:
        """Ask the next seat that has three pairs of identical tiles, in seat order."""
        for seat in range(first, self.num_players):
            pairs = [tile for tile, count in self.racks[seat].items() if count == 2]
            if len(pairs) >= PAIRS_FOR_REDEAL:
                self.phase: Literal["redeal", "play", "over"] = "redeal"
                self.seat = seat
                return
        self._start_playing()

    def _start_playing(self) -> None:
        self.phase = "play"
        self.seat = self.starter

    # ----------------------------------------------------------------------- actions

    def legal_actions(self) -> set[int]:
        """Return the actions of the seat to move that are legal."""
        if self.phase == "over":
            return set()
        if self.phase == "redeal":
            return {END_TURN, self.redeal}
        actions, complete = self._judge(
            Moment(
                self.rules,
                self.table,
                self.melds,
                self.racks[self.seat],
                self.played,
                self.named,
                self.opened[self.seat],
            )
        )
        if self.played:
            may_end = complete
        else:
            # Nothing played means to draw, which is always allowed, or to pass.
            must_play = self.rules.must_play_when_pool_empty and not self.pool
            may_end = not (must_play and actions)
        return actions | {END_TURN} if may_end else actions

    def act(self, action: int) -> None:
        """Perform an action of the seat to move; that it is legal is not checked."""
        self.round_ended = False
        if self.phase == "redeal":
            if action == self.redeal:
                # Who starts is settled before the tiles are dealt, so it stays.
                self._lay_out(next(self._deals))
                self._begin()
            else:
                self._ask_for_redeal(self.seat + 1)
        elif action < END_TURN:
            self.played[action] += 1
            self.actions += 1
        elif action > END_TURN:
            self.named += (action - FIRST_NAME,)
            self.actions += 1
        elif self.played:
            self._lay_down()
        else:
            self.last_turn[self.seat] = "drew" if self.pool else "passed"
            self._end_turn_without_play(1)

    def fail_turn(self) -> None:
        """Take back a turn that was illegal, and let the seat draw the penalty."""
        self._take_back(self.rules.illegal_penalty)

    def time_out(self) -> None:
        """Take back a turn that ran out of time, and let the seat draw the penalty."""
        self._take_back(
            self.rules.unfinished_penalty if self.played else self.rules.timeout_penalty
        )

    def _lay_down(self) -> None:
        if self.exact:
            melds = settled_table(
                self.rules,
                self.melds,
                self.played,
                self.opened[self.seat],
                self.named,
            )
            assert melds is not None
            self.melds = melds
        self.table += self.played
        self.racks[self.seat] -= self.played
        # Of the tiles known, those just played may be the ones that were shown.
        self.known[self.seat] -= self.played
        self.opened[self.seat] = True
        self.last_turn[self.seat] = "laid"
        self.passes = 0
        if self.racks[self.seat]:
            self._end_turn()
        else:
            self._end_round(out=self.seat)

    def _take_back(self, penalty: int) -> None:
        self.round_ended = False
        if self.phase == "redeal":
            # No turn has begun that could be taken back: the rack is kept.
            self._ask_for_redeal(self.seat + 1)
            return
        # What was shown stays known: the rack has at least these, and those before.
        self.known[self.seat] |= self.played
        self.last_turn[self.seat] = "failed"
        self._end_turn_without_play(penalty)

    # ----------------------------------------------------------- the end of a turn

    def _end_turn_without_play(self, number: int) -> None:
        """Let the seat draw so many tiles, or what is left of them, and pass on."""
        self.passes = 0 if self.pool else self.passes + 1
        drawn, self.pool = self.pool[:number], self.pool[number:]
        self.racks[self.seat].update(drawn)
        self._end_turn(took_last=bool(drawn) and not self.pool)

    def _end_turn(self, took_last: bool = False) -> None:
        """Pass the turn on, unless the end of the pool ends the round."""
        self.played = Counter()
        self.named = ()
        self.actions = 0
        self.turn += 1
        if self._is_stopped(took_last):
            self._end_round(out=None)
        else:
            self.seat = (self.seat + 1) % self.num_players

    def _is_stopped(self, took_last: bool) -> bool:
        """Tell whether the end of the pool ends the round with the turn that is over.

        Args:
            took_last: Whether the last tile was drawn in that turn.
        """
        if self.pool:
            return False
        if self.rules.pool_empty == "immediate":
            return True
        if self.rules.pool_empty == "until_stuck":
            return self.passes >= self.num_players
        if took_last:
            # Everybody has one more turn, the one who drew the tile the last of them.
            self.turns_left = self.num_players
            return False
        assert self.turns_left is not None
        self.turns_left -= 1
        return self.turns_left == 0

    # ---------------------------------------------------------- the end of a round

    def _end_round(self, out: int | None) -> None:
        """Score the round; deal the next one or end the match.

        Args:
            out: The seat that emptied its rack; None if the pool's end ended the round.
        """
        self.played = Counter()
        self.named = ()
        self.actions = 0
        values = [self.rack_value(seat) for seat in range(self.num_players)]
        lowest = 0 if out is not None else min(values)
        winners = [seat for seat, value in enumerate(values) if value == lowest]
        if out is not None:
            winners = [out]
        literal = (
            out is None and self.rules.pool_empty_scoring == "sum_minus_winner_once"
        )
        self.scores = [Fraction(0)] * self.num_players
        for seat, value in enumerate(values):
            if seat not in winners:
                charged = value if literal else value - lowest
                if self.rules.unopened_penalty and not self.opened[seat]:
                    could_not, would_not = self.rules.unopened_penalty
                    charged = would_not if self._holds_opening(seat) else could_not
                self.scores[seat] = Fraction(-charged)
        won = -sum(self.scores, Fraction(0)) - (lowest if literal else 0)
        for seat in winners:
            self.scores[seat] = won / len(winners)
            self.rounds_won[seat] += Fraction(1, len(winners))
        for seat, score in enumerate(self.scores):
            self.totals[seat] += score
        self.round += 1
        self.round_ended = True
        if self.round < self.rules.rounds:
            self._new_round()
        else:
            self.phase = "over"

    def rack_value(self, seat: int) -> int:
        """Return what a rack is worth: the numbers printed, jokers their rack value."""
        return sum(
            self.rules.joker_rack_value if tile == JOKER else number_of(tile)
            for tile in self.racks[seat].elements()
        )

    def _holds_opening(self, seat: int) -> bool:
        nothing: Tiles = Counter()
        rack = self.racks[seat]
        actions, _ = self._judge(
            Moment(self.rules, nothing, (), rack, nothing, (), False)
        )
        return bool(actions)

    def match_winners(self) -> list[int]:
        """Return the seats that lead the match by `RuleSet.match_winner`."""
        standings: list[tuple[Fraction, ...]] = [
            (total,) if self.rules.match_winner == "points" else (won, total)
            for total, won in zip(self.totals, self.rounds_won, strict=True)
        ]
        best = max(standings)
        return [seat for seat, standing in enumerate(standings) if standing == best]
