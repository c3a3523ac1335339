"""Deals: the racks, the pool in draw order and who starts, with one line of text.

Every field is separated by ``;`` and may be omitted from the end on; the pool is
written as in positions::

    rack0 / rack1 / ... ; pool ; starter

A deal is of one round; a match takes one for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rummi_env.core.fields import (
    REST,
    check_names,
    check_seat,
    join_fields,
    pool_text,
    read_pool,
    read_racks,
    read_seat,
    split_fields,
    tiles_text,
)
from rummi_env.core.melds import STANDARD
from rummi_env.core.notation import check_deck
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import Counts, counts_of

_FIELDS = ("racks", "pool", "starter")


@dataclass(frozen=True, kw_only=True)
class Deal:
    """One deal: the racks, the pool in draw order and who starts.

    Raises:
        ValueError: The starter is no seat.
    """

    racks: tuple[tuple[int, ...], ...]
    """Per seat the tiles dealt, in ascending order."""

    pool: tuple[int, ...] = ()
    """The tiles that are drawn next, in draw order."""

    pool_rest: bool = True
    """Whether the rest of the deck follows them, in an order that is not known."""

    starter: int | None = None
    """Seat that starts; None leaves it to the rules."""

    def __post_init__(self) -> None:
        """Put the racks in order and check the starter."""
        racks = tuple(tuple(sorted(rack)) for rack in self.racks)
        object.__setattr__(self, "racks", racks)
        object.__setattr__(self, "pool", tuple(self.pool))
        if self.starter is not None:
            check_seat("starter", self.starter, len(racks))

    def check(self, rules: RuleSet, num_players: int | None = None) -> None:
        """Refuse a deal that cannot come from this deck.

        Args:
            rules: Give the deck and the size of a rack.
            num_players: How many racks there must be; any legal number by default.

        Raises:
            ValueError: The number or the size of the racks is wrong, or there are more
                of a tile than the deck has; the sentence names it.
        """
        num_racks = len(self.racks)
        rules.check_players(num_racks if num_players is None else num_players)
        if num_players is not None and num_racks != num_players:
            raise ValueError(
                f"a deal for {num_players} players has {num_players} racks, "
                f"not {num_racks}; as text: rack / rack ; pool ; starter"
            )
        for seat, rack in enumerate(self.racks):
            if len(rack) != rules.rack_size:
                raise ValueError(
                    f"the rack of seat {seat} must have {rules.rack_size} tiles, "
                    f"not {len(rack)}"
                )
        check_deck(self._known(), rules)

    def rest(self, rules: RuleSet) -> Counts:
        """Return the tiles of the deck that are named nowhere, int8[53]."""
        return rules.deck - self._known()

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name, in types that YAML and JSON know."""
        return {
            "racks": list(map(tiles_text, self.racks)),
            "pool": pool_text(self.pool, self.pool_rest),
            "starter": self.starter,
        }

    def _known(self) -> Counts:
        return counts_of(tile for tiles in (self.pool, *self.racks) for tile in tiles)


def parse_deal(
    text: str, rules: RuleSet | None = None, num_players: int | None = None
) -> Deal:
    """Return the deal; see the module for the text.

    An omitted pool is the rest of the deck in an unknown order, an omitted starter is
    left to the rules.

    Args:
        text: The fields separated by ``;``.
        rules: What the deal is checked against; without them only the tiles of the full
            deck are counted.
        num_players: How many racks there must be, if rules are given.

    Raises:
        ValueError: The text is no deal, or not one of these rules.

    >>> format_deal(parse_deal("R1 R2/J K3; O5 ?; 1"))
    'R1 R2 / K3 J ; O5 ? ; 1'
    """
    fields = split_fields("deal", text, _FIELDS)
    given = {name: part for name, part in fields.items() if part or name != "starter"}
    return deal_of(given, rules, num_players)


def format_deal(deal: Deal) -> str:
    """Return the text of a deal, without the fields at its end that are default."""
    fields = deal.to_dict()
    return join_fields(
        [
            (" / ".join(fields["racks"]), ""),
            (fields["pool"], REST),
            ("" if deal.starter is None else str(deal.starter), ""),
        ]
    )


def deal_of(
    value: Deal | str | Mapping[str, Any],
    rules: RuleSet | None = None,
    num_players: int | None = None,
) -> Deal:
    """Return the deal that a user gave: itself, its text, or its fields by name.

    The fields are those of `Deal.to_dict`: tiles as text or a list of names or indices,
    a rack also as counts.

    Args:
        value: What the user gave.
        rules: What the deal is checked against; without them only the tiles of the full
            deck are counted.
        num_players: How many racks there must be, if rules are given.

    Raises:
        ValueError: It is no deal, or not one of these rules.
    """
    if isinstance(value, str):
        return parse_deal(value, rules, num_players)
    if isinstance(value, Deal):
        deal = value
    else:
        check_names("deal", value, _FIELDS)
        if "racks" not in value:
            raise ValueError("a deal must have racks")
        pool, pool_rest = read_pool(value.get("pool", REST))
        starter = value.get("starter")
        deal = Deal(
            racks=read_racks(value["racks"]),
            pool=pool,
            pool_rest=pool_rest,
            starter=None if starter is None else read_seat("starter", starter),
        )
    if rules is None:
        check_deck(deal._known(), STANDARD)
    else:
        deal.check(rules, num_players)
    return deal
