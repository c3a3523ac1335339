"""Pictures of a game: pure functions of a View."""

from rummi_env.rendering.tabla import tabla_text
from rummi_env.rendering.text import text

__all__ = ["tabla_text", "text"]
