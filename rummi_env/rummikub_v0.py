"""Rummikub for PettingZoo: two to four agents, hidden racks, a common table.

| | |
|---|---|
| Import | `from rummi_env import rummikub_v0` |
| Make | `pettingzoo.make("aec", "rummi/rummikub-v0")` (from 1.27 on) |
| Actions | `Discrete(54)`; 106 with exact jokers, one more with redeals |
| Observations | dict of `observation` (Box float32) and `action_mask` (Box int8) |
| Agents | `player_0` to `player_3`, two of them by default |
| Parallel API | no |

Players empty their racks by laying melds on a common table, where everybody may
rearrange them. A turn is a set of tiles to play: the environment works out the melds,
so an agent names tiles one by one and then ends the turn. **An agent therefore acts
several times in a row**; `agent_selection` says whose action it is.

    from rummi_env import rummikub_v0

    env = rummikub_v0.env(num_players=4, rules="official")
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
| `rules` | None | a `RuleSet` or a preset: `"official"`, `"official,jokers=0"` |
| `render_mode` | None | `"ansi"`, `"svg"`, `"rgb_array"` or `"human"` |
| `reveal` | False | True: `render()` shows the hidden racks as well |
| `on_illegal` | `"penalty"` | see below |
| `obs_type` | `"flat"` | `"flat"`: one array; `"dict"`: by name; `"history"`: below |
| `reward` | `"score"` | `"score"`, `"difference"` or `"win"`: see below |
| `reward_scale` | 1.0 | a number above 0 that multiplies all rewards |
| `turn_clock` | False | True: turns are timed, by `turn_seconds` of the rules |
| `clock` | None | what tells the seconds; `time.monotonic` by default |
| `record` | None | file that games are appended to; see `rummi_env.records` |

An illegal action leads to what the rules say (`"penalty"`: the turn is taken back and
costs penalty tiles), ends the match and counts as lost (`"terminate"`), or raises an
`IllegalAction` that says why and changes nothing (`"raise"`). A number that is no
action at all is refused: by `raw_env` with a ValueError, by `env` with the assertion of
PettingZoo's wrapper.

With `turn_clock=True` the time of a turn begins when its agent becomes the mover, at a
reset or with the action that ended the turn before, and all actions of the turn share
it. An action that comes `turn_seconds` later or more is not performed, legal or not:
the turn is timed out, with the penalty of the rules, and the agent's info says
`timed_out`. `env.unwrapped.seconds_left` tells what is left. Copies and pickles keep
the seconds used; with a state that is loaded the turn's time begins anew.

## Observation

One float32 array whose slices `rummi_env.observation.fields(rules, num_players)` names,
with scales and bounds. Counts of tiles are by kind, `color * 13 + number - 1` with the
colors black, red, blue, orange, and 52 for the joker. Players are counted from the
observer on.

| field | shape | what it says |
|---|---|---|
| `rack` | 53 | own rack, without the tiles played in this turn |
| `table` | 53 | the table at the start of the turn |
| `played` | 53 | tiles played in this turn; they lie in the open |
| `known` | players - 1, 53 | tiles shown in turns that were taken back |
| `pool_size` | 1 | tiles left in the pool, by the whole deck |
| `rack_sizes` | players | tiles on each rack, by those dealt |
| `opened` | players | whether each player has opened |
| `last_turn` | players, 5 | none, drew, passed, laid or failed |
| `to_move` | players | whose turn it is |
| `phase` | 3 | a new deal may be demanded, a turn is played, all is over |
| `passes` | 1 | turns in succession with nothing laid or drawn, by players |
| `turns_left` | 1 | turns until the round ends, by players; 0 while open |
| `round` | 1 | rounds that are over, by those of the match |
| `rounds` | 1 | rounds of the match, by 100 |
| `totals` | players | scores so far, by 100 |
| `rounds_won` | players | rounds won, by those of the match |
| `actions` | 1 | actions of this turn, by the tiles dealt |
| `actions_left` | 1 | actions left, by `turn_actions`; 0 without such a limit |
| `joker_identities` | 2, 52 | exact jokers: kinds that each joker of the table may be |
| `commitments` | 52 | exact jokers: kinds that jokers were named as in this turn |

With `obs_type="history"` an agent is given all that it has seen since the reset, or
since a state was loaded: a row for the start and one for each action of anybody.
`public` is the same for all agents, `private` what the agent alone saw, `actions` its
own actions (-1: not its own); `env.unwrapped.history.rows` names the slices, see
`rummi_env.observation.history`.

`action_mask` is 1 for each legal action of the agent to move and all zeros for the
others. `state()` is the observation of `player_0` followed by what is hidden from it;
`rummi_env.observation.state_fields(rules, num_players)` names its slices.

## Actions

| action | meaning |
|---|---|
| 0..51 | play the tile of this kind from the rack |
| 52 | play a joker; its place is worked out |
| 53 | end the turn: lay down what was played, else draw a tile, or pass |
| 54..105 | exact jokers: name a joker as the tile of kind 0..51 |
| last | with `redeal_on_three_pairs`: demand a new deal; 53 keeps the rack |

A tile is legal if some completion of the turn has it: further rack tiles, any
rearrangement of the table, the points of the opening. So an agent that keeps to the
mask never gets stuck, and no legal turn is hidden. `env.unwrapped.explain(action)` says
why an action is legal or not.

## Exact jokers

With `joker_release="exact"` (`sabra`, `triple_s`, `tournament`) what a joker of the
table stands for decides what may be done with it. In a run that is the tile of its
place, in a group any color that the group lacks; `joker_identities` has these kinds.
From one turn to the next each joker is held, as one of them, or released by a natural
tile equal to one of them.

So it matters for later turns how jokers lie, and action `54 + k` says so: **after this
turn some joker on the table stands for the tile of kind k**, be it one of the rack, one
that is held or one that was released. That is all it says: it plays no tile (52 plays a
joker of the rack) and leaves open which joker it is. It is legal if a legal turn goes
on with all tiles played and all names given, each name for a joker of its own. Tiles
and names come in any order; a name given is binding, and drawing instead takes it back.
Every legal turn, as the tiles that it plays and one kind for each joker, can be reached
so. Naming is never needed.

What was not named is chosen: of all arrangements that fit, the one whose jokers may
stand for most kinds (all jokers together), of these the one with the lowest kinds, of
these one with the jokers in different groups. So an unnamed joker goes to a group of
three rather than to a run. The rules see no more of a table than its tiles and these
sets of kinds; the melds that `render` and `position()` show agree with them, change as
few melds as can be, and decide nothing.

The name of a joker in a group is no more than a wish that it can stand for that color:
the sets are again as large as the arrangement allows.

## Rewards

At the end of every round each agent gets its score: the losers lose what is on their
racks and the winner gets the sum, as the rules say. A match has `rules.rounds` rounds
and then terminates for all. With `reward="difference"` each gets what its score is
above the mean of the others'. With `reward="win"` there is one reward, at the end of
the match: 1 to the winner, and -1 that those who lost share.

`infos[agent]["event"]` is what the agent's own last action was: `played`, `named`,
`laid`, `drew`, `passed`, `failed`, `timed_out`, `kept`, `redealt` or `illegal`.

## Beyond the AEC API

`reset(options={"deal": ...})` takes a deal, or a list with one for each round, and
`reset(options={"position": ...})` a position. As text they have `;` between fields, of
which the last ones may be left out, `/` between racks and `|` between melds:

| | as text | example |
|---|---|---|
| deal | racks ; pool ; starter | `R1 R2 / B1 J ; O5 ? ; 1` |
| position | table ; racks ; pool ; turn ; opened ; played | `R4 R5 R6 ; K6 R9 / B1` |

A `?` ends a pool with all other tiles, shuffled. On `env.unwrapped` there are
`save_state()`, `load_state(state)`, `determinize(agent, seed)`, `position()`,
`current_turn()`, `explain(action)`, `time_out()` and `score_sheet`.

## Version history

The version changes with behavior, parameters or the API, not with speed.

* v0: first version
"""

from rummi_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
