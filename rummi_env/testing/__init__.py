"""What every environment and every player has to keep to, as checks to be called.

They are for own variants and own players: each takes the thing itself, plays some
matches and raises a `ComplianceError` that says what is wrong.

    from rummi_env import RuleSet, rummikub_v0
    from rummi_env.testing import check_agent, check_env, invariants, random_play

    small = RuleSet(colors=2, numbers=6, jokers=0, rack_size=5, opening_points=6)
    check_env(rummikub_v0.env(rules=small))
    check_agent(MyAgent(), rules=small)
    random_play(rummikub_v0.env(rules=small), seed=7, watch=invariants)

Beside these, the modules of this package are slow, readable counterparts of the
compiled games, which our own tests check them against.
"""

from rummi_env.testing.check_agents import check_agent
from rummi_env.testing.check_environments import check_env
from rummi_env.testing.invariants import ComplianceError, invariants
from rummi_env.testing.random_matches import RandomMatch, random_play

__all__ = [
    "ComplianceError",
    "RandomMatch",
    "check_agent",
    "check_env",
    "invariants",
    "random_play",
]
