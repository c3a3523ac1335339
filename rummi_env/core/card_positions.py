"""Positions of Rummy: all of a game's cards, and one line of text for them.

Every field is separated by ``;`` and may be omitted from the end on::

    table ; rack0 / rack1 / ... ; row ; pool ; turn ; drawn ; laid

The row is written with its top card last, the pool with the next card first; ``?`` at
the end of the pool stands for all cards that are named nowhere, in an unknown order,
and is what an omitted pool means. ``turn`` is the seat to move. ``drawn`` is empty
while that seat is to draw, ``pool`` after it drew from the pool, else the card that it
took from the row. ``laid`` says, like ``3/0``, how many cards of the table each seat
has laid before this turn: one that has laid some has melded.
"""

from dataclasses import dataclass
from itertools import chain

from rummi_env.core.card_melds import (
    Ace,
    CardMeld,
    format_card_table,
    parse_card_table,
)
from rummi_env.core.cards import (
    NUM_CARDS,
    card_name,
    check_once,
    format_cards,
    parse_card,
    parse_cards,
)
from rummi_env.core.fields import REST, check_seat, join_fields, read_seat, split_fields

_FIELDS = ("table", "racks", "row", "pool", "turn", "drawn", "laid")
FROM_POOL = "pool"
"""Text of ``drawn`` after a card was drawn from the pool."""


@dataclass(frozen=True, kw_only=True)
class CardPosition:
    """All of a game's cards, and whose turn it is.

    Raises:
        ValueError: A card is named twice, or the parts do not go together.
    """

    table: tuple[CardMeld, ...] = ()
    """The melds on the table."""

    racks: tuple[tuple[int, ...], ...]
    """Per seat the cards of its rack."""

    row: tuple[int, ...] = ()
    """The discards, the top card last."""

    pool: tuple[int, ...] = ()
    """The cards that are drawn next, in draw order."""

    pool_rest: bool = True
    """Whether the cards named nowhere follow them, in an order that is not known."""

    turn: int = 0
    """The seat to move."""

    has_drawn: bool = False
    """Whether that seat has drawn a card, from the pool or from the row."""

    taken: int | None = None
    """The card that it took from the row, which it may have laid on the table."""

    laid: tuple[int, ...] = ()
    """Per seat how many cards of the table it has laid; none, if empty."""

    def __post_init__(self) -> None:
        """Check that the parts go together."""
        check_once(chain(self.row, self.pool, *self.racks, *self.table))
        check_seat("turn", self.turn, len(self.racks))
        near = set(chain(self.racks[self.turn], *self.table))
        if self.taken is not None and self.taken not in near:
            raise ValueError(
                f"drawn: {format_cards([self.taken])} is neither on the rack of seat "
                f"{self.turn} nor on the table"
            )
        if self.taken is not None and not self.has_drawn:
            raise ValueError("has_drawn must be True when a card was taken, not False")
        if not self.laid:
            object.__setattr__(self, "laid", (0,) * len(self.racks))
        on_table = sum(map(len, self.table))
        if len(self.laid) != len(self.racks) or not min(self.laid) >= 0:
            raise ValueError(
                f"laid must be {len(self.racks)} numbers from 0, not {self.laid}"
            )
        if sum(self.laid) > on_table:
            raise ValueError(
                f"laid must not be more than the {on_table} cards of the table, "
                f"not {sum(self.laid)}"
            )

    @property
    def rest(self) -> tuple[int, ...]:
        """The cards that are named nowhere."""
        named = set(chain(self.row, self.pool, *self.racks, *self.table))
        return tuple(card for card in range(NUM_CARDS) if card not in named)


def parse_card_position(text: str, ace: Ace = "low") -> CardPosition:
    """Return the position; see the module for the text.

    Args:
        text: The fields separated by ``;``.
        ace: Where an ace stands in a run.

    Raises:
        ValueError: The text is no position; an `IllegalAction` where cards of the table
            are no meld.

    >>> format_card_position(parse_card_position("8c 8d 8h; 8s/2c; kd; ?; 0; ; 0/3"))
    '8c 8d 8h ; 8s / 2c ; Kd ; ? ; 0 ; ; 0/3'
    """
    fields = split_fields("position", text, _FIELDS)
    if not fields.get("racks"):
        raise ValueError("a position must have racks")
    pool, rest = fields.get("pool", REST), False
    if pool.endswith(REST):
        pool, rest = pool.removesuffix(REST), True
    drawn = fields.get("drawn", "")
    from_pool = drawn.lower() == FROM_POOL
    return CardPosition(
        table=parse_card_table(fields["table"], ace),
        racks=tuple(map(parse_cards, fields["racks"].split("/"))),
        row=parse_cards(fields.get("row", "")),
        pool=parse_cards(pool),
        pool_rest=rest,
        turn=read_seat("turn", fields.get("turn") or 0),
        has_drawn=bool(drawn),
        taken=None if from_pool or not drawn else parse_card(drawn),
        laid=tuple(
            _number("laid", part) for part in fields.get("laid", "").split("/") if part
        ),
    )


def format_card_position(position: CardPosition) -> str:
    """Return the text of a position, without the fields at its end that are default."""
    drawn = FROM_POOL if position.has_drawn else ""
    if position.taken is not None:
        drawn = format_cards([position.taken])
    pool = " ".join([*map(card_name, position.pool), *[REST] * position.pool_rest])
    return join_fields(
        [
            (format_card_table(position.table), ""),
            (" / ".join(map(format_cards, position.racks)), ""),
            (format_cards(position.row), ""),
            (pool, REST),
            (str(position.turn), "0"),
            (drawn, ""),
            ("/".join(map(str, position.laid)) if any(position.laid) else "", ""),
        ]
    )


def _number(name: str, text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError(f"{name} must be numbers from 0 like 3/0, not {text!r}")
    return int(text)
