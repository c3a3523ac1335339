"""The twin of the turn machine of Rummy pe tabla: the same rules once more, plainly.

It is written from the rules, not from the machine, and is the oracle of the machine's
tests, nothing else. It has no random numbers: every deal is given. Which forms 14 tiles
have is asked of a judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, number_of

CLOSE = JOKER + 1
DRAW_POOL = 2 * CLOSE
DRAW_ROW = DRAW_POOL + 1
DECLARED = DRAW_POOL + 2
NEW_DEAL = DRAW_POOL + 3

Tiles: TypeAlias = Counter[int]
"""A multiset of tiles."""

Judge: TypeAlias = Callable[[tuple[int, ...]], set[int]]
"""Tells the numbers of the forms that 14 tiles have."""


@dataclass(frozen=True)
class PlainDeal:
    """One deal as it falls: racks by seat, the atu, and the pool in draw order."""

    racks: tuple[tuple[int, ...], ...]
    atu: int
    pool: tuple[int, ...]


class TablaTwin:
    """A match of Rummy pe tabla, as plain data.

    Everything may be read; only `act` and `fail_turn` change it.

    Attributes:
        rules: The rules.
        num_players: How many seats there are.
        racks: By seat the tiles.
        known: By who knows and by seat the tiles known to be on its rack.
        row: The discards that lie there, the last one at the end.
        discarded: By seat what it has discarded in this deal.
        pool: Tiles to be drawn, the next one first.
        atu: The tile turned face up.
        declared: By seat the doubles declared, until they are exchanged.
        doubles: By seat how many low and high doubles it declared.
        exchanges: By two seats how many tiles each gave the other.
        taken: The tile taken from the row in this turn.
        drew: The tile drawn from the pool in this turn.
        phase: ``doubles``, ``draw``, ``discard`` or ``over``.
        seat: Who is to act.
        starter: Who has the first turn of the deal.
        turn: Turns of this deal that are over.
        round: Deals that are over.
        round_ended: Whether the last action or failure ended a deal.
        closer: Who closed the last deal, None if it was void.
        form: The number of its form.
        scores: By seat the score of the last deal.
        totals: By seat the sum of the scores.
        rounds_won: By seat the deals closed.
    """

    def __init__(
        self,
        rules: TablaRules,
        num_players: int,
        deals: Iterable[PlainDeal],
        judge: Judge,
    ) -> None:
        """Start a match.

        Args:
            rules: The rules.
            num_players: How many seats there are.
            deals: One deal for each round, and one more for each new deal that is
                demanded; taken one by one when they are needed.
            judge: Tells which forms 14 tiles have.
        """
        self.rules = rules
        self.num_players = num_players
        self._deals = iter(deals)
        self._judge = judge
        self.round = 0
        self.round_ended = False
        self.closer: int | None = None
        self.form: int | None = None
        self.scores = [0] * num_players
        self.totals = [0] * num_players
        self.rounds_won = [0] * num_players
        self._begin_deal()

    # ------------------------------------------------------------------ the deal

    def _begin_deal(self) -> None:
        deal = next(self._deals)
        seats = range(self.num_players)
        self.starter = self.seat = self.round % self.num_players
        self.racks: list[Tiles] = [Counter(rack) for rack in deal.racks]
        self.known: list[list[Tiles]] = [[Counter() for _ in seats] for _ in seats]
        self.discarded: list[Tiles] = [Counter() for _ in seats]
        self.row: list[int] = []
        self.pool = list(deal.pool)
        self.atu = deal.atu
        self.declared: list[set[int]] = [set() for _ in seats]
        self.doubles = [[0, 0] for _ in seats]
        self.exchanges = [[0] * self.num_players for _ in seats]
        self.taken: int | None = None
        self.drew: int | None = None
        self.turn = 0
        self._twin_holder: int | None = None
        if self.rules.atu_twin_bonus:
            for seat in seats:
                if self.racks[seat][self.atu]:
                    self._twin_holder = seat
                    for other in self._others(seat):
                        self.known[other][seat][self.atu] = 1
        rules = self.rules
        asks = rules.exchange_doubles or rules.refuse_with_three_doubles
        self.phase: Literal["doubles", "draw", "discard", "over"]
        self.phase = "doubles" if asks else "discard"

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(self.num_players) if other != seat]

    def _pairs(self, seat: int) -> list[int]:
        pairs = [kind for kind, count in self.racks[seat].items() if count == 2]
        return sorted(kind for kind in pairs if kind != JOKER)

    def _exchange(self) -> None:
        order = [
            (self.starter + step) % self.num_players for step in range(self.num_players)
        ]
        for low in (True, False):
            waiting = [
                (seat, kind)
                for seat in order
                for kind in sorted(self.declared[seat])
                if (2 <= number_of(kind) <= 9) == low
            ]
            for seat, _ in waiting:
                self.doubles[seat][0 if low else 1] += 1
            while waiting:
                seat, kind = waiting.pop(0)
                partner = next((entry for entry in waiting if entry[0] != seat), None)
                if partner is not None:
                    waiting.remove(partner)
                    self._swap(seat, kind, *partner)
        self.declared = [set() for _ in order]

    def _swap(self, seat: int, kind: int, other: int, other_kind: int) -> None:
        for giver, taker, tile in ((seat, other, kind), (other, seat, other_kind)):
            self.racks[giver][tile] -= 1
            self.racks[taker][tile] += 1
            self.exchanges[giver][taker] += 1
            for tile_known in (kind, other_kind):
                self.known[giver][taker][tile_known] = 1

    # ------------------------------------------------------------------ acting

    def legal_actions(self) -> set[int]:
        """Return the actions that are legal now."""
        if self.phase == "over":
            return set()
        if self.phase == "doubles":
            return self._declarations()
        if self.phase == "draw":
            return {DRAW_POOL, DRAW_ROW} if self._row_open() else {DRAW_POOL}
        rack = self.racks[self.seat]
        legal = {kind for kind in rack if rack[kind] and kind != self.taken}
        for kind in +rack:
            rest = rack - Counter([kind])
            if self._paying(rest):
                legal.add(CLOSE + kind)
        return legal

    def _declarations(self) -> set[int]:
        declared = self.declared[self.seat]
        pairs = self._pairs(self.seat)
        legal = {DECLARED}
        if self.rules.exchange_doubles:
            legal |= {kind for kind in pairs if kind > max(declared, default=-1)}
        if self.rules.refuse_with_three_doubles and len(pairs) >= 3 and not declared:
            legal.add(NEW_DEAL)
        return legal

    def _row_open(self) -> bool:
        rules = self.rules
        if not rules.draw_discard or not self.row:
            return False
        if self.row[-1] == JOKER and not rules.discard_joker_takeable:
            return False
        return not (rules.opening_discard_dead and self.turn == 1)

    def _paying(self, shown: Tiles) -> list[tuple[int, int]]:
        """Return points and number of the forms that are played and may be shown."""
        jokers = shown[JOKER]
        return [
            (points_of(form, self.rules.points)[jokers], form.number)
            for number in self._judge(tuple(shown.elements()))
            for form in [FORMS[number - 1]]
            if self.rules.plays(form.name)
            and not (jokers and form.name in self.rules.natural_only_forms)
        ]

    def act(self, action: int) -> None:
        """Perform a legal action of the seat to act."""
        self.round_ended = False
        if self.phase == "doubles":
            if action == NEW_DEAL:
                self._begin_deal()
            elif action == DECLARED:
                self._end_declaration()
            else:
                self.declared[self.seat].add(action)
        elif action == DRAW_POOL:
            self._draw_pool()
        elif action == DRAW_ROW:
            self.taken = self.row.pop()
            self.racks[self.seat][self.taken] += 1
            for other in self._others(self.seat):
                self.known[other][self.seat][self.taken] += 1
            self.phase = "discard"
        elif action < CLOSE:
            self._discard(action)
        else:
            self._throw(action - CLOSE)
            self._end_deal(self.seat, action - CLOSE)

    def fail_turn(self) -> None:
        """End the turn of a seat that tried something illegal."""
        self.round_ended = False
        if self.phase == "doubles":
            self._end_declaration()
            return
        if self.phase == "draw":
            self._draw_pool()
            if self.round_ended:
                return
        loose = [kind for kind in +self.racks[self.seat] if kind != self.taken]
        self._discard(min(loose) if self.drew is None else self.drew)

    def _end_declaration(self) -> None:
        self.seat = (self.seat + 1) % self.num_players
        if self.seat == self.starter:
            self._exchange()
            self.phase = "discard"

    def _draw_pool(self) -> None:
        if not self.pool:
            self._end_deal(None, None)
            return
        self.drew = self.pool.pop(0)
        self.racks[self.seat][self.drew] += 1
        self.phase = "discard"

    def _throw(self, kind: int) -> None:
        self.racks[self.seat][kind] -= 1
        for other in self._others(self.seat):
            known = self.known[other][self.seat]
            known[kind] = max(known[kind] - 1, 0)
        self.row.append(kind)
        self.discarded[self.seat][kind] += 1

    def _discard(self, kind: int) -> None:
        self._throw(kind)
        self.taken = self.drew = None
        self.turn += 1
        self.seat = (self.seat + 1) % self.num_players
        self.phase = "draw"
        can_draw = self.pool or (self.rules.row_draw_on_empty and self._row_open())
        if not can_draw or self.turn == self.rules.turn_cap:
            self._end_deal(None, None)

    # ------------------------------------------------------------------ scoring

    def _end_deal(self, closer: int | None, thrown: int | None) -> None:
        rules = self.rules
        doubled = rules.atu_doubles and (self.atu == JOKER or number_of(self.atu) == 1)
        payments = []
        self.closer, self.form = closer, None
        if closer is not None:
            # The most points, and of equal ones the lowest number.
            points, number = min(
                self._paying(self.racks[closer]), key=lambda pair: (-pair[0], pair[1])
            )
            self.form = number
            if thrown == JOKER:
                points *= rules.joker_close_multiplier
            payments.append((closer, points))
            self.rounds_won[closer] += 1
        if self._twin_holder is not None:
            payments.append((self._twin_holder, rules.atu_twin_bonus))
        self.scores = [0] * self.num_players
        for winner, points in payments:
            for loser in self._others(winner):
                self.scores[loser] -= points * (2 if doubled else 1)
                self.scores[winner] += points * (2 if doubled else 1)
        self.totals = [a + b for a, b in zip(self.totals, self.scores, strict=True)]
        self.round += 1
        self.round_ended = True
        reached = rules.target is not None and max(self.totals) >= rules.target
        most = rules.rounds
        if most is None:
            most = 100 if rules.target is not None else self.num_players
        if reached or self.round == most:
            self.phase = "over"
        else:
            self._begin_deal()

    def match_winners(self) -> set[int]:
        """Return the seats that won the match, several where they tie."""
        most = max(self.totals)
        return {seat for seat, total in enumerate(self.totals) if total == most}
