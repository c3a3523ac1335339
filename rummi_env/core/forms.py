"""The closing forms of Rummy pe tabla: one table of 28 frozen records.

A closing shows 14 tiles, the jokers among them standing for any tiles. Which forms the
14 tiles have is told by three things: their `Shape`, the numbers that they may have,
and the most that they may add up to. A 1 counts 1 wherever it lies; a joker counts as
what it stands for.

Source: the Romanian rules of the GOX site (*gox* below), which name 27 forms, give no
points and print the number 17 twice; 18 is Tricolor Major here. Form 28 is from *hk*,
an open-source program (HoiniKris/remi), and *ropet* (rules of ropet.ro, second-hand).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from rummi_env.core.shapes import Numbers, Shape

Preset: TypeAlias = Literal["ours", "hk", "ropet", "flat"]
Points: TypeAlias = tuple[int, int, int]
"""What a closing pays with no, one and two jokers among the 14 tiles."""

POINT_PRESETS: tuple[Preset, ...] = get_args(Preset)


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One closing form."""

    number: int
    """Its number in gox, from 1; 28 is not there."""

    name: str
    """What options and arrays call it."""

    romanian: str
    """Its name in Romanian."""

    english: str
    """Its name in English."""

    shape: Shape
    """What the tiles form."""

    numbers: Numbers = "all"
    """Which numbers they may have: all, 1 to 9, or 1 and 10 to 13."""

    most: int | None = None
    """The most that they may add up to; None without a limit."""

    implies: tuple[int, ...] = ()
    """Numbers of the forms that every showing of this form has as well."""

    ours: int
    """Points by our own scale; no source that could be read gives any for gox."""

    hk: Points | None = None
    """Points in hk, where jokers among the 14 tiles cost; None where it has none."""

    ropet: int | None = None
    """Points in ropet; None where it has none."""

    enabled: bool = True
    """Whether it is played by default; forms 6, 10 and 21 are off in gox, 28 in ours.
    """


def tiers(points: int, step: int) -> Points:
    """Return points that every joker among the 14 tiles lowers by a step."""
    return points, points - step, points - 2 * step


