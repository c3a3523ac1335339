"""What is compiled is told once, on stderr."""

from multiprocessing import get_context

import numba
import pytest
from numba.core import event

from rummi_training.compiling import (
    COMPILING,
    NOTICE,
    Notice,
    compiling_told,
    lock_for_workers,
)


def test_it_is_said_once_that_something_is_compiled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one, two = (numba.njit(lambda number, more=more: number + more) for more in (1, 2))
    with compiling_told():
        assert (one(1), two(1)) == (2, 3)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("compiling") and told.err.count("\n") == 1
    with compiling_told():
        assert (one(2), two(2)) == (3, 4)
    assert capsys.readouterr().err == ""
    one(1.5)
    assert capsys.readouterr().err == ""


def test_one_of_several_workers_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    context = get_context("spawn")
    with compiling_told():
        once = lock_for_workers(context)
        assert once is not None
    listen = event.install_listener
    with listen(COMPILING, Notice(once)), listen(COMPILING, Notice(once)):
        assert numba.njit(lambda number: number + 3)(1) == 4
    assert capsys.readouterr().err == f"{NOTICE}\n"


def test_workers_say_nothing_that_was_said_or_is_not_to_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    context = get_context("spawn")
    assert lock_for_workers(context) is None
    with compiling_told():
        numba.njit(lambda number: number + 4)(1)
        assert lock_for_workers(context) is None
    assert capsys.readouterr().err == f"{NOTICE}\n"
