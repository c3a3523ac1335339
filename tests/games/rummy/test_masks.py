"""Which actions of Rummy are legal: masks of few cards, and what runs of three lead to.

Dead ends are rare in play: they need a rack of a few cards that fit the table.
"""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from rummi_env.core.card_melds import Ace, card_meld
from rummi_env.core.card_positions import CardPosition
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.games.rummy.engine import Engine
from rummi_env.games.rummy.state import LAY_GROUP, MELD_RUN
from rummi_env.observation.rummy.actions import cards_laid
from rummi_env.testing.rummy_pair import read
from rummi_env.testing.rummy_twin import Deal, Meld, RummyTwin, is_meld

ACES: tuple[Ace, ...] = ("low", "both", "corner")

RULES = [
    RummyRules(
        ace=ace,
        must_discard_last=discard,
        layoff_needs_own_meld=needs,
        max_melds_per_turn=most,
    )
    for ace, discard, needs, most in product(
        ACES, (False, True), (False, True), (None, 1)
    )
]


def any_meld(rng: random.Random, ace: str) -> Meld:
    while True:
        suit, step = rng.randrange(4), rng.randrange(13)
        size = rng.choice([3, 3, 4, 6])
        run = frozenset(suit * 13 + (step + i) % 13 for i in range(size))
        group = frozenset(s * 13 + step for s in rng.sample(range(4), min(size, 4)))
        meld = rng.choice([run, group])
        if is_meld(meld, ace):
            return meld


def few_cards(rng: random.Random, rules: RummyRules) -> CardPosition:
    """Draw a position after the draw: a table, and a rack of few cards around it."""
    table: list[Meld] = []
    for _ in range(rng.randrange(4)):
        meld = any_meld(rng, rules.ace)
        if meld.isdisjoint(card for other in table for card in other):
            table.append(meld)
    left = set(range(52)).difference(*table)
    fits = [
        card for card in left for meld in table if is_meld(meld | {card}, rules.ace)
    ]
    likely = [*fits, *fits, *(any_meld(rng, rules.ace) & left)]
    rack: set[int] = set()
    size = rng.randint(2, 5)
    while len(rack) < size:
        rack.add(rng.choice(likely if likely and rng.random() < 0.8 else [*left]))
    taken = rng.choice([None, *rack])
    return CardPosition(
        table=tuple(card_meld([*meld], rules.ace) for meld in table),
        racks=(tuple(sorted(rack)), (min(left - rack),)),
        has_drawn=True,
        taken=taken,
        laid=(rng.choice([0, 3]) if table else 0, 0),
    )


def twin_of(position: CardPosition, rules: RummyRules) -> RummyTwin:
    first, second = map(frozenset, position.racks)
    twin = RummyTwin(rules, 2, [Deal((first, second), 0, (), 0)])
    twin.phase = "play"
    twin.taken = position.taken
    twin.table = set(map(frozenset, position.table))
    twin.melded[0] = position.laid[0] > 0
    return twin


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_masks_of_few_cards_are_exact(rules: RummyRules) -> None:
    rng = random.Random(str(rules))
    engine = Engine(rules, 2)
    games = engine.new_games(1)
    engine.start(games, 0, 1)
    kept_back = 0
    for _ in range(300):
        position = few_cards(rng, rules)
        engine.place_position(games, 0, position)
        twin = twin_of(position, rules)
        legal = set(np.flatnonzero(games[0]["mask"]).tolist())
        named = {read(action, twin.table) for action in legal}
        assert named == twin.legal_actions(), position
        rack = set(position.racks[0])
        kept_back += any(
            action not in legal and rack.issuperset(cards_laid(action))
            for action in range(MELD_RUN, LAY_GROUP)
            if is_meld(cards_laid(action), rules.ace)
        )
    assert kept_back > 0


def reachable(twin: RummyTwin, rack: Meld) -> set[tuple[Meld, frozenset[Meld]]]:
    """Return every rack and table that a turn can come to before its discard."""
    ends = set()
    waiting = [(rack, frozenset(twin.table), 0, False)]
    seen = set(waiting)
    while waiting:
        held, table, melds, melded = waiting.pop()
        ends.add((held, table))
        for action in twin._steps(held, table, melds, melded):
            if action.name != "discard":
                new = table - {action.onto} | {action.cards | action.onto}
                meld = action.name == "meld"
                state = (held - action.cards, new, melds + meld, melded or meld)
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
    return ends


@pytest.mark.parametrize("ace", ["low", "both", "corner"])
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"max_melds_per_turn": 1, "layoff_needs_own_meld": True},
        {"max_melds_per_turn": 2, "must_discard_last": True},
    ],
    ids=str,
)
def test_melding_runs_of_three_loses_nothing(ace: Any, limits: dict[str, Any]) -> None:
    """Whatever long runs lead to, runs of three and lay-offs lead to as well."""
    rng = random.Random(f"{ace} {limits}")
    rules = RummyRules(ace=ace, **limits)
    longest = 0
    for _ in range(12):
        suits, first = rng.sample(range(4), 2), rng.randrange(13)
        cards = [
            suit * 13 + step % 13 for suit in suits for step in range(first, first + 6)
        ]
        rack = frozenset(rng.sample(cards, 10))
        others = tuple(set(range(52)) - rack)
        deal = Deal((rack, frozenset(others[:10])), others[10], others[11:], 0)
        short, long = (RummyTwin(rules, 2, [deal], tuple, size) for size in (3, 13))
        for twin in (short, long):
            twin.taken = min(rack)
        ends = reachable(long, rack)
        assert reachable(short, rack) == ends
        longest = max(longest, *(len(meld) for _, table in ends for meld in table), 0)
    assert longest > 4
