"""Rummy pe tabla for PettingZoo: two to four agents, hidden racks, 28 closing forms.

| | |
|---|---|
| Import | `from rummi_env import tabla_v0` |
| Make | `pettingzoo.make("aec", "rummi/tabla-v0")` (from 1.27 on) |
| Actions | `Discrete(109)`; one more with `refuse_with_three_doubles` |
| Observations | dict of `observation` (Box float32) and `action_mask` (Box int8) |
| Agents | `player_0` to `player_3`, two of them by default |
| Parallel API | no |

Nothing is laid down before the end: players draw and discard until one of them has 14
tiles that show a form, throws the fifteenth and closes. The rarer the form, the more
the others pay. **An agent acts several times in a row**: it draws, then discards or
closes; before the first turn doubles may be declared, and exchanged.
`agent_selection` says whose action it is.

    from rummi_env import tabla_v0

    env = tabla_v0.env(num_players=3, rules="ours")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()

## Arguments

| argument | default | values |
|---|---|---|
| `num_players` | 2 | 2 to 4 |
| `rules` | None | a `TablaRules` or the name of a preset; `"ours"` by default |
| `render_mode` | None | `"ansi"`, `"svg"`, `"rgb_array"` or `"human"` |
| `reveal` | False | True: `render()` shows the hidden racks as well |
| `on_illegal` | `"penalty"` | see below |
| `obs_type` | `"flat"` | `"flat"`: one array; `"dict"`: by name; `"history"`: below |
| `reward` | `"score"` | `"score"`, `"difference"` or `"win"`: see below |
| `reward_scale` | 1.0 | a number above 0 that multiplies all rewards |
| `record` | None | file that games are appended to; see `rummi_env.records` |

The presets `ours`, `hk`, `ropet` and `flat` differ in what the forms pay. `TablaRules`
documents every option and where it comes from. `turn_clock` is refused, as the rules
set no time.

An illegal action ends the turn (`"penalty"`: doubles are declared no more; a tile is
drawn from the pool if none was, and discarded again, or the tile of the lowest kind if
there is none to give back), ends the match and counts as lost (`"terminate"`), or
raises an `IllegalAction` that says why and changes nothing (`"raise"`). A number that
is no action at all is refused: by `raw_env` with a ValueError, by `env` with the
assertion of PettingZoo's wrapper.

## Observation

One float32 array whose slices `rummi_env.observation.tabla.fields(rules, num_players)`
names, with scales and bounds. Counts of tiles are by kind, `color * 13 + number - 1`
with the colors black, red, blue, orange, and 52 for the joker. Players are counted from
the observer on.

| field | shape | what it says |
|---|---|---|
| `rack` | 53 | own rack |
| `row` | 53 | discards that lie in the open |
| `last_discard` | 53 | the discard that was made last |
| `taken` | 53 | the tile that was drawn from the row in this turn |
| `atu` | 53 | the tile that was turned face up |
| `declared` | 53 | doubles that the observer has declared so far |
| `known` | players - 1, 53 | tiles that the observer knows to be on other racks |
| `discarded` | players, 53 | all that each player has discarded |
| `doubles` | players, 2 | low and high doubles that each player has declared |
| `exchanges` | players, players | tiles that each two players have exchanged |
| `last_draw` | players, 3 | none, pool, row |
| `pool_size` | 1 | tiles left in the pool, by the whole deck |
| `to_move` | players | who is to act |
| `starter` | players | who had the first turn |
| `phase` | 4 | doubles are declared, a draw, a discard, all is over |
| `turn` | 1 | turns of this deal that are over, by the most there can be |
| `round` | 1 | deals that are over, by those of the match |
| `rounds` | 1 | deals of the match, by the most there can be |
| `totals` | players | scores so far, by what the best form played pays |
| `rounds_won` | players | deals closed, by those of the match |

With `obs_type="history"` an agent is given all that it has seen since the reset, or
since a state was loaded: a row for the start and one for each action of anybody.
`public` is the same for all agents, `private` what the agent alone saw, `actions` its
own actions (-1: not its own); `env.unwrapped.history.rows` names the slices, see
`rummi_env.observation.history`.

`action_mask` is 1 for each legal action of the agent to move and all zeros for the
others. `state()` is the observation of `player_0` followed by what is hidden from it;
`rummi_env.observation.tabla.state_fields(rules, num_players)` names its slices.

## Actions

| action | meaning |
|---|---|
| 0..52 | discard a tile of this kind; while doubles are declared, declare its double |
| 53..105 | throw a tile of kind 0 to 52 and close |
| 106 | draw from the pool; with an empty pool the deal ends |
| 107 | draw the last discard |
| 108 | declare no more doubles |
| 109 | with `refuse_with_three_doubles`: demand a new deal |

A closing is legal if the other 14 tiles show a form that is played; the best paying one
counts. `env.unwrapped.explain(action)` says why an action is legal or not.

## Rewards

At the end of every deal each agent gets its score: who closes gets from each of the
others what the form pays. A match has `rules.rounds` deals, one for each player by
default, or goes to `rules.target`, and then terminates for all. With
`reward="difference"` each gets what its score is above the mean of the others'. With
`reward="win"` there is one reward, at the end of the match: 1 to whom has the highest
total, and -1 that those who lost share.

`infos[agent]["event"]` is what the agent's own last action was: `declared`, `passed`,
`redealt`, `drew`, `took`, `discarded`, `closed`, `failed` or `illegal`.

## Beyond the AEC API

On `env.unwrapped` there are `save_state()`, `load_state(state)`, `determinize(agent,
seed)`, `current_turn()` (what the agent to move sees, the solver of forms, and what the
baselines would do), `explain(action)` and `score_sheet`. There is no notation for
deals and positions yet, so `reset` takes no options.

## Version history

The version changes with behavior, parameters or the API, not with speed.

* v0: first version
"""

from typing import Any, ClassVar

from pettingzoo import AECEnv

from rummi_env.envs.aec import GameEnv, Observation, metadata_of, wrapped_env

__all__ = ["env", "raw_env"]


class raw_env(GameEnv):  # noqa: N801
    """Rummy pe tabla for 2 to 4 agents; the module documents it."""

    game = "tabla"
    metadata: ClassVar[dict[str, Any]] = metadata_of("tabla_v0")  # type: ignore[misc]


def env(**keywords: Any) -> AECEnv[str, Observation, Any]:
    """Returns Rummy pe tabla in PettingZoo's usual wrappers.

    Args:
        keywords: see `rummi_env.envs.aec.GameEnv`.
    """
    return wrapped_env(raw_env(**keywords))
