"""What a seat may see of Rummy pe tabla and what it can do."""

from rummi_env.games.tabla.state import num_actions
from rummi_env.observation.tabla.actions import (
    action_planes,
    action_to_text,
    explain,
    text_to_action,
)
from rummi_env.observation.tabla.encode import (
    Encoding,
    encode_view,
    encoding,
    observation,
    privileged,
)
from rummi_env.observation.tabla.fields import (
    OPPONENT_FIELDS,
    PRIVATE_FIELDS,
    fields,
    hidden_fields,
    state_fields,
)
from rummi_env.observation.tabla.prospects import Prospecting
from rummi_env.observation.tabla.turn import TablaTurn
from rummi_env.observation.tabla.view import PlayerView, View, view_of

__all__ = [
    "OPPONENT_FIELDS",
    "PRIVATE_FIELDS",
    "Encoding",
    "PlayerView",
    "Prospecting",
    "TablaTurn",
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
