"""Many games moved on in one compiled call, whatever the game.

`make_advance` puts a game's own kernels together into the entry that a `Batch` calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rummi_env.solver.compiled import entry, kernel

RESET, STEP, PLAY_OUT, OBSERVE = range(4)
"""Operations: start the games anew; perform an action in each; let scripted players
finish the round; write what is seen, and nothing else."""

PENALTY, TERMINATE = range(2)
"""What an illegal action leads to."""

BY_SCORE, BY_DIFFERENCE, BY_WIN = range(3)
"""What is paid: scores, what they are above the mean of the others', or matches won; in
the order of `rummi_env.envs.keywords.REWARDS`."""

DISABLED, NEXT_STEP, SAME_STEP = range(3)
"""When a game that is over starts anew: never, with the next step, at once."""

CALLER = -1
"""In place of a scripted player: the caller decides."""

ANY_SEAT, ALL_SEATS = -1, -2
"""In place of the learner's seat: drawn for every match; every seat is the caller's."""


MAX_DEALS = 100
"""Deals tried until the caller has a decision; with full racks the first one does."""


class Kernels(NamedTuple):
    """A game's own compiled functions, as the batch calls them.

    ``tools`` is whatever scratch and tables they share.

    Attributes:
        focus: ``(tools, i)`` tells the tools which game comes next.
        start: ``(game, rules, tools)`` starts a match.
        act: ``(game, rules, tools, action)`` performs a legal action.
        refuse: ``(game, rules, tools)`` does what the rules do about an illegal one.
        play: ``(game, rules, tools, player)`` lets a scripted player do what it does
            next and returns how many actions that was.
        chance: ``(game, bound)`` draws a number with the game's own random numbers.
        is_over: ``(game)`` tells whether the match is over.
        shares: ``(game, rules, shares)`` sets each seat's share in winning the match.
        encode: ``(game, encoding, seat, out)`` writes an observation.
        encode_state: likewise, with what is hidden.
    """

    focus: Any
    start: Any
    act: Any
    refuse: Any
    play: Any
    chance: Any
    is_over: Any
    shares: Any
    encode: Any
    encode_state: Any


class Modes(NamedTuple):
    """How a batch is played.

    Attributes:
        learner: the learner's seat, `ANY_SEAT` or `ALL_SEATS`.
        opponents: int8[players - 1]; in the order of play after the learner, the
            scripted player of each seat, or `CALLER`.
        on_illegal: `PENALTY` or `TERMINATE`.
        illegal_reward: reward of an action that ends the match by being illegal.
        reward: `BY_SCORE`, `BY_DIFFERENCE` or `BY_WIN`.
        autoreset: `DISABLED`, `NEXT_STEP` or `SAME_STEP`.
    """

    learner: int
    opponents: NDArray[np.int8]
    on_illegal: int
    illegal_reward: float
    reward: int
    autoreset: int


class Outputs(NamedTuple):
    """What a call writes, for each game in its row.

    Attributes:
        observations: [games, S]; of the viewer.
        masks: int8[games, actions]; which actions of the seat to move are legal.
        rewards: float64[games, players]; by seat, unscaled, added to what is there.
        pending: float64[games, players]; what was earned before the first decision.
        over: int8[games]; whether the match has ended in this call.
        viewers: int8[games]; the seat that sees: the learner's, or the seat to move.
        seats: int8[games]; the seat to move.
        learners: int8[games]; the learner's seat, or `ALL_SEATS`.
        ended: int8[games]; whether the game waits to be started anew.
        fresh: int8[games]; whether the learner has decided nothing in the match yet.
        final: [games, S]; with `SAME_STEP` the last observation of a match.
        totals: float64[games, players]; by seat, the scores of the last match over.
        shares: float64[games, players]; by seat, the shares in winning it.
        states: float32[games, T]; the viewer's observation and what is hidden; T is 0
            where nobody asked for it.
        decisions: int64[games]; actions of all players so far.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    pending: NDArray[np.float64]
    over: NDArray[np.int8]
    viewers: NDArray[np.int8]
    seats: NDArray[np.int8]
    learners: NDArray[np.int8]
    ended: NDArray[np.int8]
    fresh: NDArray[np.int8]
    final: NDArray[Any]
    totals: NDArray[np.float64]
    shares: NDArray[np.float64]
    states: NDArray[np.float32]
    decisions: NDArray[np.int64]


def make_outputs(
    num_games: int,
    num_players: int,
    num_actions: int,
    size: int,
    obs_dtype: DTypeLike,
    state_size: int,
) -> Outputs:
    """Makes the outputs for so many games.

    Args:
        num_games: how many.
        num_players: how many play each.
        num_actions: how many actions there are.
        size: of an observation.
        obs_dtype: of its values.
        state_size: of an observation with what is hidden, or 0.
    """

    def rows(dtype: DTypeLike, *shape: int) -> NDArray[Any]:
        return np.zeros((num_games, *shape), dtype)

    return Outputs(
        observations=rows(obs_dtype, size),
        masks=rows(np.int8, num_actions),
        rewards=rows(np.float64, num_players),
        pending=rows(np.float64, num_players),
        over=rows(np.int8),
        viewers=rows(np.int8),
        seats=rows(np.int8),
        learners=rows(np.int8),
        ended=rows(np.int8),
        fresh=rows(np.int8),
        final=rows(obs_dtype, size),
        totals=rows(np.float64, num_players),
        shares=rows(np.float64, num_players),
        states=rows(np.float32, state_size),
        decisions=rows(np.int64),
    )


