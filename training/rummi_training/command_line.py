"""Reading command lines: typed by tyro, with errors of one line."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from operator import not_
from typing import Any

import tyro

USAGE_STATUS = 2
"""Exit status of commands that cannot be carried out as they were given."""

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_FRAME = "".join(map(chr, range(0x2500, 0x2580))) + "+-| "
"""What frames are drawn with, with and without Unicode."""


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
    lines = [_COLOR.sub("", line).strip(_FRAME) for line in message.splitlines()]
    title, *rest = lines or [""]
    # Of the rules around the message and before the hints empty lines are left.
    told = takewhile(bool, dropwhile(not_, rest))
    return ": ".join(part for part in (_lowered(title), " ".join(told)) if part)


def _lowered(title: str) -> str:
    return title[:1].lower() + title[1:]
