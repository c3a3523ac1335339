"""Reading command lines: typed by tyro, with errors of one line."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import difflib
import io
import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from operator import not_
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import tyro

USAGE_STATUS = 2
"""Exit status of commands that cannot be carried out as they were given."""

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_FRAME = "".join(map(chr, range(0x2500, 0x2580))) + "+-| "
"""What frames are drawn with, with and without Unicode."""


_WORDS = {int: ("a whole number", "whole numbers"), float: ("a number", "numbers")}
"""What options take that are typed so: one, several."""

_VALUE = re.compile(r"value error: Error parsing (?:--)?(\S+): (.*)")
_GIVEN = re.compile(r"(\[.*\]|'.*'|\".*\")\.?$")
_CHOICE = re.compile(
    r"invalid choice: invalid choice (.*) for argument '(?:--)?(.*)'\. "
    r"Expected one of \((.*?),?\)\."
)
_NO_VALUE = re.compile(r"missing argument: Missing value for argument '--(.*)'.*")
_MISSING = re.compile(r"(?:required options|missing argument): .*")
_NO_COMMAND = re.compile(r"missing subcommand: Expected one of \{(.*)\}\.")


class UsageError(ValueError):
    """A command line that cannot be read; the message is one line."""


def parse(
    kind: Any, arguments: Sequence[str], prog: str, default: Any = None
) -> tuple[Any, list[str]]:
    """Reads a command line.

    Args:
        kind: dataclass, or union of them, to be made from it.
        arguments: the command line.
        prog: the command, for the help.
        default: values of what is not given, if they are not those of the dataclass.

    Returns:
        What was read, and the arguments that mean nothing.

    Raises:
        UsageError: something is missing or cannot be read.
        SystemExit: the help was asked for and has been printed.
    """
    keywords: dict[str, Any] = {} if default is None else {"default": default}
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            read: tuple[Any, list[str]] = tyro.cli(
                kind,
                args=list(arguments),
                prog=prog,
                return_unknown_args=True,
                **keywords,
            )
    except SystemExit as stopped:
        if stopped.code in (0, None):
            raise
        told = _sentence(one_line(errors.getvalue()), kind)
        raise UsageError(f"{told} (see {prog} --help)") from None
    return read


def unknown(arguments: Sequence[str], kinds: Sequence[Any], prog: str) -> UsageError:
    """Returns the error for arguments that mean nothing, with the nearest that do.

    Args:
        arguments: all that mean nothing.
        kinds: dataclasses whose fields are options.
        prog: the command, for the help.
    """
    known = [name for kind in kinds for name in _options(kind)]
    near = [
        f"--{match}"
        for word in arguments
        if word.startswith("--")
        for match in difflib.get_close_matches(
            word[2:].partition("=")[0].replace("_", "-"), known, n=1
        )
    ]
    hint = f"; did you mean {' '.join(near)}?" if near else ""
    return UsageError(
        f"unknown arguments: {' '.join(arguments)}{hint} (see {prog} --help)"
    )


def _options(kind: Any) -> dict[str, Any]:
    """Returns the types of all options by name; those of parts have a point in it."""
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        option = name.replace("_", "-")
        if dataclasses.is_dataclass(hint):
            inner = _options(hint)
            found |= {f"{option}.{part}": inner[part] for part in inner}
        elif get_origin(hint) is not Annotated:
            found[option] = hint
    return found


def _sentence(told: str, kind: Any) -> str:
    """Returns what tyro says, which is about types of Python, in words of the command.

    Args:
        told: its message, in one line.
        kind: what was to be read.
    """
    if match := _NO_COMMAND.fullmatch(told):
        return f"a command must be named: {match[1]}"
    if match := _CHOICE.fullmatch(told):
        return f"--{match[2]} must be one of {match[3]}, not {match[1]}"
    if match := _NO_VALUE.fullmatch(told):
        return f"--{match[1]} must be followed by a value"
    if not dataclasses.is_dataclass(kind):
        return told
    if match := _VALUE.fullmatch(told):
        return _wrong_value(match[1], match[2], _options(kind))
    if _MISSING.fullmatch(told):
        # All commands have one argument at most that has to be there: the first.
        hints = get_type_hints(kind, include_extras=True)
        first = next(name for name in hints if get_origin(hints[name]) is Annotated)
        return f"{first.upper()} must be given"
    return told


def _wrong_value(name: str, told: str, options: dict[str, Any]) -> str:
    """Says what an option must be; what a part says of itself is a sentence already."""
    given = _GIVEN.search(told)
    words = _wanted(options.get(name))
    if words is None or given is None:
        return told if name not in options else f"--{name}: {told}"
    values = ast.literal_eval(given[1])
    shown = values if isinstance(values, str) else " ".join(values)
    return f"--{name} must be {words}, not {shown!r}"


def _wanted(hint: Any) -> str | None:
    """Returns in words what an option of a type takes, if it takes numbers."""
    first, *rest = get_args(hint) or (hint,)
    if first not in _WORDS:
        return None
    one, several = _WORDS[first]
    if rest == [NoneType]:
        return f"{one} or None"
    return several if rest else one


def one_line(message: str) -> str:
    """Returns what a framed message of tyro says, without its hints, as one line."""
    lines = [_COLOR.sub("", line).strip(_FRAME) for line in message.splitlines()]
    title, *rest = lines or [""]
    # Of the rules around the message and before the hints empty lines are left.
    told = takewhile(bool, dropwhile(not_, rest))
    return ": ".join(part for part in (_lowered(title), " ".join(told)) if part)


def _lowered(title: str) -> str:
    return title[:1].lower() + title[1:]
