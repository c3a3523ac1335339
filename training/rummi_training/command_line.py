"""Reading command lines: typed by tyro, with errors of one line."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from typing import Any, TypeVar

import tyro

Parsed = TypeVar("Parsed")

USAGE_STATUS = 2
"""Exit status of commands that cannot be carried out as they were given."""

_FRAME = re.compile(r"[\u2500-\u257f]|\x1b\[[0-9;]*m")
_RULE = re.compile(r"^\W*\u2500{3,}\W*$")


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
        raise UsageError(f"{one_line(errors.getvalue())} (see {prog} --help)") from None
    return read


def one_line(message: str) -> str:
    """Returns what a framed message of tyro says, without its hints, as one line."""
    heading, *lines = message.strip().splitlines() or [""]
    told = []
    for line in lines:
        if _RULE.match(line.strip("\u2502 ")):
            break
        told.append(_FRAME.sub("", line).strip())
    title = _FRAME.sub("", heading).strip()
    text = " ".join(part for part in told if part)
    return f"{title[:1].lower()}{title[1:]}: {text}"
