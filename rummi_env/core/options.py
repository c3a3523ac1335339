"""Validated options: the base of every game's rules.

A game's rules are a frozen keyword-only dataclass whose fields say, where they are
declared, which values they take. `GameRules` checks them and gives all games the same
presets, overrides and text forms.
"""

import dataclasses
import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

_COMMA = re.compile(r",(?![^\[]*\])")
"""A comma that is not inside a list."""


@dataclass(frozen=True)
class Allowed:
    """The values that an option takes."""

    text: str
    """What is allowed, to follow the words 'must be'."""

    accepts: Callable[[object], bool]
    """Whether a value is one of them."""


def whole(low: int, high: int) -> Allowed:
    """Allow the integers from low to high; True and False are none of them."""
    return Allowed(
        f"an integer from {low} to {high}",
        lambda value: type(value) is int and low <= value <= high,
    )


def flag() -> Allowed:
    """Allow True and False only, not the numbers 0 and 1."""
    return Allowed("True or False", lambda value: type(value) is bool)


def one_of(*words: str) -> Allowed:
    """Allow these words."""
    return Allowed(
        _listed([repr(word) for word in words]),
        lambda value: isinstance(value, str) and value in words,
    )


def some_of(*words: str) -> Allowed:
    """Allow a tuple of some of these words, none of them twice; it may be empty."""
    return Allowed(
        f"different words out of {_listed([repr(word) for word in words])}",
        lambda value: (
            isinstance(value, tuple)
            and all(isinstance(word, str) and word in words for word in value)
            and len(set(value)) == len(value)
        ),
    )


def seconds(high: int) -> Allowed:
    """Allow a duration above 0 and up to high, in seconds, whole or not."""
    return Allowed(
        f"a number of seconds above 0 and up to {high}",
        lambda value: (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and 0 < value <= high
        ),
    )


def pair_of(part: Allowed) -> Allowed:
    """Allow two values; a list of two, as YAML and JSON give it, becomes a tuple."""
    return Allowed(
        f"a pair of values, each {part.text}",
        lambda value: (
            isinstance(value, tuple)
            and len(value) == 2
            and all(map(part.accepts, value))
        ),
    )


def either(*parts: Allowed) -> Allowed:
    """Allow what any of the parts allows."""
    return Allowed(
        " or ".join(part.text for part in parts),
        lambda value: any(part.accepts(value) for part in parts),
    )


def none_or(part: Allowed) -> Allowed:
    """Allow None and what the part allows."""
    return either(Allowed("None", lambda value: value is None), part)


def option(default: object, allowed: Allowed) -> Any:
    """Declare a field of a rules dataclass: its default and what it takes."""
    return dataclasses.field(default=default, metadata={"allowed": allowed})


