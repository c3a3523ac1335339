"""Makes ``python -m rummi_training`` the command ``rummi``."""

import sys

from rummi_training.cli import main

if __name__ == "__main__":
    sys.exit(main())
