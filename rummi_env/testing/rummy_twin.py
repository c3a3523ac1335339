"""The twin of Rummy's turn machine: the same rules once more, in plain Python.

It is written from the rules, not from the machine, and is the oracle of the machine's
tests, nothing else. It has no random numbers: every deal and every shuffled pool is
given. Cards are indices as in `rummi_env.core.cards`; paragraphs are those of part B of
the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from rummi_env.core.cards import rank_of, suit_of
from rummi_env.core.rummy_rules import MAX_HANDS, RummyRules

Meld: TypeAlias = frozenset[int]
"""The cards of a meld."""


class Action(NamedTuple):
    """One step of a turn: what is done, with which cards, onto which meld."""

    name: Literal["draw", "take", "meld", "lay off", "discard"]
    cards: Meld = frozenset()
    onto: Meld = frozenset()


class Deal(NamedTuple):
    """One deal: the racks, the card turned up, the pool, the next card first."""

    racks: tuple[Meld, ...]
    up: int
    pool: tuple[int, ...]
    starter: int


def is_meld(cards: Collection[int], ace: str) -> bool:
    """Tell whether cards are a group or a run (B.3)."""
    ranks = sorted(map(rank_of, cards))
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return True
    if len(set(map(suit_of, cards))) > 1:
        return False
    if ace == "corner":
        # Round the corner at most one card has no next one.
        return sum(rank % 13 + 1 not in ranks for rank in ranks) <= 1
    readings = [ranks]
    if ace == "both":
        readings.append(sorted(14 if rank == 1 else rank for rank in ranks))
    return any(
        reading == list(range(reading[0], reading[0] + len(reading)))
        for reading in readings
    )


def melds_in(rack: Collection[int], ace: str, longest_run: int) -> Iterator[Meld]:
    """Yield every group of a rack, and every run of up to so many cards."""
    for rank in range(1, 14):
        same = [card for card in rack if rank_of(card) == rank]
        for size in (3, 4):
            yield from map(frozenset, combinations(same, size))
    for suit in range(4):
        own = [card for card in rack if suit_of(card) == suit]
        for size in range(3, min(longest_run, len(own)) + 1):
            for cards in combinations(own, size):
                if is_meld(cards, ace):
                    yield frozenset(cards)


def card_value(card: int, rules: RummyRules) -> int:
    """Return what a card left on a rack is worth (B.7)."""
    rank = rank_of(card)
    if rank == 1:
        return 1 if rules.ace == "low" else 15
    return min(rank, 10)


def deadwood(rack: Meld, rules: RummyRules) -> int:
    """Return the least that cards outside of melds can be worth, trying all melds."""
    least = sum(card_value(card, rules) for card in rack)
    for meld in melds_in(rack, rules.ace, 13):
        # One after the other, every set of melds is taken out.
        least = min(least, deadwood(rack - meld, rules))
    return least


class RummyTwin:
    """A match of Rummy, as plain data.

    Everything may be read; only `act` and `fail_turn` change it.

    Attributes:
        racks: By seat the cards held.
        known: By seat the cards that everybody saw it get.
        table: The melds on the table.
        row: The discards, the top card last.
        pool: The face-down cards, the next one first.
        seat: Who is to act.
        phase: ``draw``, ``play`` or ``over``.
        taken: The card taken from the row in this turn.
        melds: Melds of this turn.
        laid: By seat the cards laid on the table in this hand.
        melded: By seat whether it has melded in this hand.
        recycles: New pools of this hand.
        turn: Turns of this hand that are over.
        round: Hands that are over.
        round_ended: Whether the last action or failure ended a hand.
        blocked: Whether the last hand that ended was blocked.
        scores: By seat the score of the last hand.
        totals: By seat the sum of the scores.
        rounds_won: By seat the hands won; those who tie share one equally.
    """

    def __init__(
        self,
        rules: RummyRules,
        num_players: int,
        deals: Iterable[Deal],
        shuffled: Callable[[], Iterable[int]] = tuple,
        longest_run: int = 3,
    ) -> None:
        """Start a match.

        Args:
            rules: The rules.
            num_players: How many seats there are.
            deals: One for each hand, taken when it is needed.
            shuffled: Says in which order chance put a new pool, the next card first.
            longest_run: Most cards of a run that is melded at once. Longer ones come
                about by laying off; the machine melds three.
        """
        self.rules = rules
        self.num_players = num_players
        self._deals = iter(deals)
        self._shuffled = shuffled
        self._longest_run = longest_run
        self.round = 0
        self.round_ended = self.blocked = False
        self.scores = [Fraction(0)] * num_players
        self.totals = [Fraction(0)] * num_players
        self.rounds_won = [Fraction(0)] * num_players
        self._new_hand()

    def _new_hand(self) -> None:
        deal = next(self._deals)
        if self.round == 0:
            self.starter = deal.starter
        else:
            self.starter = (self.starter + 1) % self.num_players
        self.racks = list(deal.racks)
        self.known: list[Meld] = [frozenset() for _ in deal.racks]
        self.row = [deal.up]
        self.pool = list(deal.pool)
        self.table: set[Meld] = set()
        self.laid: list[Meld] = [frozenset() for _ in deal.racks]
        self.melded = [False] * self.num_players
        self.recycles = self.turn = 0
        self._begin(self.starter)

    def _begin(self, seat: int) -> None:
        self.seat = seat
        self.phase: Literal["draw", "play", "over"] = "draw"
        self.taken: int | None = None
        self.melds = 0
        self._fresh = not self.laid[seat]

    # ----------------------------------------------------------------------- actions

    def legal_actions(self) -> set[Action]:
        """Return the actions of the seat to move that are legal (B.2 to B.5)."""
        if self.phase == "over":
            return set()
        if self.phase == "draw":
            actions = {Action("take")} if self.row else set()
            if self.pool or self._may_recycle():
                actions.add(Action("draw"))
            return actions
        return set(
            self._steps(
                self.racks[self.seat],
                frozenset(self.table),
                self.melds,
                self.melded[self.seat],
            )
        )

    def _steps(
        self, rack: Meld, table: frozenset[Meld], melds: int, melded: bool
    ) -> Iterator[Action]:
        """Yield the legal steps after the draw: those after which a turn can end."""
        for card in rack:
            # A card of the row may not go back at once (B.2).
            if card != self.taken:
                yield Action("discard", frozenset({card}))
        rules = self.rules
        if rules.melding == "hidden":
            return
        limit = rules.max_melds_per_turn
        if limit is None or melds < limit:
            for meld in melds_in(rack, rules.ace, self._longest_run):
                if self._can_end(rack - meld, table | {meld}, melds + 1, True):
                    yield Action("meld", meld)
        if melded or not rules.layoff_needs_own_meld:
            for onto in table:
                for card in rack:
                    longer = onto | {card}
                    if is_meld(longer, rules.ace):
                        new = table - {onto} | {longer}
                        if self._can_end(rack - {card}, new, melds, melded):
                            yield Action("lay off", frozenset({card}), onto)

    def _can_end(
        self, rack: Meld, table: frozenset[Meld], melds: int, melded: bool
    ) -> bool:
        """Tell whether a turn that has come so far can be ended (B.5)."""
        if not rack:
            return not self.rules.must_discard_last
        return next(self._steps(rack, table, melds, melded), None) is not None

    def act(self, action: Action) -> None:
        """Perform an action of the seat to move; that it is legal is not checked."""
        self.round_ended = False
        seat = self.seat
        if action.name == "draw":
            if not self.pool:
                self._recycle()
            card = self.pool.pop(0)
            self.racks[seat] |= {card}
            if self.recycles and self.rules.recycle == "turn_over":
                # Everybody has seen the cards of this pool in their order.
                self.known[seat] |= {card}
            self.phase = "play"
        elif action.name == "take":
            self.taken = self.row.pop()
            self.racks[seat] |= {self.taken}
            self.known[seat] |= {self.taken}
            self.phase = "play"
        else:
            self.racks[seat] -= action.cards
            self.known[seat] -= action.cards
            if action.name == "discard":
                self.row += action.cards
            else:
                self.table = self.table - {action.onto} | {action.cards | action.onto}
                self.laid[seat] |= action.cards
            if action.name == "meld":
                self.melds += 1
                self.melded[seat] = True
            self._follow(action.name == "discard")

    def fail_turn(self) -> None:
        """End a turn in which something illegal was tried, the plainest way."""
        if self.phase == "draw":
            legal = self.legal_actions()
            draw = Action("draw")
            self.act(draw if draw in legal else Action("take"))
        actions = self.legal_actions()
        discards = sorted(
            (-card_value(card, self.rules), card)
            for action in actions
            for card in action.cards
            if action.name == "discard"
        )
        if discards:
            self.act(Action("discard", frozenset({discards[0][1]})))
        else:
            # The card just taken is the only one left, and fits: it is laid off.
            self.act(next(iter(actions)))

    # ----------------------------------------------------------- the end of a turn

    def _may_recycle(self) -> bool:
        return (
            self.rules.recycle != "none"
            and self.recycles < self.rules.max_recycles
            and len(self.row) >= 2
        )

    def _recycle(self) -> None:
        """Make a new pool of the row (B.6)."""
        if self.rules.recycle == "shuffle":
            self.pool = list(self._shuffled())
            assert sorted(self.pool) == sorted(self.row[:-1])
            self.row = self.row[-1:]
        else:
            self.pool, self.row = self.row, []
        self.recycles += 1

    def _follow(self, ends_turn: bool) -> None:
        """See whether the seat is out, and pass the turn on after a discard."""
        rack = self.racks[self.seat]
        closed = (
            ends_turn
            and self.rules.melding == "hidden"
            and deadwood(rack, self.rules) == 0
        )
        if not rack or closed:
            self._score_out(self.seat)
            self._end_hand(blocked=False)
        elif ends_turn:
            self.turn += 1
            self._begin((self.seat + 1) % self.num_players)
            recycles = 0 if self.rules.recycle == "none" else self.rules.max_recycles
            used_up = not self.pool and self.recycles >= recycles
            if used_up or self.turn >= self.rules.max_turns:
                self._score_blocked()
                self._end_hand(blocked=True)

    # ---------------------------------------------------------- the end of a hand

    def _cost(self, seat: int) -> int:
        if self.rules.melding == "hidden":
            return deadwood(self.racks[seat], self.rules)
        return sum(card_value(card, self.rules) for card in self.racks[seat])

    def _score_out(self, out: int) -> None:
        """Score a hand that a seat went out of (B.7)."""
        costs = [self._cost(seat) for seat in range(self.num_players)]
        costs[out] = 0
        if self.rules.rummy_doubles and self._fresh:
            costs = [2 * cost for cost in costs]
        if self.rules.scoring == "penalty":
            self.scores = [Fraction(-cost) for cost in costs]
        else:
            self.scores = [Fraction(0)] * self.num_players
            self.scores[out] = Fraction(sum(costs))
        self.scores[out] += self.rules.going_out_bonus
        self.rounds_won[out] += 1

    def _score_blocked(self) -> None:
        """Score a hand that was blocked (B.6)."""
        costs = [self._cost(seat) for seat in range(self.num_players)]
        self.scores = [Fraction(0)] * self.num_players
        if self.rules.block_score == "each_penalty":
            self.scores = [Fraction(-cost) for cost in costs]
        if self.rules.block_score == "low_hand_wins":
            low = min(costs)
            winners = [seat for seat, cost in enumerate(costs) if cost == low]
            for seat in winners:
                self.rounds_won[seat] += Fraction(1, len(winners))
            if self.rules.scoring == "penalty":
                self.scores = [Fraction(low - cost) for cost in costs]
            else:
                for seat in winners:
                    self.scores[seat] = Fraction(
                        sum(cost - low for cost in costs), len(winners)
                    )

    def _end_hand(self, blocked: bool) -> None:
        self.blocked = blocked
        self.round_ended = True
        self.round += 1
        for seat, score in enumerate(self.scores):
            self.totals[seat] += score
        sign = -1 if self.rules.scoring == "penalty" else 1
        target = self.rules.target
        reached = target is not None and max(sign * t for t in self.totals) >= target
        if reached or self.round >= (self.rules.hands or MAX_HANDS):
            self.phase = "over"
        else:
            self._new_hand()
