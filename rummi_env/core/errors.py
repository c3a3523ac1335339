"""The one exception of the rules: an illegal action, with a reason code."""

from enum import StrEnum


class Reason(StrEnum):
    """Why an action is illegal: one code for each kind of fault."""

    UNKNOWN_TILE = "unknown_tile"
    """Something named is no tile, or no tile of this deck."""

    TILE_NOT_IN_RACK = "tile_not_in_rack"
    """A tile came to the table that lies neither there nor on the player's rack."""

    TABLE_TILE_MISSING = "table_tile_missing"
    """A numbered tile of the table is no longer there."""

    JOKER_TO_RACK = "joker_to_rack"
    """A joker of the table is no longer there; a joker never goes to a rack."""

    NOTHING_PLAYED = "nothing_played"
    """No tile came from the rack: rearranging alone is not a play."""

    TOO_SHORT = "too_short"
    """A meld has fewer than three tiles."""

    TOO_LONG = "too_long"
    """A group has more tiles than the deck has colors, or a run more than numbers."""

    BROKEN_MELD = "broken_meld"
    """Tiles lie together that are neither a run nor a group."""

    DUPLICATE_COLOR = "duplicate_color"
    """A group has a color twice."""

    TOO_MANY_JOKERS = "too_many_jokers"
    """A meld has more jokers than ``jokers_per_meld`` allows."""

    JOKER_MISPLACED = "joker_misplaced"
    """A joker is named as a tile that it cannot stand for in its meld."""

    OPENING_TOUCHES_TABLE = "opening_touches_table"
    """A player who has not opened changed a meld of the table."""

    OPENING_TOO_LOW = "opening_too_low"
    """The opening is worth fewer points than ``opening_points``, or there is none."""

    JOKER_NOT_RELEASED = "joker_not_released"
    """A joker of the table changed what it stands for, and no tile released it."""

    JOKER_NEEDS_NEW_MELD = "joker_needs_new_meld"
    """A released joker lies with tiles that did not come from the rack this turn."""

    NO_FORM = "no_form"
    """Tabla: the 14 tiles that would be shown have no form that is played."""

    JUST_DRAWN = "just_drawn"
    """Tabla: a tile drawn from the row is not discarded in the same turn."""

    ROW_CLOSED = "row_closed"
    """Tabla: the rules do not let the last discard be drawn, or there is none."""

    NO_DOUBLE = "no_double"
    """Tabla: the rack has no two tiles of this kind, or fewer doubles than it takes."""

    NOT_NOW = "not_now"
    """The action belongs to another phase of the game."""


class IllegalAction(ValueError):
    """An action that the rules forbid.

    Attributes:
        reason: The kind of fault, for programs.
    """

    reason: Reason

    def __init__(self, reason: Reason, sentence: str) -> None:
        """Keep the reason; the sentence, for people, becomes the message.

        Args:
            reason: The kind of fault.
            sentence: What is wrong, with the meld or the tile in the notation.
        """
        super().__init__(sentence)
        self.reason = reason

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[Reason, str]]:
        """Let the exception cross process borders with its reason."""
        return type(self), (self.reason, str(self))
