"""Basic Rummy for PettingZoo: two to six agents, 52 cards, hidden racks.

| | |
|---|---|
| Import | `from rummi_env import rummy_v0` |
| Make | `pettingzoo.make("aec", "rummi/rummy-v0")` (from 1.27 on) |
| Actions | `Discrete(327)`, the same under all rules |
| Observations | dict of `observation` (Box float32) and `action_mask` (Box int8) |
| Agents | `player_0` to `player_5`, two of them by default |
| Parallel API | no |

Players get rid of their cards: they meld runs and groups on the table, lay cards off on
melds that lie there, and discard one card at the end of each turn. Who has no card left
scores what the others hold. **An agent acts several times in a row**: it draws, then
melds and lays off as often as it likes, then discards; `agent_selection` says whose
action it is.

    from rummi_env import rummy_v0

    env = rummy_v0.env(num_players=3, rules="basic")
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
| `num_players` | 2 | 2 to 6 |
| `rules` | None | a `RummyRules` or a preset as text; `"basic"` by default |
| `render_mode` | None | `"ansi"`, `"svg"`, `"rgb_array"` or `"human"` |
| `reveal` | False | True: `render()` shows the hidden racks as well |
| `on_illegal` | `"penalty"` | see below |
| `obs_type` | `"flat"` | `"flat"`: one array; `"dict"`: by name; `"history"`: below |
| `reward` | `"score"` | `"score"`, `"difference"` or `"win"`: see below |
| `reward_scale` | 1.0 | a number above 0 that multiplies all rewards |
| `record` | None | file that games are appended to; see `rummi_env.records` |

The presets are `basic`, `pagat` (one meld in a turn, the row is turned over), `block`
(no new pool) and `straight_gin` (melds are hidden until one goes out with all cards in
them). `RummyRules` documents every option and where it comes from. `turn_clock` is
refused, as the rules set no time.

An illegal action ends the turn (`"penalty"`: what was laid stays on the table; a card
is drawn if none was, from the pool if that is legal, and the card that costs most is
discarded), ends the match and counts as lost (`"terminate"`), or raises an
`IllegalAction` that says why and changes nothing (`"raise"`). A number that is no
action at all is refused: by `raw_env` with a ValueError, by `env` with the assertion of
PettingZoo's wrapper.

## Observation

One float32 array whose slices `rummi_env.observation.rummy.fields(rules, num_players)`
names, with scales and bounds. Sets of cards are 52 zeros and ones by
`suit * 13 + rank - 1` with the suits clubs, diamonds, hearts, spades and the ace of
rank 1. Players are counted from the observer on.

| field | shape | what it says |
|---|---|---|
| `rack` | 52 | own rack |
| `loose` | 52 | own cards outside of the best melds that fit no meld on the table |
| `groups` | 52 | cards in groups on the table |
| `runs` | 52 | cards in runs on the table |
| `fits` | 52 | cards that fit a meld on the table, wherever they are |
| `laid_now` | 52 | cards laid on the table in this turn |
| `row` | 52 | all discards |
| `top` | 52 | the top card of the row |
| `taken` | 52 | the card taken from the row in this turn |
| `recycled` | 52 | cards that the present pool was made of; none for the first pool |
| `next_card` | 52 | the next card of a pool that was turned over |
| `known` | players - 1, 52 | cards that everybody saw the opponents get |
| `deadwood` | 2 | what the loose cards cost, by 100: now, and with the top card |
| `loose_sizes` | 2 | how many there are in either case, by the cards dealt |
| `pool_size` | 1 | cards left in the pool, by the deck |
| `row_size` | 1 | discards, by the deck |
| `rack_sizes` | players | cards on each rack, by those dealt |
| `laid` | players | cards that each player has laid in this hand, by those dealt |
| `melded` | players | whether each player has melded in this hand |
| `to_move` | players | whose turn it is |
| `phase` | 3 | a card is to be drawn, the turn is played, all is over |
| `melds_now` | 1 | melds of this turn, by the most that a rack can hold |
| `recycles` | 1 | new pools of this hand, by the most there may be |
| `turn` | 1 | turns of this hand, by the most there may be |
| `round` | 1 | hands that are over, by those of the match or 1,000 |
| `totals` | players | scores so far, by 100 |
| `rounds_won` | players | hands won, likewise |

With `obs_type="history"` an agent is given all that it has seen since the reset, or
since a state was loaded: a row for the start and one for each action of anybody.
`public` is the same for all agents, `private` what the agent alone saw, `actions` its
own actions (-1: not its own); `env.unwrapped.history.rows` names the slices, see
`rummi_env.observation.history`.

`action_mask` is 1 for each legal action of the agent to move and all zeros for the
others. `state()` is the observation of `player_0` followed by what is hidden from it;
`rummi_env.observation.rummy.state_fields(rules, num_players)` names its slices.

## Actions

| action | meaning |
|---|---|
| 0 | draw the next card of the pool; if it is empty, of a new one |
| 1 | take the top card of the row |
| 2 + card | discard the card, which ends the turn |
| 54 + card | meld the run of three that begins with the card |
| 106 + card | meld the group of three of the card's rank that lacks the card |
| 158 + rank - 1 | meld the group of four of the rank |
| 171 + card | lay the card off on the group of its rank |
| 223 + card | lay the card off before the run that begins above it |
| 275 + card | lay the card off after the run that ends below it |

A longer run is melded as a run of three and cards laid off on it. No legal action is a
dead end: a card just taken from the row may not be discarded in the same turn, so
nothing that would leave it alone is legal. `env.unwrapped.explain(action)` says why an
action is legal or not.

## Rewards

At the end of every hand each agent gets its score, most often 0 for all but the winner.
A match goes to `rules.target` points or lasts `rules.hands` hands, and then terminates
for all. With `reward="difference"` each gets what its score is above the mean of the
others', so that a rack that is left costs something; that is what to learn from. With
`reward="win"` there is one reward, at the end of the match: 1 to whom has the highest
total, and -1 that those who lost share.

`infos[agent]["event"]` is what the agent's own last action was: `drew`, `took`,
`melded`, `laid_off`, `discarded`, `failed` or `illegal`.

## Beyond the AEC API

`reset(options={"position": ...})` takes a position, as `CardPosition` or as text of one
line. On `env.unwrapped` there are `save_state()`, `load_state(state)`,
`determinize(agent, seed)`, `position()`, `current_turn()` (what the agent to move sees,
and what the baselines would do), `explain(action)` and `score_sheet`.

## What is ours

Where the sources are silent or differ, these choices are ours; `RummyRules` has them as
options. Melds in a turn are not limited. A hand gets two new pools at most and ends
without scores after that, or after 400 turns. Aces that may be high count 15 also where
runs go round the corner. An illegal action ends the turn as told above.

## Version history

The version changes with behavior, parameters or the API, not with speed.

* v0: first version
"""

from typing import Any, ClassVar

from pettingzoo import AECEnv

from rummi_env.envs.aec import GameEnv, Observation, metadata_of, wrapped_env

__all__ = ["env", "raw_env"]


class raw_env(GameEnv):  # noqa: N801
    """Rummy for 2 to 6 agents; the module documents it."""

    game = "rummy"
    metadata: ClassVar[dict[str, Any]] = metadata_of("rummy_v0")  # type: ignore[misc]


def env(**keywords: Any) -> AECEnv[str, Observation, Any]:
    """Returns Rummy in PettingZoo's usual wrappers.

    Args:
        keywords: see `rummi_env.envs.aec.GameEnv`.
    """
    return wrapped_env(raw_env(**keywords))
