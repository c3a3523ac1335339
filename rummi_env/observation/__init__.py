"""What a seat may see of a game, as an object and as arrays, and what it can do."""

from rummi_env.observation.actions import (
    action_planes,
    action_to_text,
    explain,
    num_actions,
    text_to_action,
)
from rummi_env.observation.encode import (
    Encoding,
    encode_view,
    encoding,
    observation,
    privileged,
)
from rummi_env.observation.fields import (
    OPPONENT_FIELDS,
    PRIVATE_FIELDS,
    Field,
    by_name,
    fields,
    hidden_fields,
    size_of,
    state_fields,
)
from rummi_env.observation.view import PlayerView, View, view_of

__all__ = [
    "OPPONENT_FIELDS",
    "PRIVATE_FIELDS",
    "Encoding",
    "Field",
    "PlayerView",
    "View",
    "action_planes",
    "action_to_text",
    "by_name",
    "encode_view",
    "encoding",
    "explain",
    "fields",
    "hidden_fields",
    "num_actions",
    "observation",
    "privileged",
    "size_of",
    "state_fields",
    "text_to_action",
    "view_of",
]