def make_advance(kernels: Kernels, module: str) -> Callable[..., None]:
    """Returns the compiled function that moves games of one kind on.

    Args:
        kernels: of the game.
        module: name of the module that has them.
    """
    focus, start, act, refuse, play, chance = kernels[:6]
    is_over, win_shares, encode, encode_state = kernels[6:]

    @kernel
    def pay(game, rules, reward, rewards):
        """Adds what the round that has just ended brings."""
        players = rules.num_players
        if reward == BY_SCORE:
            for seat in range(players):
                rewards[seat] += game.scores[seat]
        elif reward == BY_DIFFERENCE:
            total = game.scores[:players].sum()
            for seat in range(players):
                others = (total - game.scores[seat]) / (players - 1)
                rewards[seat] += game.scores[seat] - others
        elif is_over(game):
            shares = np.zeros(players)
            win_shares(game, rules, shares)
            losers = 0
            for seat in range(players):
                losers += shares[seat] == 0.0
            for seat in range(players):
                if losers > 0:
                    share = shares[seat]
                    rewards[seat] += share if share > 0.0 else -1.0 / losers

    @kernel
    def play_on(game, i, rules, modes, tools, rewards, out):
        """Lets scripted players act up to the caller's next decision."""
        learner = out.learners[i]
        while not is_over(game):
            if learner == ALL_SEATS:
                return
            step = (game.seat - learner) % rules.num_players
            if step == 0 or modes.opponents[step - 1] == CALLER:
                return
            out.decisions[i] += play(game, rules, tools, modes.opponents[step - 1])
            if game.round_ended:
                pay(game, rules, modes.reward, rewards)
        out.ended[i] = 1

    @kernel
    def begin(game, i, rules, modes, tools, out):
        """Starts a match that has a decision for the caller."""
        for _ in range(MAX_DEALS):
            start(game, rules, tools)
            learner = np.int64(modes.learner)
            if learner == ANY_SEAT:
                learner = chance(game, rules.num_players)
            out.learners[i] = learner
            out.ended[i] = 0
            out.fresh[i] = 1
            out.pending[i, :] = 0.0
            play_on(game, i, rules, modes, tools, out.pending[i], out)
            if not out.ended[i]:
                return

    @kernel
    def perform(game, i, action, rules, modes, tools, out):
        """Performs the caller's action and plays up to its next decision."""
        seat = game.seat
        if viewer_of(game, out.learners[i]) == seat:
            out.fresh[i] = 0
            out.rewards[i] += out.pending[i]
            out.pending[i, :] = 0.0
        # An opponent whose actions the caller gives may be the first to act.
        rewards = out.pending[i] if out.fresh[i] else out.rewards[i]
        out.decisions[i] += 1
        if game.mask[action]:
            act(game, rules, tools, action)
        elif modes.on_illegal == PENALTY:
            refuse(game, rules, tools)
        else:
            rewards[seat] += modes.illegal_reward
            out.ended[i] = 1
            return
        if game.round_ended:
            pay(game, rules, modes.reward, rewards)
        play_on(game, i, rules, modes, tools, rewards, out)

    @kernel
    def finish(game, i, rules, out):
        """Writes the results of a match."""
        out.totals[i, :] = game.totals[: rules.num_players]
        out.shares[i, :] = 0.0
        if is_over(game):
            win_shares(game, rules, out.shares[i])

    @kernel
    def play_out(game, i, players, rules, modes, tools, out):
        """Lets scripted players finish the round."""
        game.round_ended = 0
        while not is_over(game) and not game.round_ended:
            out.decisions[i] += play(game, rules, tools, players[game.seat])
        if game.round_ended:
            pay(game, rules, modes.reward, out.rewards[i])

    @entry(module=module)
    def advance(
        operation, games, indices, first, last, actions, rules, encodings, modes, tools,
        out,
    ):  # fmt: skip
        """Performs an operation in the games ``indices[first:last]``.

        Args:
            operation: `RESET`, `STEP`, `PLAY_OUT` or `OBSERVE`.
            games: records.
            indices: int64[...]; which of them.
            first: first place in ``indices``.
            last: the place after the last.
            actions: int64[...]; the action of each place in ``indices``; for `PLAY_OUT`
                int64[players], the scripted player of each seat.
            rules: the rules in numbers.
            encodings: for the encoders of observations and of states.
            modes: `Modes`.
            tools: for the kernels.
            out: `Outputs`.
        """
        for place in range(first, last):
            i = indices[place]
            game = games[i]
            focus(tools, i)
            begins = operation == RESET
            if operation == PLAY_OUT:
                play_out(game, i, actions, rules, modes, tools, out)
                continue
            if operation == STEP:
                out.over[i] = 0
                if not out.ended[i]:
                    perform(game, i, actions[place], rules, modes, tools, out)
                    if out.ended[i] and out.fresh[i]:
                        begins = True  # As in `begin`: the learner had no decision.
                    elif out.ended[i]:
                        out.over[i] = 1
                        finish(game, i, rules, out)
                        begins = modes.autoreset == SAME_STEP
                        if begins:
                            viewer = viewer_of(game, out.learners[i])
                            encode(game, encodings[0], viewer, out.final[i])
                else:
                    begins = modes.autoreset == NEXT_STEP
            if begins:
                begin(game, i, rules, modes, tools, out)
            viewer = viewer_of(game, out.learners[i])
            out.viewers[i] = viewer
            out.seats[i] = game.seat
            encode(game, encodings[0], viewer, out.observations[i])
            if out.states.shape[1] > 0:
                encode_state(game, encodings[1], viewer, out.states[i])
            for action in range(out.masks.shape[1]):
                out.masks[i, action] = 0 if out.ended[i] else game.mask[action]

    advance_function: Callable[..., None] = advance
    return advance_function


@kernel
def viewer_of(game, learner):
    """The seat that sees: the learner's, or the one to move."""
    return np.int64(game.seat) if learner == ALL_SEATS else np.int64(learner)