@dataclass(frozen=True, kw_only=True)
class GameRules:
    """Rules of one game: immutable, checked when made, printable, comparable.

    A subclass is a dataclass of the same kind, declares its fields with `option` and
    names its game in ``GAME`` and its presets in ``PRESETS``.

    Raises:
        ValueError: A field has a value that it does not take; one sentence names the
            field, the value and what is allowed.
    """

    GAME: ClassVar[str] = ""
    """Name of the game."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """Per preset what differs from the defaults of the fields."""

    def __post_init__(self) -> None:
        """Check every field; a list becomes a tuple, as files know no tuples."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, list):
                value = tuple(value)
                object.__setattr__(self, field.name, value)
            allowed = field.metadata["allowed"]
            if not allowed.accepts(value):
                raise ValueError(f"{field.name} must be {allowed.text}, not {value!r}")

    def check_players(self, num_players: int) -> None:
        """Refuse a number of players that the game does not allow.

        Raises:
            ValueError: So many cannot play.
        """
        raise NotImplementedError

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """Return the names of the presets."""
        return tuple(cls.PRESETS)

    @classmethod
    def preset(cls, name: str, /, **overrides: Any) -> Self:
        """Return a preset, with some fields set otherwise.

        Raises:
            ValueError: There is no such preset or field, or a value is refused.
        """
        if name not in cls.PRESETS:
            raise ValueError(_unknown("preset", name, cls.PRESETS))
        preset = cls(**cls.PRESETS[name])
        return preset.replace(**overrides) if overrides else preset

    @classmethod
    def of(cls, rules: "Self | str") -> Self:
        """Return the rules themselves, or those that a text names; see `parse`.

        Raises:
            ValueError: There are no such rules, or the argument is neither.
        """
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, str):
            return cls.parse(rules)
        raise ValueError(
            f"rules must be a {cls.__name__} or the name of a preset, not {rules!r}"
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the name of a preset, with changes after it if need be.

        Changes are written ``field=value``, values as in YAML or None, commas between:
        ``official,jokers=0``.

        Raises:
            ValueError: There is no such preset or field, or a value is refused.
        """
        preset, *changes = (part.strip() for part in _COMMA.split(text))
        return cls.preset(preset, **dict(map(_read_change, changes)))

    def replace(self, **overrides: Any) -> Self:
        """Return the same rules with some fields set otherwise.

        Raises:
            ValueError: There is no such field, or a value is refused.
        """
        self._refuse_unknown(overrides)
        return dataclasses.replace(self, **overrides)

    def differences(self, other: Self) -> dict[str, tuple[Any, Any]]:
        """Return the fields that differ: name to own value and the other's."""
        return {
            name: (value, getattr(other, name))
            for name, value in self._values().items()
            if value != getattr(other, name)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name, in types that YAML and JSON know."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._values().items()
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Return the rules with these fields; those that are absent keep the default.

        Raises:
            ValueError: There is no such field, or a value is refused.
        """
        if not isinstance(fields, Mapping):
            raise ValueError(
                f"{cls.__name__} needs a mapping of field names to values, "
                f"not {fields!r}"
            )
        cls._refuse_unknown(fields)
        return cls(**fields)

    def to_json(self) -> str:
        """Return every field as a JSON object."""
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` writes, or any part of it.

        Raises:
            ValueError: The text is not JSON, or see `from_dict`.
        """
        try:
            fields = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"{cls.__name__} cannot be read: {error}") from error
        return cls.from_dict(fields)

    def to_yaml(self) -> str:
        """Return every field as YAML, in the order of declaration."""
        import yaml  # late: only rules in files need it

        text: str = yaml.safe_dump(self.to_dict(), sort_keys=False)
        return text

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read what `to_yaml` writes, or any part of it; nothing gives the defaults.

        Raises:
            ValueError: The text is not YAML, or see `from_dict`.
        """
        import yaml

        try:
            fields = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ValueError(f"{cls.__name__} cannot be read: {error}") from error
        return cls.from_dict({} if fields is None else fields)

    def __str__(self) -> str:
        """Return the shortest way to write these rules, by the nearest preset."""
        presets = {name: self.preset(name) for name in self.presets()}
        if not presets:
            return repr(self)
        name = min(presets, key=lambda name: len(self.differences(presets[name])))
        overrides = "".join(
            f", {field}={own!r}"
            for field, (own, _) in self.differences(presets[name]).items()
        )
        return f"{type(self).__name__}.preset({name!r}{overrides})"

    def _values(self) -> dict[str, Any]:
        return {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self)
        }

    @classmethod
    def _refuse_unknown(cls, names: Iterable[object]) -> None:
        known = [field.name for field in dataclasses.fields(cls)]
        for name in names:
            if name not in known:
                raise ValueError(_unknown("field", name, known))


def _listed(words: Sequence[str]) -> str:
    *first, last = words or ["none"]
    return f"{', '.join(first)} or {last}" if first else last


def _unknown(what: str, name: object, known: Iterable[str]) -> str:
    """Say that there is no such preset or field, and which there are."""
    known = list(known)
    close = difflib.get_close_matches(name, known) if isinstance(name, str) else []
    hint = f"did you mean {_listed(close)}?" if close else f"there is {_listed(known)}"
    return f"unknown {what} {name!r}: {hint}"


def _read_change(change: str) -> tuple[str, Any]:
    """Read ``field=value``.

    Raises:
        ValueError: It is not written so, or the value is none in YAML.
    """
    import yaml

    name, equals, value = change.partition("=")
    if not equals:
        raise ValueError(
            f"{change!r} changes no rule: rules are written official,jokers=0"
        )
    if value.strip().lower() == "none":  # as Python has it; YAML says null
        return name.strip(), None
    try:
        return name.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise ValueError(f"{name.strip()}: {value!r} is no value") from error