FORMS: tuple[Form, ...] = (
    Form(
        number=1,
        name="joc_simplu",
        romanian="Joc Simplu",
        english="Simple game",
        shape=Shape.MELDS_WITH_RUN,
        ours=250,
        hk=tiers(250, 50),
        ropet=500,
    ),
    Form(
        number=2,
        name="minor",
        romanian="Minor",
        english="Minor",
        shape=Shape.MELDS,
        numbers="low",
        ours=500,
        hk=tiers(500, 100),
    ),
    Form(
        number=3,
        name="minor_51",
        romanian="Minor 51",
        english="Minor 51",
        shape=Shape.MELDS,
        numbers="low",
        most=51,
        implies=(2,),
        ours=750,
    ),
    Form(
        number=4,
        name="minor_51_formatii",
        romanian="Minor 51 Formații",
        english="Minor 51 in groups",
        shape=Shape.GROUPS,
        # gox does not repeat that 10 is too high; the name decides, which is ours.
        numbers="low",
        most=51,
        implies=(2, 3, 24, 25),
        ours=1000,
    ),
    Form(
        number=5,
        name="minor_51_suite",
        romanian="Minor 51 Suite",
        english="Minor 51 in runs",
        shape=Shape.RUNS,
        # Runs with a tile from 10 on add up to 52 at least.
        numbers="low",
        most=51,
        implies=(1, 2, 3),
        ours=1000,
    ),
    Form(
        number=6,
        name="piccolo_41",
        romanian="Piccolo 41",
        english="Piccolo 41",
        shape=Shape.ANY,
        most=41,
        ours=500,
        enabled=False,
    ),
    Form(
        number=7,
        name="piccolo_41_seturi",
        romanian="Piccolo 41 Seturi",
        english="Piccolo 41 in melds",
        shape=Shape.MELDS,
        most=41,
        implies=(6,),
        ours=750,
    ),
    Form(
        number=8,
        name="piccolo_41_suite",
        romanian="Piccolo 41 Suite",
        english="Piccolo 41 in runs",
        shape=Shape.RUNS,
        most=41,
        implies=(1, 2, 3, 5, 6, 7),
        ours=1000,
    ),
    Form(
        number=9,
        name="piccolo_41_formatii",
        romanian="Piccolo 41 Formații",
        english="Piccolo 41 in groups",
        shape=Shape.GROUPS,
        most=41,
        implies=(2, 3, 4, 6, 7, 24, 25),
        ours=1000,
    ),
    Form(
        number=10,
        name="major_haotic",
        romanian="Major Haotic",
        english="Chaotic major",
        shape=Shape.ANY,
        numbers="high",
        ours=250,
        enabled=False,
    ),
    Form(
        number=11,
        name="major",
        romanian="Major",
        english="Major",
        shape=Shape.MELDS,
        numbers="high",
        implies=(10,),
        ours=500,
        hk=tiers(500, 100),
    ),
    Form(
        number=12,
        name="patrat",
        romanian="Pătrat",
        english="Square",
        shape=Shape.SQUARE,
        ours=1000,
        hk=tiers(1000, 100),
    ),
    Form(
        number=13,
        name="patru_culori",
        romanian="Patru Culori",
        english="Four colors",
        shape=Shape.FOUR_COLOR_RUNS,
        implies=(1,),
        ours=500,
    ),
    Form(
        number=14,
        name="patru_culori_minor",
        romanian="Patru Culori Minor",
        english="Four colors minor",
        shape=Shape.FOUR_COLOR_RUNS,
        numbers="low",
        implies=(1, 2, 13),
        ours=750,
    ),
    Form(
        number=15,
        name="patru_culori_major",
        romanian="Patru Culori Major",
        english="Four colors major",
        shape=Shape.FOUR_COLOR_RUNS,
        numbers="high",
        implies=(1, 10, 11, 13),
        ours=750,
    ),
    Form(
        number=16,
        name="tricolor",
        romanian="Tricolor",
        english="Three colors",
        shape=Shape.THREE_COLOR_RUNS,
        implies=(1,),
        ours=500,
    ),
    Form(
        number=17,
        name="tricolor_minor",
        romanian="Tricolor Minor",
        english="Three colors minor",
        shape=Shape.THREE_COLOR_RUNS,
        numbers="low",
        implies=(1, 2, 16),
        ours=750,
    ),
    Form(
        number=18,
        name="tricolor_major",
        romanian="Tricolor Major",
        english="Three colors major",
        shape=Shape.THREE_COLOR_RUNS,
        numbers="high",
        implies=(1, 10, 11, 16),
        ours=750,
    ),
    Form(
        number=19,
        name="bicolor",
        romanian="Bicolor",
        english="Two colors",
        shape=Shape.TWO_COLOR_RUNS,
        implies=(1,),
        ours=500,
        hk=tiers(500, 100),
        ropet=1200,
    ),
    Form(
        number=20,
        name="bicolor_minor",
        romanian="Bicolor Minor",
        english="Two colors minor",
        # gox says "of different colors" here; the name decides, which is ours.
        shape=Shape.TWO_COLOR_RUNS,
        numbers="low",
        implies=(1, 2, 19),
        ours=750,
    ),
    Form(
        number=21,
        name="monocolor",
        romanian="Monocolor",
        english="One color",
        shape=Shape.ONE_COLOR,
        ours=750,
        enabled=False,
    ),
    Form(
        number=22,
        name="monocolor_suite",
        romanian="Monocolor Suite",
        english="One color in runs",
        shape=Shape.ONE_COLOR_RUNS,
        implies=(1, 21),
        ours=1000,
        hk=tiers(1000, 100),
    ),
    Form(
        number=23,
        name="monocolor_royala",
        romanian="Monocolor Royală",
        english="Royal one color",
        shape=Shape.ROYAL,
        implies=(1, 21, 22),
        ours=1500,
        ropet=1500,
    ),
    Form(
        number=24,
        name="formatii",
        romanian="Formații",
        english="Groups",
        shape=Shape.GROUPS,
        ours=500,
        hk=tiers(500, 100),
        ropet=700,
    ),
    Form(
        number=25,
        name="formatii_minor",
        romanian="Formații Minor",
        english="Groups minor",
        shape=Shape.GROUPS,
        numbers="low",
        implies=(2, 24),
        ours=750,
    ),
    Form(
        number=26,
        name="formatii_major",
        romanian="Formații Major",
        english="Groups major",
        shape=Shape.GROUPS,
        numbers="high",
        implies=(10, 11, 24),
        ours=750,
    ),
    Form(
        number=27,
        name="mozaic",
        romanian="Mozaic",
        english="Mosaic",
        shape=Shape.MOSAIC,
        ours=500,
        hk=tiers(250, 0),
        ropet=1000,
    ),
    Form(
        number=28,
        name="duble",
        romanian="Duble",
        english="Pairs",
        shape=Shape.PAIRS,
        ours=1000,
        hk=tiers(1000, 100),
        ropet=1300,
        enabled=False,
    ),
)
"""All forms in the order of their numbers: form n is ``FORMS[n - 1]``."""

NUM_FORMS = len(FORMS)

FORM_BY_NAME: Mapping[str, Form] = MappingProxyType({form.name: form for form in FORMS})
"""The forms by name."""


def form_named(name: str) -> Form:
    """Return the form of a name.

    Raises:
        ValueError: There is none.
    """
    if name not in FORM_BY_NAME:
        raise ValueError(f"there is no form {name!r}, only {', '.join(FORM_BY_NAME)}")
    return FORM_BY_NAME[name]
