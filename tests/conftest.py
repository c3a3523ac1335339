"""Hypothesis profiles: free exploration by default, the same examples in CI."""

import os

from hypothesis import settings

# No deadline: the first call of a compiled function includes its compilation.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")
