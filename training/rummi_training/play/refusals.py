"""Requests that are not carried out."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """A request that is refused; nothing has changed.

    Attributes:
        status: the status of HTTP.
        sentence: why.
        more: whatever else the page can use.
    """

    def __init__(self, status: int, sentence: str, **more: Any) -> None:
        """Takes the status, why, and what else the page can use."""
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.more = more


UNKNOWN_GAME = 404
NOT_YOURS = 403
NOT_NOW = 409
IMPOSSIBLE = 422
