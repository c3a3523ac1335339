"""What a seat may see of a game of Rummy, as an object and as arrays; its actions."""

from rummi_env.observation.rummy.actions import (
    action_planes,
    action_to_text,
    explain,
    num_actions,
    text_to_action,
)
from rummi_env.observation.rummy.encode import (
    Encoding,
    encode_view,
    encoding,
    observation,
    privileged,
)
from rummi_env.observation.rummy.fields import (
    OPPONENT_FIELDS,
    PRIVATE_FIELDS,
    fields,
    hidden_fields,
    state_fields,
)
from rummi_env.observation.rummy.turn import RummyTurn
from rummi_env.observation.rummy.view import PlayerView, View, view_of

__all__ = [
    "OPPONENT_FIELDS",
    "PRIVATE_FIELDS",
    "Encoding",
    "PlayerView",
    "RummyTurn",
    "View",
    "action_planes",
    "action_to_text",
    "encode_view",
    "encoding",
    "explain",
    "fields",
    "hidden_fields",
    "num_actions",
    "observation",
    "privileged",
    "state_fields",
    "text_to_action",
    "view_of",
]
