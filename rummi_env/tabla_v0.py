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
| `rules` | None | a `TablaRules` or a preset as text; `"ours"` by default |
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

`reset(options={"position": ...})` takes a position: a `TablaPosition`, its fields by
name, or one line of text, `rack0 / rack1 ; row ; pool ; atu ; turn ; drawn`
(`rummi_env.core.tabla_positions`); a deal is the position at its start. On
`env.unwrapped` there are `save_state()`, `load_state(state)`, `determinize(agent,
seed)`, `position()`, `current_turn()` (what the agent to move sees, the solver of
forms, and what the baselines would do), `explain(action)` and `score_sheet`.

Networks may want to be told how far a rack is from every form, after each discard, and
which tiles help: `rummi_env.observation.tabla.Prospecting` finds that from observations
and masks.

## Forms

A run is three or more tiles of one color with numbers in a row, the 1 before the 2 or
after the 13; a group three or four of one number in different colors. Low is up to 9,
high is 10 to 13 and 1, and a 1 counts 1. A joker stands for any tile.
`TablaRules.enable` and `disable` switch forms by name.

| number | name | 14 tiles that are | points in `ours` |
|---|---|---|---|
| 1 | `joc_simplu` | melds, one run at least | 250 |
| 2 | `minor` | melds, all low | 500 |
| 3 | `minor_51` | melds, all low, sum up to 51 | 750 |
| 4 | `minor_51_formatii` | groups, all low, sum up to 51 | 1000 |
| 5 | `minor_51_suite` | runs, sum up to 51 | 1000 |
| 6 | `piccolo_41` | any tiles, sum up to 41 | 500, off |
| 7 | `piccolo_41_seturi` | melds, sum up to 41 | 750 |
| 8 | `piccolo_41_suite` | runs, sum up to 41 | 1000 |
| 9 | `piccolo_41_formatii` | groups, sum up to 41 | 1000 |
| 10 | `major_haotic` | any tiles, all high | 250, off |
| 11 | `major` | melds, all high | 500 |
| 12 | `patrat` | eight tiles of one number | 1000 |
| 13 | `patru_culori` | four runs, each of another color | 500 |
| 14 | `patru_culori_minor` | the same, all low | 750 |
| 15 | `patru_culori_major` | the same, all high | 750 |
| 16 | `tricolor` | three runs, each of another color | 500 |
| 17 | `tricolor_minor` | the same, all low | 750 |
| 18 | `tricolor_major` | the same, all high | 750 |
| 19 | `bicolor` | runs in exactly two colors | 500 |
| 20 | `bicolor_minor` | the same, all low | 750 |
| 21 | `monocolor` | any tiles of one color | 750, off |
| 22 | `monocolor_suite` | runs of one color | 1000 |
| 23 | `monocolor_royala` | 1 to 13 and the 1 of one color | 1500 |
| 24 | `formatii` | four groups | 500 |
| 25 | `formatii_minor` | four groups, all low | 750 |
| 26 | `formatii_major` | four groups, all high | 750 |
| 27 | `mozaic` | 1 to 13 and 1, see below | 500 |
| 28 | `duble` | seven pairs | 1000, off |

In a mosaic neighbors have different colors, and the first four and the last four tiles
show all colors. In the other scales a form without a value of its own pays what the
best form that it implies does.

## What is ours

The source of this game, the GOX site, is silent on much; `TablaRules` names for every
option where its default comes from. Ours are:

* all points, that losers pay the closer each, and a match of one deal for each player;
* the deal: tiles are shuffled evenly, and the atu is face up, out of play and without
  effect; the first player goes around with the deals;
* doubles: declared by all at once, one tile of each is exchanged, in the order of the
  seats and then of the tiles; jokers are no double;
* the last discard may be drawn (as elsewhere), also the very first, but a joker may
  not; a tile from the row is not discarded in the same turn unless it closes;
* the best paying form counts, and one may close in the first turn;
* jokers are free in all forms, and forms 2, 3, 7 and 11 need no run; form 4 is low,
  form 7 may have 12-13-1, form 20 has exactly two colors; form 28 is there, but off;
* a deal is void as soon as somebody has to draw and the pool is empty, or after 400
  turns.

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
