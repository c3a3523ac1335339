"""What closings in Rummy pe tabla pay, by the four scales of points."""

from rummi_env.core.forms import (
    FORMS,
    POINT_PRESETS,
    Form,
    Points,
    Preset,
    tiers,
)


def points_of(form: Form, preset: Preset) -> Points:
    """Return what a closing pays by the number of jokers among its 14 tiles.

    In hk and ropet a form without a value of its own pays what the best form that it
    implies does; without such a form it pays the least of that scale, which is ours.

    Raises:
        ValueError: There is no such preset of points.

    >>> from rummi_env.core.forms import form_named
    >>> points_of(form_named("patru_culori_minor"), "hk")
    (500, 400, 300)
    """
    if preset == "ours":
        return tiers(form.ours, 0)
    if preset == "flat":
        return (1, 1, 1)
    if preset not in POINT_PRESETS:
        raise ValueError(
            f"points must be one of {', '.join(POINT_PRESETS)}, not {preset!r}"
        )
    own = _sourced(form, preset)
    if own is not None:
        return own
    implied = [_sourced(FORMS[number - 1], preset) for number in form.implies]
    known = [points for points in implied if points is not None]
    if known:
        return max(known)
    return min(points for each in FORMS if (points := _sourced(each, preset)))


def _sourced(form: Form, preset: Preset) -> Points | None:
    if preset == "hk":
        return form.hk
    return None if form.ropet is None else tiers(form.ropet, 0)
