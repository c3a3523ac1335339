"""How compiled functions may be called."""

import numpy as np
import pytest

from rummi_env.solver.sweeps import joker_bits


def test_a_kernel_called_by_python_says_that_it_cannot_be() -> None:
    with pytest.raises(TypeError, match="joker_bits is called by compiled code only"):
        joker_bits(np.int64(0), np.int64(1))
