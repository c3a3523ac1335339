"""The compiled machine and its plain twin agree at every step of random games.

The twin is dealt what the machine dealt; everything else it works out by itself.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from rummi_env.core.deals import Deal
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_KINDS, counts_of, tiles_of
from rummi_env.games.rummikub.engine import Engine, Games
from rummi_env.games.rummikub.winners import match_shares
from rummi_env.solver.exact import TurnSolver
from rummi_env.testing.brute_force import are_together, joker_places
from rummi_env.testing.judges import END_TURN, Judge, Moment, brute_judge, plain_judge
from rummi_env.testing.twin import Twin

PHASES = ("redeal", "play", "over")
LAST_TURNS = (None, "drew", "passed", "laid", "failed")

MOST_STEPS = 5_000
"""Longer random games do not occur; one that does never ends."""


def opening_judge(moment: Moment) -> tuple[set[int], bool]:
    """Judge openings for rules that the plain solver does not know."""
    assert not (moment.table or moment.played or moment.opened)
    rack = counts_of(moment.rack.elements())
    turn = TurnSolver(moment.rules).turn("", rack, opened=False)
    return set(np.flatnonzero(turn.mask[:END_TURN]).tolist()), False


class Pair:
    """A game played by the machine and by the twin at once."""

    def __init__(
        self,
        rules: RuleSet,
        num_players: int,
        seed: int,
        judge: Judge = plain_judge,
    ) -> None:
        self.engine = Engine(rules, num_players)
        self.games: Games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed)
        self.twin = Twin(rules, num_players, self.deals(), judge)
        self.steps: list[int | str] = []

    @property
    def game(self) -> Any:
        return self.games[0]

    def deals(self) -> Iterator[Deal]:
        """Yield the deal of the round that the machine has just begun."""
        by_chance = self.engine.rules.starter in ("draw", "random")
        while True:
            game = self.game
            yield Deal(
                racks=tuple(map(tiles_of, game["racks"][: self.engine.num_players])),
                pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
                pool_rest=False,
                starter=int(game["starter"]) if by_chance else None,
            )

    def step(self, action: int | str) -> None:
        """Perform an action, or what befalls a turn, in both."""
        self.steps.append(action)
        if isinstance(action, int):
            self.engine.act(self.games, 0, action)
            self.twin.act(action)
        elif action == "fail":
            self.engine.fail_turn(self.games, 0)
            self.twin.fail_turn()
        else:
            self.engine.time_out(self.games, 0)
            self.twin.time_out()

    def machine_actions(self) -> set[int]:
        return set(np.flatnonzero(self.game["mask"]).tolist())

    def assert_alike(self) -> None:
        """Compare all that a game consists of, but the legal actions."""
        game, twin, players = self.game, self.twin, self.engine.num_players
        where = f"after {self.steps} under {self.engine.rules} with {players} players"
        machine = {
            "table": _multiset(game["table"]),
            "racks": list(map(_multiset, game["racks"][:players])),
            "played": _multiset(game["played"]),
            "named": tuple(kind for kind in game["named"].tolist() if kind >= 0),
            "known": list(map(_multiset, game["known"][:players])),
            "pool": game["pool"][game["drawn"] : game["pool_size"]].tolist(),
            "opened": list(map(bool, game["opened"][:players])),
            "last_turn": [LAST_TURNS[turn] for turn in game["last_turn"][:players]],
            "phase": PHASES[game["phase"]],
            "starter": game["starter"],
            "passes": game["passes"],
            "turns_left": None if game["turns_left"] < 0 else game["turns_left"],
            "turn": game["turn"],
            "actions": game["actions"],
            "round": game["round"],
            "round_ended": bool(game["round_ended"]),
        }
        for name, value in machine.items():
            assert value == getattr(twin, name), f"{name} {where}"
        if twin.phase != "over":
            assert game["seat"] == twin.seat, f"seat {where}"
        if twin.exact:
            assert _places(game["joker_sets"]) == joker_places(twin.melds), where
            assert bool(game["together"]) == are_together(twin.melds), where
        for name in ("scores", "totals", "rounds_won"):
            expected = list(map(float, getattr(twin, name)))
            assert game[name][:players] == pytest.approx(expected), f"{name} {where}"
            assert not game[name][players:].any(), f"{name} {where}"

    def assert_same_winners(self) -> None:
        shares = match_shares(self.games, 0, self.engine.codes)
        winners = self.twin.match_winners()
        expected = [
            (seat in winners) / len(winners) for seat in range(self.engine.num_players)
        ]
        assert shares == pytest.approx(expected), f"after {self.steps}"

    def assert_same_actions(self) -> None:
        where = f"after {self.steps} under {self.engine.rules}"
        assert self.machine_actions() == self.twin.legal_actions(), where


def _multiset(counts: Any) -> Counter[int]:
    return Counter(tiles_of(counts))


def _places(sets: Any) -> list[list[int]]:
    """Return the sets of kinds that a record holds as bits, as lists in order."""
    places = [
        [kind for kind in range(NUM_KINDS) if bits >> kind & 1]
        for bits in sets.tolist()
        if bits
    ]
    return sorted(places, key=lambda place: (-len(place), place))


def is_cheap(twin: Twin) -> bool:
    """Tell whether the judge answers about the moment in milliseconds."""
    rack = twin.racks[twin.seat].total()
    if twin.exact:
        return rack + twin.table.total() <= 12
    jokers = twin.table[JOKER] + twin.racks[twin.seat][JOKER]
    if twin.rules.num_tiles > 60:
        return not jokers and rack <= 16 and twin.table.total() <= 40
    return jokers * rack <= 12


def play(pair: Pair, rng: random.Random, trouble: float, ask: float = 1.0) -> int:
    """Play random legal actions to the end and compare at every step.

    Args:
        pair: The game.
        rng: Chooses the actions.
        trouble: How often a turn fails or runs out of time instead.
        ask: At how many of the cheap steps the legal actions are compared.

    Returns:
        How many rounds ended with nobody out.
    """
    pair.assert_alike()
    twin = pair.twin
    rounds_without_winner = 0
    while twin.phase != "over":
        if rng.random() < ask and is_cheap(twin):
            pair.assert_same_actions()
        was_laying = bool(twin.played)
        if rng.random() < trouble:
            pair.step(rng.choice(["fail", "time out"]))
        else:
            pair.step(rng.choice(sorted(pair.machine_actions())))
        pair.assert_alike()
        was_laid = was_laying and pair.steps[-1] == END_TURN
        rounds_without_winner += twin.round_ended and not was_laid
        assert len(pair.steps) < MOST_STEPS
    assert pair.machine_actions() == twin.legal_actions() == set()
    pair.assert_same_winners()
    return rounds_without_winner


ENDINGS = list(
    product(
        ("immediate", "one_more_turn", "until_stuck"),
        ("difference", "sum_minus_winner_once"),
        (False, True),
        (None, (7, 21)),
    )
)
"""pool_empty, pool_empty_scoring, must_play_when_pool_empty, unopened_penalty."""

SMALL_DECKS: list[dict[str, Any]] = [
    {"numbers": 6, "colors": 2, "copies": 2, "jokers": 1, "rack_size": 5},
    {"numbers": 6, "colors": 2, "copies": 1, "jokers": 2, "rack_size": 3},
    {"numbers": 6, "colors": 3, "copies": 1, "jokers": 1, "rack_size": 4},
    {"numbers": 6, "colors": 3, "copies": 2, "jokers": 0, "rack_size": 7},
    {"numbers": 4, "colors": 3, "copies": 2, "jokers": 1, "rack_size": 5},
    {"numbers": 3, "colors": 4, "copies": 2, "jokers": 0, "rack_size": 5},
    {"numbers": 5, "colors": 4, "copies": 1, "jokers": 1, "rack_size": 4},
    # Four players are dealt the whole deck.
    {"numbers": 5, "colors": 2, "copies": 2, "jokers": 0, "rack_size": 5},
]

TWO_JOKER_DECKS: list[dict[str, Any]] = [
    {"numbers": 4, "colors": 3, "copies": 2, "jokers": 2, "rack_size": 5},
    {"numbers": 5, "colors": 4, "copies": 1, "jokers": 2, "rack_size": 5},
]

OTHER_FIELDS: dict[str, list[Any]] = {
    "opening_points": [0, 6, 10, 18],
    "joker_rack_value": [30, 0, 7],
    "redeal_on_three_pairs": [False, True],
    "rounds": [1, 2, 3],
    "match_winner": ["points", "rounds_won"],
    "starter": ["draw", "random", "rotate", 0, 1],
    "illegal_penalty": [0, 3, 10],
    "timeout_penalty": [0, 1, 3],
    "unfinished_penalty": [1, 2, 3],
}


def small_rules(
    rng: random.Random, ending: tuple[Any, ...], decks: list[dict[str, Any]]
) -> RuleSet:
    """Return the rules of an ending with all other fields drawn at random."""
    pool_empty, scoring, must_play, unopened = ending
    fields = {name: rng.choice(values) for name, values in OTHER_FIELDS.items()}
    return RuleSet(
        pool_empty=pool_empty,
        pool_empty_scoring=scoring,
        must_play_when_pool_empty=must_play,
        unopened_penalty=unopened,
        **fields,
        **rng.choice(decks),
    )


def play_small_games(ending: tuple[Any, ...], number: int, seed: str) -> None:
    rng = random.Random(f"{seed} {ending}")
    without_winner = 0
    for game in range(number):
        rules = small_rules(rng, ending, SMALL_DECKS)
        pair = Pair(rules, rng.randint(2, 4), rng.getrandbits(64))
        without_winner += play(pair, rng, trouble=rng.choice([0.0, 0.05, 0.2]))
        if game % 7 == 0:
            rules = small_rules(rng, ending, TWO_JOKER_DECKS)
            pair = Pair(rules, rng.randint(2, 4), rng.getrandbits(64))
            without_winner += play(pair, rng, trouble=0.1, ask=0.5)
    assert without_winner > 0


@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_small_games_of_every_ending_agree_at_every_step(
    ending: tuple[Any, ...],
) -> None:
    play_small_games(ending, 7, "default")


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", ["official", "online"])
def test_full_games_agree_at_every_step(preset: str, num_players: int) -> None:
    rng = random.Random(f"{preset} {num_players}")
    for trouble in (0.0, 0.05):
        pair = Pair(RuleSet.preset(preset), num_players, rng.getrandbits(64))
        play(pair, rng, trouble, ask=0.1)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", ["sabra", "triple_s", "tournament"])
def test_full_games_by_the_other_presets_with_free_jokers_agree_at_every_step(
    preset: str, num_players: int
) -> None:
    rng = random.Random(f"{preset} {num_players}")
    rules = RuleSet.preset(
        preset, joker_release="free", manipulate_on_opening_turn=False
    )
    # The plain solver takes minutes for the unopened racks at the end of a full game.
    rules = rules.replace(unopened_penalty=None)
    play(Pair(rules, num_players, rng.getrandbits(64)), rng, 0.05, ask=0.02)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize(
    "fields",
    [{"manipulate_on_opening_turn": True}, {"jokers_per_meld": 1}],
    ids=str,
)
def test_games_by_rules_unknown_to_the_plain_solver_agree_but_for_the_masks(
    fields: dict[str, Any], num_players: int
) -> None:
    rng = random.Random(f"{fields} {num_players}")
    for ending in ENDINGS[1::4]:
        rules = small_rules(rng, ending, TWO_JOKER_DECKS).replace(**fields)
        pair = Pair(rules, num_players, rng.getrandbits(64), opening_judge)
        play(pair, rng, trouble=0.05, ask=0.0)


EXACT_DECKS: list[dict[str, Any]] = [
    {"numbers": 6, "colors": 2, "copies": 1, "jokers": 2, "rack_size": 3},
    {"numbers": 4, "colors": 3, "copies": 1, "jokers": 2, "rack_size": 3},
    {"numbers": 3, "colors": 4, "copies": 1, "jokers": 2, "rack_size": 3},
    {"numbers": 6, "colors": 2, "copies": 1, "jokers": 1, "rack_size": 3},
]

EXACT_FIELDS = [
    {
        "joker_release": "exact",
        "joker_source": source,
        "joker_reuse": reuse,
        "jokers_per_meld": per_meld,
        "manipulate_on_opening_turn": manipulate,
    }
    for source, reuse, per_meld, manipulate in product(
        ("rack", "rack_or_table"),
        ("any_meld", "new_meld_from_rack"),
        (1, 2),
        (False, True),
    )
]


def play_exact_games(fields: dict[str, Any], number: int, seed: str) -> None:
    rng = random.Random(f"{seed} {fields}")
    named = 0
    for _ in range(number):
        rules = small_rules(rng, rng.choice(ENDINGS), EXACT_DECKS)
        rules = rules.replace(opening_points=rng.choice([0, 6, 9]), **fields)
        pair = Pair(rules, rng.randint(2, 4), rng.getrandbits(64), brute_judge)
        play(pair, rng, trouble=rng.choice([0.0, 0.05]), ask=0.5)
        named += sum(type(s) is int and s > END_TURN for s in pair.steps)
    assert named > 0


@pytest.mark.parametrize("fields", EXACT_FIELDS, ids=str)
def test_small_games_with_exact_jokers_agree_at_every_step(
    fields: dict[str, Any],
) -> None:
    play_exact_games(fields, 8, "default")


@pytest.mark.slow
@pytest.mark.parametrize("fields", EXACT_FIELDS, ids=str)
def test_many_small_games_with_exact_jokers_agree_at_every_step(
    fields: dict[str, Any],
) -> None:
    play_exact_games(fields, 150, "long")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_many_small_games_of_every_ending_agree_at_every_step(
    ending: tuple[Any, ...],
) -> None:
    play_small_games(ending, 150, "long")


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", ["official", "online"])
def test_many_full_games_agree_at_every_step(preset: str, num_players: int) -> None:
    rng = random.Random(f"long {preset} {num_players}")
    for _ in range(100):
        pair = Pair(RuleSet.preset(preset), num_players, rng.getrandbits(64))
        play(pair, rng, rng.choice([0.0, 0.02, 0.1]), ask=0.02)
