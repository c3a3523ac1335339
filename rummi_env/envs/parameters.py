"""Agents with parameters: ``name:300`` or ``name:rollouts=300,depth=2``.

What stands behind the colon are the arguments of the class, or function, that the name
stands for. A value without a name is that of the first parameter. Values are read as
the parameter's annotation says, or as its default is.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable, Collection
from typing import Any, Literal

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

_WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    types.NoneType: "none",
}
"""Types of values, and what they are called in sentences."""

_TRUTH = {"true": True, "false": False}


def split_parameters(spec: str, names: Collection[str]) -> tuple[str, str | None]:
    """Splits ``name:parameters``.

    Args:
        spec: what to split.
        names: names that there are; what begins with none of them stays whole.

    Returns:
        The name, and the parameters, or None without any.
    """
    name, colon, text = spec.partition(":")
    return (name, text) if colon and name in names else (spec, None)


def call_with(spec: str, factory: Callable[..., Any], text: str) -> Any:
    """Calls what makes an agent with parameters that were given as text.

    Args:
        spec: what was asked for; sentences name it.
        factory: makes the agent.
        text: the parameters, separated by commas.

    Raises:
        ValueError: there is no such parameter, a value cannot be read or is refused by
            the factory; one sentence says so.
    """
    arguments = read_parameters(spec, factory, text)
    try:
        return factory(**arguments)
    except ValueError as error:
        raise ValueError(f"the agent {spec!r}: {error}") from error
    except TypeError as error:
        raise ValueError(f"the agent {spec!r} cannot be made: {error}") from error


def read_parameters(
    spec: str, factory: Callable[..., Any], text: str
) -> dict[str, Any]:
    """Returns parameters that were given as text, by name.

    Args:
        spec: what was asked for; sentences name it.
        factory: what they are parameters of.
        text: the parameters, separated by commas.

    Raises:
        ValueError: there is no such parameter, or a value cannot be read.
    """
    known = _parameters(factory)
    if not known:
        raise ValueError(f"the agent {spec!r} takes no parameters")
    there_is = ", ".join(known)
    arguments: dict[str, Any] = {}
    for place, part in enumerate(text.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if place:
                raise ValueError(
                    f"the agent {spec!r}: parameters after the first are given as "
                    f"name=value, not {part!r}; there is {there_is}"
                )
            name, value = next(iter(known)), name
        if name not in known:
            raise ValueError(
                f"the agent {spec!r} has no parameter {name!r}: there is {there_is}"
            )
        if name in arguments:
            raise ValueError(f"the agent {spec!r}: {name} is given twice")
        kinds = _kinds(known[name])
        arguments[name] = _value(f"the agent {spec!r}: {name}", value, kinds)
    return arguments


def _parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        signature = inspect.signature(factory, eval_str=True)
    except NameError:
        # Annotated with what is imported for type checkers only.
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return {}
    listed = signature.parameters
    return {name: item for name, item in listed.items() if item.kind in _NAMED}


def _kinds(parameter: inspect.Parameter) -> tuple[Any, ...]:
    """Returns the types, and the literal values, that a parameter takes."""
    kind = parameter.annotation
    if kind is inspect.Parameter.empty or isinstance(kind, str):
        without = parameter.default in (inspect.Parameter.empty, None)
        return (str,) if without else (type(parameter.default),)
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        options: tuple[Any, ...] = typing.get_args(kind)
    else:
        options = (kind,)
    found: list[Any] = []
    for option in options:
        literal = typing.get_origin(option) is Literal
        found += typing.get_args(option) if literal else [option]
    return tuple(found)


def _value(what: str, text: str, kinds: tuple[Any, ...]) -> Any:
    """Reads a value as the first of its types that it can be."""
    for kind in sorted(kinds, key=lambda kind: kind is str):
        if not isinstance(kind, type):
            if text == str(kind):
                return kind
        elif kind is types.NoneType:
            if text.lower() == "none":
                return None
        elif kind is bool:
            if text.lower() in _TRUTH:
                return _TRUTH[text.lower()]
        elif kind is str:
            return text
        elif kind in (int, float):
            try:
                number = kind(text)
            except ValueError:
                continue
            if math.isfinite(number):
                return number
    allowed = " or ".join(
        _WORDS.get(kind, kind.__name__) if isinstance(kind, type) else repr(kind)
        for kind in kinds
    )
    raise ValueError(f"{what} must be {allowed}, not {text!r}")
