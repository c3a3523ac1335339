"""Turns given as the table that they leave, judged and performed.

A person lays tiles where they like; `rummi_env.core.verify` says whether the table is
legal, and the turn machine performs the turn as the actions that play the same tiles.
The melds stay as the person has laid them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from rummi_env.core.errors import IllegalAction
from rummi_env.core.melds import Meld, meld_of
from rummi_env.core.notation import parse_entries
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, Counts, tile_name, tiles_of
from rummi_env.core.verify import verify_turn
from rummi_env.envs.match import Match
from rummi_env.envs.rummikub import Rummikub
from rummi_env.games.rummikub.state import END_TURN
from rummi_env.solver.exact import joker_sets
from rummi_env.solver.unions import FIRST_NAME


@dataclass(frozen=True)
class LegalTurn:
    """A turn that can be ended."""

    played: Counts
    """Tiles from the rack, int8[53]."""

    melds: tuple[Meld, ...] | None
    """The table as it stays; None where it has to be laid anew.

    That is when exact jokers may stand for more if the same tiles lie otherwise: the
    rules let them, so the melds have to.
    """

    actions: tuple[int, ...]
    """What the seat does, the end of the turn included."""


def judge(match: Match, table: str) -> LegalTurn:
    """Judges the table that the seat to move wants to leave.

    Args:
        match: a match of Rummikub at the start of a turn; it is not changed.
        table: the melds in the notation.

    Raises:
        IllegalAction: something is wrong with it; the sentence says what.
    """
    rules = match.rules
    turn = match.turn()
    played = verify_turn(rules, turn.melds, turn.rack, table, turn.opened)
    melds = tuple(_bare(meld_of(tiles, rules), rules) for tiles in parse_entries(table))
    found: LegalTurn | None = None
    refused: IllegalAction | None = None
    for names in _namings(melds) if rules.joker_release == "exact" else [()]:
        tiles = [*tiles_of(played), *(FIRST_NAME + kind for kind in names)]
        try:
            actions, sets = _tried(match, tiles)
        except IllegalAction as error:
            refused = refused or error
            continue
        if sets is None or sets == _sets(melds):
            return LegalTurn(played, melds, tuple(actions))
        # With all jokers named, the last ways, they stand at least for what they did.
        found = LegalTurn(played, None, tuple(actions))
    if found is not None:
        return found
    # The rules have allowed the table: what is left is the limit of actions in a turn.
    assert refused is not None
    raise refused


def perform(match: Match, turn: LegalTurn) -> None:
    """Performs a turn that `judge` found legal, and keeps the melds as they lie."""
    game = match.game
    assert isinstance(game, Rummikub)
    for action in turn.actions:
        match.act(action)
    if turn.melds is not None and (match.over or not match.round_ended):
        game.show_table(turn.melds)


def show_tiles(match: Match, tiles: Counts) -> None:
    """Plays those of some tiles that can begin a legal turn, before it is lost.

    They are what the turn machine takes for tiles laid down: everybody has seen them
    when the turn is taken back, and a turn that runs out of time costs more with them.

    Args:
        match: a match of Rummikub at the start of a turn.
        tiles: tiles of the rack, int8[53].
    """
    for tile in tiles_of(tiles):
        if match.mask[tile]:
            match.act(tile)


def meld_told(tokens: Sequence[str], rules: RuleSet) -> dict[str, object]:
    """Returns what there is to say about the tiles of one meld.

    Returns:
        ``legal``; ``sentence``, what is wrong; for a legal meld ``tiles``, its tiles in
        order, and ``stands``, for each of them what a joker may stand for.

    Raises:
        IllegalAction: a token is no tile.
    """
    (entries,) = parse_entries(" ".join(tokens)) or ((),)
    try:
        meld = meld_of(entries, rules)
    except IllegalAction as error:
        return {"legal": False, "sentence": str(error)}
    return {"legal": True, **meld_words(meld)}


def meld_words(meld: Meld) -> dict[str, object]:
    """Returns the tiles of a meld as text, and what its jokers may stand for."""
    return {
        "tiles": str(meld).split(),
        "stands": [
            [tile_name(kind) for kind in sorted(place)] if tile == JOKER else []
            for tile, place in zip(meld.tiles, meld.places, strict=True)
        ],
    }


def _bare(meld: Meld, rules: RuleSet) -> Meld:
    """Returns a group without names of its jokers: they may stand for all it lacks."""
    return meld if meld.is_run else meld_of(meld.tiles, rules)


def _namings(melds: Sequence[Meld]) -> list[tuple[int, ...]]:
    """Returns ways to say what the jokers of a table are, fewest names first.

    The machine chooses what the jokers stand for that nobody names. Where it would
    choose otherwise than they lie, some have to be named.
    """
    places = [place for meld in melds for place in meld.identities]
    ways = product(*((None, *sorted(place)) for place in places))
    named = [tuple(kind for kind in way if kind is not None) for way in ways]
    return sorted(named, key=len)


def _tried(
    match: Match, actions: Sequence[int]
) -> tuple[list[int], tuple[object, ...] | None]:
    """Tries a turn on a copy of the match.

    Returns:
        The actions with the end of the turn, and what the jokers of the table may stand
        for after it; None where that says nothing: jokers are free, or the round ended.

    Raises:
        IllegalAction: one of the actions is illegal.
    """
    engine = match.engine
    games = match.games.view(np.uint8).copy().view(match.games.dtype)
    whole = [*actions, END_TURN]
    for number, action in enumerate(whole):
        if not games["mask"][0, action]:
            raise _refused(match, whole[:number], action)
        engine.act(games, 0, action)
    if match.rules.joker_release == "free" or games["round_ended"][0]:
        return whole, None
    sets = games["joker_sets"][0].tolist()
    return whole, _comparable(sets, bool(games["together"][0]))


def _refused(match: Match, before: Sequence[int], action: int) -> IllegalAction:
    """Returns what the game says about an action after some others."""
    trial = Match(match.rules, match.num_players)
    trial.load(match.save())
    for earlier in before:
        trial.act(earlier)
    return trial.refusal(action)


def _sets(melds: Sequence[Meld]) -> tuple[object, ...]:
    sets, together = joker_sets(melds)
    return _comparable(sets.tolist(), bool(together))


def _comparable(sets: Sequence[int], together: bool) -> tuple[object, ...]:
    """Returns what jokers may stand for, alike wherever it means the same."""
    some = sorted(bits for bits in sets if bits)
    # Jokers that stand for one tile each are the same wherever they lie.
    return (*some, together and any(bits.bit_count() > 1 for bits in some))
