"""Where a match starts: the options of ``reset``, read and checked beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rummi_env.core.card_positions import CardPosition, parse_card_position
from rummi_env.core.deals import Deal, deal_of
from rummi_env.core.positions import position_of
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.core.tabla_positions import tabla_position_of


@dataclass(frozen=True)
class Start:
    """Where a match starts; by default with random deals."""

    deals: tuple[Any, ...] = ()
    """Deals of the first rounds; the rounds after them are dealt at random."""

    position: Any = None
    """Position in the first round."""

    seed: int | None = None
    """Seed of all chance in the match, in place of the one that it would have."""


def check_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> None:
    """Refuses options of ``reset`` that there are not.

    Raises:
        ValueError: one sentence says what there is.
    """
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise ValueError(f"options must be a mapping, not {options!r}")
    for name in options:
        # PettingZoo's api_test and parallel_api_test reset with {"options": 1}.
        if name not in known and name != "options":
            there_is = " and ".join(known) or "none"
            raise ValueError(f"unknown option {name!r} of reset: there is {there_is}")


def read_card_start(
    options: Mapping[str, Any] | None, rules: RummyRules, num_players: int
) -> Start:
    """Returns where the options of ``reset`` let a match of Rummy start.

    Args:
        options: ``position``: a `CardPosition` or text.
        rules: the rules of the match.
        num_players: how many play.

    Raises:
        ValueError: an option is unknown or its value impossible under the rules.
    """
    check_options(options, ("position",))
    value = None if options is None else options.get("position")
    if isinstance(value, str):
        value = parse_card_position(value, rules.ace)
    if value is None:
        return Start()
    if not isinstance(value, CardPosition):
        raise ValueError(
            f"a position is given as text or as a CardPosition, not {value!r}"
        )
    _check_racks(value.racks, num_players)
    return Start(position=value)


def read_tabla_start(options: Mapping[str, Any] | None, num_players: int) -> Start:
    """Returns where the options of ``reset`` let a match of Rummy pe tabla start.

    Args:
        options: ``position``: a `TablaPosition`, text or mapping.
        num_players: how many play.

    Raises:
        ValueError: an option is unknown or its value impossible.
    """
    check_options(options, ("position",))
    value = None if options is None else options.get("position")
    if value is None:
        return Start()
    position = tabla_position_of(value)
    _check_racks(position.racks, num_players)
    return Start(position=position)


def read_start(
    options: Mapping[str, Any] | None, rules: RuleSet, num_players: int
) -> Start:
    """Returns where the options of ``reset`` let a match of Rummikub start.

    Args:
        options: ``deal``: a deal, or a list of them, one for each round, as `Deal`,
            text or mapping. ``position``: a `Position`, text or mapping.
        rules: the rules of the match.
        num_players: how many play.

    Raises:
        ValueError: an option is unknown or its value impossible under the rules.
    """
    check_options(options, ("deal", "position"))
    if options is None:
        return Start()
    if "deal" in options and "position" in options:
        raise ValueError("reset takes a deal or a position, not both")
    deals = _read_deals(options.get("deal"), rules, num_players)
    value = options.get("position")
    position = None if value is None else position_of(value, rules)
    if position is not None:
        _check_racks(position.racks, num_players)
    return Start(deals, position)


def _read_deals(value: Any, rules: RuleSet, num_players: int) -> tuple[Deal, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        return (deal_of(value, rules, num_players),)
    if len(value) > rules.rounds:
        raise ValueError(
            f"a match of these rules has {rules.rounds} "
            f"{'rounds' if rules.rounds > 1 else 'round'}, not the {len(value)} of the "
            "deals given"
        )
    return tuple(deal_of(deal, rules, num_players) for deal in value)


def _check_racks(racks: Sequence[Sequence[int]], num_players: int) -> None:
    """Refuses racks that no match of so many players can go on with."""
    if len(racks) != num_players:
        raise ValueError(
            f"a position for {num_players} players has {num_players} racks, not "
            f"{len(racks)}; as text they are written rack / rack"
        )
    for seat, rack in enumerate(racks):
        if not rack:
            raise ValueError(
                f"the rack of seat {seat} must not be empty: the round would be over"
            )
