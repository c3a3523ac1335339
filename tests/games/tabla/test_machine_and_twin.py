"""The compiled machine and its plain twin agree at every step of random deals.

The twin is dealt what the machine dealt; everything else it works out by itself.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rummi_env.core.forms import FORMS
from rummi_env.core.tabla_rules import TablaRules
from rummi_env.core.tiles import JOKER, counts_of, tiles_of
from rummi_env.games.tabla.engine import Engine, Games
from rummi_env.games.tabla.solver import FormSolver
from rummi_env.testing.tabla_forms import slow_forms
from rummi_env.testing.tabla_twin import CLOSE, Judge, PlainDeal, TablaTwin

PHASES = ("doubles", "draw", "discard", "over")
ALL = tuple(form.name for form in FORMS)

MOST_STEPS = 20_000
"""Longer random matches do not occur; one that does never ends."""


def compiled_judge() -> Judge:
    """Judge by the form solver, which has tests of its own."""
    solver = FormSolver(TablaRules(forms=ALL))
    return lambda tiles: {form.number for form in solver.forms(counts_of(tiles))}


def ratio_judge() -> Judge:
    solver = FormSolver(TablaRules(forms=ALL, joker_ratio="2_real_per_joker"))
    return lambda tiles: {form.number for form in solver.forms(counts_of(tiles))}


def plain_judge(tiles: tuple[int, ...]) -> set[int]:
    """Judge by brute force, but jokers only by the form solver, as they take long."""
    return COMPILED(tiles) if JOKER in tiles else slow_forms(tiles)


COMPILED = compiled_judge()
RATIO = ratio_judge()


class Pair:
    """A match played by the machine and by the twin at once."""

    def __init__(
        self, rules: TablaRules, num_players: int, seed: int, judge: Judge
    ) -> None:
        self.engine = Engine(rules, num_players)
        self.games: Games = self.engine.new_games(1)
        self.engine.start(self.games, 0, seed)
        self.twin = TablaTwin(rules, num_players, self.deals(), judge)
        self.steps: list[int | str] = []

    @property
    def game(self) -> Any:
        return self.games[0]

    def deals(self) -> Iterator[PlainDeal]:
        """Yield the deal that the machine has just begun."""
        while True:
            game = self.game
            yield PlainDeal(
                racks=tuple(map(tiles_of, game["racks"][: self.engine.num_players])),
                atu=int(game["atu"]),
                pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
            )

    def step(self, action: int | str) -> None:
        """Perform an action, or what befalls a turn, in both."""
        self.steps.append(action)
        if isinstance(action, int):
            self.engine.act(self.games, 0, action)
            self.twin.act(action)
        else:
            self.engine.fail_turn(self.games, 0)
            self.twin.fail_turn()

    def machine_actions(self) -> set[int]:
        return set(np.flatnonzero(self.game["mask"]).tolist())

    def assert_alike(self) -> None:
        """Compare all that a game consists of."""
        game, twin, players = self.game, self.twin, self.engine.num_players
        where = f"after {self.steps[-30:]} under {self.engine.rules}, {players} players"
        if twin.phase != "over":
            machine = {
                "racks": list(map(_multiset, game["racks"][:players])),
                "known": [
                    list(map(_multiset, known[:players]))
                    for known in game["known"][:players]
                ],
                "row": game["row"][: game["row_size"]].tolist(),
                "discarded": list(map(_multiset, game["discarded"][:players])),
                "pool": game["pool"][game["drawn"] : game["pool_size"]].tolist(),
                "atu": game["atu"],
                "declared": [
                    {kind for kind in range(JOKER) if int(bits) >> kind & 1}
                    for bits in game["declared"][:players]
                ],
                "doubles": game["doubles"][:players].tolist(),
                "exchanges": game["exchanges"][:players, :players].tolist(),
                "taken": _some(game["taken"]),
                "drew": _some(game["drew"]),
                "seat": game["seat"],
                "starter": game["starter"],
                "turn": game["turn"],
            }
            for name, value in machine.items():
                assert value == _plain(getattr(twin, name)), f"{name} {where}"
        assert PHASES[game["phase"]] == twin.phase, where
        assert game["round"] == twin.round, where
        assert bool(game["round_ended"]) == twin.round_ended, where
        assert _some(game["closer"]) == twin.closer, where
        form = _some(game["form"])
        assert (None if form is None else form + 1) == twin.form, where
        for name in ("scores", "totals", "rounds_won"):
            assert game[name][:players].tolist() == getattr(twin, name), name + where
            assert not game[name][players:].any(), f"{name} {where}"
        assert self.machine_actions() == twin.legal_actions(), where


def _multiset(counts: Any) -> Counter[int]:
    return Counter(tiles_of(counts))


def _plain(value: Any) -> Any:
    """Leave kinds of which there is none out of counters."""
    if isinstance(value, Counter):
        return +value
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


def _some(value: Any) -> int | None:
    return None if value < 0 else int(value)


def play(pair: Pair, rng: random.Random, trouble: float) -> tuple[int, int]:
    """Play to the end of the match and compare at every step.

    Mostly a rack is steered towards a form, as deals by chance alone never close.

    Returns:
        How many deals were closed and how many were void.
    """
    pair.assert_alike()
    closed = void = 0
    while pair.twin.phase != "over":
        legal = sorted(pair.machine_actions())
        if rng.random() < trouble:
            pair.step("fail")
        elif rng.random() < 0.2 or pair.twin.phase == "doubles":
            pair.step(rng.choice(legal))
        else:
            pair.step(pair.engine.scripted_action(pair.games, 0, "nearest_form"))
        pair.assert_alike()
        if pair.twin.round_ended:
            closed += pair.twin.closer is not None
            void += pair.twin.closer is None
        assert len(pair.steps) < MOST_STEPS
    winners = pair.twin.match_winners()
    shares = [
        (seat in winners) / len(winners) for seat in range(pair.engine.num_players)
    ]
    assert pair.engine.match_shares(pair.games, 0).tolist() == shares
    return closed, void


OPTIONS: dict[str, list[Any]] = {
    "points": ["ours", "hk", "ropet", "flat"],
    "natural_only_forms": [(), ("joc_simplu", "mozaic"), ALL],
    "joker_close_multiplier": [1, 2, 3],
    "atu_twin_bonus": [0, 100],
    "atu_doubles": [False, True],
    "exchange_doubles": [True, True, False],
    "refuse_with_three_doubles": [False, True],
    "draw_discard": [True, True, False],
    "opening_discard_dead": [False, True],
    "discard_joker_takeable": [False, True],
    "turn_cap": [400, 400, 60, 9],
    "rounds": [None, 1, 2],
    "target": [None, None, 500],
}


def some_rules(rng: random.Random) -> TablaRules:
    """Return rules with every option drawn at random."""
    fields = {name: rng.choice(values) for name, values in OPTIONS.items()}
    forms = rng.sample(ALL, rng.randint(8, len(ALL)))
    fields["row_draw_on_empty"] = fields["draw_discard"] and rng.random() < 0.5
    fields["forms"] = tuple({"joc_simplu", *forms})
    if fields["target"]:
        # The twin needs no hundred void deals.
        fields["rounds"] = 2
    return TablaRules(**fields)


def play_matches(number: int, seed: str) -> None:
    rng = random.Random(seed)
    closed = void = 0
    for _ in range(number):
        rules = some_rules(rng)
        pair = Pair(rules, rng.randint(2, 4), rng.getrandbits(64), COMPILED)
        more = play(pair, rng, rng.choice([0.0, 0.02, 0.1]))
        closed += more[0]
        void += more[1]
    assert closed > number // 5
    assert void > number // 5


def test_matches_under_every_option_agree_at_every_step() -> None:
    play_matches(12, "default")


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_matches_of_the_default_rules_agree_with_plain_forms_too(
    num_players: int,
) -> None:
    rng = random.Random(num_players)
    rules = TablaRules(rounds=1)
    play(Pair(rules, num_players, rng.getrandbits(64), plain_judge), rng, 0.01)


def test_matches_with_the_joker_ratio_agree_at_every_step() -> None:
    rng = random.Random("ratio")
    rules = TablaRules(joker_ratio="2_real_per_joker", rounds=2)
    for players in (2, 4):
        play(Pair(rules, players, rng.getrandbits(64), RATIO), rng, 0.01)


def test_a_target_ends_a_match_and_a_hundred_deals_do_at_last() -> None:
    rng = random.Random("target")
    pair = Pair(TablaRules(target=300, turn_cap=80), 2, 5, COMPILED)
    play(pair, rng, 0.0)
    assert max(pair.twin.totals) >= 300
    pair = Pair(
        TablaRules(target=300, turn_cap=1, exchange_doubles=False), 2, 5, COMPILED
    )
    assert play(pair, rng, 0.0) == (0, 100)


def test_the_row_may_be_drawn_from_when_the_pool_is_empty_if_the_rules_say_so() -> None:
    rng = random.Random("row")
    rules = TablaRules(row_draw_on_empty=True, rounds=1, forms=("monocolor_royala",))
    pair = Pair(rules, 2, 1, COMPILED)
    offered = 0
    while pair.twin.phase != "over" and len(pair.steps) < 700:
        legal = sorted(pair.machine_actions())
        offered += not pair.twin.pool and pair.twin.phase == "draw"
        pair.step(legal[-1] if not pair.twin.pool else rng.choice(legal))
        pair.assert_alike()
    assert offered > 10


@pytest.mark.slow
def test_many_matches_under_every_option_agree_at_every_step() -> None:
    play_matches(600, "long")


def test_actions_have_the_numbers_that_the_twin_knows() -> None:
    rules = TablaRules(refuse_with_three_doubles=True)
    pair = Pair(rules, 2, 3, COMPILED)
    assert pair.engine.num_actions == 2 * CLOSE + 4
