"""Records of games: one line of JSON for each, from which it can be played again.

Every environment writes them with the keyword ``record``::

    env = rummikub_v0.env(record="games.jsonl")

and anything else that plays a `rummi_env.envs.match.Match` with a `Recorder`. Lines are
appended whole, by several processes if need be. A record has everything that the game
hangs on, so that `replay` plays it again and checks every step of it::

    for record in read_records("games.jsonl"):
        for moment in replay(record):
            print(moment.match.game.text(moment.seat))

Format 1, the fields of a line:

==============  =====================================================================
``format``      1
``game``        ``rummikub``, ``rummy`` or ``tabla``
``rules``       every field of the rules
``players``     names, in the order of the seats
``seed``        of all chance in the match
``options``     where it started: ``deal`` or ``position`` as ``reset`` takes them
``state``       base64 of a saved state that it started from, else null
``rounds``      for each round ``deal``, the deal as text; ``actions``, null where a
                turn was lost without one; ``lost``, the steps whose turn was lost
                and by what: ``failed``, ``timed_out`` or ``illegal``; ``chance``,
                the random numbers before a step, where they are not as the game left
                them; ``judgements``, what agents thought at a step; ``scores``, null
                until the round is over
``ending``      ``finished``, ``illegal`` (an action ended it) or ``unfinished``
``versions``    of the packages that games hang on
``about``       whatever else the writer wanted to note
``sha256``      of all other fields
==============  =====================================================================
"""

from rummi_env.envs.records.files import (
    append_record,
    read_records,
    verify_records,
)
from rummi_env.envs.records.game_record import (
    GameRecord,
    Judgement,
    RoundRecord,
    parse_record,
)
from rummi_env.envs.records.recorder import Recorder, resume
from rummi_env.envs.records.replaying import Moment, replay

__all__ = [
    "GameRecord",
    "Judgement",
    "Moment",
    "Recorder",
    "RoundRecord",
    "append_record",
    "parse_record",
    "read_records",
    "replay",
    "resume",
    "verify_records",
]
