"""One place per game: its presets and its turn machine."""
