"""The table of forms and the scales of points (A.8 and A.9 of the rules)."""

import dataclasses

import pytest

from rummi_env.core.form_points import points_of
from rummi_env.core.forms import FORM_BY_NAME, FORMS, POINT_PRESETS, form_named


def test_there_are_28_forms_in_the_order_of_their_numbers() -> None:
    assert [form.number for form in FORMS] == list(range(1, 29))
    for column in ("name", "romanian", "english"):
        assert len({getattr(form, column) for form in FORMS}) == 28
    assert len({(form.shape, form.numbers, form.most) for form in FORMS}) == 28


def test_four_forms_are_off_by_default() -> None:
    assert [form.number for form in FORMS if not form.enabled] == [6, 10, 21, 28]


def test_implications_are_closed() -> None:
    for form in FORMS:
        for number in form.implies:
            assert number != form.number
            assert set(FORMS[number - 1].implies) <= set(form.implies)


def test_our_scale_has_five_tiers() -> None:
    tiers = {
        250: {1, 10},
        500: {2, 6, 11, 13, 16, 19, 24, 27},
        750: {3, 7, 14, 15, 17, 18, 20, 21, 25, 26},
        1000: {4, 5, 8, 9, 12, 22, 28},
        1500: {23},
    }
    found = {points: {f.number for f in FORMS if f.ours == points} for points in tiers}
    assert found == tiers


@pytest.mark.parametrize("preset", ["ours", "flat"])
def test_no_form_pays_less_than_one_that_it_implies(preset: str) -> None:
    for form in FORMS:
        for number in form.implies:
            implied = points_of(FORMS[number - 1], preset)  # type: ignore[arg-type]
            assert points_of(form, preset) >= implied  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("preset", "name", "points"),
    [
        ("ours", "joc_simplu", (250, 250, 250)),
        ("flat", "monocolor_royala", (1, 1, 1)),
        # Values of the sources.
        ("hk", "joc_simplu", (250, 200, 150)),
        ("hk", "minor", (500, 400, 300)),
        ("hk", "patrat", (1000, 900, 800)),
        ("hk", "mozaic", (250, 250, 250)),
        ("ropet", "formatii", (700, 700, 700)),
        ("ropet", "bicolor", (1200, 1200, 1200)),
        # Those of the best form implied.
        ("hk", "monocolor_royala", (1000, 900, 800)),
        ("hk", "patru_culori", (250, 200, 150)),
        ("hk", "piccolo_41_formatii", (500, 400, 300)),
        ("ropet", "formatii_minor", (700, 700, 700)),
        ("ropet", "bicolor_minor", (1200, 1200, 1200)),
        # The least of the scale.
        ("hk", "piccolo_41_seturi", (250, 200, 150)),
        ("ropet", "minor", (500, 500, 500)),
    ],
)
def test_points_are_those_of_the_source_or_of_the_best_form_implied(
    preset: str, name: str, points: tuple[int, int, int]
) -> None:
    assert points_of(FORM_BY_NAME[name], preset) == points  # type: ignore[arg-type]


def test_unknown_names_are_answered_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"no form 'piccolo', only joc_simplu, minor,"):
        form_named("piccolo")
    with pytest.raises(ValueError, match=f"one of {', '.join(POINT_PRESETS)}, not 'x'"):
        points_of(FORMS[0], "x")  # type: ignore[arg-type]


def test_forms_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        FORMS[0].ours = 1  # type: ignore[misc]
