"""What the solver or an agent would play."""

from __future__ import annotations

from typing import Any

from rummi_agents import make_agent
from rummi_agents.protocol import reset
from rummi_env.core.notation import format_tiles
from rummi_env.core.tiles import tile_name, tiles_of
from rummi_env.envs.match import Match
from rummi_env.games.rummikub.state import END_TURN
from rummi_env.observation import action_to_text
from rummi_env.solver import Play
from rummi_training.play.explicit import meld_words
from rummi_training.play.opponents import decide, question

SOLVER = {"tiles": "most tiles", "points": "most points"}
"""What the solver is asked for, and what that is called."""

MAX_ACTIONS = 200
"""More actions than any turn takes."""


def solver_hint(match: Match, objective: str) -> dict[str, Any]:
    """Returns the best turn by the solver.

    Args:
        match: a match of Rummikub at the start of a turn; it is not changed.
        objective: a key of `SOLVER`.
    """
    best: Play | None = match.turn().best(objective)
    if best is None:
        return _nothing(match, f"by {SOLVER[objective]}")
    points = "" if objective == "tiles" else f", {best.points} points"
    number = f"{best.tiles} tile{'s' if best.tiles != 1 else ''}"
    return {
        "sentence": f"The best play by {SOLVER[objective]}: "
        f"{format_tiles(best.counts)} ({number}{points}).",
        "tiles": [tile_name(tile) for tile in tiles_of(best.counts)],
        "melds": [meld_words(meld) for meld in best.table],
    }


def agent_hint(match: Match, spec: str, seed: int) -> dict[str, Any]:
    """Returns what an agent would do in this turn.

    Args:
        match: a match of Rummikub at the start of a turn; it is not changed.
        spec: what the agent is made from.
        seed: of the agent's chance.

    Raises:
        ValueError: there is no such agent, or it chose an illegal action.
    """
    agent = make_agent(spec, match.game.name)
    reset(agent)
    trial = Match(match.rules, match.num_players)
    trial.load(match.save())
    for number in range(MAX_ACTIONS):
        action = decide(agent, question(trial), (seed, number)).action
        if not 0 <= action < len(trial.mask) or not trial.mask[action]:
            raise ValueError(f"{spec} has chosen an illegal action: {action}")
        if trial.view(trial.seat).phase == "redeal":
            words = action_to_text(action, trial.rules, trial.view(trial.seat))
            return {"sentence": f"{spec} would {words}.", "tiles": [], "melds": None}
        if action == END_TURN:
            break
        trial.act(action)
    else:
        raise ValueError(f"{spec} does not end its turn")
    turn = trial.turn()
    if not turn.played.any():
        return _nothing(match, spec)
    return {
        "sentence": f"{spec} would play {format_tiles(turn.played)}.",
        "tiles": [tile_name(tile) for tile in tiles_of(turn.played)],
        "melds": [meld_words(meld) for meld in turn.table_after(turn.played)],
    }


def _nothing(match: Match, who: str) -> dict[str, Any]:
    can_draw = not match.turn().pool_empty
    doing = "draw a tile" if can_draw else "pass"
    sentence = (
        f"Nothing can be played: {doing}."
        if who.startswith("by ")
        else f"{who} would {doing}."
    )
    return {"sentence": sentence, "tiles": [], "melds": None}
