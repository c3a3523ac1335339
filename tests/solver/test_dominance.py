"""States that dominate others keep up with them, whatever comes."""

from itertools import product

import pytest

from rummi_env.solver.automata import (
    MAX_JOKERS,
    Automaton,
    explicit_automaton,
    implicit_automaton,
)
from rummi_env.solver.dominance import dominated_states
from rummi_env.solver.tables import MAX_TILES

AUTOMATA = [implicit_automaton(jokers) for jokers in range(MAX_JOKERS + 1)]


def price(automaton: Automaton, state: int, word: tuple[int, ...]) -> int | None:
    """Jokers that a state pays to read a word to its end, or None."""
    paid = 0
    for symbol in word:
        if automaton.step[state, symbol] < 0:
            return None
        paid += int(automaton.cost[state, symbol])
        state = int(automaton.step[state, symbol])
    return paid + int(automaton.final[state])


def words(automaton: Automaton, longest: int) -> list[tuple[int, ...]]:
    symbols = range(automaton.step.shape[1])
    return [
        word for size in range(longest + 1) for word in product(symbols, repeat=size)
    ]


def keeps_up(automaton: Automaton, state: int, other: int, left: int) -> bool:
    """Whether a state reads every word of up to six numbers as cheaply as another."""
    for word in words(automaton, 6):
        owed = price(automaton, other, word)
        if owed is not None and owed <= left:
            paid = price(automaton, state, word)
            if paid is None or paid > owed:
                return False
    return True


@pytest.mark.parametrize("jokers", range(MAX_JOKERS + 1))
def test_a_state_dominates_those_that_it_keeps_up_with_and_no_other(
    jokers: int,
) -> None:
    automaton = AUTOMATA[jokers]
    found = dominated_states(automaton, jokers)
    states = range(automaton.num_states)
    for left, state, other in product(range(jokers + 1), states, states):
        dominates = bool(found[left, state] >> other & 1)
        assert dominates == keeps_up(automaton, state, other, left)
    assert not found[jokers + 1 :].any()
    assert not found[:, automaton.num_states :].any()


def test_every_state_dominates_itself_and_domination_is_transitive() -> None:
    for automaton in (*AUTOMATA, explicit_automaton(MAX_TILES)):
        for row in dominated_states(automaton, MAX_JOKERS)[:, : automaton.num_states]:
            for state, others in enumerate(row.tolist()):
                assert others >> state & 1
                for other in range(automaton.num_states):
                    if others >> other & 1:
                        assert int(row[other]) & ~others == 0


def test_with_fewer_jokers_left_no_less_is_dominated() -> None:
    for jokers, automaton in enumerate(AUTOMATA):
        found = dominated_states(automaton, jokers)
        for left in range(jokers):
            assert not (found[left + 1] & ~found[left]).any()
