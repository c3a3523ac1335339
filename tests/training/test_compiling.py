"""What is compiled is told once, on stderr."""

import numba
import pytest

from rummi_training.compiling import compiling_told


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
